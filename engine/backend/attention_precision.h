// How exactly attention multiplies, for a scope of the calling thread (as a processor's rounding mode is the thread's).
//
// Exactly (the default): as Backend says. Coarsely: keys, queries, values and weights may be rounded to bf16 (8 bits of
// significand), once each, where the backend gains by it (on the CPU by the tile unit: one product instead of three; by
// AVX-512 BF16: two where f32 has one); sums stay f32. For rows that attend to keys and values which were stored with a
// far larger loss, in the fusion of lossy caches: finer products of them would be finer numbers about something else.
// Threads: each has its own.
#pragma once

namespace mneme::engine {

class CoarseAttention {
 public:
  // Coarse until the end of the scope, where `wanted`; else as it was.
  explicit CoarseAttention(bool wanted) : before_(active()) { active() = before_ || wanted; }
  ~CoarseAttention() { active() = before_; }
  CoarseAttention(const CoarseAttention&) = delete;
  CoarseAttention& operator=(const CoarseAttention&) = delete;

  // Of the calling thread.
  static bool& active() {
    thread_local bool active = false;
    return active;
  }

 private:
  const bool before_;
};

}  // namespace mneme::engine
