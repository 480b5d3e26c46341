// What the program and its reader workers say to each other: frames of a type, a length and a content. The worker may
// have been taken over by a document: what comes from it is bounded, checked and refused like a document.
//   frame    := type u32, length u64, content
//   request  := limits, name, bytes      program -> worker
//   item     := member, status, document worker -> program, any number
//   done     := status                   worker -> program, ends a request
// Texts and lists begin with their u64 length; numbers are in the machine's own order. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "rag/readers/reader.h"

namespace mneme::readers {

enum class FrameType : uint32_t { kRequest = 1, kItem = 2, kDone = 3 };

struct FrameHeader {
  FrameType type = FrameType::kDone;
  uint32_t zero = 0;
  uint64_t length = 0;
};

struct WorkerRequest {
  ReadLimits limits;  // without its cancel token: who cancels ends the worker
  std::string name;
  std::string bytes;
};

std::string encode_request(std::string_view name, std::string_view bytes, const ReadLimits& limits);
Result<WorkerRequest> decode_request(std::string_view content);

std::string encode_item(const ReadItem& item);
// kCorruption for anything that no honest worker says: text that is not UTF-8, blocks out of order or out of the text.
Result<ReadItem> decode_item(std::string_view content);

std::string encode_status(const Status& status);
// The status that was sent, or kCorruption.
Status decode_status(std::string_view content);

}  // namespace mneme::readers
