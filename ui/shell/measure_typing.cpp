#include "ui/shell/measure_typing.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/shell/typist.h"

namespace mneme::ui {
namespace {

using Clock = Shell::Clock;

constexpr std::string_view kTyped = "the quick brown fox jumps over the lazy dog and then ";
constexpr double kTurn_s = 0.05;
constexpr std::chrono::seconds kLongestWait{5};  // for one letter
// Moments spread over more than a frame: 17 and 41 have no common divisor, so that all are met.
constexpr int kMoments = 41;
constexpr int kMomentStep = 17;
constexpr std::chrono::microseconds kBetweenMoments{1000};
constexpr std::chrono::microseconds kLeast{20'000};  // the frames of the letter before are over

struct Letter {
  double latency_ms = 0.0;
  int frames = 0;          // begun from when it had arrived until one showed it; 0: one that began earlier did
  bool overtaken = false;  // a frame began while it was on its way, and did not show it
};

// Frames of one letter, as they come.
class Watch {
 public:
  Watch(Shell& shell, const Typist& typist)
      : shell_(shell), typist_(typist), length_before_(shell.window_state().question.text().size()) {}

  // Looks at the frame drawn last; whether it shows the letter.
  bool look() {
    const std::optional<Clock::time_point> sent = typist_.sent_at();
    const std::optional<Clock::time_point> arrived = typist_.arrived_at();
    const Clock::time_point begun = shell_.frame_begun();
    const bool shown = sent && shell_.window_state().question.text().size() > length_before_;
    if (arrived && begun > *arrived) {
      ++letter_.frames;
    } else if (sent && begun > *sent && !shown) {
      letter_.overtaken = true;
    }
    if (shown) letter_.latency_ms = std::chrono::duration<double, std::milli>(Clock::now() - *sent).count();
    return shown;
  }
  const Letter& letter() const { return letter_; }

 private:
  Shell& shell_;
  const Typist& typist_;
  const size_t length_before_;
  Letter letter_;
};

// One letter, to the frame that shows it; nothing when none did.
std::optional<Letter> type_one(Shell& shell, Typist& typist, std::chrono::microseconds delay, char letter) {
  Watch watch(shell, typist);
  const Clock::time_point begin = Clock::now();
  typist.press_after(delay, letter);
  while (Clock::now() - begin < kLongestWait) {
    const Clock::time_point turn = Clock::now();
    if (!shell.turn(kTurn_s)) continue;
    const bool shown = watch.look();
    shell.pace(turn);
    if (shown) return watch.letter();
  }
  return std::nullopt;
}

}  // namespace

FrameTimes times_of(std::vector<double> times) {
  FrameTimes result;
  if (times.empty()) return result;
  std::sort(times.begin(), times.end());
  const auto at = [&](double q) {
    return times[static_cast<size_t>(std::lround(q * static_cast<double>(times.size() - 1)))];
  };
  result.p50_ms = at(0.5);
  result.p99_ms = at(0.99);
  result.max_ms = times.back();
  return result;
}

namespace {

// Gathers letters into what is reported.
class Tally {
 public:
  explicit Tally(std::string name) { result_.name = std::move(name); }

  void add(const std::optional<Letter>& letter, const Snapshot& now) {
    ++result_.letters;
    if (!letter) {
      ++result_.lost;
      return;
    }
    result_.while_indexing += now.indexing.running ? 1 : 0;
    result_.while_answering += now.answers() ? 1 : 0;
    result_.in_first_frame += letter->frames <= 1 ? 1 : 0;
    result_.overtaken += letter->overtaken ? 1 : 0;
    latencies_.push_back(letter->latency_ms);
    frames_.push_back(std::max(1, letter->frames));
  }
  TypingLatency finish() {
    const FrameTimes by_frames = times_of(std::move(frames_));
    result_.p99_frames = static_cast<int>(by_frames.p99_ms);
    result_.most_frames = static_cast<int>(by_frames.max_ms);
    result_.times = times_of(std::move(latencies_));
    return std::move(result_);
  }

 private:
  TypingLatency result_;
  std::vector<double> latencies_;
  std::vector<double> frames_;
};

}  // namespace

std::optional<TypingLatency> measure_typing(Shell& shell, std::string name, int letters,
                                            const std::function<void()>& meanwhile) {
  const std::unique_ptr<Typist> typist = Typist::make(shell.window());
  if (!typist) return std::nullopt;
  shell.window_state().page = Page::kChat;
  shell.window_state().focus_question = true;
  shell.window_state().question.set_text("");
  shell.expose();
  shell.frame();
  std::vector<FrameTime> waited;  // each frame is waited for until it is drawn
  shell.time_frames(&waited);
  Tally tally(std::move(name));
  for (int i = 0; i < letters; ++i) {
    meanwhile();
    const auto letter = type_one(shell, *typist, kLeast + kBetweenMoments * (i * kMomentStep % kMoments),
                                 kTyped[static_cast<size_t>(i) % kTyped.size()]);
    tally.add(letter, *shell.controller().snapshot());
  }
  shell.time_frames(nullptr);
  shell.window_state().question.set_text("");
  return tally.finish();
}

}  // namespace mneme::ui
