#include "storage/chunks/bandwidth_trace.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/random.h"

namespace mneme::storage {
namespace {

constexpr double kPieceSeconds = 0.1;
constexpr double kLeastRate = 1.0;  // a byte a second: a trace never stands still for good

}  // namespace

void BandwidthTrace::add(double seconds, double bytes_per_second) {
  ends_.push_back((ends_.empty() ? 0.0 : ends_.back()) + seconds);
  rates_.push_back(std::max(bytes_per_second, kLeastRate));
}

BandwidthTrace BandwidthTrace::steady(double bytes_per_second) {
  BandwidthTrace trace;
  trace.add(1.0, bytes_per_second);
  return trace;
}

Result<BandwidthTrace> BandwidthTrace::make(std::string_view name, const BandwidthShape& shape) {
  const double low = shape.low_bytes_per_s;
  const double high = shape.high_bytes_per_s;
  if (!(low > 0) || !(high >= low) || !std::isfinite(high) || !(shape.seconds > 0)) {
    return usage_error("a bandwidth trace needs a range above zero and a length.");
  }
  if (name == "steady") return steady(std::sqrt(low * high));
  if (name != "falling" && name != "spiky") {
    return usage_error("there is no bandwidth trace named " + std::string(name) +
                       "; there are steady, falling and spiky.");
  }
  BandwidthTrace trace;
  Random random(shape.seed);
  const auto n = static_cast<int>(std::max(1.0, std::round(shape.seconds / kPieceSeconds)));
  for (int i = 0; i < n; ++i) {
    const double place = name == "falling" ? static_cast<double>(i) / std::max(n - 1, 1) : random.uniform();
    trace.add(kPieceSeconds, high * std::pow(low / high, place));
  }
  return trace;
}

Result<BandwidthTrace> BandwidthTrace::parse(std::string_view text) {
  BandwidthTrace trace;
  int line_number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line_number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    double seconds = 0;
    double rate = 0;
    if (std::sscanf(line.c_str(), "%lf %lf", &seconds, &rate) != 2 || !(seconds > 0) || !(rate > 0) ||
        !std::isfinite(seconds) || !std::isfinite(rate)) {
      return usage_error("line " + std::to_string(line_number) +
                         " of the bandwidth trace is not two numbers above zero: seconds, bytes per second.");
    }
    trace.add(seconds, rate);
  }
  if (trace.ends_.empty())
    return usage_error("the bandwidth trace is empty; give lines of seconds and bytes per second.");
  return trace;
}

size_t BandwidthTrace::piece_at(double offset) const {
  const auto after = std::upper_bound(ends_.begin(), ends_.end(), offset);
  return std::min(static_cast<size_t>(after - ends_.begin()), ends_.size() - 1);
}

double BandwidthTrace::bytes_per_second(double seconds) const {
  return rates_[piece_at(std::fmod(std::max(seconds, 0.0), ends_.back()))];
}

std::function<double(double)> BandwidthTrace::as_function(double start) const {
  return [trace = *this, start](double seconds) { return trace.bytes_per_second(start + seconds); };
}

double BandwidthTrace::finish(double start, double bytes) const {
  double time = std::max(start, 0.0);
  const double length = ends_.back();
  double begin = std::floor(time / length) * length;  // of the round the time is in
  size_t piece = piece_at(time - begin);
  while (true) {
    const double end = begin + ends_[piece];
    const double capacity = std::max(end - time, 0.0) * rates_[piece];
    if (bytes <= capacity) return time + bytes / rates_[piece];
    bytes -= capacity;
    time = end;
    if (++piece == ends_.size()) {
      piece = 0;
      begin += length;
    }
  }
}

}  // namespace mneme::storage
