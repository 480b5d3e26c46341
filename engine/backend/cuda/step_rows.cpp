#include "engine/backend/cuda/step_rows.h"

#include <algorithm>
#include <span>
#include <utility>

#include "engine/backend/cuda/cuda_kv_cache.h"
#include "engine/backend/cuda/rounded_reach.h"

namespace mneme::engine::cuda {
namespace {

bool same(const GroupView& a, const GroupView& b) {
  return a.kv.pages == b.kv.pages && a.kv.layer_bytes == b.kv.layer_bytes && a.kv.head_bytes == b.kv.head_bytes &&
         a.kv.is_q8 == b.kv.is_q8 && a.kv.keeps_unrotated == b.kv.keeps_unrotated && a.first_row == b.first_row &&
         a.n_rows == b.n_rows && a.n_keys == b.n_keys;
}

const CudaKvCache& cache_of(const RowGroup& group) {
  return static_cast<const CudaKvCache&>(*group.cache);
}

GroupView view_of(const RowSet& rows, const RowGroup& group, int kind) {
  GroupView view;
  view.kv = cache_of(group).view(kind);
  view.first_row = group.first_row;
  view.n_rows = group.n_rows;
  view.n_keys = rows.positions[static_cast<size_t>(group.first_row + group.n_rows - 1)] + 1;
  return view;
}

}  // namespace

template <typename T>
void StepRows::copy_up(const std::vector<T>& values, DeviceBuffer& buffer) {
  const auto bytes = std::as_bytes(std::span(values));
  if (device_.grow(buffer, bytes.size(), "a step's rows")) device_.upload(bytes, buffer.as(), device_.stream());
}

bool StepRows::is_current(const RowSet& rows, const std::vector<GroupView>& groups) const {
  return std::equal(rows.positions.begin(), rows.positions.end(), positions_.begin(), positions_.end()) &&
         std::equal(groups.begin(), groups.end(), groups_.begin(), groups_.end(), same);
}

RowsView StepRows::view(const RowSet& rows, int kind) {
  const int n_kinds = rows.groups.empty() ? 1 : cache_of(rows.groups.front()).n_kinds();
  std::vector<GroupView> groups;
  groups.reserve(rows.groups.size() * static_cast<size_t>(n_kinds));
  for (int each = 0; each < n_kinds; ++each)
    for (const RowGroup& group : rows.groups)
      if (group.n_rows > 0) groups.push_back(view_of(rows, group, each));
  n_groups_ = groups.size() / static_cast<size_t>(n_kinds);
  if (!is_current(rows, groups)) copy_up(rows, std::move(groups));
  RowsView of_kind = view_;
  of_kind.groups += static_cast<size_t>(kind) * n_groups_;
  return of_kind;
}

void StepRows::copy_up(const RowSet& rows, std::vector<GroupView> groups) {
  positions_.assign(rows.positions.begin(), rows.positions.end());
  groups_ = std::move(groups);
  groups_of_.assign(positions_.size(), 0);
  for (size_t i = 0; i < n_groups_; ++i)
    std::fill_n(groups_of_.begin() + groups_[i].first_row, groups_[i].n_rows, static_cast<int>(i));
  rows_per_tile_ = 0;
  copy_up(positions_, device_positions_);
  copy_up(groups_, device_groups_);
  copy_up(groups_of_, device_groups_of_);
  ++view_.step;
  view_.n_rows = rows.n_rows();
  view_.positions = device_positions_.as<int>();
  view_.groups_of = device_groups_of_.as<int>();
  view_.groups = device_groups_.as<GroupView>();
  // A step whose rows did not arrive must not be taken for one that has them.
  if (!device_.ok()) positions_.clear();
}

float* const* StepRows::states(const RowSet& rows) {
  std::vector<float*> states;
  for (const RowGroup& group : rows.groups)
    if (group.n_rows > 0) states.push_back(static_cast<CudaKvCache&>(*group.cache).states()->data());
  if (states == states_) return device_states_.as<float*>();
  states_ = std::move(states);
  copy_up(states_, device_states_);
  if (!device_.ok()) states_.clear();
  return device_states_.as<float*>();
}

void StepRows::cut(int rows_per_tile) {
  if (rows_per_tile == rows_per_tile_) return;
  rows_per_tile_ = rows_per_tile;
  tiles_.clear();
  // Last rows first: they see the most keys, and long blocks should not start last.
  for (size_t i = n_groups_; i-- > 0;) {
    const GroupView& group = groups_[i];
    for (int first = (group.n_rows - 1) / rows_per_tile * rows_per_tile; first >= 0; first -= rows_per_tile)
      tiles_.push_back({static_cast<int>(i), group.first_row + first, std::min(rows_per_tile, group.n_rows - first)});
  }
  copy_up(tiles_, device_tiles_);
  if (!device_.ok()) rows_per_tile_ = 0;
}

// The most keys between the first and the last that one tile sees.
int StepRows::longest_reach(const AttentionShape& shape) const {
  int longest = 1;
  for (const RowTile& tile : tiles_) {
    const GroupView& group = groups_[static_cast<size_t>(tile.group)];
    const int first = positions_[static_cast<size_t>(tile.first_row)];
    const int last = positions_[static_cast<size_t>(tile.first_row + tile.n_rows - 1)];
    const int before = shape.causal ? shape.window - 1 : shape.window / 2;
    const int begin = shape.window > 0 ? std::max(0, first - before) : 0;
    const int seen = shape.window > 0 ? std::min(group.n_keys, last + shape.window / 2 + 1) : group.n_keys;
    longest = std::max(longest, (shape.causal ? last + 1 : seen) - begin);
  }
  return longest;
}

StepRows::Tiles StepRows::tiles(const AttentionShape& shape) {
  int most_rows = 0;
  const bool is_q8 = !groups_.empty() && groups_.front().kv.is_q8;
  bool one_kind = true;
  int first_row = 0;
  for (const GroupView& group : std::span(groups_).first(n_groups_)) {
    most_rows = std::max(most_rows, group.n_rows);
    one_kind = one_kind && group.kv.is_q8 == is_q8 && group.first_row == first_row;
    first_row += group.n_rows;
  }
  const AttentionMeans means{device_.info().n_processors, tensor_cores_, one_kind};
  cut(plan_attention(shape, {.most_rows = most_rows}, means).rows_per_tile);
  const int n_tiles = static_cast<int>(tiles_.size());
  const StepSize step{most_rows, rounded_reach(longest_reach(shape)), n_tiles};
  return {plan_attention(shape, step, means), device_tiles_.as<RowTile>(), n_tiles, is_q8};
}

}  // namespace mneme::engine::cuda
