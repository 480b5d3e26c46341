#include "app/process/own_program.h"

#include <sys/auxv.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace mneme::app {

std::string own_program(const std::string& link) {
  if (::access(link.c_str(), X_OK) == 0) return link;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the system gives it so
  const auto* const started_by = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  if (started_by == nullptr) return link;
  std::error_code error;
  const std::filesystem::path path = std::filesystem::canonical(started_by, error);
  return error ? link : path.string();
}

}  // namespace mneme::app
