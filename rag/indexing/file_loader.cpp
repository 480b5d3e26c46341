#include "rag/indexing/file_loader.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "base/guarded.h"
#include "base/wall_clock.h"
#include "rag/chunking/chunker.h"
#include "rag/embedding/embedder.h"
#include "rag/readers/file_source.h"
#include "rag/readers/process/reader_worker.h"
#include "rag/readers/reader.h"
#include "rag/text/documents/path_names.h"

namespace mneme::rag {

namespace {

using readers::ByteSource;
using readers::FileSource;

// Files up to this size are read once, into memory; larger ones are hashed first and then read by their reader.
constexpr uint64_t kWholeLimit = uint64_t{64} << 20;
constexpr size_t kHashedPiece = size_t{512} << 10;
// A batch is given on when it holds so much.
constexpr size_t kBatchDocuments = 32;
constexpr uint64_t kBatchBytes = uint64_t{4} << 20;

Status changed_while_read(const std::string& path) {
  return {StatusCode::kBusy, path + " changed while it was being read; index again"};
}

// What a file system's clock goes on by, and a little more. A file written so short a time ago may be written again
// with the same time and size: it is kept as older than it is, so that the next run compares what is in it.
constexpr std::chrono::milliseconds kClockTick{20};
// The same where times are whole seconds, as on memory sticks: FAT counts in twos.
constexpr std::chrono::milliseconds kClockTickOfSeconds{2020};

storage::FileState state_to_keep(storage::FileState state) {
  using std::chrono::nanoseconds;
  const nanoseconds now(now_ns());
  const auto is_just_now = [&](int64_t time_ns) {
    const nanoseconds time(time_ns);
    const bool in_seconds = time % std::chrono::seconds(1) == nanoseconds(0);
    const nanoseconds tick = in_seconds ? kClockTickOfSeconds : kClockTick;
    return time > now - tick && time < now + tick;
  };
  if (is_just_now(state.mtime_ns)) --state.mtime_ns;
  if (is_just_now(state.changed_ns)) --state.changed_ns;
  return state;
}

// How far a file has been read. A reader may go to and fro: what it reads twice counts once.
class ReadMeter {
 public:
  ReadMeter(uint64_t size_bytes, std::atomic<uint64_t>* bytes_read) : left_(size_bytes), bytes_read_(bytes_read) {}
  ~ReadMeter() { count(left_); }
  ReadMeter(const ReadMeter&) = delete;
  ReadMeter& operator=(const ReadMeter&) = delete;

  void count(uint64_t n_bytes) {
    const uint64_t new_bytes = std::min(n_bytes, left_);
    left_ -= new_bytes;
    if (bytes_read_ != nullptr) bytes_read_->fetch_add(new_bytes, std::memory_order_relaxed);
  }

 private:
  uint64_t left_;
  std::atomic<uint64_t>* const bytes_read_;
};

class MeteredSource final : public ByteSource {
 public:
  MeteredSource(ByteSource& source, ReadMeter& meter) : source_(source), meter_(meter) {}

  uint64_t size() const override { return source_.size(); }
  Result<size_t> read(uint64_t offset, std::span<char> out) override {
    Result<size_t> got = source_.read(offset, out);
    if (got.ok()) meter_.count(*got);
    return got;
  }

 private:
  ByteSource& source_;
  ReadMeter& meter_;
};

// The hash of all its bytes; `kept` gets them, unless it is null. What is kept is read to where it stays: memory that
// is touched for the first time costs more than the hash.
Result<Hash128> hash_of(ByteSource& source, const CancelToken* cancel, std::string* kept) {
  Hasher128 hasher;
  std::string piece;
  std::string& buffer = kept != nullptr ? *kept : piece;
  const uint64_t at_once = kept != nullptr ? source.size() : kHashedPiece;
  buffer.resize(static_cast<size_t>(std::min(source.size(), at_once)));
  for (uint64_t done = 0; done < source.size();) {
    if (cancel != nullptr && cancel->cancelled()) return cancelled();
    const size_t begin = kept != nullptr ? static_cast<size_t>(done) : 0;
    const std::span<char> room = std::span(buffer).subspan(begin);
    MNEME_ASSIGN_OR_RETURN(const size_t got, source.read(done, room.first(std::min(room.size(), kHashedPiece))));
    hasher.add_raw(as_bytes(std::string_view(room.data(), got)));
    done += got;
  }
  return hasher.finish();
}

uint64_t n_bytes(const storage::NewDocument& document) {
  uint64_t total = document.embeddings.values.size() * sizeof(float) + (document.text ? document.text->size() : 0);
  for (const storage::NewChunk& chunk : document.chunks) total += chunk.text.size();
  return total;
}

class FileLoader {
 public:
  FileLoader(const FileLoad& load, const BatchSink& take)
      : load_(load),
        take_(take),
        kept_(state_to_keep(load.file.state)),
        meter_(load.file.state.size_bytes, load.bytes_read) {
    begin_batch();
  }

