#include "rag/indexing/file_loader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>

#include "base/file_descriptor.h"
#include "rag/chunking/chunker.h"
#include "rag/embedding/embedder.h"
#include "rag/readers/reader.h"
#include "rag/readers/reader_worker.h"
#include "rag/readers/stall_guard.h"
#include "rag/text/path_names.h"

namespace mneme::rag {

namespace {

// Files up to this size are read once, into memory; larger ones are hashed first and then read by their reader.
constexpr uint64_t kWholeLimit = uint64_t{64} << 20;

// Reads the file in pieces; `size` is what fstat said, and a file that does not keep to it has changed meanwhile.
Status read_pieces(const std::string& path, uint64_t size, const std::function<void(ByteSpan)>& piece) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) return errno_error("read", path, errno);
  struct stat before;
  if (::fstat(file.get(), &before) != 0) return errno_error("look at", path, errno);
  if (!S_ISREG(before.st_mode)) return unsupported(path + " is no regular file");
  std::vector<std::byte> buffer(std::min<uint64_t>(std::max<uint64_t>(size, 1), 1 << 20));
  uint64_t total = 0;
  for (;;) {
    const ssize_t n = ::read(file.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno_error("read", path, errno);
    if (n == 0) break;
    total += static_cast<uint64_t>(n);
    if (total > size) break;
    piece(ByteSpan(buffer.data(), static_cast<size_t>(n)));
  }
  if (total != size) return {StatusCode::kBusy, path + " changed while it was being read; index again"};
  return {};
}

// What a file system's clock goes on by, and a little more. A file written so short a time ago may be written again
// with the same time and size: it is kept as older than it is, so that the next run compares what is in it.
constexpr std::chrono::milliseconds kClockTick{20};

int64_t time_to_keep(const FoundFile& file) {
  using std::chrono::nanoseconds;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const nanoseconds age = std::chrono::duration_cast<nanoseconds>(now) - nanoseconds(file.mtime_ns);
  return std::chrono::abs(age) < kClockTick ? file.mtime_ns - 1 : file.mtime_ns;
}

// Shared with the thread that reads, which may be left behind hanging in the file system.
struct FileContents {
  Hasher128 hasher;
  std::vector<std::byte> bytes;  // of files that are kept whole
};

// On a thread of its own, so that a disk or network that does not answer costs this file and not the run.
Result<std::shared_ptr<FileContents>> read_contents(const FoundFile& file, bool whole,
                                                    const readers::ReadLimits& limits) {
  const auto contents = std::make_shared<FileContents>();
  const auto read = [path = file.path, size = file.size_bytes, whole, contents] {
    if (whole) contents->bytes.reserve(size);
    return read_pieces(path, size, [&](ByteSpan piece) {
      contents->hasher.add_raw(piece);
      if (whole) contents->bytes.insert(contents->bytes.end(), piece.begin(), piece.end());
    });
  };
  MNEME_RETURN_IF_ERROR(readers::run_guarded(file.path, limits.time, limits.cancel, read));
  return contents;
}

Status hash_and_read(const FoundFile& file, const readers::ReadLimits& limits, LoadedFile& loaded,
                     const std::function<bool(const Hash128&)>& is_known, const readers::DocumentSink& sink) {
  if (file.size_bytes > limits.file_bytes) {
    return resource_error(file.path + " is larger than the limit of " + std::to_string(limits.file_bytes >> 20) +
                          " MiB");
  }
  const bool whole = file.size_bytes <= kWholeLimit;
  if (!whole) {
    const auto look = [path = file.path, limits] { return readers::look_at_beginning(path, limits); };
    MNEME_RETURN_IF_ERROR(readers::run_guarded(file.path, limits.time, limits.cancel, look));
  }
  MNEME_ASSIGN_OR_RETURN(const std::shared_ptr<FileContents> contents, read_contents(file, whole, limits));
  loaded.content_hash = contents->hasher.finish();
  if (is_known && is_known(loaded.content_hash)) {
    loaded.same_content = true;
    return {};
  }
  return whole ? readers::read_bytes_apart(file.path, contents->bytes, limits, sink)
               : readers::read_file_apart(file.path, limits, sink);
}

}  // namespace

std::string member_path(const std::string& path, const std::string& member) {
  return member.empty() ? path : path + std::string(kMemberMark) + member;
}

Status chunk_and_embed(const Document& document, const Embedder& embedder, const chunking::ChunkerOptions& sizes,
                       storage::NewDocument& out) {
  const std::vector<Chunk> chunks = chunking::chunk_document(document, sizes);
  std::vector<std::string> texts;
  texts.reserve(chunks.size());
  out.chunks.reserve(chunks.size());
  for (const Chunk& chunk : chunks) {
    storage::NewChunk row;
    row.byte_begin = chunk.byte_begin;
    row.byte_end = chunk.byte_end;
    row.line_begin = chunk.line_begin;
    row.line_end = chunk.line_end;
    row.page = chunk.page;
    row.page_marks = chunk.page_marks;
    row.heading_path = chunk.heading_path;
    row.text = chunking::chunk_text(document, chunk);
    row.n_tokens = static_cast<int>(std::min<int64_t>(chunking::estimate_tokens(row.text), 1 << 30));
    out.record.n_tokens += row.n_tokens;
    texts.push_back(passage_to_embed(row.heading_path.empty() ? document.title : row.heading_path, row.text));
    out.chunks.push_back(std::move(row));
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  out.embeddings.embedder = embedder.identity();
  out.embeddings.dimensions = embedder.dim();
  out.embeddings.values.resize(views.size() * static_cast<size_t>(embedder.dim()));
  return embedder.embed(views, EmbedKind::kPassage, out.embeddings.values);
}

LoadedFile load_file(const FoundFile& file, const readers::ReadLimits& limits, const Embedder& embedder,
                     const std::function<bool(const Hash128&)>& is_known, const chunking::ChunkerOptions& sizes) {
  LoadedFile loaded;
  loaded.file = file;
  loaded.mtime_ns = time_to_keep(file);
  const readers::DocumentSink sink = [&](readers::ReadItem item) -> Status {
    std::string path = member_path(file.path, item.member);
    if (!item.status.ok()) {
      loaded.failed_members.emplace_back(std::move(path), item.status.message());
      return {};
    }
    storage::NewDocument document;
    storage::DocumentRecord& record = document.record;
    record.path = std::move(path);
    record.title = item.document.title;
    record.author = item.document.author;
    record.date = item.document.date;
    record.format = item.document.format;
    for (const std::string& note : item.document.notes) record.notes += note + "\n";
    record.size_bytes = file.size_bytes;
    record.mtime_ns = loaded.mtime_ns;
    MNEME_RETURN_IF_ERROR(chunk_and_embed(item.document, embedder, sizes, document));
    loaded.n_chunks += document.chunks.size();
    loaded.n_tokens += static_cast<uint64_t>(record.n_tokens);
    // Plain text can be read again from the file; what a reader made of other formats cannot.
    if (!item.member.empty() || item.document.text.size() != file.size_bytes)
      document.text = std::move(item.document.text);
    loaded.documents.push_back(std::move(document));
    return {};
  };
  loaded.status = hash_and_read(file, limits, loaded, is_known, sink);
  if (loaded.status.ok() && !loaded.same_content && loaded.documents.empty() && loaded.failed_members.empty()) {
    loaded.status = unsupported(file.path + " holds no text");
  }
  for (storage::NewDocument& document : loaded.documents) document.record.content_hash = loaded.content_hash;
  return loaded;
}

}  // namespace mneme::rag
