#include "engine/backend/cpu/row_finder.h"

namespace mneme::engine::cpu {

RowFinder::RowFinder(const CpuKvCache& cache, int layer, int kv_head)
    : cache_(cache),
      layer_(layer),
      kv_head_(kv_head),
      codes_(cache.options().type == KvType::kQ8_0),
      key_bytes_(int64_t{cache.options().head_dim} * (codes_ ? 1 : 2)),
      value_bytes_(int64_t{cache.value_stride(0)} * (codes_ ? 1 : 2)) {}

void RowFinder::find(std::span<const TokenPos> positions, KvRow* rows) const {
  if (positions.empty()) return;
  // Pages are turned from the first on: where the last one's is, all are.
  if (!codes_ && cache_.by_token(layer_, positions.back() / kPageTokens)) return find_by_token(positions, rows);
  for (size_t i = 0; i < positions.size();) {
    const int page = positions[i] / kPageTokens;
    const int first = page * kPageTokens;
    const KvRow base = cache_.row(layer_, first, kv_head_);
    const auto* keys = static_cast<const std::byte*>(base.key);
    const auto* values = static_cast<const std::byte*>(base.value);
    const int64_t token_bytes = cache_.by_token(layer_, page) ? key_bytes_ + value_bytes_ : value_bytes_;
    const int end = first + kPageTokens;
    for (; i < positions.size() && positions[i] < end; ++i) {
      const int64_t token = positions[i] - first;
      rows[i].key = keys + token * token_bytes;
      rows[i].value = values + token * token_bytes;
      rows[i].key_scales = codes_ ? base.key_scales + token : nullptr;
      rows[i].value_scales = codes_ ? base.value_scales + token : nullptr;
    }
  }
}

// Without a branch that depends on where positions lie: most steps choose about a dozen tokens of a page.
void RowFinder::find_by_token(std::span<const TokenPos> positions, KvRow* rows) const {
  std::byte* const* const bases = cache_.page_bases().data();
  const int64_t offset = cache_.page_offset(layer_, kv_head_);
  const int64_t key_bytes = key_bytes_;
  const int64_t token_bytes = key_bytes_ + value_bytes_;
  for (size_t i = 0; i < positions.size(); ++i) {
    const auto position = static_cast<uint32_t>(positions[i]);
    const std::byte* const key = bases[position / kPageTokens] + offset + position % kPageTokens * token_bytes;
    rows[i] = {key, key + key_bytes, nullptr, nullptr};
  }
}

void RowFinder::copy_keys(std::span<const TokenPos> positions, std::span<KvRow> rows,
                          std::vector<std::byte>& copies) const {
  size_t first = positions.size();
  while (first > 0 && !cache_.by_token(layer_, positions[first - 1] / kPageTokens)) --first;
  copies.resize((positions.size() - first) * static_cast<size_t>(key_bytes_));
  for (size_t i = first; i < positions.size(); ++i) {
    std::byte* key = copies.data() + (i - first) * static_cast<size_t>(key_bytes_);
    rows[i] = cache_.row_with_copied_key(layer_, positions[i], kv_head_, key);
  }
}

}  // namespace mneme::engine::cpu
