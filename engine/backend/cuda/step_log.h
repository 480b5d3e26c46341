// What the operations of a decoding step enqueue, call by call, so that a step that does the same as the one before can
// be replayed as one CUDA graph instead of some hundred launches.
//
// A step is enqueued as ever and recorded. When the next one of its kind has recorded the same calls, a graph is made
// of them by capturing a repetition of the record: nothing but launches, copies of the device and copies from pinned
// memory is ever captured. From then on, the operations run as before on the host, but their calls are compared with
// the record instead of being enqueued; what they upload goes into the pinned memory that the graph copies from. The
// graph has two parts: one of the first calls, launched when these have come, so that the device works while the host
// goes through the others; and one of all others, launched when the step is complete. The first call that differs (a
// longer context, memory that has moved, other weights) enqueues what went before it one by one, ends the graph and
// goes on as a recording: an argument that is not the record's is never replayed.
//
// A graph that cannot be made ends graphs for this device for good; the report counts it.
// Ownership: of a Device (device.h), which settles the log before anything but a step's operations touches its stream.
// Threads: as the device.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace mneme::engine::cuda {

// One call of a step.
class Enqueued {
 public:
  virtual ~Enqueued() = default;
  virtual cudaError_t enqueue(cudaStream_t stream) const = 0;
  // Whether `other`, of the same kind(), does the same.
  virtual bool equals(const Enqueued& other) const = 0;
  // The kernel; what copies are told apart by.
  virtual const void* kind() const = 0;
};

// Structs without a comparison differ from everything: their kernels are never replayed.
template <typename T>
bool same_argument(const T& a, const T& b) {
  if constexpr (std::equality_comparable<T>) return a == b;
  return false;
}

template <typename... Parameters>
class KernelCall final : public Enqueued {
 public:
  KernelCall(dim3 grid, int n_threads, size_t shared_bytes, bool overlaps, void (*kernel)(Parameters...),
             Parameters... arguments)
      : grid_(grid),
        n_threads_(n_threads),
        shared_bytes_(shared_bytes),
        overlaps_(overlaps),
        kernel_(kernel),
        arguments_(arguments...) {}

  cudaError_t enqueue(cudaStream_t stream) const override {
    cudaLaunchConfig_t config{};
    config.gridDim = grid_;
    config.blockDim = dim3(static_cast<unsigned>(n_threads_));
    config.dynamicSmemBytes = shared_bytes_;
    config.stream = stream;
    cudaLaunchAttribute overlap{};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    config.attrs = &overlap;
    config.numAttrs = overlaps_ ? 1 : 0;
    return std::apply([&](const auto&... each) { return cudaLaunchKernelEx(&config, kernel_, each...); }, arguments_);
  }
  bool equals(const Enqueued& other) const override {
    const auto& o = static_cast<const KernelCall&>(other);
    return grid_.x == o.grid_.x && grid_.y == o.grid_.y && grid_.z == o.grid_.z && n_threads_ == o.n_threads_ &&
           shared_bytes_ == o.shared_bytes_ && overlaps_ == o.overlaps_ &&
           same_arguments(o.arguments_, std::index_sequence_for<Parameters...>());
  }
  const void* kind() const override { return reinterpret_cast<const void*>(kernel_); }

 private:
  template <size_t... kIndex>
  bool same_arguments(const std::tuple<Parameters...>& other, std::index_sequence<kIndex...>) const {
    return (same_argument(std::get<kIndex>(arguments_), std::get<kIndex>(other)) && ...);
  }

  const dim3 grid_;
  const int n_threads_;
  const size_t shared_bytes_;
  const bool overlaps_;
  void (*const kernel_)(Parameters...);
  const std::tuple<Parameters...> arguments_;
};

struct StepGraphReport {
  int64_t made = 0;      // graphs
  int64_t launched = 0;  // steps that ran as a graph
  int64_t left = 0;      // steps that did something else than their graph
  bool failed = false;   // no graph could be made; none is tried any more
};

// Steps of one kind have these in common, and a graph.
struct StepKind {
  int n_rows = 0;
  const void* rows = nullptr;   // where the rows of activations lie
  const void* table = nullptr;  // the embeddings
  bool operator==(const StepKind&) const = default;
};

class StepLog {
 public:
  StepLog();
  ~StepLog();
  StepLog(const StepLog&) = delete;
  StepLog& operator=(const StepLog&) = delete;
  // Off until this has been called.
  void open(cudaStream_t stream) {
    stream_ = stream;
    is_open_ = true;
  }

  // A step begins; ends the one before.
  cudaError_t begin(const StepKind& kind);
  // Whether calls on this stream are to be given to the log.
  bool takes(cudaStream_t stream) const { return mode_ != Mode::kOff && stream == stream_; }

  template <typename... Parameters, typename... Arguments>
  cudaError_t launch(dim3 grid, int n_threads, size_t shared_bytes, bool overlaps, void (*kernel)(Parameters...),
                     Arguments... arguments) {
    return take(std::make_unique<KernelCall<Parameters...>>(grid, n_threads, shared_bytes, overlaps, kernel,
                                                            static_cast<Parameters>(arguments)...));
  }
  // On the device; the ranges do not overlap.
  cudaError_t copy(std::byte* to, const std::byte* from, size_t n_bytes);
  // Of the host's bytes. False: the caller enqueues the copy itself, now.
  bool upload(std::span<const std::byte> from, std::byte* to, cudaError_t& error);

  // Enqueues all that the log holds back, as a graph where it is a whole step, and turns the log off.
  cudaError_t settle();
  // Forgets it instead: after a failure.
  void drop();
  const StepGraphReport& report() const { return report_; }

 private:
  enum class Mode { kOff, kRecording, kMatching };
  using Calls = std::vector<std::unique_ptr<Enqueued>>;
  class Graph;
  struct Known {
    StepKind kind;
    Calls calls;
    std::unique_ptr<Graph> graph;  // null: the calls were seen once
  };

  cudaError_t take(std::unique_ptr<Enqueued> call);
  cudaError_t advance();
  cudaError_t leave_graph();
  cudaError_t enqueue_prefix();
  void finish_recording();
  void make_graph(Known& known);
  Known* find(const StepKind& kind);

  cudaStream_t stream_ = nullptr;
  bool is_open_ = false;
  Mode mode_ = Mode::kOff;
  StepKind kind_;
  Calls recorded_;          // kRecording
  Known* known_ = nullptr;  // kMatching: whose graph
  size_t next_ = 0;         // kMatching: of its calls
  size_t sent_ = 0;         // kMatching: of these, launched with the graph's first part
  bool staging_is_free_ = false;
  std::vector<std::unique_ptr<Known>> all_;
  StepGraphReport report_;
};

// Where this thread's launches go; null: to the stream. Device::begin_step() sets it.
inline thread_local StepLog* step_log = nullptr;

}  // namespace mneme::engine::cuda
