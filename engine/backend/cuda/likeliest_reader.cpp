#include "engine/backend/cuda/likeliest_reader.h"

#include "engine/backend/cuda/likeliest_kernels.h"

namespace mneme::engine::cuda {
namespace {

constexpr std::string_view kDoing = "choosing a token";

// As it lies on the device.
struct Found {
  uint64_t best[kLikeliest];
  double sums[kWeighBlocks];
};

}  // namespace

Result<LikeliestTokens> LikeliestReader::read(const float* logits, int n, float temperature) {
  const auto scratch_bytes = static_cast<size_t>(likeliest_scratch(n)) * sizeof(uint64_t);
  if (device_.begin() && device_.grow(found_, sizeof(Found), "the likeliest tokens") &&
      device_.grow(scratch_, scratch_bytes, "the likeliest tokens")) {
    auto* found = found_.as<Found>();
    device_.check(find_likeliest(device_.stream(), logits, n, scratch_.as<uint64_t>(), found->best), kDoing);
    if (temperature > 0)
      device_.check(weigh_logits(device_.stream(), logits, n, found->best, temperature, found->sums), kDoing);
  }
  Found found;
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(&found, 1));
  MNEME_RETURN_IF_ERROR(
      device_.download(found_.as(), temperature > 0 ? bytes : bytes.first(sizeof(found.best)), kDoing));
  LikeliestTokens likeliest;
  for (const uint64_t key : found.best)
    if (key != 0) likeliest.tokens.push_back({id_of_key(key), logit_of_key(key)});
  likeliest.are_all = likeliest.tokens.size() < kLikeliest || n <= kLikeliest;
  for (const double sum : found.sums) likeliest.total += temperature > 0 ? sum : 0.0;
  return likeliest;
}

}  // namespace mneme::engine::cuda
