#include "engine/backend/cuda/device.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

namespace mneme::engine::cuda {
namespace {

// Of pinned memory: large enough for the bus's full speed, small enough to take at once.
constexpr size_t kHalfBytes = size_t{4} << 20;

Status failure_of(const GpuInfo& gpu, cudaError_t error, std::string_view doing) {
  const std::string what = "the GPU (" + gpu.name + ") failed while " + std::string(doing) + ": ";
  if (error == cudaErrorDevicesUnavailable)
    return resource_error("another program uses the GPU (" + gpu.name +
                          ") and shares it with nobody; use it when that has ended, or use --device cpu");
  if (error == cudaErrorMemoryAllocation)
    return resource_error(what + "it has no memory left; use a smaller model or a shorter context, or --device cpu");
  return io_error(what + cudaGetErrorString(error) + "; start the program again, or use --device cpu");
}

// What the kernels are compiled for begins here (CMakeLists.txt); newer devices compile the last one's PTX themselves.
Status check_capability(const GpuInfo& gpu) {
  constexpr int kMajor = 7;
  constexpr int kMinor = 5;
  if (gpu.major > kMajor || (gpu.major == kMajor && gpu.minor >= kMinor)) return {};
  return unsupported("cannot use the GPU (" + gpu.name + "): its compute capability is " + std::to_string(gpu.major) +
                     "." + std::to_string(gpu.minor) + " where 7.5 (Turing) is the least that works; use --device cpu");
}

}  // namespace

PinnedRing::~PinnedRing() {
  for (const cudaEvent_t event : read_)
    if (event != nullptr) cudaEventDestroy(event);
}

cudaError_t PinnedRing::open(size_t half_bytes) {
  if (!memory_.resize(2 * half_bytes)) return cudaErrorMemoryAllocation;
  half_bytes_ = half_bytes;
  for (cudaEvent_t& event : read_) {
    const cudaError_t made = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    if (made != cudaSuccess) return made;
  }
  return cudaSuccess;
}

cudaError_t PinnedRing::acquire(size_t n_bytes, cudaStream_t stream, std::byte*& out) {
  const size_t size = (n_bytes + PinnedBuffer::kAlignment - 1) / PinnedBuffer::kAlignment * PinnedBuffer::kAlignment;
  if (used_ + size > half_bytes_) {
    // Everything that reads this half is enqueued on the streams already; wait for what read the other one.
    const cudaError_t recorded = cudaEventRecord(read_[static_cast<size_t>(half_)], stream);
    if (recorded != cudaSuccess) return recorded;
    half_ ^= 1;
    const cudaError_t waited = cudaEventSynchronize(read_[static_cast<size_t>(half_)]);
    if (waited != cudaSuccess) return waited;
    used_ = 0;
  }
  out = memory_.data() + static_cast<size_t>(half_) * half_bytes_ + used_;
  used_ += size;
  return cudaSuccess;
}

Result<std::unique_ptr<Device>> Device::open(int index) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<GpuInfo> gpus, probe_gpus());
  const auto count = static_cast<int>(gpus.size());
  if (index < 0 || index >= count)
    return not_found("there is no device cuda:" + std::to_string(index) + ": this machine has " +
                     (count == 1 ? "one GPU, cuda:0"
                                 : std::to_string(count) + " GPUs, cuda:0 to cuda:" + std::to_string(count - 1)));
  std::unique_ptr<Device> device(new Device(index, gpus[static_cast<size_t>(index)]));
  MNEME_RETURN_IF_ERROR(check_capability(device->info()));
  MNEME_RETURN_IF_ERROR(device->create());
  return device;
}

Status Device::create() {
  memory_ = DeviceMemory::of(index_);
  cudaError_t error = cudaSetDevice(index_);
  if (error == cudaSuccess) error = cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
  if (error == cudaSuccess) error = cudaStreamCreateWithFlags(&copy_stream_, cudaStreamNonBlocking);
  for (PinnedRing& ring : rings_)
    if (error == cudaSuccess) error = ring.open(kHalfBytes);
  return error == cudaSuccess ? Status() : failure_of(info_, error, "starting");
}

Device::~Device() {
  cudaSetDevice(index_);
  step_log_.drop();
  if (step_log == &step_log_) step_log = nullptr;
  if (timer_ != nullptr) {
    std::fputs(timer_->report().c_str(), stderr);
    if (launch_timer == timer_.get()) launch_timer = nullptr;
    timer_.reset();
  }
  if (stream_ != nullptr) cudaStreamSynchronize(stream_);
  if (copy_stream_ != nullptr) cudaStreamSynchronize(copy_stream_);
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
  if (copy_stream_ != nullptr) cudaStreamDestroy(copy_stream_);
}

