#include "engine/backend/cuda/split_backend.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/backend/cpu/cpu_matrix.h"
#include "engine/backend/cuda/cuda_backend.h"

namespace mneme::engine::cuda {
namespace {

enum class Side { kCpu, kGpu };

// On both sides; valid on one.
class SplitActivations final : public Activations {
 public:
  SplitActivations(std::unique_ptr<Activations> cpu_in, std::unique_ptr<Activations> gpu_in)
      : cpu(std::move(cpu_in)), gpu(std::move(gpu_in)) {
    max_rows = cpu->max_rows;
    width = cpu->width;
  }
  Activations& on(Side at) const { return at == Side::kCpu ? *cpu : *gpu; }

  const std::unique_ptr<Activations> cpu, gpu;
  mutable Side side = Side::kCpu;
};

const SplitActivations& cast(const Activations& x) {
  return static_cast<const SplitActivations&>(x);
}

class SplitKvCache final : public KvCache {
 public:
  SplitKvCache(const KvCacheOptions& options, int first_gpu_layer, std::unique_ptr<KvCache> cpu_in,
               std::unique_ptr<KvCache> gpu_in)
      : KvCache(options), cpu(std::move(cpu_in)), gpu(std::move(gpu_in)), first_gpu_layer_(first_gpu_layer) {}

  Status reserve(int n_tokens) override {
    MNEME_RETURN_IF_ERROR(gpu->reserve(n_tokens));
    return cpu->reserve(n_tokens);
  }
  void place(int layer, TokenPos first, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
             const RopeConfig* rope) override {
    of(layer).place(local(layer), first, n_tokens, keys, values, rope);
  }
  // The processor's layers are left to the codecs.
  std::unique_ptr<EncodedKvPlacer> place_encoded(int first_layer) override {
    return gpu->place_encoded(first_layer + first_gpu_layer_);
  }
  Status read(int layer, TokenPos first, int n_tokens, bool unrotated, std::span<f16> keys,
              std::span<f16> values) const override {
    return of(layer).read(local(layer), first, n_tokens, unrotated, keys, values);
  }
  int64_t memory_bytes() const override { return cpu->memory_bytes() + gpu->memory_bytes(); }
  Status set_retrieval(const RetrievalOptions& options, const ModelConfig& config) override {
    return options.kind == AttentionKind::kAuto ? Status() : KvCache::set_retrieval(options, config);
  }

  KvCache& on(Side side) const { return side == Side::kCpu ? *cpu : *gpu; }
  const std::unique_ptr<KvCache> cpu, gpu;

 private:
  KvCache& of(int layer) const { return layer < first_gpu_layer_ ? *cpu : *gpu; }
  int local(int layer) const { return layer < first_gpu_layer_ ? layer : layer - first_gpu_layer_; }
  const int first_gpu_layer_;
};

class SplitBackend final : public Backend {
 public:
  SplitBackend(std::unique_ptr<Backend> cpu, std::unique_ptr<Backend> gpu, int n_layers, int first_gpu_layer)
      : cpu_(std::move(cpu)),
        gpu_(std::move(gpu)),
        n_layers_(n_layers),
        first_gpu_layer_(first_gpu_layer),
        name_(std::string(gpu_->name()) + "+cpu") {}

  std::string_view name() const override { return name_; }
  std::string description() const override {
    return std::to_string(n_layers_ - first_gpu_layer_) + " of " + std::to_string(n_layers_) + " layers on " +
           gpu_->description() + "; the others on " + cpu_->description();
  }

  int gpu_layers(int n_layers) const override { return n_layers - first_gpu_layer_; }

  Result<std::unique_ptr<Matrix>> load_matrix(const TensorView& tensor) override;
  Result<std::vector<std::unique_ptr<Matrix>>> load_matrices(std::span<const TensorView> tensors) override;
  Result<std::unique_ptr<Activations>> load_vector(const TensorView& tensor) override;
  Result<std::unique_ptr<Activations>> make_activations(int max_rows, int width) override;
  Result<std::unique_ptr<KvCache>> make_kv_cache(const KvCacheOptions& options) override;

