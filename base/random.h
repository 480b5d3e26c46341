// A small, fast, seeded generator (xoshiro256++ by Blackman and Vigna, seeded by splitmix64): the same numbers on every
// machine and compiler, unlike the distributions of <random>. Not for secrets. Threads: one object per thread.
#pragma once

#include <array>
#include <cstdint>

namespace mneme {

class Random {
 public:
  explicit Random(uint64_t seed);

  uint64_t next();                 // 64 uniform bits
  uint64_t below(uint64_t bound);  // uniform in [0, bound); bound > 0
  double uniform();                // [0, 1)
  float gaussian();                // mean 0, variance 1 (Box-Muller)

  // Satisfies UniformRandomBitGenerator, for std::shuffle.
  using result_type = uint64_t;
  static constexpr uint64_t min() { return 0; }
  static constexpr uint64_t max() { return ~uint64_t{0}; }
  uint64_t operator()() { return next(); }

 private:
  std::array<uint64_t, 4> state_;
};

}  // namespace mneme
