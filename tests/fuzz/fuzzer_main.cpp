// libFuzzer's entry: the target is the one whose name the program was called by (symbolic links beside it).
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/target_list.h"

namespace {

const mneme::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char*** argv) {
  std::string_view name = (*argv)[0];
  name.remove_prefix(name.rfind('/') + 1);
  chosen = mneme::fuzz::find_target(name);
  if (chosen != nullptr) return 0;
  std::fprintf(stderr, "call this program by the name of a target:\n");
  for (const mneme::fuzz::Target& target : mneme::fuzz::all_targets()) {
    std::fprintf(stderr, "  %.*s\n", static_cast<int>(target.name.size()), target.name.data());
  }
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return chosen->run(data, size);
}
