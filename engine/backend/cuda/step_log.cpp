#include "engine/backend/cuda/step_log.h"

#include <algorithm>

namespace mneme::engine::cuda {
namespace {

constexpr size_t kMostKinds = 16;                   // more, and all are forgotten
constexpr size_t kMostUploaded = size_t{64} << 10;  // at once; a step's rows take a few hundred bytes
constexpr size_t kStagingAlignment = 64;
// Of a graph's first part: a few layers, which keep the device busy until the host has come to the step's end.
constexpr size_t kFirstCalls = 40;

const char kCopyKind = 0;
const char kUploadKind = 0;

class CopyCall final : public Enqueued {
 public:
  CopyCall(std::byte* to, const std::byte* from, size_t n_bytes) : to_(to), from_(from), n_bytes_(n_bytes) {}
  cudaError_t enqueue(cudaStream_t stream) const override {
    return cudaMemcpyAsync(to_, from_, n_bytes_, cudaMemcpyDeviceToDevice, stream);
  }
  bool equals(const Enqueued& other) const override {
    const auto& o = static_cast<const CopyCall&>(other);
    return to_ == o.to_ && from_ == o.from_ && n_bytes_ == o.n_bytes_;
  }
  const void* kind() const override { return &kCopyKind; }

 private:
  std::byte* const to_;
  const std::byte* const from_;
  const size_t n_bytes_;
};

// From pinned memory that a graph gives it; before there is one the caller copies.
class UploadCall final : public Enqueued {
 public:
  UploadCall(std::byte* to, size_t n_bytes) : to_(to), n_bytes_(n_bytes) {}
  cudaError_t enqueue(cudaStream_t stream) const override {
    return cudaMemcpyAsync(to_, staged, n_bytes_, cudaMemcpyHostToDevice, stream);
  }
  bool equals(const Enqueued& other) const override {
    const auto& o = static_cast<const UploadCall&>(other);
    return to_ == o.to_ && n_bytes_ == o.n_bytes_;
  }
  const void* kind() const override { return &kUploadKind; }
  size_t staged_bytes() const { return (n_bytes_ + kStagingAlignment - 1) / kStagingAlignment * kStagingAlignment; }

  std::byte* staged = nullptr;

 private:
  std::byte* const to_;
  const size_t n_bytes_;
};

bool same_call(const Enqueued& a, const Enqueued& b) {
  return a.kind() == b.kind() && a.equals(b);
}

}  // namespace

// The executable graphs with the pinned memory that its uploads come from.
class StepLog::Graph {
 public:
  ~Graph() {
    if (used_ != nullptr) {
      cudaEventSynchronize(used_);
      cudaEventDestroy(used_);
    }
    for (const cudaGraphExec_t exec : parts_)
      if (exec != nullptr) cudaGraphExecDestroy(exec);
    if (staging_ != nullptr) cudaFreeHost(staging_);
  }

  cudaError_t make(const Calls& calls, cudaStream_t stream) {
    cudaError_t error = make_staging(calls);
    if (error == cudaSuccess) error = cudaEventCreateWithFlags(&used_, cudaEventDisableTiming);
    if (error == cudaSuccess) error = cudaEventRecord(used_, stream);
    n_first_ = calls.size() > kFirstCalls ? kFirstCalls : 0;
    const std::span all(calls);
    if (error == cudaSuccess && n_first_ > 0) error = make_part(all.first(n_first_), stream, parts_[0]);
    if (error == cudaSuccess) error = make_part(all.subspan(n_first_), stream, parts_[1]);
    return error;
  }
  // Calls of the first part; 0: there is none.
  size_t n_first() const { return n_first_; }
  cudaError_t launch_first(cudaStream_t stream) { return cudaGraphLaunch(parts_[0], stream); }
  cudaError_t launch_rest(cudaStream_t stream) {
    const cudaError_t error = cudaGraphLaunch(parts_[1], stream);
    return error == cudaSuccess ? mark_used(stream) : error;
  }
  // The staging is read by what is enqueued so far.
  cudaError_t mark_used(cudaStream_t stream) { return cudaEventRecord(used_, stream); }
  cudaError_t wait_for_staging() { return cudaEventSynchronize(used_); }

 private:
  cudaError_t make_staging(const Calls& calls) {
    size_t n_bytes = 0;
    for (const auto& call : calls)
      if (call->kind() == &kUploadKind) n_bytes += static_cast<const UploadCall&>(*call).staged_bytes();
    if (n_bytes == 0) return cudaSuccess;
    void* data = nullptr;
    const cudaError_t error = cudaMallocHost(&data, n_bytes);
    if (error != cudaSuccess) return error;
    staging_ = static_cast<std::byte*>(data);
    std::byte* at = staging_;
    for (const auto& call : calls) {
      if (call->kind() != &kUploadKind) continue;
      auto& upload = static_cast<UploadCall&>(*call);
      upload.staged = at;
      at += upload.staged_bytes();
    }
    return cudaSuccess;
  }

