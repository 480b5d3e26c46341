#include "engine/devices/shared_model.h"

#include <charconv>
#include <numeric>
#include <string_view>
#include <vector>

#include "engine/backend/cpu/cpu_backend.h"
#if MNEME_HAVE_CUDA
#include "engine/backend/cuda/split_backend.h"
#endif

namespace mneme::engine {

#if MNEME_HAVE_CUDA

namespace {

struct WeightBytes {
  std::vector<int64_t> layers;
  int64_t output = 0;
};

WeightBytes weight_bytes(const gguf::GgufFile& file, int n_layers) {
  constexpr std::string_view kLayer = "blk.";
  WeightBytes bytes{.layers = std::vector<int64_t>(static_cast<size_t>(n_layers))};
  const std::string_view output = file.find_tensor("output.weight") != nullptr ? "output.weight" : "token_embd.weight";
  for (const gguf::TensorInfo& tensor : file.tensors()) {
    const std::string_view name = tensor.name;
    const auto size = static_cast<int64_t>(tensor.bytes.size());
    if (name == output) bytes.output += size;
    if (!name.starts_with(kLayer)) continue;
    size_t layer = bytes.layers.size();
    std::from_chars(name.data() + kLayer.size(), name.data() + name.size(), layer);
    if (layer < bytes.layers.size()) bytes.layers[layer] += size;
  }
  return bytes;
}

// With keys and values of the context that was asked for.
WeightBytes needed_bytes(const ModelToShare& model) {
  WeightBytes bytes = weight_bytes(model.file, model.n_layers);
  for (int64_t& layer : bytes.layers) layer += model.kv_bytes_per_layer;
  return bytes;
}

int most_layers(const Backend& gpu, const ModelToShare& model, const WeightBytes& bytes) {
  return model.n_layers -
         cuda::first_layer_that_fits(bytes.layers, bytes.output, gpu.free_memory_bytes(), cuda::kLeastScratchShare);
}

}  // namespace

std::unique_ptr<Backend> share_with_cpu(std::unique_ptr<Backend>& gpu, const ModelToShare& model, int n_threads) {
  const WeightBytes bytes = weight_bytes(model.file, model.n_layers);
  const int first = cuda::first_layer_that_fits(bytes.layers, bytes.output, gpu->free_memory_bytes());
  if (first <= 0 || first >= model.n_layers) return nullptr;
  return cuda::make_split_backend(make_cpu_backend(n_threads), std::move(gpu), model.n_layers, first);
}

Result<std::unique_ptr<Backend>> share_with_cpu(std::unique_ptr<Backend> gpu, const ModelToShare& model,
                                                int n_gpu_layers, int n_threads) {
  const WeightBytes bytes = needed_bytes(model);
  if (n_gpu_layers > most_layers(*gpu, model, bytes)) {
    constexpr int64_t kMiB = 1 << 20;
    const int64_t needed = std::accumulate(bytes.layers.end() - n_gpu_layers, bytes.layers.end(), bytes.output);
    return resource_error(std::to_string(n_gpu_layers) + " layers of the model " + model.path + " need about " +
                          std::to_string(needed / kMiB) + " MiB of the GPU's memory where " +
                          std::to_string(gpu->free_memory_bytes() / kMiB) + " MiB are free" +
                          layers_that_would_fit(*gpu, model));
  }
  return cuda::make_split_backend(make_cpu_backend(n_threads), std::move(gpu), model.n_layers,
                                  model.n_layers - n_gpu_layers);
}

std::string layers_that_would_fit(const Backend& gpu, const ModelToShare& model) {
  if (gpu.gpu_layers(model.n_layers) == 0) return {};
  const int most = most_layers(gpu, model, needed_bytes(model));
  if (most == 0) return "; not one of its layers would fit there: use --gpu-layers 0 or --device cpu";
  return "; at most " + std::to_string(most) + " of its " + std::to_string(model.n_layers) +
         " layers would fit there: use --gpu-layers " + std::to_string(most) + " or less";
}

#else

std::unique_ptr<Backend> share_with_cpu(std::unique_ptr<Backend>&, const ModelToShare&, int) {
  return nullptr;
}

Result<std::unique_ptr<Backend>> share_with_cpu(std::unique_ptr<Backend> gpu, const ModelToShare&, int, int) {
  return gpu;  // there is none
}

std::string layers_that_would_fit(const Backend&, const ModelToShare&) {
  return {};
}

#endif

}  // namespace mneme::engine
