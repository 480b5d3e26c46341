// The rows of the step under way on the device. All layers of a step come with the same rows, so they are copied up
// once. Threads: one at a time.
#pragma once

#include <vector>

#include "engine/backend/backend.h"
#include "engine/backend/cuda/attention_kernels.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/kv_view.h"

namespace mneme::engine::cuda {

class StepRows {
 public:
  // tensor_cores: attention may use them.
  StepRows(Device& device, bool tensor_cores) : device_(device), tensor_cores_(tensor_cores) {}

  // Another step begins: its rows are copied up even where they are the same, so that equal steps do the same.
  void forget() {
    positions_.clear();
    states_.clear();
  }
  // The rows on the device, with the groups' KV of one kind of layers (CudaKvCache); the same view as last time when
  // nothing has changed.
  RowsView view(const RowSet& rows, int kind = 0);
  // Where the states of the rows' groups lie, of models whose layers keep some, on the device: (groups with rows).
  float* const* states(const RowSet& rows);
  // How to attend to them, and the tiles on the device for it. Call view() first.
  struct Tiles {
    AttentionPlan plan;
    const RowTile* tiles = nullptr;
    int n_tiles = 0;
    bool is_q8 = false;  // the KV of the first group
  };
  Tiles tiles(const AttentionShape& shape);

 private:
  bool is_current(const RowSet& rows, const std::vector<GroupView>& groups) const;
  void copy_up(const RowSet& rows, std::vector<GroupView> groups);
  void cut(int rows_per_tile);
  int longest_reach(const AttentionShape& shape) const;
  template <typename T>
  void copy_up(const std::vector<T>& values, DeviceBuffer& buffer);

  Device& device_;
  const bool tensor_cores_;
  RowsView view_;
  std::vector<TokenPos> positions_;
  std::vector<GroupView> groups_;  // of all kinds, one after the other
  size_t n_groups_ = 0;            // of one
  std::vector<int> groups_of_;
  std::vector<float*> states_;
  std::vector<RowTile> tiles_;
  int rows_per_tile_ = 0;  // of tiles_; 0: not cut yet
  DeviceBuffer device_positions_, device_groups_, device_groups_of_, device_states_, device_tiles_;
};

}  // namespace mneme::engine::cuda
