// Chrome trace events ("chrome://tracing", Perfetto): spans by thread, written as JSON by `--trace FILE`.
// Costs one relaxed load when no trace is being taken. Threads: all functions may be called from any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace mneme::trace {

bool enabled();
// kStages leaves out the category "engine": a span per layer and token, too many to keep for every answer.
enum class Detail { kStages, kAll };
void start(Detail detail = Detail::kAll);  // begins collecting; earlier events are dropped
std::string finish_json();                 // stops and gives {"traceEvents":[...]}

// A finished span; times from start().
struct Event {
  const char* name;
  const char* category;
  int64_t argument;  // -1: none
  int thread;
  int64_t begin_us;
  int64_t duration_us;
};
// Stops and gives the spans in the order they ended, at most `limit` (the earliest).
std::vector<Event> finish_events(size_t limit);

// Names the calling thread in the trace ("compute 0", "kv reader").
void name_thread(const char* name);

// A span from construction to destruction. `name` and `category` must outlive the trace (string literals).
// `argument` is shown with the span, e.g. the layer; -1 for none.
class Span {
 public:
  Span(const char* name, const char* category, int64_t argument = -1);
  ~Span();
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

 private:
  const char* name_;
  const char* category_;
  int64_t argument_;
  std::chrono::steady_clock::time_point begin_;
  bool active_;
};

}  // namespace mneme::trace
