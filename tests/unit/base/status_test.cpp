#include "base/status.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <memory>
#include <new>
#include <set>
#include <stdexcept>

#include "base/exit_code.h"
#include "base/guarded.h"

namespace mneme {
namespace {

constexpr StatusCode kCodes[] = {StatusCode::kOk,          StatusCode::kUsage,    StatusCode::kCorruption,
                                 StatusCode::kUnsupported, StatusCode::kNotFound, StatusCode::kIo,
                                 StatusCode::kNoSpace,     StatusCode::kResource, StatusCode::kBusy,
                                 StatusCode::kCancelled,   StatusCode::kInternal};

TEST(Status, EveryCodeHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const StatusCode code : kCodes) EXPECT_TRUE(names.insert(code_name(code)).second) << code_name(code);
}

TEST(Status, ExitStatusesAreThoseOfTheContract) {
  for (const StatusCode code : kCodes) {
    const int status = static_cast<int>(exit_code(code));
    EXPECT_TRUE(status == 0 || status == 1 || status == 2 || status == 3 || status == 4 || status == 130);
    EXPECT_EQ(status == 0, code == StatusCode::kOk) << code_name(code);
  }
  EXPECT_EQ(exit_code(StatusCode::kUsage), ExitCode::kUsage);
  EXPECT_EQ(exit_code(StatusCode::kCorruption), ExitCode::kDamaged);
  EXPECT_EQ(exit_code(StatusCode::kUnsupported), ExitCode::kDamaged);
  EXPECT_EQ(exit_code(StatusCode::kNotFound), ExitCode::kNotFound);
  EXPECT_EQ(exit_code(StatusCode::kCancelled), ExitCode::kInterrupted);
}

TEST(Status, ErrnoBecomesWhatCallersTellApart) {
  EXPECT_EQ(errno_error("write", "/a", ENOSPC).code(), StatusCode::kNoSpace);
  EXPECT_EQ(errno_error("write", "/a", EDQUOT).code(), StatusCode::kNoSpace);
  EXPECT_EQ(errno_error("open", "/a", ENOENT).code(), StatusCode::kNotFound);
  EXPECT_EQ(errno_error("map", "/a", ENOMEM).code(), StatusCode::kResource);
  EXPECT_EQ(errno_error("open", "/a", EACCES).code(), StatusCode::kIo);
  EXPECT_EQ(errno_error("open", "/a", EACCES).message(),
            "cannot open /a: Permission denied; check who may read and write there");
}

TEST(Status, ContextGoesBeforeAFailureAlone) {
  const Status failure = corruption("bad magic").with_context("reading a.gguf: ");
  EXPECT_EQ(failure.message(), "reading a.gguf: bad magic");
  EXPECT_EQ(failure.code(), StatusCode::kCorruption);
  EXPECT_TRUE(Status().with_context("reading: ").ok());
  EXPECT_EQ(Status().with_context("reading: ").message(), "");
}

Result<std::unique_ptr<int>> boxed(int value) {
  if (value < 0) return usage_error("negative");
  return std::make_unique<int>(value);
}

Result<int> doubled(int value) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<int> box, boxed(value));
  return 2 * *box;
}

TEST(Result, HandsOnAValueOrItsFailure) {
  EXPECT_EQ(*doubled(21), 42);
  EXPECT_EQ(doubled(-1).status().code(), StatusCode::kUsage);
}

TEST(Guarded, ExceptionsEndAsStatuses) {
  EXPECT_TRUE(guarded("resting", [] { return Status(); }).ok());
  EXPECT_EQ(guarded("resting", [] { return not_found("a bed"); }).code(), StatusCode::kNotFound);
  const Status memory = guarded("reading a.pdf", []() -> Status { throw std::bad_alloc(); });
  EXPECT_EQ(memory.code(), StatusCode::kResource);
  EXPECT_NE(memory.message().find("reading a.pdf"), std::string::npos);
  const Status other = guarded("reading a.pdf", []() -> Status { throw std::runtime_error("odd"); });
  EXPECT_EQ(other.code(), StatusCode::kInternal);
  EXPECT_EQ(other.message(), "reading a.pdf failed: odd");
  attempt([] { throw std::runtime_error("dropped"); });
}

}  // namespace
}  // namespace mneme
