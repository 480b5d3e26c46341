#include "rag/chunking/chunker.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <utility>

#include "base/hash.h"
#include "rag/chunking/heading_path.h"
#include "rag/chunking/page_marks.h"
#include "rag/chunking/text_units.h"

namespace mneme::chunking {
namespace {

// All sizes in quarter tokens.
struct Window {
  int64_t target;
  int64_t smallest;
  int64_t largest;
};

Window make_window(const ChunkerOptions& options) {
  const int64_t target = std::max(options.target_tokens, 8);
  const int64_t smallest = options.min_tokens > 0 ? options.min_tokens : target / 2;
  const int64_t largest = options.max_tokens > 0 ? options.max_tokens : target * 3 / 2;
  // A window narrower than this would leave places without any border inside it.
  return {target * 4, std::min(smallest, target) * 4, std::max(largest, target) * 4};
}

class ChunkCutter {
 public:
  ChunkCutter(const rag::Document& document, std::span<const TextUnit> units, const Window& window)
      : text_(document.text), units_(units), window_(window) {
    starts_.reserve(units.size() + 1);
    starts_.push_back(0);
    for (size_t i = 0; i < units.size(); ++i) {
      // What lies between units (white space, mostly) comes along with the chunk.
      const uint64_t next = i + 1 < units.size() ? units[i + 1].begin : units[i].end;
      starts_.push_back(starts_.back() + units[i].quarters + static_cast<int64_t>(next - units[i].end));
    }
  }

  // The unit where the chunk that begins with unit `first` ends (exclusive).
  size_t cut(size_t first) const {
    const int64_t left = size(first, units_.size());
    const bool last_chunk = left <= window_.largest;
    const size_t best = best_border(first, last_chunk, left);
    if (best != 0) return best;
    if (last_chunk) return units_.size();
    return fallback(first);
  }

 private:
  int64_t size(size_t first, size_t end) const { return starts_[end] - starts_[first]; }

  // The winning border inside the size window; 0 when there is none (or none is needed).
  size_t best_border(size_t first, bool last_chunk, int64_t left) const {
    if (left <= window_.target) return 0;
    const int64_t smallest_tail = window_.smallest / 2;
    size_t best = 0;
    std::pair<int, uint64_t> best_rank{0, 0};
    for (size_t end = first + 1; end < units_.size() && size(first, end) <= window_.largest; ++end) {
      const int strength = units_[end].strength;
      const bool heading = strength >= strength::kHeading;
      const int64_t chunk = size(first, end);
      if (chunk < (heading ? window_.smallest / 2 : window_.smallest)) continue;
      if (left - chunk < smallest_tail) break;
      // What fits into one chunk is parted only between sections.
      if (last_chunk && !heading) continue;
      if (strength < best_rank.first) continue;
      const std::pair rank{strength, hash_after(units_[end].begin)};
      if (rank > best_rank) {
        best_rank = rank;
        best = end;
      }
    }
    return best;
  }

  uint64_t hash_after(uint64_t begin) const { return xxh3_64(as_bytes(text_.substr(begin, 64))); }

  // As many units as fit, at least one.
  size_t fallback(size_t first) const {
    size_t end = first + 1;
    while (end < units_.size() && size(first, end + 1) <= window_.largest) ++end;
    return end;
  }

  std::string_view text_;
  std::span<const TextUnit> units_;
  Window window_;
  std::vector<int64_t> starts_;  // size of all units before each
};

// How many of the units belong together: those of the first slide or sheet, or all.
size_t part_size(const rag::Document& document, std::span<const TextUnit> units) {
  if (!rag::pages_stand_alone(document.format)) return units.size();
  const auto page_of = [&](const TextUnit& unit) { return document.blocks[unit.block].page; };
  const auto other = std::find_if(units.begin(), units.end(),
                                  [&](const TextUnit& unit) { return page_of(unit) != page_of(units.front()); });
  return static_cast<size_t>(other - units.begin());
}

// Some blocks have no lines (the name of a sheet): those that have some say where the chunk stands. They may be in
// another order than the file's (an entry of a calendar is headed by what it says last).
rag::Chunk chunk_of(const rag::Document& document, std::span<const TextUnit> units) {
  rag::Chunk chunk;
  chunk.byte_begin = units.front().begin;
  chunk.byte_end = units.back().end;
  chunk.page = document.blocks[units.front().block].page;
  int page = chunk.page;
  for (const TextUnit& unit : units) {
    const int unit_page = document.blocks[unit.block].page;
    if (unit_page != page && unit_page > 0) {
      add_page_mark(chunk.page_marks, unit.begin - chunk.byte_begin, unit_page);
      page = unit_page;
    }
    const bool is_first = unit.line_begin > 0 && (chunk.line_begin == 0 || unit.line_begin < chunk.line_begin);
    if (is_first) chunk.line_begin = unit.line_begin;
    chunk.line_end = std::max(chunk.line_end, unit.line_end);
  }
  return chunk;
}

}  // namespace

int64_t estimate_tokens(std::string_view text) {
  return (estimate_quarters(text) + 3) / 4;
}

std::vector<rag::Chunk> chunk_document(const rag::Document& document, const ChunkerOptions& options) {
  const Window window = make_window(options);
  const std::vector<TextUnit> units =
      split_units(document, std::max<int64_t>(window.largest - window.smallest, 32) / 2);
  HeadingPath headings(document);
  std::vector<rag::Chunk> chunks;
  for (std::span<const TextUnit> left = units; !left.empty();) {
    const auto part = left.first(part_size(document, left));
    const ChunkCutter cutter(document, part, window);
    for (size_t first = 0; first < part.size();) {
      const size_t end = cutter.cut(first);
      chunks.push_back(chunk_of(document, part.subspan(first, end - first)));
      chunks.back().heading_path = headings.at(part[first].block);
      first = end;
    }
    left = left.subspan(part.size());
  }
  return chunks;
}

}  // namespace mneme::chunking
