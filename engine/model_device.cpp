#include "engine/model_device.h"

#include <algorithm>
#include <utility>

#include "engine/devices/open_backend.h"
#include "engine/devices/shared_model.h"

namespace mneme::engine {

namespace {

// A context that was asked for must fit beside the weights, or where else its keys and values may lie; how much of it
// would is said before anything is loaded.
Status check_context(const ModelToLoad& model, int64_t room, int64_t context_tokens) {
  const int64_t per_token = model.config.kv_bytes_per_token();
  const int64_t fits = per_token > 0 ? room / per_token : context_tokens;
  if (context_tokens <= fits) return {};
  return resource_error("a context of " + std::to_string(context_tokens) + " tokens of the model " + model.path +
                        " does not fit in memory; at most " + std::to_string(fits) + " tokens would");
}

ModelToShare to_share(const ModelToLoad& model, int64_t context_tokens) {
  const int64_t per_layer = model.config.kv_bytes_per_token() / model.config.n_layers;
  return {model.path, model.file, model.config.n_layers, per_layer * context_tokens};
}

Status check_memory(const ModelToLoad& model, const Backend& backend, int64_t context_tokens) {
  const int64_t needed = static_cast<int64_t>(model.file.n_bytes()) + model.config.state_bytes();
  const int64_t available = backend.free_memory_bytes();
  const int64_t room = std::max(available - needed, backend.host_kv_bytes());
  Status context = needed <= available ? check_context(model, room, context_tokens) : Status();
  if (!context.ok()) return context;
  const bool lies_there = model.in_memory && backend.gpu_layers(model.config.n_layers) == 0;
  if (lies_there || needed <= available) return {};
  constexpr int64_t kMiB = 1 << 20;
  return resource_error("the model " + model.path + " needs about " + std::to_string(needed / kMiB) +
                        " MiB of memory where " + std::to_string(available / kMiB) +
                        " MiB are free; use a smaller model or one with fewer bits per weight");
}

// Whether a layer needs nothing of another one but the hidden state, and is of the same shape.
bool can_be_shared(const ModelConfig& config) {
  return config.has_equal_kv() && config.layer_input_dim == 0;
}

bool no_device_asked(const DeviceOptions& options) {
  return options.device.empty() || options.device == "auto";
}

// Layers that keep a state are an operation of their own, which not every backend has.
Status check_states(const ModelToLoad& model, const Backend& backend) {
  if (!model.config.has_state() || backend.mixes_states()) return {};
  return unsupported("the model " + model.path + " keeps a state in " + std::to_string(model.config.n_state_layers()) +
                     " of its " + std::to_string(model.config.n_layers) + " layers, which " +
                     std::string(backend.name()) + " does not compute; use --device cpu");
}

Result<std::unique_ptr<Backend>> open_cpu(const ModelToLoad& model, const ModelOptions& options) {
  DeviceOptions cpu = options.device;
  cpu.device = "cpu";
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Backend> backend, open_backend(cpu));
  MNEME_RETURN_IF_ERROR(check_memory(model, *backend, options.context_tokens));
  return backend;
}

// A number of layers was asked for, so a GPU was: what keeps it from being used is said.
Result<std::unique_ptr<Backend>> open_with_layers(const ModelToLoad& model, const ModelOptions& options, int n_layers) {
  DeviceOptions device = options.device;
  if (no_device_asked(device)) device.device = "cuda";
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Backend> gpu, open_backend(device));
  MNEME_RETURN_IF_ERROR(check_states(model, *gpu));
  const ModelToShare shared = to_share(model, options.context_tokens);
  if (n_layers < shared.n_layers && !can_be_shared(model.config))
    return unsupported("the layers of the model " + model.path +
                       " cannot be shared between a GPU and the processor, as they read what others have; use "
                       "--device cpu, or the GPU for all of them");
  if (n_layers < shared.n_layers) {
    auto both = share_with_cpu(std::move(gpu), shared, n_layers, device.n_threads);
    if (both.ok()) MNEME_RETURN_IF_ERROR(check_states(model, **both));
    return both;
  }
  const Status fits = check_memory(model, *gpu, options.context_tokens);
  if (!fits.ok()) return Status(fits.code(), fits.message() + layers_that_would_fit(*gpu, shared));
  return gpu;
}

}  // namespace

Result<std::unique_ptr<Backend>> open_model_backend(const ModelToLoad& model, const ModelOptions& options) {
  const DeviceOptions& device = options.device;
  if (device.device == "cpu" || device.gpu_layers == 0) return open_cpu(model, options);
  if (device.gpu_layers) return open_with_layers(model, options, *device.gpu_layers);
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Backend> backend, open_backend(device));
  if (const Status computes = check_states(model, *backend); !computes.ok())
    return no_device_asked(device) ? open_cpu(model, options) : computes;
  const Status fits = check_memory(model, *backend, options.context_tokens);
  if (fits.ok()) return backend;
  if (backend->name() == "cpu") return fits;
  const auto needed = static_cast<int64_t>(model.file.n_bytes());
  const bool may_share = can_be_shared(model.config) && !model.config.has_state();
  if (!model.config.is_encoder() && may_share && needed > backend->free_memory_bytes()) {
    auto shared = share_with_cpu(backend, to_share(model, options.context_tokens), device.n_threads);
    if (shared != nullptr) return shared;
  }
  return no_device_asked(device) ? open_cpu(model, options) : fits;
}

}  // namespace mneme::engine
