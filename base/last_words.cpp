#include "base/last_words.h"

#include <unistd.h>

#include "base/exit_code.h"

namespace mneme {
namespace {

bool with_json = false;

void say(int stream, std::string_view words) {
  while (!words.empty()) {
    const ssize_t n = ::write(stream, words.data(), words.size());
    if (n <= 0) return;
    words.remove_prefix(static_cast<size_t>(n));
  }
}

}  // namespace

void last_words_in_json(bool json) {
  with_json = json;
}

void end_with_last_words(StatusCode code, std::string_view sentence) noexcept {
  for (const std::string_view part : {std::string_view("mneme: "), sentence, std::string_view(".\n")}) {
    say(STDERR_FILENO, part);
  }
  if (with_json) {
    for (const std::string_view part : {std::string_view("{\"error\":{\"code\":\""), code_name(code),
                                        std::string_view("\",\"message\":\""), sentence, std::string_view(".\"}}\n")}) {
      say(STDOUT_FILENO, part);
    }
  }
  ::_exit(static_cast<int>(exit_code(code)));
}

}  // namespace mneme
