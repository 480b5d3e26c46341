#include "storage/encryption/secret.h"

#include <cstring>
#include <string>
#include <utility>

namespace mneme::storage {

Secret::Secret(size_t n_bytes) : bytes_(std::make_unique<std::byte[]>(n_bytes)), size_(n_bytes) {}

Secret::Secret(std::string_view text) : Secret(text.size()) {
  std::memcpy(bytes_.get(), text.data(), text.size());
}

Secret::~Secret() {
  if (bytes_ != nullptr) ::explicit_bzero(bytes_.get(), size_);
}

Secret::Secret(Secret&& other) noexcept : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)) {}

void wipe(std::string& text) {
  ::explicit_bzero(text.data(), text.size());
  text.clear();
}

}  // namespace mneme::storage
