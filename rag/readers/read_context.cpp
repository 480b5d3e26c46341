#include "rag/readers/read_context.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/guarded.h"
#include "base/utf8.h"
#include "rag/readers/container_limits.h"
#include "rag/readers/front_matter.h"

namespace mneme::readers {

ReadContext::ReadContext(const ReadLimits& limits, const DocumentSink& sink, const MemberWalk* walk)
    : limits_(&limits),
      sink_(&sink),
      walk_(walk),
      whole_time_(time_of_member(limits)),
      whole_deadline_(Clock::now() + whole_time_),
      deadline_(whole_deadline_),
      unpacked_limit_(limits.unpacked_bytes),
      unpacked_left_(unpacked_limit_),
      members_limit_(members_of(limits, 0)),
      members_left_(members_limit_) {}

void ReadContext::begin_container(uint64_t size_bytes) {
  if (depth_ > 0) return;
  const std::chrono::milliseconds time = time_of_container(*limits_, size_bytes);
  whole_deadline_ += time - whole_time_;
  deadline_ = whole_deadline_;
  whole_time_ = time;
  unpacked_limit_ = unpacked_left_ = unpacked_bytes_of(*limits_, size_bytes);
  members_limit_ = members_left_ = members_of(*limits_, size_bytes);
}

std::chrono::milliseconds ReadContext::time_left() const {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
  return std::max(left, std::chrono::milliseconds(0));
}

Status ReadContext::check_whole(std::string_view name) const {
  if (limits_->cancel && limits_->cancel->cancelled()) return cancelled();
  if (Clock::now() < whole_deadline_) return {};
  return resource_error("reading " + printable(name) + " took longer than " +
                        std::to_string(whole_time_.count() / 1000) +
                        " s, the limit for one file of its size; it was left out.");
}

Status ReadContext::check(std::string_view name) const {
  MNEME_RETURN_IF_ERROR(check_whole(name));
  if (Clock::now() < deadline_) return {};
  return resource_error("reading " + printable(name) + " took longer than " +
                        std::to_string(time_of_member(*limits_).count() / 1000) +
                        " s, the limit for one file; it was left out.");
}

void ReadContext::pass_over(Clock::time_point since) {
  const Clock::duration passed = Clock::now() - since;
  whole_deadline_ += passed;
  deadline_ += passed;
}

Result<size_t> ReadContext::fetch(std::string_view name, ByteSource& source, uint64_t offset, std::span<char> out) {
  MNEME_RETURN_IF_ERROR(check(name));
  const Clock::time_point asked = Clock::now();
  Result<size_t> got = source.read(offset, out);
  pass_over(asked);
  if (!got.ok()) stop_ = true;
  return got;
}

Status ReadContext::charge_unpacked(std::string_view name, uint64_t bytes) {
  if (bytes <= unpacked_left_) {
    unpacked_left_ -= bytes;
    return {};
  }
  unpacked_left_ = 0;
  stop_ = true;
  return resource_error(printable(name) + " unpacks to more than " + std::to_string(unpacked_limit_ >> 20) +
                        " MiB, the limit for one file of its size; it may be a decompression bomb.");
}

Status ReadContext::charge_member(std::string_view name) {
  if (members_left_ > 0) {
    --members_left_;
    return {};
  }
  stop_ = true;
  return resource_error(printable(name) + " holds more than " + std::to_string(members_limit_) +
                        " files, the limit for one archive of its size; the rest was left out.");
}

Status ReadContext::give(ReadItem item) {
  const Clock::time_point given = Clock::now();
  Status status = (*sink_)(std::move(item));
  pass_over(given);
  if (!status.ok()) stop_ = true;
  return status;
}

Status ReadContext::emit(std::string_view name, rag::Document document) {
  if (document.text.size() > limits_->text_bytes) {
    return too_much_text(name, *limits_);
  }
  if (document.title.empty()) {
    // "config.h" and "config.cpp" are two things.
    document.title = document.format == rag::kSourceFormat ? file_title(name) : stem_title(name);
  }
  bound_metadata(document);
  return give(ReadItem{.member = prefix_, .status = {}, .document = std::move(document)});
}

Status ReadContext::emit_member(const std::string& member, std::string_view name, rag::Document document) {
  const std::string outer = std::exchange(prefix_, below_prefix(member));
  Status status = emit(name, std::move(document));
  prefix_ = outer;
  return status;
}

Status too_much_text(std::string_view name, const ReadLimits& limits) {
  return resource_error(printable(name) + " holds more than " + std::to_string(limits.text_bytes >> 20) +
                        " MiB of text, the limit for one document; split it to index it.");
}

Status ReadContext::emit_failure(const std::string& member, Status failure) {
  return give(ReadItem{.member = utf8::sanitise(below_prefix(member)), .status = std::move(failure), .document = {}});
}

std::string ReadContext::below_prefix(const std::string& label) const {
  return prefix_.empty() ? label : prefix_ + "/" + label;
}

std::string ReadContext::unused_label(std::string label) {
  const std::string wanted = label;
  const std::hash<std::string> hash;
  auto& met = labels_.back();
  while (met.contains(hash(label))) label = wanted + " (" + std::to_string(++met[hash(wanted)]) + ")";
  met[hash(label)] = 1;
  return label;
}

Result<bool> ReadContext::begins_member(const std::string& label) {
  if (depth_ > 0) return true;
  ++members_begun_;
  if (walk_ == nullptr) return true;
  if (members_begun_ <= walk_->passed_over) return false;
  if (walk_->begins) MNEME_RETURN_IF_ERROR(walk_->begins(members_begun_, label));
  return true;
}

Status ReadContext::read_member(const std::string& member, Input input, Labels labels) {
  return read_member(member, [&] { return dispatch(*this, std::move(input)); }, labels);
}

Status ReadContext::read_member(const std::string& member, const std::function<Status()>& read, Labels labels) {
  std::string clean = utf8::sanitise(member);
  if (labels == Labels::kNames) clean = unused_label(std::move(clean));
  MNEME_ASSIGN_OR_RETURN(const bool wanted, begins_member(clean));
  if (!wanted) return {};
  const bool outermost = depth_ == 0;
  if (outermost) deadline_ = std::min(whole_deadline_, Clock::now() + time_of_member(*limits_));
  std::string path = below_prefix(clean);
  labels_.emplace_back();
  const std::string outer = std::exchange(prefix_, std::move(path));
  ++depth_;
  // One that takes more memory than there is fails alone.
  Status status = guarded("reading " + printable(clean), read);
  labels_.pop_back();
  --depth_;
  prefix_ = outer;
  if (outermost) deadline_ = whole_deadline_;
  if (status.ok() || stop_) return status;
  if (Status whole = check(member); !whole.ok()) return whole;
  return emit_failure(clean, std::move(status));
}

std::string safe_label(std::string_view path) {
  std::string label;
  while (!path.empty()) {
    const size_t slash = path.find_first_of("/\\");
    const std::string_view part = path.substr(0, slash);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    if (part.empty() || part == "." || part == "..") continue;
    if (!label.empty()) label += '/';
    label += part;
  }
  return printable(label);
}

std::string printable(std::string_view name) {
  constexpr size_t kLongest = 300;
  if (name.size() > kLongest) name = name.substr(name.size() - kLongest);
  std::string clean = utf8::sanitise(name);
  for (char& c : clean) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return clean;
}

namespace {

std::string_view file_name(std::string_view path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

std::string file_title(std::string_view name) {
  std::string title = printable(file_name(name));
  return title.empty() ? "untitled" : title;
}

namespace {

// Notion puts a page's number behind its name: "Books 9f8e7d6c5b4a39281706f5e4d3c2b1a0".
std::string_view without_notion_id(std::string_view stem) {
  constexpr size_t kDigits = 32;
  if (stem.size() < kDigits + 2 || stem[stem.size() - kDigits - 1] != ' ') return stem;
  const std::string_view id = stem.substr(stem.size() - kDigits);
  const bool is_id = id.find_first_not_of("0123456789abcdef") == id.npos && id.find_first_of("0123456789") != id.npos;
  return is_id ? stem.substr(0, stem.size() - kDigits - 1) : stem;
}

}  // namespace

std::string stem_title(std::string_view name) {
  std::string_view file = file_name(name);
  const size_t dot = file.find_last_of('.');
  if (dot != std::string_view::npos && dot > 0) file = file.substr(0, dot);
  std::string title = printable(without_notion_id(file));
  return title.empty() ? "untitled" : title;
}

std::string extension(std::string_view name) {
  const std::string_view file = file_name(name);
  const size_t dot = file.find_last_of('.');
  if (dot == std::string_view::npos || dot == 0 || file.size() - dot > 16) return {};
  std::string lower(file.substr(dot + 1));
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

}  // namespace mneme::readers
