#include "tests/unit/readers/made_pst.h"

#include <zlib.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "rag/readers/outlook/pst_coding.h"
#include "tests/support/compound_files.h"

namespace mneme::readers::test {
namespace {

constexpr uint16_t kNumber = 0x0003;
constexpr uint16_t kYes = 0x000b;
constexpr uint16_t kObject = 0x000d;
constexpr uint32_t kRecipients = 0x692;

std::string u64(uint64_t value) {
  return u32(value & 0xffffffff) + u32(value >> 32);
}

void pad_to(std::string& bytes, size_t unit) {
  bytes.resize((bytes.size() + unit - 1) / unit * unit, '\0');
}

// A node within another.
struct Within {
  uint32_t id = 0;
  uint64_t data = 0;
  uint64_t within = 0;
};

class PstWriter {
 public:
  explicit PstWriter(const PstOptions& options) : options_(options), file_(kFirstPlace, '\0') {}

  std::string write(const PstFolderOf& top, const std::vector<PstNamed>& named) {
    PstProperties store;
    if (options_.names_top_folder) store.bytes(0x35e0, std::string(20, '\x01') + u32(kTop));
    add_node(0x21, 0, property_node(store));
    add_names(named);
    add_folder(kRoot, kRoot, {});
    if (options_.names_top_folder) {
      add_folder(kTop, kRoot, top);
    } else {
      add_folder(next_folder(), kRoot, {.name = "Root - Mailbox", .items = {}, .folders = {}});
      PstFolderOf named_top = top;
      named_top.name = "IPM_SUBTREE";
      add_folder(next_folder(), kFirstFolder, named_top);
    }
    return finish();
  }

 private:
  static constexpr size_t kFirstPlace = 4096;
  static constexpr uint32_t kRoot = 0x122;
  static constexpr uint32_t kTop = 0x8022;
  static constexpr uint32_t kFirstFolder = 0x8042;

  bool narrow() const { return options_.version == PstOptions::Version::k1997; }
  bool large() const { return options_.version == PstOptions::Version::k2013; }
  std::string id(uint64_t value) const { return narrow() ? u32(value) : u64(value); }
  uint32_t next_folder() { return std::exchange(folder_, folder_ + 0x20); }

  // --- blocks

  std::string coded(std::string bytes, uint64_t block) const {
    if (options_.coding == 2) decode_cyclic(bytes, static_cast<uint32_t>(block));  // its own inverse
    if (options_.coding != 1) return bytes;
    std::string meant(256, '\0');
    for (size_t i = 0; i < meant.size(); ++i) meant[i] = static_cast<char>(i);
    std::string code = meant;
    decode_permuted(meant);
    for (char& c : bytes) c = code[meant.find(c)];
    return bytes;
  }

  uint64_t add_block(std::string bytes, bool internal) {
    next_block_ += 4;
    const uint64_t block = next_block_ | (internal ? 2 : 0);
    const size_t unpacked = bytes.size();
    if (options_.packed && large()) {
      uLongf size = compressBound(bytes.size());
      std::string packed(size, '\0');
      compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
               bytes.size());
      packed.resize(size);
      if (size != unpacked) bytes = std::move(packed);
    }
    if (!internal) bytes = coded(std::move(bytes), block);
    const size_t unit = large() ? 512 : 64;
    const size_t trailer = narrow() ? 12 : large() ? 24 : 16;
    const uint64_t place = file_.size();
    blocks_[block] = id(block) + id(place) + u16(bytes.size()) + u16(large() ? unpacked : 2) + (narrow() ? "" : u32(2));
    std::string whole = bytes;
    whole.resize((bytes.size() + trailer + unit - 1) / unit * unit - trailer, '\0');
    whole += u16(bytes.size()) + u16(0);
    whole += narrow() ? u32(block) + u32(0) : u32(0) + u64(block);
    if (large()) whole += u16(2) + u16(unpacked) + u32(0);
    file_ += whole;
    return block;
  }

  uint64_t add_data(const std::string& bytes) {
    if (bytes.size() <= options_.block_bytes) return add_block(bytes, false);
    std::string list;
    size_t count = 0;
    for (size_t at = 0; at < bytes.size(); at += options_.block_bytes, ++count) {
      list += id(add_block(bytes.substr(at, options_.block_bytes), false));
    }
    return add_block("\x01\x01" + u16(count) + u32(bytes.size()) + list, true);
  }

  uint64_t add_within(const std::vector<Within>& nodes) {
    if (nodes.empty()) return 0;
    std::string list = std::string("\x02\x00", 2) + u16(nodes.size()) + (narrow() ? "" : u32(0));
    for (const Within& node : nodes) list += id(node.id) + id(node.data) + id(node.within);
    return add_block(list, true);
  }

  // --- heaps

  struct Heap {
    std::vector<std::string> pieces;
    std::vector<Within> within;
    bool large = false;