  void embed(const Matrix& table, std::span<const TokenId> ids, float scale, Activations& x) override {
    cpu_->embed(table, ids, scale, written(x, Side::kCpu));
  }
  void add_rows(const Matrix& table, std::span<const TokenId> ids, Activations& x) override {
    cpu_->add_rows(table, ids, moved(x, static_cast<int>(ids.size()), Side::kCpu));
  }
  // Models with such inputs are not shared (model_device.cpp).
  void make_layer_inputs(const ModelConfig& config, const LayerInputSource& source, std::span<const TokenId> ids,
                         const Activations& x, Activations& inputs) override {
    cpu_->make_layer_inputs(config, source, ids, moved(x, static_cast<int>(ids.size()), Side::kCpu),
                            written(inputs, Side::kCpu));
  }
  void normalise(const ModelConfig& config, const NormWeights& norm, int n_rows, Activations& x) override {
    cpu_->normalise(config, norm, n_rows, moved(x, n_rows, Side::kCpu));
  }
  void project_qkv(const ModelConfig& config, int layer, const AttentionWeights& weights, const RowSet& rows,
                   const Activations& x, Activations& q) override {
    const Side side = side_of(layer);
    on(side).project_qkv(config_on(side, config), local(layer), weights, rows_on(side, rows),
                         moved(x, rows.n_rows(), side), written(q, side));
  }
  void attend(const ModelConfig& config, int layer, const RowSet& rows, const Activations& q,
              Activations& out) override {
    const Side side = side_of(layer);
    on(side).attend(config_on(side, config), local(layer), rows_on(side, rows), moved(q, rows.n_rows(), side),
                    written(out, side));
  }
  void project_and_attend(const ModelConfig& config, int layer, const AttentionWeights& weights, const RowSet& rows,
                          const Activations& x, Activations& q, Activations& out) override {
    const Side side = side_of(layer);
    on(side).project_and_attend(config_on(side, config), local(layer), weights, rows_on(side, rows),
                                moved(x, rows.n_rows(), side), written(q, side), written(out, side));
  }
  void project_output(const ModelConfig& config, const LayerWeights& weights, int n_rows, const Activations& attended,
                      Activations& x) override {
    const Side side = side_of(weights.attention.output);
    on(side).project_output(config, weights, n_rows, moved(attended, n_rows, side), moved(x, n_rows, side));
  }
  void feed_forward(const ModelConfig& config, const LayerWeights& weights, int n_rows, Activations& x) override {
    const Side side = side_of(weights.attention.output);
    on(side).feed_forward(config, weights, n_rows, moved(x, n_rows, side));
  }
  void finish_layer(const ModelConfig& config, int layer, const LayerWeights& weights, int n_rows,
                    const Activations* /*inputs*/, Activations& x) override {
    const Side side = side_of(layer);
    on(side).finish_layer(config_on(side, config), local(layer), weights, n_rows, nullptr, moved(x, n_rows, side));
  }
  void keep_rows(std::span<const int> keep, Activations& x) override {
    on(cast(x).side).keep_rows(keep, cast(x).on(cast(x).side));
  }
  void logits(const ModelConfig& config, const NormWeights& norm, const Matrix& output, std::span<const int> rows,
              const Activations& x, Activations& logits) override {
    if (rows.empty()) return;
    const int n_rows = *std::max_element(rows.begin(), rows.end()) + 1;
    const auto tied = tied_.find(&output);
    gpu_->logits(config, norm, tied == tied_.end() ? output : *tied->second, rows, moved(x, n_rows, Side::kGpu),
                 written(logits, Side::kGpu));
  }

  std::unique_ptr<AttentionSums> sum_attention(int n_tokens) override;
  Status read(const Activations& x, int n_rows, std::span<float> out) override {
    Status status = on(cast(x).side).read(cast(x).on(cast(x).side), n_rows, out);
    return failure_.ok() ? status : std::exchange(failure_, Status());
  }
  Status synchronize() override {
    Status cpu = cpu_->synchronize();
    Status gpu = gpu_->synchronize();
    if (!failure_.ok()) return std::exchange(failure_, Status());
    return cpu.ok() ? gpu : cpu;
  }
  // As much as lets each side hold its share.
  int64_t free_memory_bytes() const override {
    const int64_t n_gpu = n_layers_ - first_gpu_layer_;
    return std::min(cpu_->free_memory_bytes() / first_gpu_layer_, gpu_->free_memory_bytes() / n_gpu) * n_layers_;
  }

