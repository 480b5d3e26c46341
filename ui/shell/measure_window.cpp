// Goes through what people do with the window and times every frame.
#include <GLFW/glfw3.h>
#include <sys/resource.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "ui/shell/empty_window.h"
#include "ui/shell/measure_typing.h"
#include "ui/shell/process_figures.h"
#include "ui/shell/shell.h"

namespace mneme::ui {
namespace {

using Clock = Shell::Clock;

constexpr double kLongestWait_s = 120.0;
constexpr int kScrolledFrames = 240;
constexpr float kScrollStep = 90.0f;
constexpr double kBusy_s = 24.0;
constexpr double kSettle_s = 7.0;  // until the caret rests
constexpr double kRest_s = 9.0;    // ... and what frames left behind has been put away
constexpr double kTurn_s = 0.05;
constexpr int kTypedLetters = 480;
constexpr double kBetweenQuestions_s = 0.05;  // while letters are typed
constexpr double kBetweenAnswers_s = 0.2;

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

std::vector<MemoryPart> named(const MemoryParts& parts) {
  return {{"own", parts.own},     {"driver", parts.driver}, {"libraries", parts.libraries}, {"program", parts.program},
          {"fonts", parts.fonts}, {"models", parts.models}, {"shared", parts.shared},       {"other", parts.other}};
}

// Gathers the frames of a phase and who computed meanwhile.
class PhaseTimer {
 public:
  PhaseTimer(Shell& shell, std::string name)
      : shell_(shell), name_(std::move(name)), cpu_(cpu_seconds()), threads_(thread_times()) {
    shell_.time_frames(&frames_);
  }
  ~PhaseTimer() { shell_.time_frames(nullptr); }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

  WindowPhase finish() const {
    WindowPhase phase;
    phase.name = name_;
    phase.frames = static_cast<int>(frames_.size());
    if (frames_.empty()) return phase;
    phase.times = times(&FrameTime::total);
    phase.parts = {part("build", &FrameTime::build), part("submit", &FrameTime::submit), part("swap", &FrameTime::swap),
                   part("finish", &FrameTime::finish)};
    phase.waits = {part("ran", &FrameTime::ran), part("ready", &FrameTime::ready), part("waited", &FrameTime::waited)};
    const double seconds = milliseconds_since(begin_) / 1000.0;
    for (const ThreadTime& thread : since(threads_, thread_times()))
      phase.threads.push_back({thread.name, thread.seconds / seconds});
    describe_machine(phase, seconds);
    return phase;
  }

 private:
  // Of all frames, what `value` says of each: a member, or a function of it.
  template <typename Value>
  FrameTimes times(Value value) const {
    std::vector<double> values;
    values.reserve(frames_.size());
    for (const FrameTime& frame : frames_) values.push_back(std::invoke(value, frame));
    return times_of(std::move(values));
  }

  template <typename Value>
  WindowPhase::Part part(std::string name, Value value) const {
    const auto slowest = std::max_element(frames_.begin(), frames_.end(),
                                          [](const FrameTime& a, const FrameTime& b) { return a.total() < b.total(); });
    return {std::move(name), times(value), std::invoke(value, *slowest)};
  }

  void describe_machine(WindowPhase& phase, double seconds) const {
    const MachineTimes now = machine_times();
    const double all = now.all - machine_.all;
    if (all <= 0.0) return;
    phase.idle = (now.idle - machine_.idle) / all;
    phase.stolen = (now.stolen - machine_.stolen) / all;
    const double own = (cpu_seconds() - cpu_) / (seconds * std::max(1u, std::thread::hardware_concurrency()));
    phase.others = std::max(0.0, 1.0 - phase.idle - phase.stolen - own);
  }

  Shell& shell_;
  const std::string name_;
  const Clock::time_point begin_ = Clock::now();
  const double cpu_;
  const MachineTimes machine_ = machine_times();
  const std::vector<ThreadTime> threads_;
  std::vector<FrameTime> frames_;
};

class Run {
 public:
  explicit Run(Shell& shell) : shell_(shell) {}

  // One after the other, each drawn whole: what a renderer without a GPU draws of them otherwise depends on what moves.
  void frames(int n) {
    for (int i = 0; i < n; ++i) {
      glfwPollEvents();
      shell_.expose();
      shell_.frame();
    }
  }

  // As the window runs, until `done` or for `limit_s`.
  void run_until(const std::function<bool(const Snapshot&)>& done, double limit_s) {
    const Clock::time_point begin = Clock::now();
    while (!done(*shell_.controller().snapshot()) && milliseconds_since(begin) < limit_s * 1000.0) {
      const Clock::time_point before = Clock::now();
      if (shell_.turn(kTurn_s)) shell_.pace(before);
    }
  }
  void run_for(double seconds) {
    run_until([](const Snapshot&) { return false; }, seconds);
  }

  double idle_share(double seconds) {
    run_until([](const Snapshot& s) { return s.notices.empty(); }, 30.0);
    const Clock::time_point settle = Clock::now();
    while (milliseconds_since(settle) < kSettle_s * 1000.0) shell_.turn(0.5);
    const double cpu = cpu_seconds();
    const Clock::time_point begin = Clock::now();
    while (milliseconds_since(begin) < seconds * 1000.0) shell_.turn(0.5);
    return (cpu_seconds() - cpu) / (milliseconds_since(begin) / 1000.0);
  }

