#include "tests/support/checkout/checkout.h"

namespace mneme::checkout {

std::string path(const std::string& name) {
  return name.empty() ? MNEME_SOURCE : MNEME_SOURCE "/" + name;
}

std::string test_data(const std::string& name) {
  return path("tests/data/" + name);
}

std::string program() {
  return MNEME_BINARY;
}

}  // namespace mneme::checkout
