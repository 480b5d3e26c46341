#include "rag/readers/archive/archive_stream.h"

#include <algorithm>
#include <cstdio>
#include <span>

#include "base/guarded.h"

namespace mneme::readers {
namespace {

constexpr size_t kPieceBytes = size_t{1} << 20;

ArchiveStream& stream_of(void* self) {
  return *static_cast<ArchiveStream*>(self);
}

}  // namespace

ArchiveStream::ArchiveStream(ReadContext& context, const std::string& name, ByteSource& source)
    : context_(context), name_(name), source_(source) {}

bool ArchiveStream::open() {
  archive_.reset(archive_read_new());
  archive* const a = archive_.get();
  if (a == nullptr) return false;
  archive_read_support_filter_gzip(a);
  archive_read_support_filter_bzip2(a);
  archive_read_support_filter_xz(a);
  archive_read_support_filter_lzma(a);
  archive_read_support_filter_zstd(a);
  archive_read_support_format_tar(a);
  archive_read_support_format_zip(a);
  archive_read_support_format_7zip(a);
  archive_read_support_format_raw(a);  // a single packed file; tried last
  piece_.resize(static_cast<size_t>(std::min<uint64_t>(kPieceBytes, source_.size())));
  archive_read_set_read_callback(a, on_read);
  archive_read_set_skip_callback(a, on_skip);
  archive_read_set_seek_callback(a, on_seek);
  archive_read_set_callback_data(a, this);
  return archive_read_open1(a) == ARCHIVE_OK;
}

ssize_t ArchiveStream::on_read(archive* /*reader*/, void* self, const void** bytes) {
  return stream_of(self).read(bytes);
}

la_int64_t ArchiveStream::on_skip(archive* /*reader*/, void* self, la_int64_t n_bytes) {
  return stream_of(self).skip(n_bytes);
}

la_int64_t ArchiveStream::on_seek(archive* /*reader*/, void* self, la_int64_t offset, int whence) {
  return stream_of(self).seek(offset, whence);
}

ssize_t ArchiveStream::read(const void** bytes) {
  const bool held = position_ >= piece_begin_ && position_ < piece_begin_ + piece_size_;
  if (!held && position_ < source_.size()) {
    piece_size_ = 0;
    piece_begin_ = position_;
    // No exception crosses the C library.
    status_ = guarded("reading an archive", [&] {
      Result<size_t> got = context_.fetch(name_, source_, position_, std::span(piece_));
      piece_size_ = got.ok() ? *got : 0;
      return got.status();
    });
    if (!status_.ok()) return ARCHIVE_FATAL;
  }
  if (position_ >= piece_begin_ + piece_size_ || position_ < piece_begin_) return 0;  // the end
  const auto within = static_cast<size_t>(position_ - piece_begin_);
  *bytes = piece_.data() + within;
  position_ = piece_begin_ + piece_size_;
  return static_cast<ssize_t>(piece_size_ - within);
}

la_int64_t ArchiveStream::skip(la_int64_t n_bytes) {
  if (n_bytes <= 0) return 0;
  const uint64_t left = source_.size() - std::min(position_, source_.size());
  const uint64_t skipped = std::min(left, static_cast<uint64_t>(n_bytes));
  position_ += skipped;
  return static_cast<la_int64_t>(skipped);
}

la_int64_t ArchiveStream::seek(la_int64_t offset, int whence) {
  const auto size = static_cast<la_int64_t>(source_.size());
  la_int64_t from = 0;
  if (whence == SEEK_CUR) from = static_cast<la_int64_t>(position_);
  if (whence == SEEK_END) from = size;
  if (offset < -from || offset > size - from) return ARCHIVE_FATAL;
  position_ = static_cast<uint64_t>(from + offset);
  return from + offset;
}

}  // namespace mneme::readers
