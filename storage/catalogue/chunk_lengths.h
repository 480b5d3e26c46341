// How long chunks are, in terms, title and headings included: pages of neighbouring rows, so that scoring reads them in
// its stride. A length belongs to its row for good, since ids are never reused and chunks never change: what is known
// stays known, whatever happens to the catalogue. Memory: 2 bytes for each row of a page that has any, 64 MB at most.
// Threads: values; copies share their pages until one of them grows.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "storage/catalogue/records.h"

namespace mneme::storage {

class ChunkLengths {
 public:
  static constexpr uint64_t kPageRows = 4096;
  using Page = std::array<uint16_t, kPageRows>;  // by row modulo kPageRows; 0: not known

  // In order of rows; what comes out of order, is longer than a page can say, or beyond the memory, stays unknown.
  void add(ChunkId chunk, uint32_t length);

  // Rows [number * kPageRows, ...); null: nothing is known of them.
  const Page* page(uint64_t number) const;
  // 0: not known.
  uint32_t of(ChunkId chunk) const;
  // The last row that was added; what follows it has not been asked for yet.
  ChunkId last() const { return last_; }

 private:
  struct Numbered {
    uint64_t number = 0;
    std::shared_ptr<Page> page;
  };
  Page* growing_page(uint64_t number);

  std::vector<Numbered> pages_;  // by number
  ChunkId last_{0};
};

}  // namespace mneme::storage
