#include "rag/readers/process/worker_wire.h"

#include <cstring>
#include <type_traits>
#include <utility>

#include "base/bytes.h"
#include "base/utf8.h"
#include "rag/readers/front_matter.h"

namespace mneme::readers {
namespace {

constexpr auto kLastStatus = static_cast<uint32_t>(StatusCode::kInternal);
constexpr auto kLastKind = static_cast<uint32_t>(rag::BlockKind::kQuote);
constexpr uint64_t kBlockBytes = 40;  // on the wire

class Writer {
 public:
  template <typename T>
    requires std::is_arithmetic_v<T>
  void put(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(std::string_view text) {
    put(static_cast<uint64_t>(text.size()));
    bytes_.append(text);
  }
  void put(const Status& status) {
    put(static_cast<uint32_t>(status.code()));
    put(std::string_view(status.message()));
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

std::string read_text(ByteReader& reader) {
  const auto length = reader.read<uint64_t>();
  return std::string(as_text(reader.read_bytes(length)));
}

// False when the bytes end or say nonsense.
bool read_status(ByteReader& reader, Status& status) {
  const auto code = reader.read<uint32_t>();
  std::string message = read_text(reader);
  if (!reader.ok() || code > kLastStatus || (code != 0 && message.empty())) return false;
  if (code != 0) status = Status(static_cast<StatusCode>(code), utf8::sanitise(message));
  return true;
}

Status nonsense() {
  return corruption("the reader's process sent what is no document; the file was left out.");
}

void put_block(Writer& writer, const rag::Block& block) {
  writer.put(static_cast<uint32_t>(block.kind));
  writer.put(static_cast<int32_t>(block.heading_level));
  writer.put(block.byte_begin);
  writer.put(block.byte_end);
  writer.put(static_cast<int32_t>(block.line_begin));
  writer.put(static_cast<int32_t>(block.line_end));
  writer.put(static_cast<int32_t>(block.page));
  writer.put(int32_t{0});
}

bool read_blocks(ByteReader& reader, rag::Document& document) {
  const auto n_blocks = reader.read<uint64_t>();
  if (n_blocks > reader.left() / kBlockBytes) return false;
  document.blocks.reserve(n_blocks);
  uint64_t end = 0;
  for (uint64_t i = 0; i < n_blocks; ++i) {
    rag::Block block;
    const auto kind = reader.read<uint32_t>();
    block.heading_level = reader.read<int32_t>();
    block.byte_begin = reader.read<uint64_t>();
    block.byte_end = reader.read<uint64_t>();
    block.line_begin = reader.read<int32_t>();
    block.line_end = reader.read<int32_t>();
    block.page = reader.read<int32_t>();
    (void)reader.read<int32_t>();
    const bool in_order = end <= block.byte_begin && block.byte_begin <= block.byte_end;
    if (!reader.ok() || kind > kLastKind || !in_order || block.byte_end > document.text.size()) return false;
    block.kind = static_cast<rag::BlockKind>(kind);
    end = block.byte_end;
    document.blocks.push_back(block);
  }
  return true;
}

bool read_notes(ByteReader& reader, rag::Document& document) {
  const auto n_notes = reader.read<uint64_t>();
  if (n_notes > reader.left() / sizeof(uint64_t)) return false;
  for (uint64_t i = 0; i < n_notes; ++i) document.notes.push_back(utf8::sanitise(read_text(reader)));
  return reader.ok();
}

}  // namespace

std::string encode_request(const WorkerRequest& request) {
  const ReadLimits& limits = request.limits;
  Writer writer;
  writer.put(limits.file_bytes);
  writer.put(limits.container_bytes);
  writer.put(limits.text_bytes);
  writer.put(limits.unpacked_bytes);
  writer.put(limits.memory_bytes);
  writer.put(static_cast<int32_t>(limits.members));
  writer.put(static_cast<int32_t>(limits.container_depth));
  writer.put(static_cast<int32_t>(limits.structure_depth));
  writer.put(static_cast<int32_t>(limits.pages));
  writer.put(static_cast<int64_t>(limits.time.count()));
  writer.put(static_cast<uint32_t>(limits.ocr));
  writer.put(std::string_view(request.name));
  writer.put(request.size_bytes);
  writer.put(request.passed_over);
  writer.put(std::string_view(request.beginning));
  return writer.take();
}

Result<WorkerRequest> decode_request(std::string_view content) {
  ByteReader reader(as_bytes(content));
  WorkerRequest request;
  request.limits.file_bytes = reader.read<uint64_t>();
  request.limits.container_bytes = reader.read<uint64_t>();
  request.limits.text_bytes = reader.read<uint64_t>();
  request.limits.unpacked_bytes = reader.read<uint64_t>();
  request.limits.memory_bytes = reader.read<uint64_t>();
  request.limits.members = reader.read<int32_t>();
  request.limits.container_depth = reader.read<int32_t>();
  request.limits.structure_depth = reader.read<int32_t>();
  request.limits.pages = reader.read<int32_t>();
  request.limits.time = std::chrono::milliseconds(reader.read<int64_t>());
  request.limits.ocr = reader.read<uint32_t>() != 0;
  request.name = read_text(reader);
  request.size_bytes = reader.read<uint64_t>();
  request.passed_over = reader.read<uint64_t>();
  request.beginning = read_text(reader);
  const bool honest = reader.ok() && reader.left() == 0 && request.beginning.size() <= request.size_bytes;
  if (!honest) return corruption("a request that no mneme sends");
  return request;
}

std::string encode_want(const WantedBytes& wanted) {
  Writer writer;
  writer.put(wanted.offset);
  writer.put(wanted.n_bytes);
  return writer.take();
}

Result<WantedBytes> decode_want(std::string_view content, uint64_t size_bytes) {
  ByteReader reader(as_bytes(content));
  WantedBytes wanted;
  wanted.offset = reader.read<uint64_t>();
  wanted.n_bytes = reader.read<uint64_t>();
  const bool honest = reader.ok() && reader.left() == 0 && wanted.n_bytes > 0 && wanted.n_bytes <= kMostPieceBytes &&
                      wanted.offset <= size_bytes && wanted.n_bytes <= size_bytes - wanted.offset;
  if (!honest) return nonsense();
  return wanted;
}

std::string encode_member(const BegunMember& member) {
  Writer writer;
  writer.put(member.number);
  writer.put(std::string_view(member.label));
  return writer.take();
}

Result<BegunMember> decode_member(std::string_view content) {
  ByteReader reader(as_bytes(content));
  BegunMember member;
  member.number = reader.read<uint64_t>();
  member.label = utf8::sanitise(read_text(reader));
  if (!reader.ok() || reader.left() != 0 || member.number == 0) return nonsense();
  return member;
}

std::string encode_item(const ReadItem& item) {
  Writer writer;
  writer.put(item.member);
  writer.put(item.status);
  if (!item.status.ok()) return writer.take();
  const rag::Document& document = item.document;
  for (const std::string* text :
       {&document.title, &document.author, &document.date, &document.format, &document.text}) {
    writer.put(*text);
  }
  writer.put(static_cast<uint64_t>(document.blocks.size()));
  for (const rag::Block& block : document.blocks) put_block(writer, block);
  writer.put(static_cast<uint64_t>(document.notes.size()));
  for (const std::string& note : document.notes) writer.put(note);
  return writer.take();
}

Result<ReadItem> decode_item(std::string_view content) {
  ByteReader reader(as_bytes(content));
  ReadItem item;
  item.member = utf8::sanitise(read_text(reader));
  if (!read_status(reader, item.status)) return nonsense();
  if (item.status.ok()) {
    rag::Document& document = item.document;
    document.title = utf8::sanitise(read_text(reader));
    document.author = utf8::sanitise(read_text(reader));
    document.date = utf8::sanitise(read_text(reader));
    document.format = utf8::sanitise(read_text(reader));
    document.text = read_text(reader);
    bound_metadata(document);
    if (!reader.ok() || document.title.empty() || !utf8::valid(document.text)) return nonsense();
    if (!read_blocks(reader, document) || !read_notes(reader, document)) return nonsense();
  }
  if (!reader.ok() || reader.left() != 0) return nonsense();
  return item;
}

std::string encode_status(const Status& status) {
  Writer writer;
  writer.put(status);
  return writer.take();
}

Status decode_status(std::string_view content) {
  ByteReader reader(as_bytes(content));
  Status status;
  if (!read_status(reader, status) || reader.left() != 0) return nonsense();
  return status;
}

}  // namespace mneme::readers
