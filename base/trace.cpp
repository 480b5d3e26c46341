#include "base/trace.h"

#include <atomic>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "base/mutex.h"

namespace mneme::trace {
namespace {

using Clock = std::chrono::steady_clock;

struct Collector {
  std::atomic<bool> enabled{false};
  std::atomic<bool> stages_only{false};
  std::atomic<int> next_thread{0};
  Mutex mutex;
  std::vector<Event> events MNEME_GUARDED_BY(mutex);
  std::map<int, std::string> thread_names MNEME_GUARDED_BY(mutex);
  Clock::time_point origin MNEME_GUARDED_BY(mutex) = Clock::now();
};

Collector& collector() {
  static Collector instance;
  return instance;
}

int this_thread() {
  thread_local const int id = collector().next_thread.fetch_add(1);
  return id;
}

// Told to the collector with the thread's events, so that names of threads that are gone do not pile up.
thread_local const char* this_threads_name = nullptr;

int64_t microseconds(Clock::duration duration) {
  return std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
}

}  // namespace

bool enabled() {
  return collector().enabled.load(std::memory_order_relaxed);
}

void start(Detail detail) {
  Collector& c = collector();
  MutexLock lock(c.mutex);
  c.events.clear();
  c.thread_names.clear();
  c.origin = Clock::now();
  c.stages_only.store(detail == Detail::kStages);
  c.enabled.store(true);
}

void name_thread(const char* name) {
  this_threads_name = name;
}

std::string finish_json() {
  Collector& c = collector();
  MutexLock lock(c.mutex);
  c.enabled.store(false);
  // Names are literals of this program, so no escaping is needed.
  std::string json = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
  const char* separator = "";
  for (const auto& [thread, name] : c.thread_names) {
    json += std::string(separator) +
            "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":" + std::to_string(thread) +
            ",\"args\":{\"name\":\"" + name + "\"}}";
    separator = ",\n";
  }
  for (const Event& e : c.events) {
    json += std::string(separator) + "{\"ph\":\"X\",\"name\":\"" + e.name + "\",\"cat\":\"" + e.category +
            "\",\"pid\":1,\"tid\":" + std::to_string(e.thread) + ",\"ts\":" + std::to_string(e.begin_us) +
            ",\"dur\":" + std::to_string(e.duration_us);
    if (e.argument >= 0) json += ",\"args\":{\"n\":" + std::to_string(e.argument) + "}";
    json += "}";
    separator = ",\n";
  }
  return json + "]}\n";
}

std::vector<Event> finish_events(size_t limit) {
  Collector& c = collector();
  MutexLock lock(c.mutex);
  c.enabled.store(false);
  std::vector<Event> events = std::move(c.events);
  c.events.clear();
  if (events.size() > limit) events.resize(limit);
  return events;
}

Span::Span(const char* name, const char* category, int64_t argument)
    : name_(name), category_(category), argument_(argument), active_(enabled()) {
  if (active_ && collector().stages_only.load(std::memory_order_relaxed)) {
    active_ = std::string_view(category) != "engine";
  }
  if (active_) begin_ = Clock::now();
}

Span::~Span() {
  if (!active_) return;
  const Clock::time_point end = Clock::now();
  attempt([&] {
    Collector& c = collector();
    MutexLock lock(c.mutex);
    if (!c.enabled.load()) return;
    if (this_threads_name != nullptr) c.thread_names[this_thread()] = this_threads_name;
    c.events.push_back(
        {name_, category_, argument_, this_thread(), microseconds(begin_ - c.origin), microseconds(end - begin_)});
  });
}

}  // namespace mneme::trace
