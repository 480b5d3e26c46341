#include "engine/backend/cuda/launch_timer.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "engine/backend/cuda/device_language.cuh"

namespace mneme::engine::cuda {
namespace {

// The host enqueues a step's launches and events in less.
constexpr int64_t kHeldNanoseconds = 6'000'000;

__global__ void hold_kernel(int64_t nanoseconds) {
  after_earlier_kernels();
  const int64_t begin = device_nanoseconds();
  while (device_nanoseconds() - begin < nanoseconds) {
  }
}

// "multiply_float<30, 1>" of a mangled name: without namespaces and parameters.
std::string kernel_name(const void* kernel) {
  const char* mangled = nullptr;
  if (cudaFuncGetName(&mangled, kernel) != cudaSuccess || mangled == nullptr) return "kernel";
  int failed = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(abi::__cxa_demangle(mangled, nullptr, nullptr, &failed),
                                                          &std::free);
  if (plain == nullptr) return mangled;
  std::string name = plain.get();
  for (const char* part :
       {"mneme::engine::", "cuda::", "(anonymous namespace)::", "gguf::", "rows::", "void ", "mneme::", "(TensorType)"})
    for (size_t at = name.find(part); at != std::string::npos; at = name.find(part))
      name.erase(at, std::string(part).size());
  return name.substr(0, name.find('('));
}

std::string line_of(const std::string& name, double launches, double us) {
  char text[256];
  std::snprintf(text, sizeof text, "  %8.1f us %6.1f launches, %7.2f us each  %s\n", us, launches, us / launches,
                name.c_str());
  return text;
}

}  // namespace

LaunchTimer::~LaunchTimer() {
  for (const cudaEvent_t event : events_) cudaEventDestroy(event);
}

cudaEvent_t LaunchTimer::event(size_t i) {
  while (events_.size() <= i) {
    cudaEvent_t made = nullptr;
    if (cudaEventCreateWithFlags(&made, cudaEventDefault) != cudaSuccess) return nullptr;
    events_.push_back(made);
  }
  return events_[i];
}

void LaunchTimer::begin_step(int n_rows, cudaStream_t stream) {
  count();
  stream_ = stream;
  constexpr int kFew = 8;
  rows_ = n_rows == 1 ? "1 row" : n_rows <= kFew ? "2 to 8 rows" : "more rows";
  KernelCall<int64_t>(dim3(1), 1, 0, false, hold_kernel, kHeldNanoseconds).enqueue(stream);
  if (const cudaEvent_t first = event(0)) cudaEventRecord(first, stream);
}

void LaunchTimer::mark(const Mark& what, cudaStream_t stream) {
  if (rows_.empty() || stream != stream_) return;
  const cudaEvent_t behind = event(marks_.size() + 1);
  if (behind == nullptr || cudaEventRecord(behind, stream) != cudaSuccess) return;
  marks_.push_back(what);
}
void LaunchTimer::launched(const void* kernel, dim3 grid, cudaStream_t stream) {
  mark({kernel, nullptr, grid}, stream);
}
void LaunchTimer::launched(const char* what, cudaStream_t stream) {
  mark({nullptr, what, dim3()}, stream);
}

void LaunchTimer::add(const char* what, double ms) {
  Sum& sum = beside_[what];
  ++sum.launches;
  sum.ms += ms;
}

void LaunchTimer::count() {
  if (!marks_.empty() && cudaEventSynchronize(events_[marks_.size()]) == cudaSuccess) {
    Steps& steps = steps_[rows_];
    ++steps.n;
    for (size_t i = 0; i < marks_.size(); ++i) {
      float ms = 0;
      if (cudaEventElapsedTime(&ms, events_[i], events_[i + 1]) != cudaSuccess) continue;
      const Mark& mark = marks_[i];
      const std::string grid = " (" + std::to_string(mark.grid.x) + ", " + std::to_string(mark.grid.y) + ", " +
                               std::to_string(mark.grid.z) + ")";
      Sum& sum = steps.of[mark.kernel != nullptr ? kernel_name(mark.kernel) + grid : mark.what];
      ++sum.launches;
      sum.ms += ms;
    }
  }
  marks_.clear();
  rows_.clear();
}

std::string LaunchTimer::report() {
  count();
  std::string text;
  for (const auto& [rows, steps] : steps_) {
    std::vector<std::pair<std::string, Sum>> sorted(steps.of.begin(), steps.of.end());
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second.ms > b.second.ms; });
    const auto n = static_cast<double>(steps.n);
    double ms = 0;
    for (const auto& [name, sum] : sorted) ms += sum.ms;
    text += std::to_string(steps.n) + " steps of " + rows + ", " + std::to_string(1000 * ms / n) + " us each:\n";
    for (const auto& [name, sum] : sorted)
      text += line_of(name, static_cast<double>(sum.launches) / n, 1000 * sum.ms / n);
  }
  if (!beside_.empty()) text += "beside steps, which may overlap, altogether:\n";
  for (const auto& [name, sum] : beside_) text += line_of(name, static_cast<double>(sum.launches), 1000 * sum.ms);
  return text;
}

}  // namespace mneme::engine::cuda