  using Part = std::span<const std::unique_ptr<Enqueued>>;
  static cudaError_t make_part(Part calls, cudaStream_t stream, cudaGraphExec_t& exec) {
    cudaGraph_t graph = nullptr;
    cudaError_t error = capture(calls, stream, graph);
    if (error == cudaSuccess) error = cudaGraphInstantiate(&exec, graph, 0);
    if (graph != nullptr) cudaGraphDestroy(graph);
    if (error == cudaSuccess) error = cudaGraphUpload(exec, stream);
    return error;
  }
  static cudaError_t capture(Part calls, cudaStream_t stream, cudaGraph_t& graph) {
    cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    if (error != cudaSuccess) return error;
    for (const auto& call : calls)
      if (error == cudaSuccess) error = call->enqueue(stream);
    const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
    return error == cudaSuccess ? ended : error;
  }

  std::array<cudaGraphExec_t, 2> parts_{};
  size_t n_first_ = 0;
  cudaEvent_t used_ = nullptr;
  std::byte* staging_ = nullptr;
};

StepLog::StepLog() = default;
StepLog::~StepLog() = default;

StepLog::Known* StepLog::find(const StepKind& kind) {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const auto& known) { return known->kind == kind; });
  return found == all_.end() ? nullptr : found->get();
}

cudaError_t StepLog::begin(const StepKind& kind) {
  const cudaError_t settled = settle();
  if (settled != cudaSuccess || !is_open_ || report_.failed) return settled;
  kind_ = kind;
  known_ = find(kind);
  next_ = 0;
  sent_ = 0;
  staging_is_free_ = false;
  recorded_.clear();
  mode_ = known_ != nullptr && known_->graph != nullptr ? Mode::kMatching : Mode::kRecording;
  return cudaSuccess;
}

// Another call was the graph's.
cudaError_t StepLog::advance() {
  if (++next_ != known_->graph->n_first()) return cudaSuccess;
  sent_ = next_;
  return known_->graph->launch_first(stream_);
}

cudaError_t StepLog::take(std::unique_ptr<Enqueued> call) {
  if (mode_ == Mode::kMatching) {
    if (next_ < known_->calls.size() && same_call(*call, *known_->calls[next_])) return advance();
    const cudaError_t error = leave_graph();
    if (error != cudaSuccess) return error;
  }
  const cudaError_t error = call->enqueue(stream_);
  recorded_.push_back(std::move(call));
  return error;
}

cudaError_t StepLog::copy(std::byte* to, const std::byte* from, size_t n_bytes) {
  return take(std::make_unique<CopyCall>(to, from, n_bytes));
}

bool StepLog::upload(std::span<const std::byte> from, std::byte* to, cudaError_t& error) {
  error = cudaSuccess;
  if (from.size() > kMostUploaded) {
    error = settle();
    return error != cudaSuccess;
  }
  auto call = std::make_unique<UploadCall>(to, from.size());
  if (mode_ == Mode::kMatching) {
    if (next_ < known_->calls.size() && same_call(*call, *known_->calls[next_])) {
      if (!staging_is_free_) error = known_->graph->wait_for_staging();
      if (error != cudaSuccess) return true;
      staging_is_free_ = true;
      std::memcpy(static_cast<UploadCall&>(*known_->calls[next_]).staged, from.data(), from.size());
      error = advance();
      return true;
    }
    error = leave_graph();
    if (error != cudaSuccess) return true;
  }
  recorded_.push_back(std::move(call));
  return false;
}

cudaError_t StepLog::enqueue_prefix() {
  cudaError_t error = cudaSuccess;
  for (size_t i = sent_; i < next_ && error == cudaSuccess; ++i) error = known_->calls[i]->enqueue(stream_);
  if (error == cudaSuccess && next_ > 0) error = known_->graph->mark_used(stream_);
  return error;
}

// The calls so far begin a recording; the graph is over, and with it the memory that its uploads came from.
cudaError_t StepLog::leave_graph() {
  ++report_.left;
  const cudaError_t error = enqueue_prefix();
  known_->calls.resize(next_);
  recorded_ = std::move(known_->calls);
  known_->calls.clear();
  known_->graph.reset();
  mode_ = Mode::kRecording;
  return error;
}

void StepLog::finish_recording() {
  if (recorded_.empty()) return;
  if (known_ == nullptr) {
    if (all_.size() >= kMostKinds) all_.clear();
    known_ = all_.emplace_back(std::make_unique<Known>()).get();
    known_->kind = kind_;
  }
  const bool again = std::equal(recorded_.begin(), recorded_.end(), known_->calls.begin(), known_->calls.end(),
                                [](const auto& a, const auto& b) { return same_call(*a, *b); });
  known_->calls = std::move(recorded_);
  recorded_.clear();
  if (again) make_graph(*known_);
}

void StepLog::make_graph(Known& known) {
  auto graph = std::make_unique<Graph>();
  if (graph->make(known.calls, stream_) == cudaSuccess) {
    known.graph = std::move(graph);
    ++report_.made;
    return;
  }
  cudaGetLastError();
  report_.failed = true;
  graph.reset();
  known_ = nullptr;
  all_.clear();
}

cudaError_t StepLog::settle() {
  const Mode mode = std::exchange(mode_, Mode::kOff);
  if (mode == Mode::kRecording) finish_recording();
  if (mode != Mode::kMatching) return cudaSuccess;
  if (next_ < known_->calls.size()) {
    ++report_.left;
    return enqueue_prefix();
  }
  ++report_.launched;
  return known_->graph->launch_rest(stream_);
}

void StepLog::drop() {
  mode_ = Mode::kOff;
  recorded_.clear();
}

}  // namespace mneme::engine::cuda
