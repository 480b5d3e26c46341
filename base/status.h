// Status and Result: how failures that come from data or the environment travel.
// A message is one sentence for people: what, which file, why, what to do. Programmer errors are asserts, not Status.
// Threads: values, no shared state.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mneme {

// What kind of failure; base/exit_code.h maps each to the program's exit status in one place.
enum class StatusCode {
  kOk,
  kUsage,        // the caller asked for something meaningless
  kCorruption,   // bytes that are not what they claim to be
  kUnsupported,  // valid, but not something this program handles
  kNotFound,     // no such file, model, collection, document
  kIo,           // the operating system refused or failed
  kNoSpace,      // disk, quota
  kResource,     // too large for memory or a configured limit
  kBusy,         // somebody else holds it
  kCancelled,    // the user or a caller stopped it
  kInternal,     // a broken promise inside the program
};

// Stable lower-case name of a code, as used in JSON error objects ("corruption", "not_found", ...).
std::string_view code_name(StatusCode code);

class [[nodiscard]] Status {
 public:
  Status() = default;  // ok
  Status(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  const std::string& message() const { return message_; }

  // The same failure with words before it: "reading model.gguf: " + message. Ok stays ok.
  Status with_context(std::string_view context) const;

 private:
  StatusCode code_ = StatusCode::kOk;
  std::string message_;
};

Status usage_error(std::string message);
Status corruption(std::string message);
Status unsupported(std::string message);
Status not_found(std::string message);
Status io_error(std::string message);
// From errno: "cannot open /a/b: Permission denied; check who may read and write there". ENOSPC and EDQUOT give
// kNoSpace, ENOENT kNotFound, ENOMEM kResource.
Status errno_error(std::string_view what, std::string_view path, int error_number);
Status resource_error(std::string message);
Status cancelled();

// A value or a failure. Access to the value of a failure is a programmer error.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}                                  // NOLINT: implicit on purpose
  Result(Status status) : status_(std::move(status)) { assert(!status_.ok()); }  // NOLINT: implicit on purpose

  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }

  T& value() & {
    assert(ok());
    return *value_;
  }
  const T& value() const& {
    assert(ok());
    return *value_;
  }
  T&& value() && {
    assert(ok());
    return *std::move(value_);
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace mneme

#define MNEME_CONCAT_INNER(a, b) a##b
#define MNEME_CONCAT(a, b) MNEME_CONCAT_INNER(a, b)

// Returns from the enclosing function when `expression` (a Status) is a failure.
#define MNEME_RETURN_IF_ERROR(expression)                                      \
  do {                                                                         \
    if (::mneme::Status status_ = (expression); !status_.ok()) return status_; \
  } while (false)

// `declaration` = value of `expression` (a Result), or returns its failure.
#define MNEME_ASSIGN_OR_RETURN(declaration, expression) \
  MNEME_ASSIGN_OR_RETURN_INNER(MNEME_CONCAT(result_, __LINE__), declaration, expression)
#define MNEME_ASSIGN_OR_RETURN_INNER(result, declaration, expression) \
  auto result = (expression);                                         \
  if (!result.ok()) return result.status();                           \
  declaration = std::move(result).value()
