#include "engine/pq/pq_index.h"

#include <cmath>
#include <limits>

namespace mneme::engine {
namespace {

constexpr int kMinTrainingKeys = 4096;
constexpr int kMaxTrainingKeys = 16384;
constexpr int kGroup = 16;  // keys that get codes together
constexpr int kGrowthToRetrain = 4;
constexpr int kReadKeys = 512;     // read at a time
constexpr int kReadValues = 2048;  // likewise
// Values of so few more keys do not move the means: they wait for others.
constexpr int kFewValues = 256;
constexpr int kFewValuesPart = 16;  // likewise, as a part of those the means are of: they are rounded every time
constexpr size_t kCodeBlock = 512;  // code arrays grow by this
// From here on the counts of cells are kept. Before, they are made in every step: 16 KiB would be much beside the
// codes.
constexpr int kMinCountedTokens = 20480;

// Infinite and undefined keys must not spoil the centroids of the others, nor such values the means.
void clear_what_is_no_number(std::span<float> values) {
  for (float& value : values)
    if (!(std::fabs(value) < 1e30f)) value = 0.0f;
}

}  // namespace

PqIndex::PqIndex(const RetrievalOptions& options, const KeySelectorShape& shape, const PqKernels& kernels)
    : options_(options), shape_(shape), kernels_(kernels), by_cells_(ranks_by_cells(options)) {
  for (const RopeConfig* rope : shape.ropes) parts_.push_back(make_key_parts(shape.head_dim, options.n_parts, rope));
  heads_.resize(static_cast<size_t>(shape.n_layers) * static_cast<size_t>(shape.n_kv_heads));
}

Status PqIndex::update(int layer, int kv_head, int n_tokens, const KeyReader& reader, const CancelToken& cancel) {
  Head& head = at(layer, kv_head);
  const int n = n_tokens / kGroup * kGroup;
  if (n <= options_.n_sinks) return {};
  if (!head.book || n >= head.n_trained * kGrowthToRetrain) {
    MNEME_RETURN_IF_ERROR(train(layer, kv_head, n, reader, cancel));
  }
  return encode(layer, kv_head, n, reader, cancel);
}

int PqIndex::n_indexed(int layer) const {
  int n = std::numeric_limits<int>::max();
  for (int head = 0; head < shape_.n_kv_heads; ++head) n = std::min(n, at(layer, head).n_coded);
  return n;
}

void PqIndex::forget(int n_tokens) {
  for (Head& head : heads_) {
    // A codebook of keys that are mostly gone may fit the new ones badly.
    if (head.book && n_tokens < head.n_trained / 2) head = Head{};
    const int n_left = std::min(head.n_coded, n_tokens / kGroup * kGroup);
    if (n_left < head.counted_end) head.count(std::min(head.counted_begin, n_left), n_left);
    head.n_coded = n_left;
    // Values that are gone cannot be taken back: all are summed anew.
    if (head.n_valued > n_left) head.forget_values();
  }
}

int64_t PqIndex::memory_bytes() const {
  int64_t bytes = 0;
  for (const Head& head : heads_) {
    if (head.book) bytes += head.book->memory_bytes();
    for (const std::vector<uint8_t>& codes : head.codes) bytes += static_cast<int64_t>(codes.capacity());
    bytes += static_cast<int64_t>(head.cell_counts.size() * sizeof(float));
    if (head.values) bytes += head.values->memory_bytes();
  }
  return bytes;
}

int PqIndex::iterations() const {
  int most = 0;
  for (const Head& head : heads_)
    if (head.book) most = std::max(most, head.book->iterations());
  return most;
}

void PqIndex::read(int layer, int kv_head, TokenPos first, int n, int step, const KeyReader& reader, float* out) const {
  reader.read_keys(layer, kv_head, first, n, step, parts_[static_cast<size_t>(layer)].order, out);
  clear_what_is_no_number({out, static_cast<size_t>(n) * static_cast<size_t>(shape_.head_dim)});
}

Status PqIndex::train(int layer, int kv_head, int n_tokens, const KeyReader& reader, const CancelToken& cancel) {
  // Sinks are attended to anyway, and are unlike other keys.
  const int available = n_tokens - options_.n_sinks;
  const int wanted = options_.training_keys > 0 ? options_.training_keys
                                                : std::clamp(available / 4, kMinTrainingKeys, kMaxTrainingKeys);
  const int step = std::max(1, (available + wanted - 1) / wanted);
  const int n = (available + step - 1) / step;
  std::vector<float> keys(static_cast<size_t>(n) * static_cast<size_t>(shape_.head_dim));
  read(layer, kv_head, options_.n_sinks, n, step, reader, keys.data());
  const CodebookOptions options{.n_bits = options_.n_bits,
                                .iterations = options_.iterations > 0 ? options_.iterations : iterations_,
                                .seed = options_.seed};
  MNEME_ASSIGN_OR_RETURN(Codebook book,
                         Codebook::train(parts_[static_cast<size_t>(layer)], keys, n, options, kernels_, cancel));
  Head& head = at(layer, kv_head);
  head.book = std::move(book);
  head.n_trained = n_tokens;
  head.n_coded = 0;
  head.cell_counts.clear();
  head.forget_counts();
  head.forget_values();
  head.codes.resize(static_cast<size_t>(options_.n_parts));
  return {};
}

Status PqIndex::encode(int layer, int kv_head, int n_tokens, const KeyReader& reader, const CancelToken& cancel) {
  Head& head = at(layer, kv_head);
  // Readable beyond the last code by a block of the scan.
  const size_t size = (static_cast<size_t>(n_tokens) + kScanBlock + kCodeBlock - 1) / kCodeBlock * kCodeBlock;
  for (std::vector<uint8_t>& codes : head.codes) {
    if (codes.size() >= size) continue;
    codes.reserve(size);
    codes.resize(size);
  }
  std::vector<float> keys;
  while (head.n_coded < n_tokens) {
    if (cancel.cancelled()) return cancelled();
    const int n = std::min(kReadKeys, n_tokens - head.n_coded);
    keys.resize(static_cast<size_t>(n) * static_cast<size_t>(shape_.head_dim));
    read(layer, kv_head, head.n_coded, n, 1, reader, keys.data());
    uint8_t* codes[kMaxKeyParts] = {};
    for (size_t p = 0; p < head.codes.size(); ++p) codes[p] = head.codes[p].data() + head.n_coded;
    head.book->encode(keys, n, kernels_, std::span(codes, head.codes.size()));
    head.n_coded += n;
  }
  if (by_cells_ && head.cell_counts.empty() && head.n_coded >= kMinCountedTokens) head.cell_counts.resize(kCells);
  return options_.tail && by_cells_ ? sum_values(layer, kv_head, reader, cancel) : Status();
}

Status PqIndex::sum_values(int layer, int kv_head, const KeyReader& reader, const CancelToken& cancel) {
  Head& head = at(layer, kv_head);
  if (!head.values) {
    head.values.emplace(shape_.head_dim);
    head.n_valued = options_.n_sinks;
  } else if (head.n_coded - head.n_valued < std::max(kFewValues, head.n_valued / kFewValuesPart)) {
    return {};
  }
  std::vector<float> values;
  while (head.n_valued < head.n_coded) {
    if (cancel.cancelled()) return cancelled();
    const int n = std::min(kReadValues, head.n_coded - head.n_valued);
    values.resize(static_cast<size_t>(n) * static_cast<size_t>(shape_.head_dim));
    reader.read_values(layer, kv_head, head.n_valued, n, values.data());
    clear_what_is_no_number(values);
    head.values->add(head.pair(), head.n_valued, head.n_valued + n, values);
    head.n_valued += n;
  }
  return {};
}

}  // namespace mneme::engine
