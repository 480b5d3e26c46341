// Inputs made from seeds, blindly: no coverage tells it what is worth keeping, so any compiler's build can run it. The
// edits are those libFuzzer and AFL begin with (bits, bytes, numbers at their limits, pieces doubled, moved, cut, two
// inputs joined), several at a time, and now and then on what was made before. The same seeds and number make the same
// inputs in the same order on every machine.
// Threads: one object per thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"

namespace mneme::fuzz {

class Mutator {
 public:
  static constexpr size_t kLongestInput = 65536;  // bytes; longer seeds are cut

  // `seeds`: at least one, which may be empty.
  Mutator(std::vector<std::string> seeds, uint64_t number);

  // The next input, from the seed of that place: seeds are taken in turn by the caller, so that each has its share.
  std::string next(size_t seed);

 private:
  void edit(std::string& bytes);
  void overwrite_number(std::string& bytes, size_t at);
  void insert_piece(std::string& bytes, size_t at);
  const std::string& another();

  std::vector<std::string> seeds_;
  std::vector<std::string> made_;  // some of the latest, to go on from
  Random random_;
};

}  // namespace mneme::fuzz