bool Device::enter() {
  if (!failure_.ok()) return false;
  check(cudaSetDevice(index_), "choosing it");
  launches_overlap = overlaps_;
  launch_timer = timer_.get();
  return failure_.ok();
}

bool Device::begin() {
  step_log = nullptr;
  settle();
  return enter();
}

bool Device::begin_step() {
  step_log = &step_log_;
  return enter();
}

bool Device::begin_first_of_step(const StepKind& kind) {
  if (timer_ != nullptr && enter()) timer_->begin_step(kind.n_rows, stream_);
  if (kind.n_rows > kMostLoggedRows) return begin();
  if (!enter()) return false;
  check(step_log_.begin(kind), "computing");
  return begin_step();
}

void Device::settle() {
  if (!failure_.ok()) return step_log_.drop();
  cudaSetDevice(index_);
  check(step_log_.settle(), "computing");
}

void Device::check(cudaError_t error, std::string_view doing) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  fail(failure_of(info_, error, doing));
}

void Device::fail(Status status) {
  if (failure_.ok()) failure_ = std::move(status);
}

Status Device::synchronize() {
  settle();
  cudaSetDevice(index_);
  check(cudaStreamSynchronize(copy_stream_), "copying");
  check(cudaStreamSynchronize(stream_), "computing");
  return std::exchange(failure_, Status());
}

bool Device::grow(DeviceBuffer& buffer, size_t n_bytes, std::string_view what) {
  if (buffer.size() >= n_bytes) return failure_.ok();
  if (!begin()) return false;
  // Whatever still uses the old memory must be done: the next owner may be on another stream.
  check(cudaStreamSynchronize(stream_), "computing");
  buffer = DeviceBuffer();
  auto grown = memory_->allocate(n_bytes, what);
  if (grown.ok()) {
    buffer = std::move(*grown);
  } else {
    fail(grown.status());
  }
  return failure_.ok();
}

// Through pinned memory: the driver copies to ordinary memory in small pieces, at a fraction of the bus.
Status Device::download(const std::byte* from, std::span<std::byte> to, std::string_view doing) {
  PinnedRing& ring = rings_[0];
  while (!to.empty() && begin()) {
    const size_t n = std::min(to.size(), ring.half_bytes());
    std::byte* pinned = nullptr;
    check(ring.acquire(n, stream_, pinned), doing);
    if (ok()) check(cudaMemcpyAsync(pinned, from, n, cudaMemcpyDeviceToHost, stream_), doing);
    if (ok()) check(cudaStreamSynchronize(stream_), doing);
    if (!ok()) break;
    std::memcpy(to.data(), pinned, n);
    from += n;
    to = to.subspan(n);
  }
  return synchronize();
}

void Device::copy(const float* from, int64_t n_floats, float* to, std::string_view doing) {
  const size_t n_bytes = static_cast<size_t>(n_floats) * sizeof(float);
  const auto* bytes = reinterpret_cast<const std::byte*>(from);
  auto* target = reinterpret_cast<std::byte*>(to);
  check(step_log_.takes(stream_) ? step_log_.copy(target, bytes, n_bytes)
                                 : cudaMemcpyAsync(target, bytes, n_bytes, cudaMemcpyDeviceToDevice, stream_),
        doing);
}

void Device::upload(std::span<const std::byte> from, std::byte* to, cudaStream_t stream) {
  if (!from.empty() && step_log_.takes(stream)) {
    cudaError_t error = cudaSuccess;
    const bool taken = step_log_.upload(from, to, error);
    check(error, "copying to it");
    if (taken || error != cudaSuccess) return;
  }
  PinnedRing& ring = rings_[stream == copy_stream_ ? 1 : 0];
  while (!from.empty() && enter()) {
    const size_t n = std::min(from.size(), ring.half_bytes());
    std::byte* pinned = nullptr;
    check(ring.acquire(n, stream, pinned), "copying to it");
    if (pinned == nullptr) return;
    std::memcpy(pinned, from.data(), n);
    check(cudaMemcpyAsync(to, pinned, n, cudaMemcpyHostToDevice, stream), "copying to it");
    from = from.subspan(n);
    to += n;
  }
}

}  // namespace mneme::engine::cuda
