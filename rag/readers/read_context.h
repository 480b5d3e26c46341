// What every reader gets besides the bytes: limits with their running budgets, and the way out for documents.
// Internal to rag/readers. Threads: one context belongs to one call of read_file() or read_bytes().
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/status.h"
#include "rag/document.h"
#include "rag/readers/reader.h"

namespace mneme::readers {

// One file (or member of a container) on its way into a reader.
struct Input {
  std::string name;   // name or path, bytes
  std::string bytes;  // whole content; readers of plain text move it into the document
};

class ReadContext {
 public:
  ReadContext(const ReadLimits& limits, const DocumentSink& sink);

  const ReadLimits& limits() const { return *limits_; }
  int depth() const { return depth_; }

  // kCancelled or kResource (time) when the reading should stop.
  Status check(std::string_view name) const;
  std::chrono::milliseconds time_left() const;

  // Counts decompressed bytes and members against the budgets; kResource when they are used up.
  Status charge_unpacked(std::string_view name, uint64_t bytes);
  Status charge_member(std::string_view name);
  uint64_t unpacked_left() const { return unpacked_left_; }

  // Gives a document or a member's failure to the caller. Completes title and checks text_bytes.
  Status emit(std::string_view name, rag::Document document);
  Status emit_failure(std::string member, Status status);

  // Reads a member of a container as a file of its own. Its failure goes to the sink; what comes back is only what must
  // stop the whole file (cancel, time, budgets, the sink's own failure).
  Status read_member(const std::string& member, Input input);

 private:
  std::string below_prefix(const std::string& label) const;
  // `label`, or with a number behind where a member of this name was read before, as mails and archives may have.
  std::string unused_label(std::string label);

  const ReadLimits* limits_;
  const DocumentSink* sink_;
  std::chrono::steady_clock::time_point deadline_;
  uint64_t unpacked_left_;
  int members_left_;
  int depth_ = 0;
  bool stop_ = false;   // the last failure is final for the whole file
  std::string prefix_;  // path of the container's member being read, "" outside
  // Paths of the members that were read, each with how often its name was met: a document is known by its path.
  std::map<std::string, int> labels_;
};

// The whole file, opened as read_file() does and with its errors.
Status load_file(const std::string& path, const ReadLimits& limits, std::string& bytes);

// Chooses the reader and runs it.
Status dispatch(ReadContext& context, Input input);

// What is said of a document over ReadLimits::text_bytes.
Status too_much_text(std::string_view name, const ReadLimits& limits);

// File name without folders and extension, as UTF-8; the title of last resort.
std::string stem_title(std::string_view name);
std::string file_title(std::string_view name);  // with its extension
// Extension in lower case without the dot; "" when there is none. ".gitignore" has none.
std::string extension(std::string_view name);
// A path in a container without a leading slash and without "..": a label, not a place.
std::string safe_label(std::string_view path);
// Name for messages: valid UTF-8, not too long.
std::string printable(std::string_view name);

}  // namespace mneme::readers
