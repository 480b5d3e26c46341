// What the compiler was asked to check while a program runs ends one that errs: control flow and containers in the
// preset `hardened`, copies into buffers of known size in every release, the stack in every build.
#include <gtest/gtest.h>
#include <sentencepiece_processor.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace mneme {
namespace {

using ::testing::KilledBySignal;

// The compiler must not foresee what the tests do wrong.
template <typename T>
T unforeseen(T value) {
  volatile T hidden = value;
  return hidden;
}

struct Clerk {
  virtual ~Clerk() = default;
  virtual int sign() const { return 1; }
};
struct Stranger {
  virtual ~Stranger() = default;
  virtual int take() const { return 2; }
};
// As an attacker has it who can write over an object, and so choose its table of functions.
[[maybe_unused]] int sign(const void* somebody) {
  return static_cast<const Clerk*>(somebody)->sign();
}

TEST(HardeningTest, ACallThroughAStrangersTableEndsTheProgram) {
#ifdef MNEME_CFI
  const Clerk clerk;
  EXPECT_EQ(sign(unforeseen<const void*>(&clerk)), 1);
  const Stranger stranger;
  EXPECT_EXIT(std::exit(sign(unforeseen<const void*>(&stranger))), KilledBySignal(SIGILL), "");
#else
  GTEST_SKIP() << "no control-flow integrity in this build; cmake --preset hardened has it";
#endif
}

// Their tables of functions were built by others, but they are no strangers.
TEST(HardeningTest, CallsIntoLibrariesGoThrough) {
  const sentencepiece::SentencePieceProcessor here;
  EXPECT_FALSE(here.status().ok());
  const auto elsewhere = unforeseen(new sentencepiece::SentencePieceProcessor);
  EXPECT_FALSE(elsewhere->status().ok());
  delete elsewhere;
}

TEST(HardeningTest, AnIndexBeyondAContainerEndsTheProgram) {
#ifdef _GLIBCXX_ASSERTIONS
  const std::vector<int> three(3);
  EXPECT_EXIT(std::exit(three[unforeseen<size_t>(3)]), KilledBySignal(SIGABRT), "");
#else
  GTEST_SKIP() << "no checked containers in this build; cmake --preset hardened has them";
#endif
}

[[maybe_unused]] int copy_too_much(size_t n) {
  const std::vector<char> source(n, 'x');
  char buffer[8] = {};
  std::memcpy(buffer, source.data(), n);
  return buffer[unforeseen<size_t>(1)];
}

TEST(HardeningTest, ACopyBeyondItsBufferEndsTheProgram) {
#if defined(_FORTIFY_SOURCE) && _FORTIFY_SOURCE > 0
  EXPECT_EQ(copy_too_much(unforeseen<size_t>(8)), 'x');
  EXPECT_EXIT(std::exit(copy_too_much(unforeseen<size_t>(9))), KilledBySignal(SIGABRT), "");
#else
  GTEST_SKIP() << "no fortified calls in this build; the release has them";
#endif
}

[[gnu::noinline]] int write_over_the_stack(size_t n) {
  char buffer[16] = {};
  char* at = unforeseen<char*>(buffer);
  for (size_t i = 0; i < n; ++i) at[i] = static_cast<char>(unforeseen(1));
  return buffer[0];
}

TEST(HardeningTest, WritingOverTheStackEndsTheProgram) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer is there first";
#else
  EXPECT_EQ(write_over_the_stack(unforeseen<size_t>(16)), 1);
  EXPECT_EXIT(std::exit(write_over_the_stack(unforeseen<size_t>(64))), KilledBySignal(SIGABRT), "");
#endif
}

}  // namespace
}  // namespace mneme
