#include "app/output/progress.h"

#include <algorithm>
#include <cmath>

#include "app/output/terminal_text.h"
#include "base/human_text.h"

namespace mneme::app {
namespace {

constexpr auto kBetweenDrawings = std::chrono::milliseconds(100);
constexpr double kEtaAfterSeconds = 1.0;
constexpr int kBarColumns = 20;

}  // namespace

std::string format_progress(const ProgressLine& line, int columns) {
  std::string text;
  const bool known = line.total > 0;
  const double share = known ? std::min(1.0, static_cast<double>(line.done) / static_cast<double>(line.total)) : 0;
  if (known) {
    const int filled = static_cast<int>(std::floor(share * kBarColumns));
    text += "[";
    for (int i = 0; i < kBarColumns; ++i) text += i < filled ? "#" : "-";
    text += "] " + std::to_string(static_cast<int>(share * 100)) + "% ";
  }
  text += human_count(line.done);
  if (known) text += "/" + human_count(line.total);
  text += " " + std::string(line.unit);
  if (line.seconds >= kEtaAfterSeconds && line.done > 0) {
    const double rate = static_cast<double>(line.done) / line.seconds;
    text += ", " + (rate >= 10 ? human_count(rate) : std::to_string(rate).substr(0, 3)) + "/s";
    if (known && line.done < line.total) {
      text += ", " + human_seconds(static_cast<double>(line.total - line.done) / rate) + " left";
    }
  }
  if (!line.label.empty()) text += "  " + terminal_line(line.label);
  return cut_to_width(text, columns);
}

Progress::Progress(Output& output, std::string unit) : output_(output), unit_(std::move(unit)) {}

Progress::~Progress() {
  output_.status_line("");
}

double Progress::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void Progress::update(uint64_t done, uint64_t total, std::string_view label) {
  if (!output_.stderr_is_terminal()) return;
  MutexLock lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (now - shown_ < kBetweenDrawings) return;
  shown_ = now;
  output_.status_line(format_progress({done, total, seconds(), unit_, label}, output_.columns() - 1));
}

}  // namespace mneme::app
