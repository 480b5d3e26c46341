#include "storage/salvage/btree_page.h"

namespace mneme::storage {
namespace {

uint64_t big_endian(ByteSpan bytes, size_t at, size_t n_bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < n_bytes; ++i) value = value << 8 | std::to_integer<uint64_t>(bytes[at + i]);
  return value;
}

// Advances `at`; unset where the bytes end before the number does.
std::optional<uint64_t> read_varint(ByteSpan bytes, size_t& at) {
  uint64_t value = 0;
  for (int i = 0; i < 9; ++i) {
    if (at >= bytes.size()) return std::nullopt;
    const auto byte = std::to_integer<uint64_t>(bytes[at++]);
    if (i == 8) return value << 8 | byte;
    value = value << 7 | (byte & 0x7f);
    if ((byte & 0x80) == 0) return value;
  }
  return std::nullopt;
}

bool is_kind(uint64_t byte) {
  return byte == 2 || byte == 5 || byte == 10 || byte == 13;
}

// How many bytes of a payload lie in the page itself.
uint64_t local_bytes(uint64_t payload, uint64_t usable, bool of_table) {
  const uint64_t most = of_table ? usable - 35 : (usable - 12) * 64 / 255 - 23;
  if (payload <= most) return payload;
  const uint64_t least = (usable - 12) * 32 / 255 - 23;
  const uint64_t fitting = least + (payload - least) % (usable - 4);
  return fitting <= most ? fitting : least;
}

// The payload of a cell, from its length on.
bool read_payload(ByteSpan page, size_t at, uint64_t payload_bytes, bool of_table, BtreeCell& cell) {
  const uint64_t local = local_bytes(payload_bytes, page.size(), of_table);
  if (local > page.size() - at) return false;
  cell.payload_bytes = payload_bytes;
  cell.local = page.subspan(at, local);
  if (local == payload_bytes) return true;
  if (page.size() - at - local < 4) return false;
  cell.overflow = read_u32(page, at + local);
  return cell.overflow != 0;
}

bool read_cell(ByteSpan page, size_t at, PageKind kind, BtreeCell& cell) {
  if (!is_leaf(kind)) {
    if (page.size() - at < 4) return false;
    cell.left_child = read_u32(page, at);
    at += 4;
  }
  std::optional<uint64_t> payload_bytes = 0;
  if (kind != PageKind::kTableInterior) payload_bytes = read_varint(page, at);
  if (is_of_table(kind) && payload_bytes) {
    const std::optional<uint64_t> rowid = read_varint(page, at);
    if (!rowid) return false;
    cell.rowid = static_cast<int64_t>(*rowid);
  }
  if (!payload_bytes) return false;
  return kind == PageKind::kTableInterior || read_payload(page, at, *payload_bytes, is_of_table(kind), cell);
}

std::optional<int64_t> read_integer(ByteSpan payload, size_t& at, uint64_t type) {
  constexpr size_t kBytes[] = {0, 1, 2, 3, 4, 6, 8};
  const size_t n = kBytes[type];
  if (n == 0) return 0;
  if (n > payload.size() - at) return std::nullopt;
  const uint64_t value = big_endian(payload, at, n);
  at += n;
  const size_t unused_bits = 64 - 8 * n;
  return static_cast<int64_t>(value << unused_bits) >> unused_bits;  // with its sign
}

// Advances `at` behind the value in the payload.
std::optional<RecordValue> read_value(ByteSpan payload, size_t& at, uint64_t type) {
  using Kind = RecordValue::Kind;
  if (type == 0) return RecordValue{};
  if (type == 8 || type == 9) return RecordValue{.kind = Kind::kInteger, .integer = type == 9 ? 1 : 0};
  if (type <= 6) {
    const std::optional<int64_t> integer = read_integer(payload, at, type);
    if (!integer) return std::nullopt;
    return RecordValue{.kind = Kind::kInteger, .integer = *integer};
  }
  if (type == 10 || type == 11) return std::nullopt;  // SQLite's own
  const uint64_t n = type == 7 ? 8 : (type - 12) / 2;
  if (n > payload.size() - at) return std::nullopt;
  RecordValue value{.kind = type == 7 ? Kind::kReal : type % 2 == 0 ? Kind::kBlob : Kind::kText};
  value.bytes = payload.subspan(at, n);
  at += n;
  return value;
}

}  // namespace

uint32_t read_u32(ByteSpan bytes, size_t at) {
  return static_cast<uint32_t>(big_endian(bytes, at, 4));
}

std::optional<BtreePage> parse_btree_page(ByteSpan page, size_t usable_bytes, size_t header_bytes, BadCells bad_cells) {
  if (usable_bytes < 480 || page.size() < usable_bytes || header_bytes + 12 > usable_bytes) return std::nullopt;
  page = page.first(usable_bytes);
  const auto kind = std::to_integer<uint64_t>(page[header_bytes]);
  if (!is_kind(kind)) return std::nullopt;
  BtreePage parsed{.kind = static_cast<PageKind>(kind)};
  size_t pointers = header_bytes + 8;
  if (!is_leaf(parsed.kind)) {
    parsed.right_child = read_u32(page, pointers);
    pointers += 4;
  }
  const size_t n_cells = big_endian(page, header_bytes + 3, 2);
  if (n_cells > (usable_bytes - pointers) / 2) return std::nullopt;
  parsed.cells.reserve(n_cells);
  for (size_t i = 0; i < n_cells; ++i) {
    const size_t at = big_endian(page, pointers + 2 * i, 2);
    BtreeCell cell;
    const bool is_inside = at >= pointers + 2 * n_cells && at < usable_bytes;
    if (is_inside && read_cell(page, at, parsed.kind, cell)) {
      parsed.cells.push_back(cell);
    } else if (bad_cells == BadCells::kRefused) {
      return std::nullopt;
    }
  }
  return parsed;
}

std::optional<std::vector<RecordValue>> parse_record(ByteSpan payload) {
  size_t at = 0;
  const std::optional<uint64_t> header_bytes = read_varint(payload, at);
  if (!header_bytes || *header_bytes > payload.size() || *header_bytes < at) return std::nullopt;
  const ByteSpan header = payload.first(*header_bytes);
  size_t value_at = *header_bytes;
  std::vector<RecordValue> values;
  while (at < header.size()) {
    const std::optional<uint64_t> type = read_varint(header, at);
    if (!type) return std::nullopt;
    const std::optional<RecordValue> value = read_value(payload, value_at, *type);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

}  // namespace mneme::storage
