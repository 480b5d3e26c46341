#include "rag/readers/records/bibtex_entries.h"

#include <algorithm>

#include "base/ascii.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kMostFields = 500;
constexpr size_t kLongestValue = size_t{1} << 20;

bool is_word(char c) {
  return std::string_view("{}(),=\"#% \t\r\n").find(c) == std::string_view::npos;
}

}  // namespace

std::string BibtexEntry::field(std::string_view name) const {
  const auto found = fields.find(std::string(name));
  return found == fields.end() ? std::string() : found->second;
}

void BibtexCursor::pass_space() {
  at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
}

std::string BibtexCursor::word() {
  pass_space();
  const size_t begin = at_;
  while (at_ < text_.size() && is_word(text_[at_])) ++at_;
  return std::string(text_.substr(begin, at_ - begin));
}

bool BibtexCursor::take(char c) {
  pass_space();
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

// "@" in the first column, and a word behind it: within a value nobody writes that.
bool BibtexCursor::begins_entry(size_t at) const {
  return text_[at] == '@' && (at == 0 || text_[at - 1] == '\n') && at + 1 < text_.size() && is_letter(text_[at + 1]);
}

bool BibtexCursor::next(BibtexEntry& entry) {
  while (true) {
    at_ = text_.find('@', at_);
    if (at_ == std::string_view::npos) return false;
    entry = {.begin = at_++};
    entry.kind = lower_ascii(word());
    if (!take('{') && !take('(')) continue;
    if (entry.kind == "comment" || entry.kind == "preamble") continue;
    if (entry.kind != "string") {
      pass_space();
      const size_t end = std::min(text_.find_first_of(",}\n", at_), text_.size());
      entry.key = trim(text_.substr(at_, end - at_));
      at_ = end;
    }
    take_fields(entry);
    entry.end = at_;
    if (entry.kind != "string") return true;
    for (auto& [name, value] : entry.fields) strings_[name] = value;
  }
}

void BibtexCursor::take_fields(BibtexEntry& entry) {
  while (at_ < text_.size()) {
    while (take(',')) {
    }
    pass_space();
    if (at_ >= text_.size() || begins_entry(at_)) return;
    if (text_[at_] == '}' || text_[at_] == ')') {
      ++at_;
      return;
    }
    const std::string name = lower_ascii(word());
    if (name.empty()) {
      ++at_;  // what nobody can read is passed over
      continue;
    }
    if (!take('=')) continue;
    std::string told = value();
    if (entry.fields.size() < kMostFields) entry.fields.emplace(name, std::move(told));
  }
}

// Pieces joined by "#".
std::string BibtexCursor::value() {
  std::string all = piece();
  while (take('#')) {
    if (std::string more = piece(); all.size() < kLongestValue) all += more;
  }
  return all;
}

std::string BibtexCursor::piece() {
  pass_space();
  if (at_ < text_.size() && text_[at_] == '{') return braced();
  if (at_ < text_.size() && text_[at_] == '"') return quoted();
  std::string bare = word();
  const auto known = strings_.find(lower_ascii(bare));
  return known == strings_.end() ? bare : known->second;
}

std::string BibtexCursor::braced() {
  const size_t begin = ++at_;
  int depth = 1;
  for (; at_ < text_.size(); ++at_) {
    if (text_[at_] == '\\') {
      ++at_;
    } else if (text_[at_] == '{') {
      ++depth;
    } else if (text_[at_] == '}' && --depth == 0) {
      break;
    } else if (begins_entry(at_)) {
      return std::string(text_.substr(begin, at_ - begin));
    }
  }
  at_ = std::min(at_, text_.size());
  std::string told(text_.substr(begin, at_ - begin));
  if (at_ < text_.size()) ++at_;
  return told;
}

std::string BibtexCursor::quoted() {
  const size_t begin = ++at_;
  int depth = 0;
  for (; at_ < text_.size(); ++at_) {
    if (text_[at_] == '{') ++depth;
    if (text_[at_] == '}') --depth;
    if ((text_[at_] == '"' && depth <= 0) || begins_entry(at_)) break;
  }
  std::string told(text_.substr(begin, at_ - begin));
  if (at_ < text_.size() && text_[at_] == '"') ++at_;
  return told;
}

}  // namespace mneme::readers
