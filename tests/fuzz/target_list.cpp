#include "tests/fuzz/target_list.h"

#define MNEME_FUZZ_TARGET(name) extern "C" int name(const uint8_t* data, size_t size);
#include "fuzz_targets.inc"
#undef MNEME_FUZZ_TARGET

namespace mneme::fuzz {
namespace {

#define MNEME_FUZZ_TARGET(name) {#name, ::name},
constexpr Target kTargets[] = {
#include "fuzz_targets.inc"
};
#undef MNEME_FUZZ_TARGET

}  // namespace

std::span<const Target> all_targets() {
  return kTargets;
}

const Target* find_target(std::string_view name) {
  for (const Target& target : kTargets) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

}  // namespace mneme::fuzz
