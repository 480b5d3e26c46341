// Whether a device computes what it should: a few small products and attentions compared with the host, some
// milliseconds when a backend is opened. Drivers, overclocked boards and devices nobody has tried give wrong numbers
// without a word otherwise; an answer made of them would look like one. Threads: as the backend.
#pragma once

#include "base/status.h"
#include "engine/backend/backend.h"

namespace mneme::engine::cuda {

// kUnsupported when a result is wrong, naming which; failures of the device as they are.
Status check_results(Backend& backend);

}  // namespace mneme::engine::cuda