    uint32_t add(std::string piece) {
      pieces.push_back(std::move(piece));
      return static_cast<uint32_t>(pieces.size() << 5);
    }
    std::string bytes(uint8_t kind, uint32_t root) const {
      std::string all(12, '\0');
      std::string list = u16(pieces.size()) + u16(0);
      for (const std::string& piece : pieces) {
        list += u16(all.size());
        all += piece;
      }
      list += u16(all.size());
      if (all.size() % 2 != 0) all += '\0';
      const std::string head = u16(all.size()) + std::string("\xec") + static_cast<char>(kind) + u32(root) + u32(0);
      return head + all.substr(12) + list;
    }
  };

  // Where a value lies: in the heap, or in a node of its own when it is long.
  uint32_t add_value(Heap& heap, const std::string& value) {
    constexpr size_t kLongest = 512;
    if (value.empty()) return 0;
    if (value.size() <= kLongest) return heap.add(value);
    const auto node = static_cast<uint32_t>((0x100 + heap.within.size()) << 5 | 0x1f);
    heap.within.push_back({.id = node, .data = add_data(value)});
    return node;
  }

  uint32_t word_of(Heap& heap, const PstProperties::One& one) {
    if (one.type == kNumber || one.type == kYes) return static_cast<uint8_t>(one.value[0]) | rest_of(one.value);
    return add_value(heap, one.value);
  }
  static uint32_t rest_of(const std::string& value) {
    uint32_t word = 0;
    for (size_t i = value.size(); i-- > 1;) word = word << 8 | static_cast<uint8_t>(value[i]);
    return word << 8;
  }

  static uint32_t add_tree(Heap& heap, uint8_t key_bytes, uint8_t value_bytes, std::string records) {
    const uint32_t place = records.empty() ? 0 : heap.add(std::move(records));
    return heap.add(std::string("\xb5") + static_cast<char>(key_bytes) + static_cast<char>(value_bytes) +
                    std::string(1, '\0') + u32(place));
  }

  Within property_node(const PstProperties& properties) { return property_node(properties, Heap()); }
  Within property_node(const PstProperties& properties, Heap heap) {
    std::vector<PstProperties::One> sorted = properties.all;
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
    std::string records;
    for (const PstProperties::One& one : sorted) records += u16(one.number) + u16(one.type) + u32(word_of(heap, one));
    const uint32_t root = add_tree(heap, 2, 6, records);
    return finished(heap, 0xbc, root);
  }

  Within finished(const Heap& heap, uint8_t kind, uint32_t root) {
    const uint64_t data = add_data(heap.bytes(kind, root));
    return {.id = 0, .data = data, .within = add_within(heap.within)};
  }

  // A table of texts and numbers; all rows have the same columns.
  Within table_node(const std::vector<PstProperties>& rows) {
    Heap heap;
    const size_t n_columns = rows[0].all.size();
    const size_t map_at = 4 + 4 * n_columns;
    const size_t row_bytes = map_at + 1;
    std::string matrix;
    std::string index;
    for (size_t i = 0; i < rows.size(); ++i) {
      matrix += u32(i);
      for (const PstProperties::One& one : rows[i].all) matrix += u32(word_of(heap, one));
      matrix += '\xff';
      index += u32(i) + (narrow() ? u16(i) : u32(i));
    }
    const uint32_t index_place = add_tree(heap, 4, narrow() ? 2 : 4, index);
    std::string table = std::string("\x7c") + static_cast<char>(n_columns) + u16(map_at) + u16(map_at) + u16(map_at) +
                        u16(row_bytes) + u32(index_place) + u32(heap.add(matrix)) + u32(0);
    for (size_t i = 0; i < n_columns; ++i) {
      const PstProperties::One& one = rows[0].all[i];
      table += u16(one.type) + u16(one.number) + u16(4 + 4 * i) + std::string("\x04") + static_cast<char>(i);
    }
    const uint32_t root = heap.add(table);
    return finished(heap, 0x7c, root);
  }

  // --- nodes

  void add_node(uint32_t number, uint32_t parent, const Within& node) {
    nodes_[number] = id(number) + id(node.data) + id(node.within) + u32(parent) + (narrow() ? "" : u32(0));
  }

  void add_names(const std::vector<PstNamed>& named) {
    std::string list;
    std::string sets;
    for (size_t i = 0; i < named.size(); ++i) {
      list += u32(named[i].number) + u16((i + 3) << 1) + u16(i);
      sets += static_cast<char>(named[i].set) + std::string("\x20\x06\0\0\0\0\0\xc0\0\0\0\0\0\0\x46", 15);
    }
    add_node(0x61, 0, property_node(PstProperties().bytes(2, sets).bytes(3, list)));
  }

  Within item_node(const PstItem& item) {
    Heap heap;
    if (!item.recipients.empty()) {
      Within table = table_node(item.recipients);
      table.id = kRecipients;
      heap.within.push_back(table);
    }
    for (size_t i = 0; i < item.attachments.size(); ++i) {
      Within node = attachment_node(item.attachments[i]);
      node.id = static_cast<uint32_t>((0x401 + i) << 5 | 0x05);
      heap.within.push_back(node);
    }
    return property_node(item.properties, heap);
  }

