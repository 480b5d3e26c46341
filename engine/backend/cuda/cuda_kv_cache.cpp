#include "engine/backend/cuda/cuda_kv_cache.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "base/memory_limit.h"
#include "engine/backend/cuda/cuda_encoded_placer.h"
#include "engine/backend/cuda/head_kernels.h"
#include "engine/backend/cuda/recurrence_kernels.h"
#include "engine/backend/kv_memory.h"

namespace mneme::engine::cuda {
namespace {

constexpr int64_t kAlignment = 256;
constexpr int64_t kScratchPart = 16;  // of the free memory, left to activations

// The memory may be given to others at once, so nothing may still use it.
class CudaStateMemory final : public StateMemory {
 public:
  CudaStateMemory(Device& device, DeviceBuffer buffer, size_t n_bytes)
      : device_(device), buffer_(std::move(buffer)), n_bytes_(n_bytes) {}
  ~CudaStateMemory() override {
    device_.settle();
    cudaStreamSynchronize(device_.stream());
  }
  float* data() override { return buffer_.as<float>(); }
  void copy_from(StateMemory& other) override {
    if (device_.begin())
      device_.check(cudaMemcpyAsync(data(), other.data(), n_bytes_, cudaMemcpyDeviceToDevice, device_.stream()),
                    "copying states");
  }

