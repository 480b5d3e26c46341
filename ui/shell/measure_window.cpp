// Goes through what people do with the window and times every frame.
#include <GLFW/glfw3.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>

#include "ui/shell/shell.h"
#include "ui/view_model/activity.h"

namespace mneme::ui {
namespace {

using Clock = Shell::Clock;

constexpr double kLongestWait_s = 120.0;
constexpr int kScrolledFrames = 240;
constexpr float kScrollStep = 90.0f;
constexpr double kBusy_s = 12.0;
constexpr double kSettle_s = 7.0;  // until the caret rests

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Resident memory of mapped files that belong to Mesa: on a machine with a GPU's own driver they are others, and
// smaller.
uint64_t driver_bytes() {
  std::ifstream maps("/proc/self/smaps");
  uint64_t kilobytes = 0;
  bool driver = false;
  for (std::string line; std::getline(maps, line);) {
    if (line.starts_with("Rss:")) {
      if (driver) kilobytes += std::strtoull(line.c_str() + 4, nullptr, 10);
    } else if (line.find(" /") != std::string::npos) {
      driver = line.find("libLLVM") != std::string::npos || line.find("/dri/") != std::string::npos ||
               line.find("libgallium") != std::string::npos;
    } else if (line.find('-') < 17 && line.find('-') < line.find(' ')) {
      driver = false;  // the head of memory without a file
    }
  }
  return kilobytes * 1024;
}

WindowPhase phase_of(const std::string& name, std::vector<double> times) {
  WindowPhase phase;
  phase.name = name;
  phase.frames = static_cast<int>(times.size());
  if (times.empty()) return phase;
  std::sort(times.begin(), times.end());
  const auto at = [&](double q) { return times[static_cast<size_t>(q * static_cast<double>(times.size() - 1) + 0.5)]; };
  phase.p50_ms = at(0.5);
  phase.p99_ms = at(0.99);
  phase.max_ms = times.back();
  return phase;
}

class Run {
 public:
  explicit Run(Shell& shell) : shell_(shell) {}

  // A frame, timed until the picture is there.
  double frame() {
    glfwPollEvents();
    const Clock::time_point begin = Clock::now();
    shell_.frame();
    glFinish();
    return milliseconds_since(begin);
  }

  // Frames at the window's own pace until `done`; their times.
  std::vector<double> frames_until(const std::function<bool(const Snapshot&)>& done, double limit_s) {
    std::vector<double> times;
    const Clock::time_point begin = Clock::now();
    while (!done(*shell_.controller().snapshot()) && milliseconds_since(begin) < limit_s * 1000.0) {
      const Clock::time_point before = Clock::now();
      if (const auto published = shell_.controller().snapshot();
          published != shown_ || shell_.window_state().wants_frame) {
        shown_ = published;
        times.push_back(frame());
      }
      const double left_ms = 16.0 - milliseconds_since(before);
      if (left_ms > 0.0) glfwWaitEventsTimeout(left_ms / 1000.0);
    }
    return times;
  }

  WindowPhase scroll(const std::string& name) {
    std::vector<double> times;
    shell_.window_state().page = Page::kChat;
    for (int i = 0; i < 2 * kScrolledFrames; ++i) {
      shell_.window_state().scroll_conversation = i < kScrolledFrames ? -kScrollStep : kScrollStep;
      times.push_back(frame());
    }
    return phase_of(name, std::move(times));
  }

  double idle_share(double seconds) {
    frames_until([](const Snapshot& s) { return s.notices.empty(); }, 30.0);
    const Clock::time_point settle = Clock::now();
    while (milliseconds_since(settle) < kSettle_s * 1000.0) shell_.turn(0.5);
    const double cpu = cpu_seconds();
    const Clock::time_point begin = Clock::now();
    while (milliseconds_since(begin) < seconds * 1000.0) shell_.turn(0.5);
    return (cpu_seconds() - cpu) / (milliseconds_since(begin) / 1000.0);
  }

 private:
  Shell& shell_;
  std::shared_ptr<const Snapshot> shown_;
};

int64_t chat_titled(const Snapshot& snapshot, const std::string& title) {
  for (const ChatRow& row : *snapshot.chats) {
    if (row.title == title) return row.id;
  }
  return 0;
}

}  // namespace

Result<WindowMeasurement> measure_window(const WindowOptions& options, const WindowScript& script) {
  WindowMeasurement result;
  const Clock::time_point begin = Clock::now();
  Shell shell(options);
  MNEME_RETURN_IF_ERROR(shell.open());
  Run run(shell);
  run.frame();
  result.first_frame_ms = milliseconds_since(begin);
  run.frames_until([](const Snapshot& s) { return s.ready || !s.fatal.empty(); }, kLongestWait_s);
  if (const std::string& fatal = shell.controller().snapshot()->fatal; !fatal.empty()) return io_error(fatal);
  run.frame();
  result.ready_ms = milliseconds_since(begin);
  run.frames_until([](const Snapshot& s) { return s.library.loaded && s.library.shown_rows; }, kLongestWait_s);
  result.library_ms = milliseconds_since(begin);

  if (const int64_t chat = chat_titled(*shell.controller().snapshot(), script.long_chat); chat != 0) {
    shell.controller().post(OpenChat{chat});
    std::vector<double> opening =
        run.frames_until([&](const Snapshot& s) { return s.conversation.chat == chat; }, kLongestWait_s);
    for (int i = 0; i < 30; ++i) opening.push_back(run.frame());
    result.phases.push_back(phase_of("open a long chat", std::move(opening)));
    result.phases.push_back(run.scroll("scroll a long chat"));
  }
  shell.window_state().page = Page::kLibrary;
  std::vector<double> library;
  for (int i = 0; i < 60; ++i) library.push_back(run.frame());
  shell.window_state().document_filter = "7";
  for (int i = 0; i < 60; ++i) library.push_back(run.frame());
  shell.window_state().document_filter.clear();
  for (int i = 0; i < 30; ++i) library.push_back(run.frame());
  result.phases.push_back(phase_of("documents table, filtered", std::move(library)));
  result.resident_bytes = resident_bytes();
  result.driver_bytes = driver_bytes();

  shell.window_state().page = Page::kChat;
  shell.controller().post(NewChat{});
  if (!script.index_folder.empty()) shell.controller().post(AddFolder{script.index_folder, "bench"});
  const Clock::time_point busy = Clock::now();
  std::vector<double> times;
  while (milliseconds_since(busy) < kBusy_s * 1000.0) {
    if (!script.question.empty() && !shell.controller().snapshot()->answering)
      shell.controller().post(AskQuestion{script.question});
    const std::vector<double> more = run.frames_until([](const Snapshot&) { return false; }, 1.0);
    times.insert(times.end(), more.begin(), more.end());
  }
  result.phases.push_back(phase_of("index and answer", std::move(times)));
  shell.controller().post(StopAnswer{});
  run.frames_until([](const Snapshot& s) { return !s.answering && !s.indexing.running; }, kLongestWait_s);
  result.idle_cpu_share = run.idle_share(script.idle_s);
  return result;
}

}  // namespace mneme::ui