 private:
  Backend& on(Side side) { return side == Side::kCpu ? *cpu_ : *gpu_; }
  Side side_of(int layer) const { return layer < first_gpu_layer_ ? Side::kCpu : Side::kGpu; }
  int local(int layer) const { return layer < first_gpu_layer_ ? layer : layer - first_gpu_layer_; }
  Side side_of(const Matrix* matrix) const { return sides_.at(matrix); }
  Side side_of(std::string_view tensor) const;

  // x on this side, with its first n_rows rows; copied over where they are on the other.
  Activations& moved(const Activations& x, int n_rows, Side side);
  // x on this side, about to be written.
  static Activations& written(const Activations& x, Side side) {
    cast(x).side = side;
    return cast(x).on(side);
  }
  class Sums;
  RowSet rows_on(Side side, const RowSet& rows);
  const ModelConfig& config_on(Side side, const ModelConfig& config);

  const std::unique_ptr<Backend> cpu_, gpu_;
  const int n_layers_;
  const int first_gpu_layer_;
  const std::string name_;
  Status failure_;
  std::unordered_map<const Matrix*, Side> sides_;
  std::unordered_map<const Matrix*, std::unique_ptr<Matrix>> tied_;  // embeddings that are also the output, on the GPU
  std::optional<ModelConfig> gpu_config_;                            // its layers begin with the GPU's first
  std::vector<RowGroup> groups_;
  std::vector<float> crossing_;
};

// On the GPU; the processor's layers are left to the host.
class SplitBackend::Sums final : public AttentionSums {
 public:
  Sums(SplitBackend& backend, std::unique_ptr<AttentionSums> gpu) : backend_(backend), gpu_(std::move(gpu)) {}

  Status add(const ModelConfig& config, int layer, const RowSet& rows, std::span<const int> looking,
             const Activations& q) override {
    constexpr Side kGpu = Side::kGpu;
    if (backend_.side_of(layer) != kGpu) return unsupported("the host scores the processor's layers");
    return gpu_->add(backend_.config_on(kGpu, config), backend_.local(layer), backend_.rows_on(kGpu, rows), looking,
                     backend_.moved(q, rows.n_rows(), kGpu));
  }
  Status take(std::span<float> mass) override { return gpu_->take(mass); }

 private:
  SplitBackend& backend_;
  const std::unique_ptr<AttentionSums> gpu_;
};

std::unique_ptr<AttentionSums> SplitBackend::sum_attention(int n_tokens) {
  std::unique_ptr<AttentionSums> gpu = gpu_->sum_attention(n_tokens);
  if (gpu == nullptr) return nullptr;
  return std::make_unique<Sums>(*this, std::move(gpu));
}

// Tensors of layers by their number; the output and its norm to the GPU; embeddings to the processor.
Side SplitBackend::side_of(std::string_view tensor) const {
  constexpr std::string_view kLayer = "blk.";
  if (!tensor.starts_with(kLayer)) return tensor.starts_with("output") ? Side::kGpu : Side::kCpu;
  int layer = 0;
  std::from_chars(tensor.data() + kLayer.size(), tensor.data() + tensor.size(), layer);
  return side_of(layer);
}

Result<std::unique_ptr<Matrix>> SplitBackend::load_matrix(const TensorView& tensor) {
  const Side side = side_of(tensor.name);
  const bool tied = side == Side::kCpu && tensor.name == "token_embd.weight" && tensor.use == MatrixUse::kProduct;
  std::unique_ptr<Matrix> copy;
  if (tied) {
    MNEME_ASSIGN_OR_RETURN(copy, gpu_->load_matrix(tensor));
  }
  TensorView view = tensor;
  if (tied) view.use = MatrixUse::kLookup;
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Matrix> matrix, on(side).load_matrix(view));
  sides_[matrix.get()] = side;
  if (tied) tied_[matrix.get()] = std::move(copy);
  return matrix;
}

// Of one layer; embeddings come by themselves.
Result<std::vector<std::unique_ptr<Matrix>>> SplitBackend::load_matrices(std::span<const TensorView> tensors) {
  const Side side = side_of(tensors.front().name);
  MNEME_ASSIGN_OR_RETURN(std::vector<std::unique_ptr<Matrix>> matrices, on(side).load_matrices(tensors));
  for (const std::unique_ptr<Matrix>& matrix : matrices) sides_[matrix.get()] = side;
  return matrices;
}

Result<std::unique_ptr<Activations>> SplitBackend::load_vector(const TensorView& tensor) {
  return on(side_of(tensor.name)).load_vector(tensor);
}

Result<std::unique_ptr<Activations>> SplitBackend::make_activations(int max_rows, int width) {
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Activations> cpu, cpu_->make_activations(max_rows, width));
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Activations> gpu, gpu_->make_activations(max_rows, width));
  return std::unique_ptr<Activations>(std::make_unique<SplitActivations>(std::move(cpu), std::move(gpu)));
}

