#include "engine/devices/shared_model.h"

#include <charconv>
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

}  // namespace

std::unique_ptr<Backend> share_with_cpu(std::unique_ptr<Backend>& gpu, const gguf::GgufFile& file, int n_layers,
                                        int n_threads) {
  const WeightBytes bytes = weight_bytes(file, n_layers);
  const int first = cuda::first_layer_that_fits(bytes.layers, bytes.output, gpu->free_memory_bytes());
  if (first <= 0 || first >= n_layers) return nullptr;
  return cuda::make_split_backend(make_cpu_backend(n_threads), std::move(gpu), n_layers, first);
}

#else

std::unique_ptr<Backend> share_with_cpu(std::unique_ptr<Backend>&, const gguf::GgufFile&, int, int) {
  return nullptr;
}

#endif

}  // namespace mneme::engine
