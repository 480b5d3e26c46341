// A codec for models whose layers differ: layers of one kind (layer_kinds.h) are coded by a codec of their own, all of
// one name and level, so that payloads, codec ids and what is promised of them are those of any model.
#pragma once

#include <functional>
#include <memory>

#include "engine/codec/codec.h"

namespace mneme::engine {

// make: the codec of one kind, by its number and shape. The first failure is the result.
using MakeKindCodec = std::function<Result<std::unique_ptr<KvCodec>>(size_t kind, const KvShape& shape)>;
Result<std::unique_ptr<KvCodec>> make_kinds_codec(const KvShape& shape, const MakeKindCodec& make);

}  // namespace mneme::engine