Result<std::unique_ptr<KvCache>> SplitBackend::make_kv_cache(const KvCacheOptions& options) {
  KvCacheOptions part = options;
  part.stays_on_device = true;  // what does not fit there are layers, which run on the processor
  part.n_layers = first_gpu_layer_;
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<KvCache> cpu, cpu_->make_kv_cache(part));
  part.n_layers = options.n_layers - first_gpu_layer_;
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<KvCache> gpu, gpu_->make_kv_cache(part));
  return std::unique_ptr<KvCache>(
      std::make_unique<SplitKvCache>(options, first_gpu_layer_, std::move(cpu), std::move(gpu)));
}

Activations& SplitBackend::moved(const Activations& x, int n_rows, Side side) {
  const SplitActivations& split = cast(x);
  if (split.side == side) return split.on(side);
  const size_t count = static_cast<size_t>(n_rows) * static_cast<size_t>(x.width);
  crossing_.resize(count);
  Status status = on(split.side).read(split.on(split.side), n_rows, crossing_);
  if (!status.ok() && failure_.ok()) failure_ = std::move(status);
  if (side == Side::kCpu) {
    std::memcpy(static_cast<cpu::CpuActivations&>(*split.cpu).row(0), crossing_.data(), count * sizeof(float));
  } else {
    write_activations(*gpu_, crossing_, *split.gpu);
  }
  return written(x, side);
}

RowSet SplitBackend::rows_on(Side side, const RowSet& rows) {
  groups_.assign(rows.groups.begin(), rows.groups.end());
  for (RowGroup& group : groups_) group.cache = &static_cast<const SplitKvCache&>(*group.cache).on(side);
  return {rows.positions, groups_};
}

const ModelConfig& SplitBackend::config_on(Side side, const ModelConfig& config) {
  // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): used within the caller's call, whose config lives on
  if (side == Side::kCpu) return config;
  if (!gpu_config_) {
    gpu_config_ = config;
    gpu_config_->layers.erase(gpu_config_->layers.begin(), gpu_config_->layers.begin() + first_gpu_layer_);
  }
  return *gpu_config_;
}

}  // namespace

std::unique_ptr<Backend> make_split_backend(std::unique_ptr<Backend> cpu, std::unique_ptr<Backend> gpu, int n_layers,
                                            int first_gpu_layer) {
  return std::make_unique<SplitBackend>(std::move(cpu), std::move(gpu), n_layers, first_gpu_layer);
}

int first_layer_that_fits(std::span<const int64_t> layer_bytes, int64_t output_bytes, int64_t free_bytes,
                          int64_t scratch_share) {
  int64_t left = free_bytes - free_bytes / scratch_share - output_bytes;
  auto first = static_cast<int>(layer_bytes.size());
  while (first > 0 && layer_bytes[static_cast<size_t>(first - 1)] <= left)
    left -= layer_bytes[static_cast<size_t>(--first)];
  return first;
}

}  // namespace mneme::engine::cuda
