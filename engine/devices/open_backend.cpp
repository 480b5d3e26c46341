#include "engine/devices/open_backend.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "engine/backend/cpu/cpu_backend.h"
#if MNEME_HAVE_CUDA
#include "engine/backend/cuda/cuda_backend.h"
#include "engine/backend/cuda/self_check.h"
#endif

namespace mneme::engine {
namespace {

#if MNEME_HAVE_CUDA
Result<std::unique_ptr<Backend>> open_gpu(int index) {
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Backend> backend, cuda::make_cuda_backend(cuda::default_cuda_options(index)));
  MNEME_RETURN_IF_ERROR(cuda::check_results(*backend));
  return backend;
}
#else
Result<std::unique_ptr<Backend>> open_gpu(int) {
  return unsupported("cannot use a GPU: this program was built without CUDA; use --device cpu");
}
#endif

// N of "cuda" (0) or "cuda:N"; -1 for anything else.
int gpu_index(std::string_view device) {
  if (device == "cuda") return 0;
  constexpr std::string_view kPrefix = "cuda:";
  if (!device.starts_with(kPrefix)) return -1;
  const char* begin = device.data() + kPrefix.size();
  const char* end = device.data() + device.size();
  int index = -1;
  const auto [rest, error] = std::from_chars(begin, end, index);
  return error == std::errc() && rest == end && begin != end && *begin != '-' ? index : -1;
}

}  // namespace

void ask_for_device_queues() {
#if MNEME_HAVE_CUDA
  constexpr const char* kQueues = "24";  // sixteen batches, the computation, copying, keys and values of the host
  const char* const wanted = std::getenv("MNEME_CUDA_QUEUES");
  if (wanted == nullptr || std::string_view(wanted) != "0")
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", kQueues, /*overwrite=*/0);  // NOLINT(concurrency-mt-unsafe): see the header
#endif
}

Result<std::unique_ptr<Backend>> open_backend(const DeviceOptions& options) {
  if (options.device.empty() || options.device == "auto") {
    auto gpu = open_gpu(0);
    if (gpu.ok()) return gpu;
    return make_cpu_backend(options.n_threads);
  }
  if (options.device == "cpu") return make_cpu_backend(options.n_threads);
  const int index = gpu_index(options.device);
  if (index < 0) return usage_error("there is no device '" + options.device + "' (known: auto, cpu, cuda, cuda:N)");
  return open_gpu(index);
}

}  // namespace mneme::engine
