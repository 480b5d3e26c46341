#include "rag/readers/apple/iwa_archive.h"

#include <algorithm>

#include "rag/readers/office/little_endian.h"

namespace mneme::readers {
namespace {

// A number of seven bits a byte, the lowest first. False: cut off, or longer than any.
bool take_varint(std::string_view& bytes, uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes[0]);
    bytes.remove_prefix(1);
    value |= uint64_t{byte & 0x7fU} << shift;
    if ((byte & 0x80) == 0) return true;
  }
  return false;
}

bool take_bytes(std::string_view& bytes, uint64_t size, std::string_view& taken) {
  if (size > bytes.size()) return false;
  taken = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return true;
}

bool take_field(std::string_view& bytes, ProtoField& field) {
  uint64_t key = 0;
  if (!take_varint(bytes, key)) return false;
  field = {.number = static_cast<uint32_t>(key >> 3), .value = 0, .bytes = {}};
  switch (key & 7) {
    case 0: return take_varint(bytes, field.value);
    case 1: return take_bytes(bytes, 8, field.bytes);
    case 2: return take_varint(bytes, field.value) && take_bytes(bytes, field.value, field.bytes);
    case 5: return take_bytes(bytes, 4, field.bytes);
    default: return false;
  }
}

// Bytes that came before, again; they may run into those that are being written.
bool repeat(std::string& whole, size_t back, size_t size) {
  if (back == 0 || back > whole.size()) return false;
  for (size_t i = 0; i < size; ++i) whole += whole[whole.size() - back];
  return true;
}

struct Copy {
  size_t back = 0;
  size_t size = 0;
};

bool take_copy(std::string_view& packed, uint8_t tag, Copy& copy) {
  std::string_view place;
  if ((tag & 3) == 1) {
    if (!take_bytes(packed, 1, place)) return false;
    copy = {.back = size_t{tag & 0xe0U} << 3 | u8_at(place, 0), .size = 4U + (tag >> 2 & 7U)};
    return true;
  }
  const size_t width = (tag & 3) == 2 ? 2 : 4;
  if (!take_bytes(packed, width, place)) return false;
  copy = {.back = width == 2 ? u16_at(place, 0) : u32_at(place, 0), .size = static_cast<size_t>(tag >> 2) + 1};
  return true;
}

// Bytes as they are. Of 60 and more the size stands behind the tag.
bool take_literal(std::string_view& packed, uint8_t tag, std::string_view& literal) {
  uint64_t size = tag >> 2;
  if (size >= 60) {
    std::string_view written;
    const size_t width = size - 59;
    if (!take_bytes(packed, width, written)) return false;
    size = 0;
    for (size_t i = width; i-- > 0;) size = size << 8 | u8_at(written, i);
  }
  return take_bytes(packed, size + 1, literal);
}

}  // namespace

std::string unpacked_snappy(std::string_view packed, uint64_t most_bytes) {
  uint64_t size = 0;
  if (!take_varint(packed, size) || size > most_bytes) return {};
  std::string whole;
  while (!packed.empty()) {
    const auto tag = static_cast<uint8_t>(packed[0]);
    packed.remove_prefix(1);
    Copy copy;
    std::string_view literal;
    const bool taken = (tag & 3) == 0 ? take_literal(packed, tag, literal)
                                      : take_copy(packed, tag, copy) && whole.size() + copy.size <= size &&
                                            repeat(whole, copy.back, copy.size);
    if (!taken || whole.size() + literal.size() > size) return {};
    whole += literal;
  }
  return whole.size() == size ? whole : std::string();
}

// Each piece: a zero, three bytes of its size, a block.
std::string unpacked_iwa(std::string_view packed, uint64_t most_bytes) {
  std::string whole;
  while (packed.size() > 4 && packed[0] == '\0') {
    const size_t size = u32_at(packed, 0) >> 8;
    const std::string piece = unpacked_snappy(bytes_at(packed, 4, size), most_bytes - whole.size());
    if (piece.empty()) break;
    whole += piece;
    packed.remove_prefix(std::min(packed.size(), 4 + size));
  }
  return whole;
}

void each_field(std::string_view message, const std::function<void(const ProtoField& field)>& visit) {
  ProtoField field;
  while (!message.empty() && take_field(message, field)) visit(field);
}

// A head says which messages follow: their types and sizes.
void each_iwa_message(std::string_view archive,
                      const std::function<void(uint64_t type, std::string_view message)>& visit) {
  constexpr uint32_t kMessageInfo = 2;
  constexpr uint32_t kType = 1;
  constexpr uint32_t kSize = 3;
  uint64_t head_size = 0;
  std::string_view head;
  while (take_varint(archive, head_size) && take_bytes(archive, head_size, head)) {
    bool whole = true;
    each_field(head, [&](const ProtoField& info) {
      if (info.number != kMessageInfo || !whole) return;
      uint64_t type = 0;
      uint64_t size = 0;
      each_field(info.bytes, [&](const ProtoField& field) {
        if (field.number == kType) type = field.value;
        if (field.number == kSize) size = field.value;
      });
      std::string_view message;
      whole = take_bytes(archive, size, message);
      if (whole) visit(type, message);
    });
    if (!whole || archive.empty()) return;
  }
}

}  // namespace mneme::readers
