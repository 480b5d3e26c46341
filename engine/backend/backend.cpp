#include "engine/backend/backend.h"

#include "engine/backend/cpu/cpu_backend.h"

namespace mneme::engine {

Result<std::unique_ptr<Backend>> open_backend(const DeviceOptions& options) {
  if (options.device.empty() || options.device == "auto" || options.device == "cpu")
    return make_cpu_backend(options.n_threads);
  if (options.device == "cuda" || options.device.starts_with("cuda:"))
    return unsupported("the device '" + options.device +
                       "' cannot be used: this version runs on the CPU only, use cpu");
  return usage_error("there is no device '" + options.device + "' (known: auto, cpu, cuda, cuda:N)");
}

}  // namespace mneme::engine
