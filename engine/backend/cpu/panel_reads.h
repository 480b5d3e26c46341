// What the loops of products read, pair of panels by pair, so that a thread can ask for the memory of what comes next
// (read_chain.h) before it gets there.
// Ownership: borrow the products, which must outlive the loop. Threads: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/backend/cpu/multiplier.h"

namespace mneme::engine::cpu {

inline constexpr int kPairRows = 2 * kPanelRows;  // weight rows of a pair of panels

// Two panels of a matrix.
struct PanelPair {
  const CpuMatrix* w;
  int64_t panel;
};

// A loop every read of which is a pair of panels.
class PairReads : public ReadChain::Loop {
 public:
  using Loop::Loop;
  virtual PanelPair pair_at(size_t read) const = 0;
  ReadChain::Memory read_at(size_t read) const final {
    const PanelPair pair = pair_at(read);
    return pair.w->packed()->pair_memory(pair.panel);
  }
};

// Every task reads one pair of panels of several matrices, counted through.
class ProductReads final : public PairReads {
 public:
  ProductReads(std::span<const Product> products, size_t n_pairs, size_t n_tasks)
      : PairReads(products[0].w->packed(), n_tasks, 1), products_(products), n_pairs_(n_pairs) {}
  size_t first_read(size_t task) const override { return task; }
  PanelPair pair_at(size_t read) const override {
    const auto [product, panel] = find(read);
    return {product->w, panel};
  }
  struct PairOfProduct {
    const Product* product;
    int64_t panel;
  };
  PairOfProduct find(size_t read) const {
    auto left = static_cast<int64_t>(read < n_pairs_ ? read : read % n_pairs_);
    const Product* product = products_.data();
    while (left >= product->w->packed()->n_pairs()) left -= (product++)->w->packed()->n_pairs();
    return {product, left * 2};
  }

 private:
  std::span<const Product> products_;
  size_t n_pairs_;
};

// Every task reads a pair of the gate's panels, then one of the other matrix.
class GatedReads final : public PairReads {
 public:
  GatedReads(const GatedProducts& products, size_t n_pairs, size_t n_tasks)
      : PairReads(products.gate->packed(), n_tasks, 2), products_(products), n_pairs_(n_pairs) {}
  size_t first_read(size_t task) const override { return 2 * task; }
  PanelPair pair_at(size_t read) const override {
    const auto panel = static_cast<int64_t>(read / 2 % n_pairs_) * 2;
    if (read % 2 == 0) return {products_.gate, panel};
    return {products_.up, products_.first_up_row / kPanelRows + panel};
  }

 private:
  const GatedProducts& products_;
  size_t n_pairs_;
};

}  // namespace mneme::engine::cpu
