#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace mneme::fuzz {
namespace {

using namespace std::string_view_literals;  // the signs hold a zero

constexpr size_t kMostMade = 64;
constexpr size_t kLongestPiece = 64;
// What formats of text hang on; every one has been at the root of some parser's fault.
constexpr std::string_view kSigns = "{}[]()<>\"'`\\/=:;,.-+#&%$@!?*_~^|\n\r\t \x00\x7f\x80\xc0\xed\xff"sv;

}  // namespace

Mutator::Mutator(std::vector<std::string> seeds, uint64_t number) : seeds_(std::move(seeds)), random_(number) {
  for (std::string& seed : seeds_) seed.resize(std::min(seed.size(), kLongestInput));
}

const std::string& Mutator::another() {
  if (!made_.empty() && random_.below(4) == 0) return made_[random_.below(made_.size())];
  return seeds_[random_.below(seeds_.size())];
}

// A number of one to eight bytes at, or next to, a limit of its type, in either order of bytes.
void Mutator::overwrite_number(std::string& bytes, size_t at) {
  const size_t width = size_t{1} << random_.below(4);
  const uint64_t power = uint64_t{1} << random_.below(8 * width);
  const uint64_t value = power + random_.below(3) - 1;
  const bool little = random_.below(2) == 0;
  for (size_t i = 0; i < width && at + i < bytes.size(); ++i) {
    bytes[at + i] = static_cast<char>(value >> (8 * (little ? i : width - 1 - i)));
  }
}

void Mutator::insert_piece(std::string& bytes, size_t at) {
  const std::string& source = another();
  if (source.empty()) return;
  const size_t from = random_.below(source.size());
  bytes.insert(at, source.substr(from, 1 + random_.below(kLongestPiece)));
}

void Mutator::edit(std::string& bytes) {
  if (bytes.empty()) {
    bytes.push_back(static_cast<char>(random_.below(256)));
    return;
  }
  const size_t at = random_.below(bytes.size());
  switch (random_.below(9)) {
    case 0: bytes[at] = static_cast<char>(bytes[at] ^ (1 << random_.below(8))); break;
    case 1: bytes[at] = static_cast<char>(random_.below(256)); break;
    case 2: overwrite_number(bytes, at); break;
    case 3: bytes.insert(at, 1 + random_.below(4), kSigns[random_.below(kSigns.size())]); break;
    case 4: bytes.insert(at, bytes.substr(at, 1 + random_.below(kLongestPiece))); break;
    case 5: insert_piece(bytes, at); break;
    case 6: bytes.erase(at, 1 + random_.below(8)); break;
    case 7: bytes = bytes.substr(0, at) + another().substr(0, kLongestInput - at); break;
    default: bytes.resize(at); break;
  }
}

std::string Mutator::next(size_t seed) {
  const bool goes_on = !made_.empty() && random_.below(4) == 0;
  std::string bytes = goes_on ? made_[random_.below(made_.size())] : seeds_[seed];
  for (uint64_t edits = 1 + random_.below(4); edits > 0; --edits) edit(bytes);
  bytes.resize(std::min(bytes.size(), kLongestInput));
  if (made_.size() < kMostMade) {
    made_.push_back(bytes);
  } else if (random_.below(8) == 0) {
    made_[random_.below(kMostMade)] = bytes;
  }
  return bytes;
}

}  // namespace mneme::fuzz
