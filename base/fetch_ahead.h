// Brings memory that will be read next into the second-level cache, a few lines at a time between other work.
//
// A processor's own prefetchers follow runs of lines and stop at the ends of pages, so one run leaves most of the
// memory system idle. Lines are asked for in turn in up to eight runs of about a page or more each: on a Sapphire
// Rapids core pair, reading 32 KiB blocks went from 19 to 34 GB/s. Those of AMD's processors do better when they see
// one run: on a Zen 5 core, eight took reading from 36 to 24 GB/s (kUsualRuns). Much memory is asked for in blocks, one
// after the other, each in runs of its own. Everything is inlined: the header is compiled for several instruction sets.
// Threads: one owner.
#pragma once

#include <cstdint>

namespace mneme {

class FetchAhead {
 public:
  // data may be null when n_bytes is 0; addresses are never read, so those just beyond the end do no harm.
  // block_bytes: a multiple of kBlockStep; all at once where it is not given. most_runs: 1, 2, 4 or 8.
  [[gnu::always_inline]] FetchAhead(const void* data, int64_t n_bytes, int64_t block_bytes = INT64_MAX,
                                    int64_t most_runs = kUsualRuns)
      : data_(static_cast<const char*>(data)), rest_(n_bytes), most_bytes_(block_bytes), most_runs_(most_runs) {
    begin_block();
  }
  [[gnu::always_inline]] FetchAhead() : FetchAhead(nullptr, 0) {}

  // How many lines to ask for in each of n_steps, so that all have been asked for at the end.
  [[gnu::always_inline]] int64_t lines_per_step(int64_t n_steps) const {
    const int64_t n_left = n_lines_left();
    return ((n_left < limit_ ? n_left : limit_) + n_steps - 1) / n_steps;
  }

  // Asks for n_lines more, in whole rows of one line of every run; nothing beyond the last. Kernels call it between few
  // instructions of their own, so it has few as well.
  [[gnu::always_inline]] void fetch(int64_t n_lines) {
    take(n_lines, [](const char* line) __attribute__((always_inline)) { __builtin_prefetch(line, 0, 2); });
  }
  // The same with the addresses given to `ask` instead.
  template <class Ask>
  [[gnu::always_inline]] void take(int64_t n_lines, Ask ask) {
    n_lines = n_lines < limit_ ? n_lines : limit_;
    limit_ -= n_lines;
    owed_ += n_lines;
    while (owed_ >= n_runs_) {
      if (offset_ >= run_bytes_) {
        if (rest_ == 0) return;
        begin_next_block();
        continue;
      }
      const char* const line = data_ + offset_;
      if (n_runs_ >= 4) {
        take_four(line, ask);
        if (n_runs_ == kMostRuns) take_four(line + 4 * run_bytes_, ask);
      } else {
        ask(line);
        if (n_runs_ == 2) ask(line + run_bytes_);
      }
      owed_ -= n_runs_;
      offset_ += kLine;
    }
  }
  // Whether all lines follow each other in memory; then the next one, for those that ask by themselves for as many as
  // n_lines_allowed().
  bool is_one_run() const { return n_runs_ == 1 && most_runs_ == 1; }
  const char* next_line() const { return data_ + offset_; }
  int64_t n_lines_allowed() const {
    const int64_t n_left = (run_bytes_ - offset_ + rest_ + kLine - 1) / kLine;
    return n_left < limit_ ? n_left : limit_;
  }
  [[gnu::always_inline]] bool done() const { return offset_ >= run_bytes_ && rest_ == 0; }

  // For one who hands the lines out in shares: what asks for the next n_lines and no more; then passes over them.
  FetchAhead share(int64_t n_lines) {
    FetchAhead first = *this;
    first.limit_ = n_lines;
    skip(n_lines);
    return first;
  }
  int64_t n_lines_left() const {
    const int64_t n_later = rest_ > 0 ? (rest_ + kLine - 1) / kLine + kMostRuns : 0;  // what rounding may add
    return (run_bytes_ - offset_) / kLine * n_runs_ + n_later;
  }
  // How many lines from here on cover the memory before `end`: blocks are covered as a whole.
  int64_t n_lines_until(const char* end) const {
    if (end <= data_) return 0;
    const int64_t n_here = (run_bytes_ - offset_) / kLine * n_runs_ - owed_;
    const int64_t beyond = end - data_ - block_bytes_;
    if (beyond <= 0 || rest_ == 0 || most_bytes_ == 0) return n_here;
    const int64_t n_later = (beyond + most_bytes_ - 1) / most_bytes_ * most_bytes_;
    return n_here + (n_later < rest_ ? n_later / kLine : (rest_ + kLine - 1) / kLine + kMostRuns);
  }

  static constexpr int64_t kLine = 64;
  static constexpr int64_t kMostRuns = 8;
  static constexpr int64_t kBlockStep = kMostRuns * kLine;
  // What suits this processor: 1 where memory is best read and asked for in one run, from its beginning to its end.
  static const int64_t kUsualRuns;

 private:
  template <class Ask>
  [[gnu::always_inline]] void take_four(const char* line, Ask ask) const {
    ask(line);
    ask(line + run_bytes_);
    ask(line + 2 * run_bytes_);
    ask(line + 3 * run_bytes_);
  }
  [[gnu::always_inline]] void begin_block() {
    block_bytes_ = rest_ < most_bytes_ ? rest_ : most_bytes_;
    rest_ -= block_bytes_;
    offset_ = 0;
    int shift = 0;
    while ((1 << shift) < most_runs_ && (kShortestRun << (shift + 1)) <= block_bytes_) ++shift;
    n_runs_ = int64_t{1} << shift;
    run_bytes_ = ((block_bytes_ >> shift) + kLine - 1) / kLine * kLine;
  }
  [[gnu::always_inline]] void begin_next_block() {
    data_ += block_bytes_;
    begin_block();
  }
  void skip(int64_t n_lines) {
    owed_ += n_lines;
    for (;;) {
      const int64_t n_rows_left = (run_bytes_ - offset_) / kLine;
      const int64_t n_rows_owed = owed_ / n_runs_;
      const int64_t n_rows = n_rows_owed < n_rows_left ? n_rows_owed : n_rows_left;
      owed_ -= n_rows * n_runs_;
      offset_ += n_rows * kLine;
      if (n_rows_owed <= n_rows_left || rest_ == 0) return;
      begin_next_block();
    }
  }

  static constexpr int64_t kShortestRun = 3072;
  const char* data_;  // of the block
  int64_t n_runs_ = 1;
  int64_t run_bytes_ = 0;
  int64_t offset_ = 0;         // within every run, of the next line
  int64_t owed_ = 0;           // lines that may be asked for
  int64_t limit_ = INT64_MAX;  // lines that may still become owed
  int64_t block_bytes_ = 0;    // of this block
  int64_t rest_;               // bytes after it
  int64_t most_bytes_;         // of a block
  int64_t most_runs_;          // likewise
};

}  // namespace mneme