  void run() {
    // A file that takes more memory than there is fails alone.
    Status status = guarded(load_.file.path, [&] { return read(); });
    batch_.is_last = true;
    const bool gave_nothing = status.ok() && !batch_.same_content && !found_any_;
    if (gave_nothing) status = unsupported(load_.file.path + " holds no text");
    batch_.holds_nothing =
        gave_nothing || (load_.file.state.size_bytes == 0 && status.code() == StatusCode::kUnsupported);
    batch_.status = std::move(status);
    (void)take_(std::move(batch_));
  }

 private:
  Status read() {
    const std::string& path = load_.file.path;
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<FileSource> file, FileSource::open(path, load_.limits));
    if (file->size() != load_.file.state.size_bytes) return changed_while_read(path);
    MNEME_RETURN_IF_ERROR(readers::look_at(path, file->beginning(), file->size(), load_.limits));
    std::string bytes;
    const bool whole = file->size() <= kWholeLimit;
    MNEME_ASSIGN_OR_RETURN(content_hash_, hash_of(*file, load_.limits.cancel, whole ? &bytes : nullptr));
    batch_.content_hash = content_hash_;
    MNEME_RETURN_IF_ERROR(file->unchanged());
    if (load_.is_known && load_.is_known(content_hash_)) {
      batch_.same_content = true;
      return {};
    }
    readers::MemorySource memory(bytes);
    MeteredSource source(whole ? static_cast<ByteSource&>(memory) : *file, meter_);
    const auto sink = [this](readers::ReadItem item) { return take_item(std::move(item)); };
    MNEME_RETURN_IF_ERROR(readers::read_from_apart(path, source, load_.limits, sink));
    return whole ? Status() : file->unchanged();
  }

  Status take_item(readers::ReadItem item) {
    found_any_ = true;
    std::string path = member_path(load_.file.path, item.member);
    if (!item.status.ok()) {
      batch_.failed_members.emplace_back(std::move(path), item.status.message());
      return {};
    }
    LoadedDocument loaded;
    storage::DocumentRecord& record = loaded.document.record;
    record.path = std::move(path);
    record.title = std::move(item.document.title);
    record.author = std::move(item.document.author);
    record.date = std::move(item.document.date);
    record.format = item.document.format;
    record.names = path_names(record.path, load_.roots, record.title);
    for (const std::string& note : item.document.notes) record.notes += note + "\n";
    record.file = kept_;
    record.content_hash = content_hash_;
    cut_into_chunks(item.document, load_.sizes, loaded.document);
    // Plain text can be read again from the file; what a reader made of other formats cannot.
    if (!item.member.empty() || item.document.text.size() != load_.file.state.size_bytes) {
      loaded.document.text = std::move(item.document.text);
    }
    if (load_.find_unchanged) loaded.unchanged = load_.find_unchanged(loaded.document);
    if (loaded.unchanged) {
      loaded.document.chunks = {};
      loaded.document.text.reset();
    } else {
      MNEME_RETURN_IF_ERROR(embed_chunks(load_.embedder, loaded.document));
    }
    return add(std::move(loaded), item.member.empty());
  }

  // A file that is one document comes in one batch, however long it is.
  Status add(LoadedDocument loaded, bool is_file) {
    batch_bytes_ += n_bytes(loaded.document);
    batch_.documents.push_back(std::move(loaded));
    if (is_file || (batch_.documents.size() < kBatchDocuments && batch_bytes_ < kBatchBytes)) return {};
    LoadedBatch batch = std::exchange(batch_, {});
    batch.is_last = false;
    is_first_ = false;
    begin_batch();
    return take_(std::move(batch));
  }

  void begin_batch() {
    batch_.file = load_.file;
    batch_.is_first = is_first_;
    batch_.is_last = false;
    batch_.content_hash = content_hash_;
    batch_.kept = kept_;
    batch_bytes_ = 0;
  }

  const FileLoad& load_;
  const BatchSink& take_;
  const storage::FileState kept_;
  ReadMeter meter_;
  Hash128 content_hash_;
  LoadedBatch batch_;
  uint64_t batch_bytes_ = 0;
  bool is_first_ = true;
  bool found_any_ = false;
};

}  // namespace

std::string member_path(const std::string& path, const std::string& member) {
  return member.empty() ? path : path + std::string(kMemberMark) + member;
}

bool is_member_path(const std::string& path) {
  return path.find(kMemberMark) != std::string::npos;
}

void cut_into_chunks(const Document& document, const chunking::ChunkerOptions& sizes, storage::NewDocument& out) {
  const std::vector<Chunk> chunks = chunking::chunk_document(document, sizes);
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
    out.chunks.push_back(std::move(row));
  }
}

Status embed_chunks(const Embedder& embedder, storage::NewDocument& out) {
  std::vector<std::string> texts;
  texts.reserve(out.chunks.size());
  for (const storage::NewChunk& chunk : out.chunks) {
    texts.push_back(passage_to_embed(chunk.heading_path.empty() ? out.record.title : chunk.heading_path, chunk.text));
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  out.embeddings.embedder = embedder.identity();
  out.embeddings.dimensions = embedder.dim();
  out.embeddings.values.resize(views.size() * static_cast<size_t>(embedder.dim()));
  return embedder.embed(views, EmbedKind::kPassage, out.embeddings.values);
}

void load_file(const FileLoad& load, const BatchSink& take) {
  FileLoader(load, take).run();
}

}  // namespace mneme::rag
