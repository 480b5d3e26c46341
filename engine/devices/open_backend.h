// The backend of a device that a user names. Threads: any.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "engine/backend/backend.h"

namespace mneme::engine {

struct DeviceOptions {
  std::string device = "auto";  // auto, cpu, cuda, cuda:N
  int n_threads = 0;            // 0: physical cores
};

// auto: the first working GPU, else the CPU. kNotFound for a GPU that is not there, kUsage for an unknown name.
Result<std::unique_ptr<Backend>> open_backend(const DeviceOptions& options);

}  // namespace mneme::engine
