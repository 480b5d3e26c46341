#include "rag/answering/writing/thought_filter.h"

#include <algorithm>
#include <utility>

#include "base/trim.h"

namespace mneme::rag {
namespace {

using engine::kThoughtMarkers;
using engine::ThoughtMarkers;

constexpr std::string_view kSpace = " \t\r\n";

// Bytes at the end of `text` that may be the beginning of `marker`.
size_t begun_at_end(std::string_view text, std::string_view marker) {
  for (size_t n = std::min(text.size(), marker.size() - 1); n > 0; --n) {
    if (text.ends_with(marker.substr(0, n))) return n;
  }
  return 0;
}

}  // namespace

std::string ThoughtFilter::add(std::string_view piece) {
  if (state_ == State::kBehind) return std::string(piece);
  held_ += piece;
  return state_ == State::kBefore ? look_for_opening() : look_for_closing();
}

std::string ThoughtFilter::finish(bool ended) {
  std::string rest = std::exchange(held_, {});
  if (state_ != State::kInside) {
    state_ = State::kBehind;
    return rest;
  }
  const std::string all(trimmed(thought_ + rest));
  thought_ = ended ? std::string() : all;
  if (ended) state_ = State::kBehind;
  return ended ? all : std::string();
}

// A thought stands at the very beginning; markers further on are words like others.
std::string ThoughtFilter::look_for_opening() {
  const size_t begin = std::min(held_.find_first_not_of(kSpace), held_.size());
  const std::string_view text = std::string_view(held_).substr(begin);
  for (const ThoughtMarkers& markers : kThoughtMarkers) {
    if (text.starts_with(markers.open)) {
      close_ = markers.close;
      held_.erase(0, begin + markers.open.size());
      state_ = State::kInside;
      return look_for_closing();
    }
    if (markers.open.starts_with(text)) return {};  // also where nothing has come yet
  }
  state_ = State::kBehind;
  return std::move(held_);
}

std::string ThoughtFilter::look_for_closing() {
  size_t kept_back = 0;
  for (const ThoughtMarkers& markers : kThoughtMarkers) {
    if (!close_.empty() && markers.close != close_) continue;
    if (const size_t at = held_.find(markers.close); at != std::string::npos) {
      thought_ = std::string(trimmed(thought_ + held_.substr(0, at)));
      std::string answer = held_.substr(at + markers.close.size());
      held_.clear();
      state_ = State::kBehind;
      return answer;
    }
    kept_back = std::max(kept_back, begun_at_end(held_, markers.close));
  }
  thought_.append(held_, 0, held_.size() - kept_back);
  held_.erase(0, held_.size() - kept_back);
  return {};
}

}  // namespace mneme::rag
