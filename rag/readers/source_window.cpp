#include "rag/readers/source_window.h"

#include <algorithm>
#include <span>

namespace mneme::readers {

Status SourceWindow::extend(size_t n_bytes) {
  // What was taken is moved over only here, where as much comes in: taking a few bytes at a time costs nothing.
  held_.erase(0, taken_);
  taken_ = 0;
  const uint64_t left = source_.size() - std::min(fetched_, source_.size());
  const size_t before = held_.size();
  const auto wanted = static_cast<size_t>(std::min<uint64_t>(n_bytes, left));
  held_.resize(before + wanted);
  Result<size_t> got = context_.fetch(name_, source_, fetched_, std::span(held_).subspan(before));
  held_.resize(before + (got.ok() ? *got : 0));
  MNEME_RETURN_IF_ERROR(got.status());
  fetched_ += *got;
  if (*got < wanted) return io_error(printable(name_) + " ended before its end; read it again.");
  return {};
}

void SourceWindow::take(size_t n_bytes) {
  taken_ += std::min(n_bytes, held_.size() - taken_);
  // One large message must not stay in memory with all the small ones behind it.
  constexpr size_t kKept = size_t{4} << 20;
  if (held_.capacity() > kKept && held_.size() - taken_ < held_.capacity() / 4) {
    held_ = held_.substr(taken_);
    taken_ = 0;
  }
}

}  // namespace mneme::readers
