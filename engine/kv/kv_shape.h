// The geometry of a model's stored keys and values. Threads: pure functions.
#pragma once

#include "engine/codec/codec.h"
#include "engine/model/model_config.h"

namespace mneme::engine {

// Of the layers that have keys and values of their own.
KvShape kv_shape_of(const ModelConfig& config);

}  // namespace mneme::engine
