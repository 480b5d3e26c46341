#include "rag/kv_reuse/kv_key.h"

namespace mneme::rag {
namespace {

// Changes whenever the way chunks are computed changes (what stands before them, what is kept of them).
constexpr uint64_t kKeyVersion = 1;

}  // namespace

Hash128 kv_key(const Hash128& model_identity, std::span<const engine::TokenId> prefix,
               std::span<const engine::TokenId> chunk, const engine::KvCodec& codec, const Hash128& calibration) {
  Hasher128 hasher;
  hasher.add(kKeyVersion);
  hasher.add(model_identity.hex());
  hasher.add(std::as_bytes(prefix));
  hasher.add(std::as_bytes(chunk));
  hasher.add(uint64_t{codec.id()});
  hasher.add(static_cast<uint64_t>(codec.level()));
  hasher.add(calibration.hex());
  return hasher.finish();
}

}  // namespace mneme::rag