 private:
  Shell& shell_;
};

int64_t chat_titled(const Snapshot& snapshot, const std::string& title) {
  for (const ChatRow& row : *snapshot.chats) {
    if (row.title == title) return row.id;
  }
  return 0;
}

void open_and_scroll(Shell& shell, Run& run, const std::string& title, std::vector<WindowPhase>& phases) {
  const int64_t chat = chat_titled(*shell.controller().snapshot(), title);
  if (chat == 0) return;
  {
    PhaseTimer timer(shell, "open a long chat");
    shell.controller().post(OpenChat{chat});
    run.run_until([&](const Snapshot& s) { return s.conversation.chat == chat; }, kLongestWait_s);
    run.frames(30);
    phases.push_back(timer.finish());
  }
  PhaseTimer timer(shell, "scroll a long chat");
  for (int i = 0; i < 2 * kScrolledFrames; ++i) {
    shell.window_state().scroll_conversation = i < kScrolledFrames ? -kScrollStep : kScrollStep;
    run.frames(1);
  }
  phases.push_back(timer.finish());
}

void filter_documents(Shell& shell, Run& run, std::vector<WindowPhase>& phases) {
  PhaseTimer timer(shell, "documents table, filtered");
  shell.window_state().page = Page::kLibrary;
  run.frames(60);
  shell.window_state().document_filter = "7";
  run.frames(60);
  shell.window_state().document_filter.clear();
  run.frames(30);
  phases.push_back(timer.finish());
}

void type_letters(
    Shell& shell, const std::string& name, std::vector<TypingLatency>& typing,
    const std::function<void()>& meanwhile = [] {}) {
  if (std::optional<TypingLatency> measured = measure_typing(shell, name, kTypedLetters, meanwhile))
    typing.push_back(std::move(*measured));
}

// With one folder after the other being read.
void type_while_indexing(Shell& shell, const WindowScript& script, std::vector<TypingLatency>& typing) {
  size_t next = 1;
  bool asked = false;  // for a folder that has not been begun
  type_letters(shell, "typing while indexing", typing, [&] {
    const bool running = shell.controller().snapshot()->indexing.running;
    asked = asked && !running;
    if (running || asked || next >= script.index_folders.size()) return;
    asked = true;
    shell.controller().post(AddFolder{script.index_folders[next++], kMeasuredCollection});
  });
}

// With one answer after the other being made.
void type_while_answering(Shell& shell, const WindowScript& script, std::vector<TypingLatency>& typing) {
  if (script.question.empty()) return;
  shell.controller().post(NewChat{});
  Clock::time_point asked{};
  type_letters(shell, "typing while answering", typing, [&] {
    if (shell.controller().snapshot()->answers() || milliseconds_since(asked) < kBetweenQuestions_s * 1000.0) return;
    asked = Clock::now();
    shell.controller().post(AskQuestion{script.question});
  });
}

// The first answer of a model tries it out, which happens once.
void answer_once(Shell& shell, Run& run, const std::string& question) {
  shell.controller().post(NewChat{});
  shell.controller().post(AskQuestion{question});
  run.run_until([](const Snapshot& s) { return s.conversation.messages.size() == 2 && !s.conversation.answering; },
                kLongestWait_s);
}

// Asks again as soon as an answer is there, while a folder is read; both are left where they are at the end.
void index_and_answer(Shell& shell, Run& run, const WindowScript& script, std::vector<WindowPhase>& phases) {
  shell.window_state().page = Page::kChat;
  if (!script.question.empty()) answer_once(shell, run, script.question);
  shell.controller().post(NewChat{});
  if (!script.index_folders.empty())
    shell.controller().post(AddFolder{script.index_folders.front(), kMeasuredCollection});
  PhaseTimer timer(shell, "index and answer");
  const Clock::time_point busy = Clock::now();
  while (milliseconds_since(busy) < kBusy_s * 1000.0) {
    if (!script.question.empty() && !shell.controller().snapshot()->answers())
      shell.controller().post(AskQuestion{script.question});
    run.run_for(kBetweenAnswers_s);
  }
  phases.push_back(timer.finish());
}

}  // namespace

Result<WindowMeasurement> measure_window(const WindowOptions& options, const WindowScript& script) {
  WindowMeasurement result;
  const WindowMemory size;
  result.empty_window = named(memory_of_empty_window(size.width, size.height));
  const Clock::time_point begin = Clock::now();
  Shell shell(options);
  MNEME_RETURN_IF_ERROR(shell.open());
  Run run(shell);
  run.frames(1);
  glFinish();
  result.first_frame_ms = milliseconds_since(begin);
  run.run_until([](const Snapshot& s) { return s.ready || !s.fatal.empty(); }, kLongestWait_s);
  if (const std::string& fatal = shell.controller().snapshot()->fatal; !fatal.empty()) return io_error(fatal);
  run.frames(1);
  glFinish();
  result.ready_ms = milliseconds_since(begin);
  run.run_until([](const Snapshot& s) { return s.library.loaded && s.library.shown_rows; }, kLongestWait_s);
  result.library_ms = milliseconds_since(begin);

  open_and_scroll(shell, run, script.long_chat, result.phases);
  filter_documents(shell, run, result.phases);
  run.run_for(kRest_s);
  const MemoryParts memory = memory_parts();
  result.resident_bytes = memory.total();
  result.memory = named(memory);
  result.idle_cpu_share = run.idle_share(script.idle_s);
  type_letters(shell, "typing", result.typing);
  index_and_answer(shell, run, script, result.phases);
  type_while_indexing(shell, script, result.typing);
  type_while_answering(shell, script, result.typing);
  return result;
}

}  // namespace mneme::ui