 private:
  Device& device_;
  DeviceBuffer buffer_;
  size_t n_bytes_;
};

int64_t aligned(int64_t n_bytes) {
  return (n_bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

// --- LayerStaging ---------------------------------------------------------------------------------------------------

LayerStaging::~LayerStaging() {
  device_.settle();
  cudaStreamSynchronize(device_.copy_stream());
  cudaStreamSynchronize(device_.stream());
  for (Slot& slot : slots_) {
    if (slot.arrived != nullptr) cudaEventDestroy(slot.arrived);
    if (slot.used != nullptr) cudaEventDestroy(slot.used);
  }
}

bool LayerStaging::open(Slot& slot) {
  for (cudaEvent_t* event : {&slot.arrived, &slot.used})
    if (*event == nullptr) device_.check(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "making events");
  return device_.ok();
}

LayerStaging::Layer LayerStaging::begin(std::span<const f16> keys, std::span<const f16> values) {
  current_ ^= 1;
  Slot& slot = slots_[current_];
  const size_t half = static_cast<size_t>(aligned(static_cast<int64_t>(keys.size_bytes())));
  if (!device_.begin() || !open(slot) || !device_.grow(slot.memory, 2 * half, "keys and values on their way"))
    return {};
  device_.check(cudaStreamWaitEvent(device_.copy_stream(), slot.used, 0), "copying keys and values");
  device_.upload(std::as_bytes(keys), slot.memory.as(), device_.copy_stream());
  device_.upload(std::as_bytes(values), slot.memory.as() + half, device_.copy_stream());
  device_.check(cudaEventRecord(slot.arrived, device_.copy_stream()), "copying keys and values");
  device_.check(cudaStreamWaitEvent(device_.stream(), slot.arrived, 0), "copying keys and values");
  if (!device_.ok()) return {};
  return {slot.memory.as<f16>(), reinterpret_cast<const f16*>(slot.memory.as() + half)};
}

void LayerStaging::end() {
  device_.check(cudaEventRecord(slots_[current_].used, device_.stream()), "copying keys and values");
}

// --- CudaKvCache ----------------------------------------------------------------------------------------------------

CudaKvCache::CudaKvCache(const KvCacheOptions& options, const SharedByCaches& shared)
    : KvCache(options),
      device_(shared.device),
      ropes_(shared.ropes),
      staging_(shared.staging),
      decoder_(shared.decoder),
      encoder_(shared.encoder) {
  lay_out();
  if (!options.keeps_state()) return;
  states_ = std::make_unique<LayerStates>(options, [&device = device_](size_t n_floats) {
    const size_t n_bytes = n_floats * sizeof(float);
    auto buffer = device.memory().allocate(n_bytes, "states");
    return buffer.ok() ? std::make_unique<CudaStateMemory>(device, std::move(*buffer), n_bytes) : nullptr;
  });
}

void CudaKvCache::lay_out() {
  for (int layer = 0; layer < options_.n_layers; ++layer) {
    if (!options_.has_kv(layer)) {
      places_.push_back({});  // none in pages
      continue;
    }
    const LayerHeads heads = options_.heads(layer);
    auto kind = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& own) { return own.heads == heads; });
    if (kind == kinds_.end()) kind = kinds_.insert(kind, Kind{.heads = heads});
    places_.push_back({static_cast<int>(kind - kinds_.begin()), kind->n_layers++});
  }
  if (kinds_.empty()) kinds_.push_back({.heads = {0, options_.n_kv_heads, options_.head_dim}});
  for (Kind& kind : kinds_) {
    const int64_t elements = int64_t{kPageTokens} * kind.heads.head_dim;
    const int64_t f16_bytes = sizeof(f16);
    kind.head_bytes =
        options_.type == KvType::kQ8_0 ? 2 * elements + 2 * elements / kKvBlock * f16_bytes : 2 * elements * f16_bytes;
    const int64_t unrotated = options_.keep_unrotated_keys ? elements * kind.heads.n_kv_heads * f16_bytes : 0;
    kind.layer_bytes = aligned(kind.heads.n_kv_heads * kind.head_bytes + unrotated);
    // A multiple of its own layers, so that kernels find a layer by one number.
    kind.first_layer = static_cast<int>((page_bytes_ + kind.layer_bytes - 1) / std::max<int64_t>(1, kind.layer_bytes));
    page_bytes_ = (kind.first_layer + kind.n_layers) * kind.layer_bytes;
  }
  for (LayerPlace& place : places_) place.index += kinds_[static_cast<size_t>(place.kind)].first_layer;
}

Result<std::unique_ptr<CudaKvCache>> CudaKvCache::make(const KvCacheOptions& options, KvHome home,
                                                       const SharedByCaches& shared) {
  if (options.head_dim > kMaxHeadDim)
    return unsupported("heads wider than " + std::to_string(kMaxHeadDim) +
                       " are not supported on a GPU; use --device cpu");
  MNEME_RETURN_IF_ERROR(check_kv_type(options, kKvBlock));
  if (options.keeps_state() && options.state.key_length > kMaxStateDim)
    return unsupported("states of more than " + std::to_string(kMaxStateDim) +
                       " elements a head are not supported on a GPU; use --device cpu");
  std::unique_ptr<CudaKvCache> cache(new CudaKvCache(options, shared));
  MNEME_RETURN_IF_ERROR(cache->open(home));
  return cache;
}

// Where neither memory would hold all of it, the device's holds what it can: most sequences end before their limit, and
// models that keep states have few keys.
Status CudaKvCache::open(KvHome home) {
  const bool may_move = n_kinds() == 1 && states_ == nullptr;
  if (home == KvHome::kHost && may_move) return open_in_host_memory();
  const int64_t free = device_.memory().free_bytes();
  const bool fits = most_pages() * page_bytes() <= free - free / kScratchPart;
  if (!fits && !options_.stays_on_device && may_move && open_in_host_memory().ok()) return {};
  MNEME_ASSIGN_OR_RETURN(page_table_, device_.memory().allocate(static_cast<size_t>(most_pages()) * sizeof(std::byte*),
                                                                "a table of KV pages"));
  return {};
}

Status CudaKvCache::open_in_host_memory() {
  auto host = HostKv::make(device_, view(), options_.n_layers, options_.max_tokens);
  MNEME_RETURN_IF_ERROR(host.status());
  host_ = std::move(*host);
  return {};
}

// The pages may be given to others at once, so nothing may still use them.
CudaKvCache::~CudaKvCache() {
  device_.settle();
  cudaStreamSynchronize(device_.stream());
}

Status CudaKvCache::reserve(int n_tokens) {
  if (n_tokens > options_.max_tokens)
    return resource_error("the sequence would hold " + std::to_string(n_tokens) +
                          " tokens, but was opened for at most " + std::to_string(options_.max_tokens) +
                          "; shorten the input or raise the context size");
  if (states_ != nullptr) MNEME_RETURN_IF_ERROR(states_->allocate());
  const auto n_pages = static_cast<size_t>((n_tokens + kPageTokens - 1) / kPageTokens);
  if (host_ != nullptr) return host_->reserve(static_cast<int>(n_pages));
  const size_t n_before = pages_.size();
  if (n_pages <= n_before) return {};
  std::vector<std::byte*> added;
  for (size_t page = n_before; page < n_pages; ++page) {
    auto memory = device_.memory().allocate(static_cast<size_t>(page_bytes()), "keys and values");
    if (!memory.ok()) {
      pages_.resize(n_before);
      return memory.status();
    }
    added.push_back(memory->as());
    pages_.push_back(std::move(*memory));
  }
  device_.upload(std::as_bytes(std::span(added)), page_table_.as() + n_before * sizeof(std::byte*), device_.stream());
  if (device_.ok()) return {};
  return device_.synchronize();
}

void CudaKvCache::begin_rows(int layer, std::span<const TokenPos> positions) {
  if (positions.empty() || (host_ == nullptr && layer != 0)) return;
  const int n_tokens = positions.back() + 1;
  const bool retrieves = positions.size() == 1 && retrieval_ != nullptr && retrieval_->retrieves(n_tokens);
  if (host_ == nullptr) {
    if (retrieves) retrieval_->begin_step(view(), n_tokens);
  } else if (retrieves) {
    host_view_ = host_->home();
    host_->write_home(layer, positions.back());
  } else {
    host_view_ = host_->open_layer(layer, n_tokens);
  }
}

void CudaKvCache::end_rows(int layer, std::span<const TokenPos> positions) {
  if (host_ != nullptr && !host_view_.far) host_->wrote(layer, positions);
}

KvView CudaKvCache::view(int kind_index) const {
  if (host_ != nullptr) return host_view_;
  const Kind& kind = kinds_[static_cast<size_t>(kind_index)];
  KvView view;
  view.pages = page_table_.as<std::byte*>();
  view.layer_bytes = kind.layer_bytes;
  view.head_bytes = kind.head_bytes;
  view.n_kv_heads = kind.heads.n_kv_heads;
  view.head_dim = kind.heads.head_dim;
  view.is_q8 = options_.type == KvType::kQ8_0;
  view.keeps_unrotated = options_.keep_unrotated_keys;
  return view;
}

bool CudaKvCache::range_is_valid(int layer, TokenPos first, int n_tokens, size_t n_keys, size_t n_values) const {
  if (layer < 0 || layer >= options_.n_layers || !options_.has_kv(layer)) return false;
  const size_t expected = static_cast<size_t>(n_tokens) * static_cast<size_t>(options_.heads(layer).kv_dim());
  return first >= 0 && n_tokens >= 0 && first + n_tokens <= n_reserved() && n_keys == expected && n_values == expected;
}

void CudaKvCache::place(int layer, TokenPos first, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
                        const RopeConfig* rope) {
  assert(range_is_valid(layer, first, n_tokens, keys.size(), values.size()));
  if (n_tokens == 0 || !device_.begin()) return;
  const LayerStaging::Layer staged = staging_.begin(keys, values);
  if (staged.keys == nullptr) return;
  const RotationRef rotation = rope != nullptr ? ropes_.of_range(*rope, first, n_tokens) : RotationRef{};
  if (!device_.ok()) return;
  if (host_ != nullptr) host_view_ = host_->open_to_write(layer, first, n_tokens);
  const LayerPlace own = place_of(layer);
  device_.check(
      place_kv(device_.stream(), view(own.kind), {own.index, first, n_tokens}, staged.keys, staged.values, rotation),
      "placing keys and values");
  if (host_ != nullptr) host_->wrote(layer, first, n_tokens);
  staging_.end();
}

std::unique_ptr<EncodedKvPlacer> CudaKvCache::place_encoded(int first_layer) {
  // Where a layer is on the device changes with every layer then, and the placer works ahead.
  if (in_host_memory() || n_kinds() != 1) return nullptr;
  const KvShape shape{options_.n_layers, options_.n_kv_heads, options_.head_dim};
  return std::make_unique<CudaEncodedPlacer>(
      device_, ropes_, decoder_,
      EncodedTarget{.view = view(), .shape = shape, .max_tokens = options_.max_tokens, .first_layer = first_layer});
}

Status CudaKvCache::read(int layer, TokenPos first, int n_tokens, bool unrotated, std::span<f16> keys,
                         std::span<f16> values) const {
  if (unrotated && !options_.keep_unrotated_keys)
    return usage_error("this sequence does not keep keys before RoPE; open it with keep_unrotated_keys");
  if (!range_is_valid(layer, first, n_tokens, keys.size(), values.empty() ? keys.size() : values.size()))
    return usage_error("KV of layer " + std::to_string(layer) + ", tokens " + std::to_string(first) + " to " +
                       std::to_string(first + n_tokens) + " is not in this sequence");
  if (n_tokens == 0) return {};
  const auto half = static_cast<size_t>(aligned(static_cast<int64_t>(keys.size_bytes())));
  MNEME_ASSIGN_OR_RETURN(const DeviceBuffer out, device_.memory().allocate(2 * half, "keys and values to read"));
  auto* out_values = reinterpret_cast<f16*>(out.as() + half);
  const LayerPlace own = place_of(layer);
  const cudaStream_t stream = device_.stream();
  constexpr std::string_view kDoing = "reading keys and values";
  if (device_.begin())
    device_.check(read_kv(stream, host_ != nullptr ? host_->home() : view(own.kind), {own.index, first, n_tokens},
                          unrotated, out.as<f16>(), out_values),
                  kDoing);
  MNEME_RETURN_IF_ERROR(device_.download(out.as(), std::as_writable_bytes(keys), kDoing));
  return device_.download(out.as() + half, std::as_writable_bytes(values), kDoing);
}

Result<EncodedLayers> CudaKvCache::encode(TokenPos first, int n_tokens, const KvCodec& codec) {
  const TransformCodec* const transform = KvDecoder::known(codec);
  if (transform == nullptr || !options_.keep_unrotated_keys || n_kinds() != 1) return EncodedLayers();
  assert(codec.shape().n_layers == options_.n_layers &&
         codec.shape().kv_dim() == options_.n_kv_heads * options_.head_dim);
  assert(first >= 0 && n_tokens > 0 && first + n_tokens <= n_reserved());
  return encoder_.encode(*transform, {host_ != nullptr ? host_->home() : view(), first, n_tokens});
}

int64_t CudaKvCache::memory_bytes() const {
  if (host_ != nullptr) return host_->memory_bytes();
  return static_cast<int64_t>(pages_.size()) * page_bytes();
}

int64_t CudaKvCache::free_bytes(int64_t of_device) const {
  return host_ != nullptr ? static_cast<int64_t>(available_memory_bytes()) : of_device;
}

// What a GPU does not do, nobody gets who leaves the choice to the program.
Status CudaKvCache::set_retrieval(const RetrievalOptions& options, const ModelConfig& config) {
  if (options.kind == AttentionKind::kFull) {
    retrieval_.reset();
    return {};
  }
  const Status possible = CudaRetrieval::check(options, options_, config);
  if (!possible.ok()) {
    retrieval_.reset();
    const bool insists = options.kind == AttentionKind::kPq || possible.code() != StatusCode::kUnsupported;
    return insists ? possible : Status();
  }
  if (retrieval_ != nullptr && same_index(retrieval_->options(), options)) {
    retrieval_->start_anew(options);
  } else {
    const cudaStream_t far_stream = host_ != nullptr ? host_->stream() : nullptr;
    retrieval_ = std::make_unique<CudaRetrieval>(device_, options, options_, config, far_stream);
  }
  return {};
}

Status CudaKvCache::prepare_retrieval(int n_tokens, ClusteringModel* /*times*/, const CancelToken& cancel) {
  if (retrieval_ == nullptr) return {};
  const auto view_of = [&](int layer, CudaRetrieval::Reach reach) {
    if (host_ == nullptr) return view();
    return reach == CudaRetrieval::Reach::kAll ? host_->open_layer(layer, n_tokens) : host_->home();
  };
  return retrieval_->prepare(view_of, n_tokens, cancel);
}

void CudaKvCache::forget(int n_tokens) {
  if (host_ != nullptr) host_->forget(n_tokens);
  if (retrieval_ != nullptr) retrieval_->forget(n_tokens);
  if (states_ != nullptr) states_->forget(n_tokens);
}

void CudaKvCache::keep_state() {
  if (states_ != nullptr) states_->keep();
}

RetrievalReport CudaKvCache::retrieval_report() const {
  return retrieval_ != nullptr ? retrieval_->report() : RetrievalReport();
}

}  // namespace mneme::engine::cuda
