// Any bytes as config.toml: refused in a sentence, or values that can be asked for.
#include "app/config/settings.h"
#include "tests/fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const mneme::fuzz::Input input(data, size);
  const auto settings = mneme::app::Settings::parse(input.rest(), "config.toml");
  mneme::fuzz::require(settings.ok() || !settings.status().message().empty());
  if (!settings.ok()) return 0;
  (void)settings->find("ask", "top-k");
  (void)settings->find("model list", "json");
  (void)settings->unknown_keys({"top-k", "json"});
  return 0;
}
