// What every reader gets besides the bytes: limits with their running budgets, and the way out for documents.
// Internal to rag/readers. Threads: one context belongs to one call of read_file(), read_bytes() or read_from().
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "rag/document.h"
#include "rag/readers/byte_source.h"
#include "rag/readers/reader.h"

namespace mneme::readers {

// One file (or member of a container) on its way into a reader.
struct Input {
  std::string name;   // name or path, bytes
  std::string bytes;  // whole content; readers of plain text move it into the document
};

// How the members of a container are called: by names that may repeat, or by numbers that cannot.
enum class Labels { kNames, kNumbers };

class ReadContext {
 public:
  // walk: borrowed; null: all members are read, and nobody is told which.
  ReadContext(const ReadLimits& limits, const DocumentSink& sink, const MemberWalk* walk = nullptr);

  const ReadLimits& limits() const { return *limits_; }
  int depth() const { return depth_; }

  // What reads the file begins to give members. The outermost container of a file gets budgets by its size
  // (container_limits.h), and each of its members the time of a file.
  void begin_container(uint64_t size_bytes);

  // kCancelled or kResource (time) when the reading should stop. Time that passes in the sink, or until a source gives
  // its bytes, is nobody's here.
  Status check(std::string_view name) const;
  std::chrono::milliseconds time_left() const;

  // ByteSource::read(), with check() before. A failure is final for the whole file.
  Result<size_t> fetch(std::string_view name, ByteSource& source, uint64_t offset, std::span<char> out);

  // Counts decompressed bytes and members against the budgets; kResource when they are used up.
  Status charge_unpacked(std::string_view name, uint64_t bytes);
  Status charge_member(std::string_view name);
  uint64_t unpacked_left() const { return unpacked_left_; }

  // Gives a document or a member's failure to the caller. Completes title and checks text_bytes.
  Status emit(std::string_view name, rag::Document document);
  Status emit_failure(const std::string& member, Status status);

  // Whether what failed last must stop the whole file: a budget that is used up, a sink or source that failed.
  bool must_stop() const { return stop_; }

  // Reads a member of a container as a file of its own. Its failure goes to the sink; what comes back is only what must
  // stop the whole file (cancel, time, budgets, the sink's own failure).
  Status read_member(const std::string& member, Input input, Labels labels = Labels::kNames);
  // The same of one that is no file of its own but a part of the container's: `read` reads it.
  Status read_member(const std::string& member, const std::function<Status()>& read, Labels labels = Labels::kNames);

  // A document that is itself the member: a part of a text. The text's name tells its title of last resort.
  Status emit_member(const std::string& member, std::string_view name, rag::Document document);

 private:
  using Clock = std::chrono::steady_clock;

  Status check_whole(std::string_view name) const;
  void pass_over(Clock::time_point since);  // time that does not count
  Status give(ReadItem item);
  std::string below_prefix(const std::string& label) const;
  // `label`, or with a number behind where this container has had a member of this name.
  std::string unused_label(std::string label);
  // Tells the walk which of the outermost members comes; false where it is to be passed over.
  Result<bool> begins_member(const std::string& label);

  const ReadLimits* limits_;
  const DocumentSink* sink_;
  const MemberWalk* walk_;
  std::chrono::milliseconds whole_time_;
  Clock::time_point whole_deadline_;
  Clock::time_point deadline_;  // of the outermost member being read; the whole file's where there is none
  uint64_t unpacked_limit_;
  uint64_t unpacked_left_;
  uint64_t members_limit_;
  uint64_t members_left_;
  uint64_t members_begun_ = 0;  // of the outermost container
  int depth_ = 0;
  bool stop_ = false;   // the last failure is final for the whole file
  std::string prefix_;  // path of the container's member being read, "" outside
  // Of each container being read the labels of its members, hashed, each with how often it was met: a document is known
  // by its path. Of two labels with the same hash the second is numbered for nothing.
  std::vector<std::unordered_map<size_t, int>> labels_{1};
};

// Chooses the reader of a file in memory and runs it.
Status dispatch(ReadContext& context, Input input);
// The same of one that may be larger than memory, as its format allows. Errors in addition: those of look_at().
Status dispatch_source(ReadContext& context, const std::string& name, ByteSource& source);

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
