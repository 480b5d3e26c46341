#include "base/status.h"

#include <cerrno>
#include <cstring>
#include <system_error>

namespace mneme {

std::string_view code_name(StatusCode code) {
  switch (code) {
    case StatusCode::kOk: return "ok";
    case StatusCode::kUsage: return "usage";
    case StatusCode::kCorruption: return "corruption";
    case StatusCode::kUnsupported: return "unsupported";
    case StatusCode::kNotFound: return "not_found";
    case StatusCode::kIo: return "io";
    case StatusCode::kNoSpace: return "no_space";
    case StatusCode::kResource: return "resource";
    case StatusCode::kBusy: return "busy";
    case StatusCode::kCancelled: return "cancelled";
    case StatusCode::kInternal: return "internal";
  }
  return "internal";
}

Status Status::with_context(std::string_view context) const {
  if (ok()) return *this;
  return Status(code_, std::string(context) + message_);
}

Status usage_error(std::string message) {
  return Status(StatusCode::kUsage, std::move(message));
}
Status corruption(std::string message) {
  return Status(StatusCode::kCorruption, std::move(message));
}
Status unsupported(std::string message) {
  return Status(StatusCode::kUnsupported, std::move(message));
}
Status not_found(std::string message) {
  return Status(StatusCode::kNotFound, std::move(message));
}
Status io_error(std::string message) {
  return Status(StatusCode::kIo, std::move(message));
}
Status resource_error(std::string message) {
  return Status(StatusCode::kResource, std::move(message));
}
Status cancelled() {
  return Status(StatusCode::kCancelled, "interrupted");
}

namespace {

// What whoever reads of it can do; empty where nothing helps in general.
std::string_view remedy(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR: return "; check how the path is written";
    case EISDIR: return "; name a file";
    case EACCES:
    case EPERM: return "; check who may read and write there";
    case EROFS: return "; name a place that can be written to";
    case ENOSPC:
    case EDQUOT: return "; free some space there";
    case EIO: return "; check the disk";
    case EMFILE:
    case ENFILE: return "; close other programs, or allow more open files";
    case ENOMEM: return "; close other programs";
    default: return "";
  }
}

}  // namespace

Status errno_error(std::string_view what, std::string_view path, int error_number) {
  StatusCode code = StatusCode::kIo;
  if (error_number == ENOSPC || error_number == EDQUOT) code = StatusCode::kNoSpace;
  if (error_number == ENOENT) code = StatusCode::kNotFound;
  if (error_number == ENOMEM) code = StatusCode::kResource;
  std::string message =
      "cannot " + std::string(what) + " " + std::string(path) + ": " + std::generic_category().message(error_number);
  message += remedy(error_number);
  return Status(code, std::move(message));
}

}  // namespace mneme
