#include "rag/readers/read_context.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace mneme::readers {

ReadContext::ReadContext(const ReadLimits& limits, const DocumentSink& sink)
    : limits_(&limits),
      sink_(&sink),
      deadline_(std::chrono::steady_clock::now() + limits.time * (limits.ocr ? 10 : 1)),
      unpacked_left_(limits.unpacked_bytes),
      members_left_(limits.members) {}

std::chrono::milliseconds ReadContext::time_left() const {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - std::chrono::steady_clock::now());
  return std::max(left, std::chrono::milliseconds(0));
}

Status ReadContext::check(std::string_view name) const {
  if (limits_->cancel && limits_->cancel->cancelled()) return cancelled();
  if (std::chrono::steady_clock::now() < deadline_) return {};
  return resource_error("reading " + printable(name) + " took longer than " +
                        std::to_string(limits_->time.count() / 1000) + " s, the limit for one file; it was left out.");
}

Status ReadContext::charge_unpacked(std::string_view name, uint64_t bytes) {
  if (bytes <= unpacked_left_) {
    unpacked_left_ -= bytes;
    return {};
  }
  unpacked_left_ = 0;
  stop_ = true;
  return resource_error(printable(name) + " unpacks to more than " + std::to_string(limits_->unpacked_bytes >> 20) +
                        " MiB, the limit for one file; it may be a decompression bomb.");
}

Status ReadContext::charge_member(std::string_view name) {
  if (members_left_-- > 0) return {};
  stop_ = true;
  return resource_error(printable(name) + " holds more than " + std::to_string(limits_->members) +
                        " files, the limit for one archive; it was left out.");
}

Status ReadContext::emit(std::string_view name, rag::Document document) {
  if (document.text.size() > limits_->text_bytes) {
    return too_much_text(name, *limits_);
  }
  if (document.title.empty()) {
    // "config.h" and "config.cpp" are two things.
    document.title = document.format == rag::kSourceFormat ? file_title(name) : stem_title(name);
  }
  Status status = (*sink_)(ReadItem{.member = prefix_, .status = {}, .document = std::move(document)});
  if (!status.ok()) stop_ = true;
  return status;
}

Status too_much_text(std::string_view name, const ReadLimits& limits) {
  return resource_error(printable(name) + " holds more than " + std::to_string(limits.text_bytes >> 20) +
                        " MiB of text, the limit for one document; split it to index it.");
}

Status ReadContext::emit_failure(std::string member, Status failure) {
  Status status =
      (*sink_)(ReadItem{.member = utf8::sanitise(below_prefix(member)), .status = std::move(failure), .document = {}});
  if (!status.ok()) stop_ = true;
  return status;
}

std::string ReadContext::below_prefix(const std::string& label) const {
  return prefix_.empty() ? label : prefix_ + "/" + label;
}

std::string ReadContext::unused_label(std::string label) {
  const std::string wanted = label;
  while (labels_.contains(below_prefix(label))) {
    label = wanted + " (" + std::to_string(++labels_[below_prefix(wanted)]) + ")";
  }
  labels_[below_prefix(label)] = 1;
  return label;
}

Status ReadContext::read_member(const std::string& member, Input input) {
  const std::string clean = unused_label(utf8::sanitise(member));
  const std::string outer = std::exchange(prefix_, below_prefix(clean));
  ++depth_;
  Status status = dispatch(*this, std::move(input));
  --depth_;
  prefix_ = outer;
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

std::string stem_title(std::string_view name) {
  std::string_view file = file_name(name);
  const size_t dot = file.find_last_of('.');
  if (dot != std::string_view::npos && dot > 0) file = file.substr(0, dot);
  std::string title = printable(file);
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
