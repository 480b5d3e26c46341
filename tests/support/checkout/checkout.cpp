#include "tests/support/checkout/checkout.h"

#include <cstdlib>

namespace mneme::checkout {

std::string path(const std::string& name) {
  return name.empty() ? MNEME_SOURCE : MNEME_SOURCE "/" + name;
}

std::string test_data(const std::string& name) {
  return path("tests/data/" + name);
}

std::string program() {
  const char* other = std::getenv("MNEME_PROGRAM");
  return other != nullptr && *other != '\0' ? other : MNEME_BINARY;
}

}  // namespace mneme::checkout
