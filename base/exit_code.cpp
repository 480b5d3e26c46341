#include "base/exit_code.h"

namespace mneme {

ExitCode exit_code(StatusCode code) {
  switch (code) {
    case StatusCode::kOk: return ExitCode::kDone;
    case StatusCode::kUsage: return ExitCode::kUsage;
    case StatusCode::kCorruption:
    case StatusCode::kUnsupported: return ExitCode::kDamaged;
    case StatusCode::kNotFound: return ExitCode::kNotFound;
    case StatusCode::kCancelled: return ExitCode::kInterrupted;
    case StatusCode::kIo:
    case StatusCode::kNoSpace:
    case StatusCode::kResource:
    case StatusCode::kBusy:
    case StatusCode::kInternal: return ExitCode::kFailed;
  }
  return ExitCode::kFailed;
}

}  // namespace mneme
