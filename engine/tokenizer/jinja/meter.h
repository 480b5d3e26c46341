// What a rendering may still make and look at. Every text, list and comparison counts itself here, wherever it is
// made, so that no filter, method or operator can forget to: a template is a stranger's program.
// Threads: a meter counts for the thread that made it, while it lives; without one nothing is counted.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mneme::engine::jinja {

class Meter {
 public:
  explicit Meter(int64_t max_bytes);
  ~Meter();
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;

  // Both throw Error when the thread's meter runs out; call them before the work.
  static void made(size_t bytes);       // copied or newly made
  static void looked_at(size_t bytes);  // searched or compared: sixteen cost as much as one that is made

 private:
  int64_t left_;
  Meter* const before_;
};

}  // namespace mneme::engine::jinja
