#include "engine/backend/cuda/likeliest_reader.h"

#include <algorithm>
#include <array>

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

Result<LikeliestTokens> LikeliestReader::read_first(const float* logits, int n) {
  if (device_.begin() && device_.grow(found_, sizeof(Found), "the likeliest tokens"))
    device_.check(find_best(device_.stream(), logits, n, found_.as<Found>()->best), kDoing);
  std::array<uint64_t, kBestBlocks> best = {};
  MNEME_RETURN_IF_ERROR(device_.download(found_.as(), std::as_writable_bytes(std::span(best)), kDoing));
  LikeliestTokens likeliest;
  const uint64_t first = *std::max_element(best.begin(), best.end());
  if (first != 0) likeliest.tokens.push_back({id_of_key(first), logit_of_key(first)});
  likeliest.are_all = first == 0 || n == 1;
  return likeliest;
}

Result<LikeliestTokens> LikeliestReader::read_several(const float* logits, int n, float temperature) {
  const auto scratch_bytes = static_cast<size_t>(likeliest_scratch(n)) * sizeof(uint64_t);
  if (device_.begin() && device_.grow(found_, sizeof(Found), "the likeliest tokens") &&
      device_.grow(scratch_, scratch_bytes, "the likeliest tokens")) {
    auto* found = found_.as<Found>();
    device_.check(find_likeliest(device_.stream(), logits, n, scratch_.as<uint64_t>(), found->best), kDoing);
    device_.check(weigh_logits(device_.stream(), logits, n, found->best, temperature, found->sums), kDoing);
  }
  Found found;
  MNEME_RETURN_IF_ERROR(device_.download(found_.as(), std::as_writable_bytes(std::span(&found, 1)), kDoing));
  LikeliestTokens likeliest;
  for (const uint64_t key : found.best)
    if (key != 0) likeliest.tokens.push_back({id_of_key(key), logit_of_key(key)});
  likeliest.are_all = likeliest.tokens.size() < kLikeliest || n <= kLikeliest;
  for (const double sum : found.sums) likeliest.total += sum;
  return likeliest;
}

}  // namespace mneme::engine::cuda
