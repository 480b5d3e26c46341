#include "engine/tokenizer/jinja/meter.h"

#include <algorithm>
#include <limits>

#include "engine/tokenizer/jinja/value.h"

namespace mneme::engine::jinja {

namespace {

thread_local Meter* current = nullptr;

}  // namespace

Meter::Meter(int64_t max_bytes) : left_(max_bytes), before_(current) {
  current = this;
}
Meter::~Meter() {
  current = before_;
}

void Meter::made(size_t bytes) {
  if (current == nullptr) return;
  constexpr auto kMost = static_cast<size_t>(std::numeric_limits<int64_t>::max());
  const auto wanted = static_cast<int64_t>(std::min(bytes, kMost));
  if (wanted > current->left_) fail("the template makes or searches too much text");
  current->left_ -= wanted;
}

void Meter::looked_at(size_t bytes) {
  made(bytes / 16 + 1);
}

}  // namespace mneme::engine::jinja
