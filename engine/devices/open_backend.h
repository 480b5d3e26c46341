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

// Lets a GPU run as many streams beside each other as decoding of stored KV has: the driver's queues are eight unless
// the environment says more before a GPU is opened, and streams that share one wait for each other. To be called by a
// program before it has other threads, which might read the environment meanwhile. MNEME_CUDA_QUEUES=0: leaves it.
void ask_for_device_queues();

// auto: the first working GPU, else the CPU; gpu_layers is not looked at. kNotFound for a GPU that is not there, kUsage
// for an unknown name.
Result<std::unique_ptr<Backend>> open_backend(const DeviceOptions& options);

}  // namespace mneme::engine
