#include "ui/shell/measure_typing.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "ui/shell/typist.h"

namespace mneme::ui {
namespace {

using Clock = Shell::Clock;

constexpr double kTurn_s = 0.05;
constexpr std::chrono::seconds kLongestWait{5};  // for one letter
// Moments spread over more than a frame: 17 and 41 have no common divisor, so that all are met.
constexpr int kMoments = 41;
constexpr int kMomentStep = 17;
constexpr std::chrono::microseconds kBetweenMoments{1000};
constexpr std::chrono::microseconds kLeast{20'000};  // the frames of the letter before are over

struct Letter {
  double latency_ms = 0.0;
  int frames = 0;  // begun from when it was sent until one showed it
};

// One letter, to the frame that shows it; nothing when none did.
std::optional<Letter> type_one(Shell& shell, Typist& typist, std::chrono::microseconds delay) {
  const size_t before = shell.window_state().question.text().size();
  const Clock::time_point begin = Clock::now();
  typist.press_after(delay);
  Letter letter;
  while (Clock::now() - begin < kLongestWait) {
    const Clock::time_point turn = Clock::now();
    if (!shell.turn(kTurn_s)) continue;
    const Clock::time_point drawn = Clock::now();
    const std::optional<Clock::time_point> sent = typist.sent_at();
    if (sent && shell.frame_begun() > *sent) ++letter.frames;
    if (sent && shell.window_state().question.text().size() > before) {
      letter.latency_ms = std::chrono::duration<double, std::milli>(drawn - *sent).count();
      shell.pace(turn);
      return letter;
    }
    shell.pace(turn);
  }
  return std::nullopt;
}

}  // namespace

FrameTimes times_of(std::vector<double> times) {
  FrameTimes result;
  if (times.empty()) return result;
  std::sort(times.begin(), times.end());
  const auto at = [&](double q) { return times[static_cast<size_t>(q * static_cast<double>(times.size() - 1) + 0.5)]; };
  result.p50_ms = at(0.5);
  result.p99_ms = at(0.99);
  result.max_ms = times.back();
  return result;
}

std::optional<TypingLatency> measure_typing(Shell& shell, std::string name, int letters) {
  const std::unique_ptr<Typist> typist = Typist::make(shell.window());
  if (!typist) return std::nullopt;
  shell.window_state().page = Page::kChat;
  shell.window_state().focus_question = true;
  shell.window_state().question.set_text("");
  shell.expose();
  shell.frame();
  TypingLatency result;
  result.name = std::move(name);
  std::vector<FrameTime> waited;  // each frame is waited for until it is drawn
  shell.time_frames(&waited);
  std::vector<double> latencies;
  for (int i = 0; i < letters; ++i) {
    const auto letter = type_one(shell, *typist, kLeast + kBetweenMoments * (i * kMomentStep % kMoments));
    if (!letter) {
      ++result.lost;
      continue;
    }
    latencies.push_back(letter->latency_ms);
    result.in_first_frame += letter->frames <= 1 ? 1 : 0;
    result.most_frames = std::max(result.most_frames, letter->frames);
  }
  shell.time_frames(nullptr);
  shell.window_state().question.set_text("");
  result.letters = letters;
  result.times = times_of(std::move(latencies));
  return result;
}

}  // namespace mneme::ui
