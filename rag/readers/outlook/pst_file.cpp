#include "rag/readers/outlook/pst_file.h"

#include <zlib.h>

#include <algorithm>
#include <utility>

#include "rag/readers/office/little_endian.h"
#include "rag/readers/outlook/pst_coding.h"

namespace mneme::readers {
namespace {

constexpr size_t kHead = 580;
constexpr int kDeepest = 8;              // trees of pages; a billion nodes need six levels
constexpr size_t kMostBlocks = 1 << 20;  // of one node's data: 8 GiB
constexpr size_t kMostNodesWithin = 100'000;
constexpr PstBlockId kInternal = 2;    // a bit: what the block holds names others, and is not coded
constexpr PstBlockId kNotOfTheId = 1;  // a bit that says nothing

bool is_internal(PstBlockId id) {
  return (id & kInternal) != 0;
}

}  // namespace

bool is_pst(std::string_view beginning) {
  return beginning.starts_with("!BDN");
}

Result<PstFile> PstFile::open(ReadContext& context, const std::string& name, ByteSource& source) {
  PstFile file(context, name, source);
  MNEME_RETURN_IF_ERROR(file.take_head());
  return file;
}

Status PstFile::take_head() {
  const std::string who = printable(*name_);
  const std::string head = bytes_at_place(0, kHead);
  MNEME_RETURN_IF_ERROR(stopped_);
  if (head.size() < 516) return corruption(who + " is damaged: its head is cut off.");
  const std::string_view client = bytes_at(head, 8, 2);
  if (client == "AB") {
    return unsupported(who + " is an address book of Outlook, which is not read; export it as vCard to index it.");
  }
  if (client != "SM" && client != "SO") return corruption(who + " is damaged: its head is none of a mail store.");
  const uint16_t version = u16_at(head, 10);
  const bool is_narrow = version == 14 || version == 15;
  if (!is_narrow && version < 20) {
    return unsupported(who + " is a mail store of an Outlook that is not known; save its messages as files.");
  }
  size_t coding_at = 513;
  size_t roots_at = 216;
  if (is_narrow) {
    layout_ = {.id_bytes = 4, .counts_at = 496, .trailer_bytes = 12, .trailer_id_at = 4};
    coding_at = 461;
    roots_at = 184;
  } else if (version >= 36) {
    layout_ = {.page_bytes = 4096, .counts_at = 4056, .block_unit = 512, .trailer_bytes = 24};
  }
  const uint8_t coding = u8_at(head, coding_at);
  if (coding > static_cast<uint8_t>(Coding::kCyclic)) {
    return unsupported(who + " is a mail store that Windows encrypted; save its messages as files to index them.");
  }
  coding_ = static_cast<Coding>(coding);
  nodes_root_ = id_at(head, roots_at + layout_.id_bytes);
  blocks_root_ = id_at(head, roots_at + 3 * layout_.id_bytes);
  cut_off_ = id_at(head, is_narrow ? 168 : 184) > cache_.size();
  nodes_left_ = cache_.size() / 16 + 1;
  return {};
}

uint64_t PstFile::id_at(std::string_view bytes, size_t at) const {
  return is_wide() ? u64_at(bytes, at) : u32_at(bytes, at);
}

std::string PstFile::bytes_at_place(uint64_t at, size_t size) {
  if (!stopped_.ok()) return {};
  auto bytes = cache_.read(at, size);
  if (bytes.ok()) return std::move(*bytes);
  stopped_ = bytes.status();
  return {};
}

std::optional<PstFile::Page> PstFile::page(uint64_t at, int below) {
  Page page;
  page.bytes = bytes_at_place(at, layout_.page_bytes);
  const size_t counts = layout_.counts_at;
  const bool large = has_large_pages();
  page.n_entries = large ? u16_at(page.bytes, counts) : u8_at(page.bytes, counts);
  page.entry_bytes = u8_at(page.bytes, counts + (large ? 4 : 2));
  page.level = u8_at(page.bytes, counts + (large ? 5 : 3));
  const size_t least_entry = (page.level > 0 ? 3 : 2) * layout_.id_bytes;
  const bool is_next = below < 0 ? page.level <= kDeepest : page.level == below - 1;
  const bool whole = page.bytes.size() == layout_.page_bytes && is_next && page.entry_bytes >= least_entry &&
                     page.n_entries * page.entry_bytes <= counts;
  if (whole) return page;
  ++n_damaged_;
  return std::nullopt;
}

// The entry of that key in the leaves. Entries of the pages above begin with the first key below them.
std::optional<std::string> PstFile::leaf_entry(uint64_t root, uint64_t key) {
  uint64_t at = root;
  int below = -1;
  while (true) {
    const std::optional<Page> held = page(at, below);
    if (!held) return std::nullopt;
    const std::string_view bytes = held->bytes;
    const auto key_of = [&](size_t index) { return id_at(bytes, index * held->entry_bytes) & ~kNotOfTheId; };
    size_t first = 0;
    size_t behind = held->n_entries;
    while (first < behind) {  // the first whose key is larger
      const size_t middle = (first + behind) / 2;
      key_of(middle) <= key ? first = middle + 1 : behind = middle;
    }
    if (first == 0) return std::nullopt;
    const size_t place = (first - 1) * held->entry_bytes;
    if (held->level == 0) {
      if (key_of(first - 1) != key) return std::nullopt;
      return std::string(bytes.substr(place, held->entry_bytes));
    }
    at = id_at(bytes, place + 2 * layout_.id_bytes);
    below = held->level;
  }
}

PstNode PstFile::node_of_entry(std::string_view entry) const {
  const size_t width = layout_.id_bytes;
  return {.id = static_cast<PstNodeId>(id_at(entry, 0)),
          .parent = u32_at(entry, 3 * width),
          .data = id_at(entry, width) & ~kNotOfTheId,
          .within = id_at(entry, 2 * width) & ~kNotOfTheId};
}

void PstFile::each_node(const std::function<void(const PstNode& node)>& visit) {
  visit_nodes(nodes_root_, -1, visit);
}

void PstFile::visit_nodes(uint64_t at, int below, const std::function<void(const PstNode& node)>& visit) {
  const std::optional<Page> held = page(at, below);
  if (!held) return;
  for (size_t i = 0; i < held->n_entries && stopped_.ok(); ++i) {
    if (nodes_left_ == 0) return;
    --nodes_left_;
    const std::string_view entry = std::string_view(held->bytes).substr(i * held->entry_bytes, held->entry_bytes);
    if (held->level == 0) {
      visit(node_of_entry(entry));
    } else {
      visit_nodes(id_at(entry, 2 * layout_.id_bytes), held->level, visit);
    }
  }
}

// The lowest bit of a node's number is part of it.
std::optional<PstNode> PstFile::find_node(PstNodeId id) {
  uint64_t at = nodes_root_;
  int below = -1;
  while (true) {
    const std::optional<Page> held = page(at, below);
    if (!held) return std::nullopt;
    std::optional<size_t> place;
    for (size_t i = 0; i < held->n_entries; ++i) {
      const auto key = static_cast<PstNodeId>(id_at(held->bytes, i * held->entry_bytes));
      if (key <= id) place = i * held->entry_bytes;
      if (key > id) break;
    }
    if (!place) return std::nullopt;
    const std::string_view entry = std::string_view(held->bytes).substr(*place, held->entry_bytes);
    if (held->level == 0) {
      const PstNode node = node_of_entry(entry);
      return node.id == id ? std::optional(node) : std::nullopt;
    }
    at = id_at(entry, 2 * layout_.id_bytes);
    below = held->level;
  }
}

std::optional<PstFile::BlockPlace> PstFile::place_of(PstBlockId id) {
  id &= ~kNotOfTheId;
  const std::optional<std::string> entry = leaf_entry(blocks_root_, id);
  if (!entry) return std::nullopt;
  const size_t width = layout_.id_bytes;
  BlockPlace place{.id = id, .at = id_at(*entry, width), .bytes = u16_at(*entry, 2 * width)};
  place.unpacked_bytes = has_large_pages() ? u16_at(*entry, 2 * width + 2) : place.bytes;
  return place;
}

std::string PstFile::unpacked(const BlockPlace& place, std::string bytes) {
  if (place.unpacked_bytes == place.bytes) return bytes;
  std::string whole(place.unpacked_bytes, '\0');
  uLongf size = whole.size();
  const int result = uncompress(reinterpret_cast<Bytef*>(whole.data()), &size,
                                reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  if (result != Z_OK) {
    ++n_damaged_;
    return {};
  }
  whole.resize(size);
  return whole;
}

std::string PstFile::block(PstBlockId id) {
  if (id == 0 || !stopped_.ok()) return {};
  const std::optional<BlockPlace> place = place_of(id);
  if (!place) {
    ++n_damaged_;
    return {};
  }
  const size_t unit = layout_.block_unit;
  const size_t padded = (place->bytes + layout_.trailer_bytes + unit - 1) / unit * unit;
  std::string bytes = bytes_at_place(place->at, padded);
  const size_t trailer = padded - layout_.trailer_bytes;
  const bool is_it = bytes.size() == padded && u16_at(bytes, trailer) == place->bytes &&
                     (id_at(bytes, trailer + layout_.trailer_id_at) & ~kNotOfTheId) == place->id;
  if (!is_it) {
    if (stopped_.ok()) ++n_damaged_;
    return {};
  }
  bytes.resize(place->bytes);
  if (!is_internal(id) && coding_ == Coding::kPermute) decode_permuted(bytes);
  if (!is_internal(id) && coding_ == Coding::kCyclic) decode_cyclic(bytes, static_cast<uint32_t>(place->id));
  return unpacked(*place, std::move(bytes));
}

// A block of others' numbers begins with its type, how many levels are below it, and how many numbers it holds.
void PstFile::take_blocks(PstBlockId data, int depth, std::vector<PstBlockId>& blocks) {
  if (data == 0 || blocks.size() >= kMostBlocks || !stopped_.ok()) return;
  if (!is_internal(data)) return blocks.push_back(data);
  constexpr uint8_t kListOfBlocks = 1;
  constexpr size_t kFirst = 8;
  const std::string list = block(data);
  const int level = u8_at(list, 1);
  if (u8_at(list, 0) != kListOfBlocks || level < 1 || level > 2 || level >= depth) {
    if (!list.empty()) ++n_damaged_;
    return;
  }
  const size_t count =
      std::min<size_t>(u16_at(list, 2), (list.size() - std::min(list.size(), kFirst)) / layout_.id_bytes);
  for (size_t i = 0; i < count; ++i) {
    const PstBlockId named = id_at(list, kFirst + i * layout_.id_bytes);
    // Above the lowest level only lists are named.
    if (is_internal(named) == (level > 1)) take_blocks(named, level, blocks);
  }
}

std::vector<PstBlockId> PstFile::blocks_of(PstBlockId data) {
  constexpr int kAboveAll = 3;
  std::vector<PstBlockId> blocks;
  take_blocks(data, kAboveAll, blocks);
  return blocks;
}

std::string PstFile::bytes_of(PstBlockId data, uint64_t most_bytes) {
  constexpr uint64_t kMostPacked = 50;
  most_bytes = std::min(most_bytes, cache_.size() * (has_large_pages() ? kMostPacked : 1));
  std::string all;
  for (const PstBlockId id : blocks_of(data)) {
    if (all.size() >= most_bytes || !stopped_.ok()) break;
    if (!context_->check(*name_).ok()) break;  // whoever asked finds out as well
    all += block(id);
  }
  if (all.size() > most_bytes) all.resize(most_bytes);
  return all;
}

uint64_t PstFile::size_of(PstBlockId data) {
  constexpr size_t kTotalAt = 4;
  if (!is_internal(data)) {
    const auto place = place_of(data);
    return place ? place->unpacked_bytes : 0;
  }
  return u32_at(block(data), kTotalAt);
}

// Lists of nodes: numbers with data and nodes within, or numbers with lists below them.
void PstFile::take_nodes(PstBlockId within, int depth, std::vector<PstNode>& nodes) {
  constexpr uint8_t kListOfNodes = 2;
  const std::string list = block(within);
  const size_t width = layout_.id_bytes;
  const int level = u8_at(list, 1);
  if (u8_at(list, 0) != kListOfNodes || level >= depth) {
    if (!list.empty()) ++n_damaged_;
    return;
  }
  const size_t first = is_wide() ? 8 : 4;
  const size_t entry_bytes = (level == 0 ? 3 : 2) * width;
  const size_t count = std::min<size_t>(u16_at(list, 2), (list.size() - std::min(list.size(), first)) / entry_bytes);
  for (size_t i = 0; i < count && nodes.size() < kMostNodesWithin && stopped_.ok(); ++i) {
    const size_t at = first + i * entry_bytes;
    if (level > 0) {
      take_nodes(id_at(list, at + width), level, nodes);
      continue;
    }
    nodes.push_back({.id = static_cast<PstNodeId>(id_at(list, at)),
                     .data = id_at(list, at + width) & ~kNotOfTheId,
                     .within = id_at(list, at + 2 * width) & ~kNotOfTheId});
  }
}

std::vector<PstNode> PstFile::nodes_within(PstBlockId within) {
  constexpr int kAboveAll = 2;
  std::vector<PstNode> nodes;
  if (within != 0) take_nodes(within, kAboveAll, nodes);
  return nodes;
}

}  // namespace mneme::readers
