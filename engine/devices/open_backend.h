// The backend of a device that a user names. Threads: any.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/status.h"
#include "engine/backend/backend.h"

namespace mneme::engine {

struct DeviceOptions {
  std::string device = "auto";  // auto, cpu, cuda, cuda:N
  int n_threads = 0;            // 0: physical cores
  // How many of a language model's layers, the last ones, run on the GPU: more than it has are all of them, 0 is the
  // processor. Without a number: as many as fit. A number of 1 and more needs a GPU, with "auto" too; "cpu" has none.
  std::optional<int> gpu_layers = std::nullopt;
};

// auto: the first working GPU, else the CPU; gpu_layers is not looked at. kNotFound for a GPU that is not there, kUsage
// for an unknown name.
Result<std::unique_ptr<Backend>> open_backend(const DeviceOptions& options);

}  // namespace mneme::engine
