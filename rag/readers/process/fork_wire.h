// What a forking program and whoever started it say to each other, over two pipes: for every document
// ForkedPipes, ForkRequest, and the state that waitpid() gives of the child.
#pragma once

#include <cstdint>

namespace mneme::readers {

// Descriptors that the program is started with.
constexpr int kForkRequests = 3;
constexpr int kForkReplies = 4;
constexpr int kForkLibrary = 5;  // itself, as a file
constexpr int kForkDescriptors = 6;

// Exit code of a child that has not begun with its document, and of a program that cannot be started.
constexpr int kCannotStart = 127;
constexpr int kStreamBytes = 1 << 20;  // what a pipe of a child's output holds, where the system allows it

// Ready for a document: read ends of the pipes of its child's output and errors, as the program numbers them.
struct ForkedPipes {
  int32_t output = -1;
  int32_t errors = -1;
};

struct ForkRequest {
  uint64_t memory_bytes = 0;  // of ResourceLimits
  uint64_t cpu_seconds = 0;   // also how long it may take in all
  int64_t document = -1;      // as the starter numbers it
};

}  // namespace mneme::readers
