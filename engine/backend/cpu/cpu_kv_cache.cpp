#include "engine/backend/cpu/cpu_kv_cache.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <new>
#include <string>

#include "engine/backend/cpu/aligned_buffer.h"
#include "engine/backend/cpu/cpu_retrieval.h"
#include "engine/backend/cpu/kv_page_contents.h"
#include "engine/backend/kv_memory.h"

namespace mneme::engine::cpu {
namespace {

constexpr size_t kTokensPerTask = 64;  // that a thread reads at a time

class CpuStateMemory final : public StateMemory {
 public:
  explicit CpuStateMemory(size_t n_floats) : numbers_(n_floats) {}
  float* data() override { return numbers_.data(); }
  void copy_from(StateMemory& other) override {
    std::memcpy(numbers_.data(), other.data(), numbers_.size() * sizeof(float));
  }

 private:
  AlignedBuffer<float> numbers_;
};

std::unique_ptr<StateMemory> allocate_state(size_t n_floats) {
  try {
    return std::make_unique<CpuStateMemory>(n_floats);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

CpuKvCache::CpuKvCache(const KvCacheOptions& options, const Kernels& kernels, ThreadPool& pool, RopeTables& ropes,
                       std::shared_ptr<PagePool> memory)
    : KvCache(options), kernels_(kernels), pool_(pool), ropes_(ropes), memory_(std::move(memory)) {
  lay_out();
  if (options.keeps_state()) states_ = std::make_unique<LayerStates>(options, allocate_state);
}

CpuKvCache::~CpuKvCache() = default;

void CpuKvCache::lay_out() {
  places_.reserve(static_cast<size_t>(options_.n_layers));
  for (int layer = 0; layer < options_.n_layers; ++layer) {
    const LayerHeads heads = options_.heads(layer);
    LayerPlace& place = places_.emplace_back();
    place = {.n_kv_heads = heads.n_kv_heads,
             .head_dim = heads.head_dim,
             .value_stride = (heads.head_dim + 15) / 16 * 16,
             .offset = page_bytes_};
    place.head_bytes = count_head_bytes(place);
    page_bytes_ += count_layer_bytes(place);
    has_padding_ = has_padding_ || place.value_stride != place.head_dim;
  }
}

int64_t CpuKvCache::count_head_bytes(const LayerPlace& place) const {
  if (!is_q8()) return place.head_elements() * int64_t{sizeof(f16)};
  const int64_t n_scales = int64_t{2} * kPageTokens * (place.head_dim / kKvBlock);
  return place.head_elements() + n_scales * int64_t{sizeof(f16)};
}

int64_t CpuKvCache::count_layer_bytes(const LayerPlace& place) const {
  const int64_t unrotated = options_.keep_unrotated_keys ? int64_t{kPageTokens} * place.kv_dim() : 0;
  return place.n_kv_heads * place.head_bytes + unrotated * int64_t{sizeof(f16)};
}

KvPage CpuKvCache::page(int layer, int page, int kv_head) const {
  const std::byte* base = head_page(layer, page, kv_head);
  KvPage view;
  view.by_token = by_token(layer, page);
  view.token_stride = view.by_token ? token_stride(layer) : 0;
  const int64_t first_value = at(layer).head_dim * (view.by_token ? 1 : int64_t{kPageTokens});
  if (!is_q8()) {
    view.keys = reinterpret_cast<const f16*>(base);
    view.values = view.keys + first_value;
    return view;
  }
  view.key_codes = reinterpret_cast<const int8_t*>(base);
  view.value_codes = view.key_codes + first_value;
  view.key_scales = reinterpret_cast<const f16*>(base + at(layer).head_elements());
  view.value_scales = view.key_scales + int64_t{kPageTokens} * (at(layer).head_dim / kKvBlock);
  return view;
}

Status CpuKvCache::reserve(int n_tokens) {
  if (n_tokens > options_.max_tokens) {
    return resource_error("the sequence would hold " + std::to_string(n_tokens) +
                          " tokens, but was opened for at most " + std::to_string(options_.max_tokens) +
                          "; shorten the input or raise the context size");
  }
  if (n_tokens <= n_reserved_) return {};
  if (states_) MNEME_RETURN_IF_ERROR(states_->allocate());
  const int n_before = n_reserved_ / kPageTokens;
  const int n_pages = (n_tokens + kPageTokens - 1) / kPageTokens;
  const size_t run_bytes = static_cast<size_t>(page_bytes_);
  // A call that an exception ended (no memory for a list) may have left pages that it had not counted.
  pages_.resize(static_cast<size_t>(n_before));
  bases_.resize(static_cast<size_t>(n_before));
  for (int page = n_before; page < n_pages; ++page) {
    auto run = memory_->acquire(run_bytes);
    if (!run.ok()) {
      pages_.resize(static_cast<size_t>(n_before));
      bases_.resize(static_cast<size_t>(n_before));
      return run.status();
    }
    // The padding of values is read and must be finite; all else is written before it is read, save for keys beyond the
    // last token of a page, whose scores are discarded.
    if (has_padding_) std::memset((*run)->data(), 0, run_bytes);
    bases_.push_back((*run)->data());
    pages_.push_back(std::move(*run));
  }
  n_reserved_ = n_pages * kPageTokens;
  return {};
}

CpuKvCache::KeyPlace CpuKvCache::key_place(int layer, TokenPos position) const {
  const int token = position % kPageTokens;
  if (by_token(layer, position / kPageTokens)) return {token * token_stride(layer), 1};
  return {token, kPageTokens};
}

int64_t CpuKvCache::value_place(int layer, TokenPos position) const {
  return position % kPageTokens *
         (by_token(layer, position / kPageTokens) ? token_stride(layer) : int64_t{at(layer).value_stride});
}

void CpuKvCache::write_key(int layer, TokenPos position, int kv_head, const float* key) {
  const KvPage target = page(layer, position / kPageTokens, kv_head);
  const int token = position % kPageTokens;
  const KeyPlace place = key_place(layer, position);
  if (is_q8()) {
    write_codes(key, at(layer).head_dim, place.stride, writable(target.key_codes) + place.first,
                writable(target.key_scales) + token);
    return;
  }
  f16 halves[kWidestHead];
  assert(at(layer).head_dim <= kWidestHead);
  kernels_.to_half(key, at(layer).head_dim, halves);
  f16* column = writable(target.keys) + place.first;
  for (int d = 0; d < at(layer).head_dim; ++d) column[d * place.stride] = halves[d];
}

void CpuKvCache::write_value(int layer, TokenPos position, int kv_head, const float* value) {
  const KvPage target = page(layer, position / kPageTokens, kv_head);
  const int token = position % kPageTokens;
  const int64_t row = value_place(layer, position);
  if (is_q8()) {
    write_codes(value, at(layer).head_dim, 1, writable(target.value_codes) + row,
                writable(target.value_scales) + token);
  } else {
    kernels_.to_half(value, at(layer).head_dim, writable(target.values) + row);
  }
}

// A key is a column of its page: every element is in a line of its own, which nobody has touched since the token
// before.
void CpuKvCache::expect_token(int layer, TokenPos position) const {
  constexpr int kLineHalves = 32;  // f16 in a line of the cache
  constexpr int kSecondLevel = 2;  // of caches: many more lines can be under way to it than to the first
  if (is_q8()) return;
  const KeyPlace place = key_place(layer, position);
  for (int head = 0; head < at(layer).n_kv_heads; ++head) {
    const KvPage target = page(layer, position / kPageTokens, head);
    const f16* const key = target.keys + place.first;
    for (int d = 0; d < at(layer).head_dim; ++d) __builtin_prefetch(key + d * place.stride, 0, kSecondLevel);
    const f16* const value = target.values + value_place(layer, position);
    for (int d = 0; d < at(layer).value_stride; d += kLineHalves) __builtin_prefetch(value + d, 0, kSecondLevel);
  }
}

void CpuKvCache::read_key(int layer, TokenPos position, int kv_head, f16* key) const {
  const KvPage source = page(layer, position / kPageTokens, kv_head);
  const KeyPlace place = key_place(layer, position);
  if (is_q8())
    return read_codes(source.key_codes + place.first, source.key_scales + position % kPageTokens, at(layer).head_dim,
                      place.stride, key);
  for (int d = 0; d < at(layer).head_dim; ++d) key[d] = source.keys[place.first + d * place.stride];
}

void CpuKvCache::make_by_token(int layer, int n_pages, ThreadPool& pool, size_t pages_per_task) {
  by_token_.resize(pages_.size() * static_cast<size_t>(options_.n_layers));
  int first = n_pages;  // those before it have been turned already
  while (first > 0 && !by_token(layer, first - 1)) --first;
  if (first == n_pages) return;
  pool.parallel_for(static_cast<size_t>(n_pages - first), pages_per_task, [&](int, size_t begin, size_t end) {
    for (size_t page = begin; page < end; ++page) turn_page(layer, first + static_cast<int>(page));
  });
}

void CpuKvCache::turn_page(int layer, int page_index) {
  std::vector<std::byte> scratch;
  for (int head = 0; head < at(layer).n_kv_heads; ++head) {
    const KvPage target = page(layer, page_index, head);
    is_q8() ? turn(writable(target.key_codes), at(layer).head_dim, at(layer).value_stride, scratch)
            : turn(writable(target.keys), at(layer).head_dim, at(layer).value_stride, scratch);
  }
  by_token_[static_cast<size_t>(page_index) * static_cast<size_t>(options_.n_layers) + static_cast<size_t>(layer)] = 1;
}

void CpuKvCache::read_keys(int layer, int kv_head, TokenPos first, int n, int step, std::span<const int> order,
                           float* out) const {
  const int head_dim = at(layer).head_dim;
  float wide[kWidestHead];
  f16 halves[kWidestHead];
  for (int i = 0; i < n; ++i, out += head_dim) {
    const TokenPos position = first + i * step;
    const KvPage source = page(layer, position / kPageTokens, kv_head);
    const KeyPlace place = key_place(layer, position);
    if (is_q8()) {
      const f16* scales = source.key_scales + position % kPageTokens;
      for (int block = 0; block < head_dim / kKvBlock; ++block) {
        const float scale = to_f32(scales[int64_t{block} * kPageTokens]);
        for (int d = block * kKvBlock; d < (block + 1) * kKvBlock; ++d)
          wide[d] = scale * static_cast<float>(source.key_codes[place.first + d * place.stride]);
      }
    } else {
      for (int d = 0; d < head_dim; ++d) halves[d] = source.keys[place.first + d * place.stride];
      kernels_.to_float(halves, head_dim, wide);
    }
    if (order.empty()) {
      std::memcpy(out, wide, static_cast<size_t>(head_dim) * sizeof(float));
    } else {
      for (int d = 0; d < head_dim; ++d) out[d] = wide[order[static_cast<size_t>(d)]];
    }
  }
}

void CpuKvCache::read_values(int layer, int kv_head, TokenPos first, int n, float* out) const {
  f16 halves[kWidestHead];
  for (int i = 0; i < n; ++i, out += at(layer).head_dim) {
    read_value(layer, first + i, kv_head, halves);
    kernels_.to_float(halves, at(layer).head_dim, out);
  }
}

KvRow CpuKvCache::row(int layer, TokenPos position, int kv_head) const {
  const KvPage source = page(layer, position / kPageTokens, kv_head);
  const int token = position % kPageTokens;
  const int64_t key = token * token_stride(layer);
  const int64_t value = value_place(layer, position);
  if (!is_q8()) return {source.keys + key, source.values + value, nullptr, nullptr};
  return {source.key_codes + key, source.value_codes + value, source.key_scales + token, source.value_scales + token};
}

KvRow CpuKvCache::row_with_copied_key(int layer, TokenPos position, int kv_head, void* key) const {
  const KvPage source = page(layer, position / kPageTokens, kv_head);
  const KeyPlace place = key_place(layer, position);
  KvRow row = this->row(layer, position, kv_head);
  row.key = key;
  for (int d = 0; d < at(layer).head_dim; ++d) {
    const int64_t from = place.first + d * place.stride;
    is_q8() ? static_cast<void>(static_cast<int8_t*>(key)[d] = source.key_codes[from])
            : static_cast<void>(static_cast<f16*>(key)[d] = source.keys[from]);
  }
  return row;
}

Status CpuKvCache::set_retrieval(const RetrievalOptions& options, const ModelConfig& config) {
  if (options.kind == AttentionKind::kFull) {
    retrieval_.reset();
    return {};
  }
  // Who leaves the choice to the program gets full attention.
  if (Status fits = check_retrieval_fits(config); !fits.ok()) {
    retrieval_.reset();
    return options.kind == AttentionKind::kPq ? fits : Status();
  }
  MNEME_RETURN_IF_ERROR(check_retrieval_options(options, options_.head_dim));
  // What is known about the keys stays where only budgets and counts change.
  if (retrieval_ && same_index(retrieval_->options(), options)) {
    retrieval_->start_anew(options);
    return {};
  }
  retrieval_ = std::make_unique<CpuRetrieval>(*this, options, config, pool_);
  return {};
}

Status CpuKvCache::prepare_retrieval(int n_tokens, ClusteringModel* times, const CancelToken& cancel) {
  return retrieval_ ? retrieval_->prepare(n_tokens, times, cancel) : Status();
}

void CpuKvCache::forget(int n_tokens) {
  if (retrieval_) retrieval_->forget(n_tokens);
  if (states_) states_->forget(n_tokens);
}

int CpuKvCache::state_tokens() const {
  return states_ ? states_->n_tokens() : 0;
}

void CpuKvCache::keep_state() {
  if (states_) states_->keep();
}

int CpuKvCache::kept_state(int n_tokens) const {
  return states_ ? states_->kept(n_tokens) : 0;
}

int CpuKvCache::restore_state(int n_tokens) {
  return states_ ? states_->restore(n_tokens) : 0;
}

RetrievalReport CpuKvCache::retrieval_report() const {
  return retrieval_ ? retrieval_->report() : RetrievalReport{};
}

void CpuKvCache::read_value(int layer, TokenPos position, int kv_head, f16* value) const {
  const KvPage source = page(layer, position / kPageTokens, kv_head);
  const int token = position % kPageTokens;
  const int64_t row = value_place(layer, position);
  if (is_q8()) return read_codes(source.value_codes + row, source.value_scales + token, at(layer).head_dim, 1, value);
  std::memcpy(value, source.values + row, static_cast<size_t>(at(layer).head_dim) * sizeof(f16));
}

const f16* CpuKvCache::unrotated_key(int layer, TokenPos position, int kv_head) const {
  const LayerPlace& place = at(layer);
  const auto* base =
      reinterpret_cast<const f16*>(head_page(layer, position / kPageTokens, place.n_kv_heads));  // behind all heads
  return base + (int64_t{position % kPageTokens} * place.n_kv_heads + kv_head) * place.head_dim;
}

void CpuKvCache::write_unrotated_key(int layer, TokenPos position, int kv_head, const float* key) {
  kernels_.to_half(key, at(layer).head_dim, const_cast<f16*>(unrotated_key(layer, position, kv_head)));
}

bool CpuKvCache::range_is_valid(int layer, TokenPos first, int n_tokens, size_t n_keys, size_t n_values) const {
  const size_t expected = static_cast<size_t>(n_tokens) * at(layer).n_kv_heads * at(layer).head_dim;
  return layer >= 0 && layer < options_.n_layers && options_.has_kv(layer) && first >= 0 && n_tokens >= 0 &&
         first + n_tokens <= n_reserved_ && n_keys == expected && n_values == expected;
}

Status CpuKvCache::read(int layer, TokenPos first, int n_tokens, bool unrotated, std::span<f16> keys,
                        std::span<f16> values) const {
  if (unrotated && !options_.keep_unrotated_keys)
    return usage_error("this sequence does not keep keys before RoPE; open it with keep_unrotated_keys");
  if (!range_is_valid(layer, first, n_tokens, keys.size(), values.empty() ? keys.size() : values.size()))
    return usage_error("KV of layer " + std::to_string(layer) + ", tokens " + std::to_string(first) + " to " +
                       std::to_string(first + n_tokens) + " is not in this sequence");
  const int head_dim = at(layer).head_dim;
  pool_.parallel_for(static_cast<size_t>(n_tokens), kTokensPerTask, [&](int, size_t begin, size_t end) {
    for (size_t token = begin; token < end; ++token) {
      const TokenPos position = first + static_cast<TokenPos>(token);
      for (int head = 0; head < at(layer).n_kv_heads; ++head) {
        const size_t offset = (token * at(layer).n_kv_heads + head) * head_dim;
        if (!values.empty()) read_value(layer, position, head, values.data() + offset);
        if (unrotated) {
          std::memcpy(keys.data() + offset, unrotated_key(layer, position, head), head_dim * sizeof(f16));
        } else {
          read_key(layer, position, head, keys.data() + offset);
        }
      }
    }
  });
  return {};
}

int64_t CpuKvCache::memory_bytes() const {
  return n_reserved_ / kPageTokens * page_bytes_;
}

}  // namespace mneme::engine::cpu
