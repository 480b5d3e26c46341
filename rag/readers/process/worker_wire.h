// What the program and its reader workers say to each other: frames of a type, a length and a content. The worker may
// have been taken over by a document: what comes from it is bounded, checked and refused like a document.
//   frame    := type u32, zero u32, length u64, content
//   request  := limits, name, size, passed over, beginning   program -> worker
//   want     := offset, number of bytes                       worker -> program, any number
//   piece    := the bytes                                     program -> worker, the answer to each want
//   member   := number, label                                 worker -> program, before each outermost member
//   item     := member, status, document                      worker -> program, any number
//   done     := status                                        worker -> program, ends a request
// The worker asks for the file's bytes as it needs them, and opens nothing. Texts and lists begin with their u64
// length; numbers are in the machine's own order. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "rag/readers/reader.h"

namespace mneme::readers {

enum class FrameType : uint32_t { kRequest = 1, kItem = 2, kDone = 3, kWant = 4, kPiece = 5, kMember = 6 };

struct FrameHeader {
  FrameType type = FrameType::kDone;
  uint32_t zero = 0;
  uint64_t length = 0;
};

inline std::string_view header_bytes(const FrameHeader& header) {
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

inline constexpr uint64_t kMostFrameBytes = uint64_t{1} << 31;
// Most that is sent of a file at a time, the beginning that comes with a request included.
inline constexpr size_t kMostPieceBytes = size_t{1} << 20;

struct WorkerRequest {
  ReadLimits limits;  // without its cancel token: who cancels ends the worker
  std::string name;
  uint64_t size_bytes = 0;   // of the file
  uint64_t passed_over = 0;  // as MemberWalk has it
  std::string beginning;     // its first bytes, all of a small file
};

std::string encode_request(const WorkerRequest& request);
// kCorruption for what no mneme sends.
Result<WorkerRequest> decode_request(std::string_view content);

struct WantedBytes {
  uint64_t offset = 0;
  uint64_t n_bytes = 0;
};
std::string encode_want(const WantedBytes& wanted);
// kCorruption for bytes that a file of this size does not have, and for more than a piece.
Result<WantedBytes> decode_want(std::string_view content, uint64_t size_bytes);

struct BegunMember {
  uint64_t number = 0;
  std::string label;
};
std::string encode_member(const BegunMember& member);
Result<BegunMember> decode_member(std::string_view content);

std::string encode_item(const ReadItem& item);
// kCorruption for anything that no honest worker says: text that is not UTF-8, blocks out of order or out of the text.
Result<ReadItem> decode_item(std::string_view content);

std::string encode_status(const Status& status);
// The status that was sent, or kCorruption.
Status decode_status(std::string_view content);

}  // namespace mneme::readers