  Within attachment_node(const PstAttachment& attachment) {
    Heap heap;
    PstProperties properties = attachment.properties;
    if (attachment.message) {
      constexpr uint32_t kMessage = 0x10004;
      Within node = item_node(*attachment.message);
      node.id = kMessage;
      heap.within.push_back(node);
      properties.all.push_back({.number = 0x3701, .type = kObject, .value = u32(kMessage) + u32(100)});
      properties.number(0x3705, 5);
    }
    return property_node(properties, heap);
  }

  void add_folder(uint32_t number, uint32_t parent, const PstFolderOf& folder) {
    PstProperties properties;
    if (!folder.name.empty()) properties.text(0x3001, folder.name);
    add_node(number, parent, property_node(properties));
    for (const PstItem& item : folder.items) {
      add_node(message_ << 5 | 0x04, number, item_node(item));
      ++message_;
    }
    for (const PstFolderOf& within : folder.folders) add_folder(next_folder(), number, within);
  }

  // --- pages

  // Leaves of as many entries as fit, and one page above them.
  uint64_t add_tree_of_pages(const std::vector<std::string>& entries, const std::vector<uint64_t>& keys, uint8_t type) {
    const size_t most = counts_at() / entries[0].size();
    std::string above;
    size_t n_pages = 0;
    uint64_t place = 0;
    for (size_t at = 0; at < entries.size(); at += most, ++n_pages) {
      std::string page;
      const size_t end = std::min(at + most, entries.size());
      for (size_t i = at; i < end; ++i) page += entries[i];
      place = add_page(page, end - at, entries[0].size(), 0, type);
      above += id(keys[at]) + id(4) + id(place);
    }
    return n_pages == 1 ? place : add_page(above, n_pages, narrow() ? 12 : 24, 1, type);
  }

  size_t counts_at() const { return large() ? 4056 : narrow() ? 496 : 488; }

  uint64_t add_page(std::string page, size_t count, size_t entry_bytes, uint8_t level, uint8_t type) {
    const size_t page_bytes = large() ? 4096 : 512;
    pad_to(file_, page_bytes);
    page.resize(counts_at(), '\0');
    const std::string sizes = {static_cast<char>(entry_bytes), static_cast<char>(level)};
    page += large() ? u16(count) + u16(count) : std::string(2, static_cast<char>(count));
    page += sizes;
    if (!narrow()) page.resize(large() ? 4072 : 496, '\0');
    page += std::string(2, static_cast<char>(type));
    page.resize(page_bytes, '\0');
    const uint64_t place = file_.size();
    file_ += page;
    return place;
  }

  std::string finish() {
    std::vector<std::string> entries;
    std::vector<uint64_t> keys;
    for (const auto& [key, entry] : nodes_) {
      keys.push_back(key);
      entries.push_back(entry);
    }
    const uint64_t nodes = add_tree_of_pages(entries, keys, 0x81);
    entries.clear();
    keys.clear();
    for (const auto& [key, entry] : blocks_) {
      keys.push_back(key);
      entries.push_back(entry);
    }
    const uint64_t blocks = add_tree_of_pages(entries, keys, 0x80);
    std::string head = "!BDN" + u32(0) + "SM" + u16(narrow() ? 14 : large() ? 36 : 23) + u16(19) + "\x01\x01";
    head.resize(narrow() ? 168 : 184, '\0');
    head += id(file_.size());
    head.resize(narrow() ? 184 : 216, '\0');
    head += id(4) + id(nodes) + id(4) + id(blocks);
    head.resize(narrow() ? 461 : 513, '\0');
    head += static_cast<char>(options_.coding);
    return head + file_.substr(head.size());
  }

  const PstOptions options_;
  std::string file_;
  uint64_t next_block_ = 0;
  std::map<uint64_t, std::string> blocks_;
  std::map<uint32_t, std::string> nodes_;
  uint32_t folder_ = kFirstFolder;
  uint32_t message_ = 0x10001;
};

}  // namespace

PstProperties& PstProperties::text(uint16_t number, std::string_view utf8) {
  all.push_back({.number = number, .type = 0x001f, .value = in_utf16(utf8)});
  return *this;
}

PstProperties& PstProperties::text_in_bytes(uint16_t number, std::string bytes) {
  all.push_back({.number = number, .type = 0x001e, .value = std::move(bytes)});
  return *this;
}

PstProperties& PstProperties::bytes(uint16_t number, std::string bytes) {
  all.push_back({.number = number, .type = 0x0102, .value = std::move(bytes)});
  return *this;
}

PstProperties& PstProperties::number(uint16_t number, uint32_t value) {
  all.push_back({.number = number, .type = kNumber, .value = u32(value)});
  return *this;
}

PstProperties& PstProperties::yes(uint16_t number) {
  all.push_back({.number = number, .type = kYes, .value = u32(1)});
  return *this;
}

PstProperties& PstProperties::time(uint16_t number, uint64_t ticks) {
  all.push_back({.number = number, .type = 0x0040, .value = u64(ticks)});
  return *this;
}

std::string make_pst(const PstFolderOf& top, const std::vector<PstNamed>& named, const PstOptions& options) {
  return PstWriter(options).write(top, named);
}

}  // namespace mneme::readers::test
