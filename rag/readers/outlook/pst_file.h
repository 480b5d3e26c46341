// Outlook's stores of mail (pst, ost; MS-PST), lowest layer: nodes, each a number with data and nodes of its own, found
// by two trees of pages. Of 1997 ("ANSI"), 2003 ("Unicode") and 2013 (pages of 4 KiB, blocks packed by zlib, which
// [MS-PST] does not describe). Any place of the file is read as it is asked for; a cache of a few MiB is held.
// What is damaged is counted and read as missing. What must stop the reading of the file (the source failed, a budget
// is used up) is kept: everything reads as missing from then on, and stopped() says why. Internal to rag/readers.
// Ownership: borrows context, name and source. Threads: one thread each.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "rag/readers/byte_source.h"
#include "rag/readers/outlook/source_cache.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

using PstNodeId = uint32_t;
using PstBlockId = uint64_t;

struct PstNode {
  PstNodeId id = 0;
  PstNodeId parent = 0;   // the folder that it lies in
  PstBlockId data = 0;    // 0: none
  PstBlockId within = 0;  // nodes of its own; 0: none
};

// What a number of a node stands for: its lowest bits.
enum class PstNodeKind : uint8_t { kFolder = 0x02, kMessage = 0x04, kAttachment = 0x05 };
inline PstNodeKind kind_of(PstNodeId id) {
  return static_cast<PstNodeKind>(id & 0x1f);
}

// The first bytes of such a file.
bool is_pst(std::string_view beginning);

class PstFile {
 public:
  // Errors: kUnsupported for versions and encryption that nobody describes, kCorruption for damaged heads.
  static Result<PstFile> open(ReadContext& context, const std::string& name, ByteSource& source);

  // Visits all nodes of the file by number; a damaged part of the tree is left out.
  void each_node(const std::function<void(const PstNode& node)>& visit);
  std::optional<PstNode> find_node(PstNodeId id);

  // Nodes within another, by number. At most so many as one message may have parts.
  std::vector<PstNode> nodes_within(PstBlockId within);

  // The blocks that data consists of, in order: what block() takes.
  std::vector<PstBlockId> blocks_of(PstBlockId data);
  // What a block holds, unpacked and decoded; "" where it is damaged.
  std::string block(PstBlockId id);
  // All of the data, up to `most_bytes`, and to what a file of this size can hold.
  std::string bytes_of(PstBlockId data, uint64_t most_bytes);
  // How many bytes that would be, without reading them.
  uint64_t size_of(PstBlockId data);

  // Numbers of places in a heap are wider in files of 2013.
  bool has_large_pages() const { return layout_.page_bytes == 4096; }
  bool is_wide() const { return layout_.id_bytes == 8; }
  const ReadLimits& limits() const { return context_->limits(); }

  Status stopped() const { return stopped_; }
  uint64_t n_damaged() const { return n_damaged_; }
  void count_damage() { ++n_damaged_; }
  // Whether the file says that it is longer than it is.
  bool is_cut_off() const { return cut_off_; }

 private:
  struct Layout {
    size_t id_bytes = 8;  // of numbers and places
    size_t page_bytes = 512;
    size_t counts_at = 488;     // of a page: how many entries, how wide, how far above the leaves
    size_t block_unit = 64;     // blocks are padded to
    size_t trailer_bytes = 16;  // behind a block
    size_t trailer_id_at = 8;
  };
  enum class Coding : uint8_t { kNone = 0, kPermute = 1, kCyclic = 2 };
  struct Page {
    std::string bytes;
    size_t n_entries = 0;
    size_t entry_bytes = 0;
    int level = 0;
  };
  struct BlockPlace {
    PstBlockId id = 0;
    uint64_t at = 0;
    size_t bytes = 0;           // in the file
    size_t unpacked_bytes = 0;  // the same unless it is packed
  };

  PstFile(ReadContext& context, const std::string& name, ByteSource& source)
      : context_(&context), name_(&name), cache_(context, name, source) {}

  Status take_head();
  uint64_t id_at(std::string_view bytes, size_t at) const;
  std::string bytes_at_place(uint64_t at, size_t size);
  // below: the level of the page that named it; a page of another than the next is damaged.
  std::optional<Page> page(uint64_t at, int below);
  std::optional<std::string> leaf_entry(uint64_t root, uint64_t key);
  PstNode node_of_entry(std::string_view entry) const;
  void visit_nodes(uint64_t at, int below, const std::function<void(const PstNode& node)>& visit);
  std::optional<BlockPlace> place_of(PstBlockId id);
  std::string unpacked(const BlockPlace& place, std::string bytes);
  void take_blocks(PstBlockId data, int depth, std::vector<PstBlockId>& blocks);
  void take_nodes(PstBlockId within, int depth, std::vector<PstNode>& nodes);

  ReadContext* context_;
  const std::string* name_;
  SourceCache cache_;
  Layout layout_;
  Coding coding_ = Coding::kNone;
  uint64_t nodes_root_ = 0;
  uint64_t blocks_root_ = 0;
  uint64_t nodes_left_ = 0;  // that may still be visited: no file holds more than fit into it
  bool cut_off_ = false;
  uint64_t n_damaged_ = 0;
  Status stopped_;
};

}  // namespace mneme::readers
