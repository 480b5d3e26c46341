// One question on its way to an answer: what every step of it needs to know. Borrows all of it for the call.
#pragma once

#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/stopwatch.h"
#include "rag/answering/exchange/ask_options.h"

namespace mneme::rag {

struct Asked {
  const std::string& question;
  const AskOptions& options;
  const AskCallbacks& callbacks;
  const CancelToken& cancel;
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();

  double milliseconds() const { return milliseconds_since(since); }
  void stage(std::string_view name) const {
    if (callbacks.stage) callbacks.stage(name);
  }
};

}  // namespace mneme::rag
