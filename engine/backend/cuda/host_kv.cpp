#include "engine/backend/cuda/host_kv.h"

#include <algorithm>
#include <string>

#include "base/memory_limit.h"

namespace mneme::engine::cuda {
namespace {

constexpr std::string_view kDoing = "moving keys and values";

int pages_of(int n_tokens) {
  return (n_tokens + kPageTokens - 1) / kPageTokens;
}

Status no_host_memory(int64_t n_bytes, const std::string& reason) {
  constexpr int64_t kMiB = 1 << 20;
  return resource_error(
      "the GPU's memory has no room for the keys and values of so long a context, and the host's has " + reason + ": " +
      std::to_string(n_bytes / kMiB + 1) +
      " MiB are needed at once; shorten the text, close other programs, or use --device cpu");
}

}  // namespace

HostKv::HostKv(Device& device, const KvView& shape, int n_layers, int max_tokens)
    : device_(device),
      shape_(shape),
      n_layers_(n_layers),
      most_pages_(pages_of(max_tokens)),
      layer_bytes_(shape.layer_bytes),
      written_(static_cast<size_t>(n_layers), 0) {
  for (Slot& slot : slots_) slot.is_there.assign(static_cast<size_t>(most_pages_), false);
}

Result<std::unique_ptr<HostKv>> HostKv::make(Device& device, const KvView& shape, int n_layers, int max_tokens) {
  std::unique_ptr<HostKv> kv(new HostKv(device, shape, n_layers, max_tokens));
  MNEME_RETURN_IF_ERROR(kv->open());
  return kv;
}

Status HostKv::open() {
  if (!device_.begin()) return device_.synchronize();
  const auto most = static_cast<size_t>(most_pages_);
  const size_t slot_bytes = most * static_cast<size_t>(layer_bytes_);
  DeviceMemory& memory = device_.memory();
  MNEME_ASSIGN_OR_RETURN(window_, memory.allocate(2 * slot_bytes, "two layers' keys and values"));
  MNEME_ASSIGN_OR_RETURN(window_table_, memory.allocate(most * sizeof(std::byte*), "a table of KV pages"));
  MNEME_ASSIGN_OR_RETURN(home_table_, memory.allocate(most * sizeof(std::byte*), "a table of KV pages"));
  device_.check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream");
  device_.check(cudaEventCreateWithFlags(&computed_, cudaEventDisableTiming), "making events");
  for (Slot& slot : slots_)
    for (cudaEvent_t* event : {&slot.up, &slot.down})
      device_.check(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "making events");
  std::vector<std::byte*> pages;
  pages.reserve(most);
  for (int page = 0; page < most_pages_; ++page) pages.push_back(device_page(0, page));
  if (device_.ok()) device_.upload(std::as_bytes(std::span(pages)), window_table_.as(), device_.stream());
  return device_.ok() ? Status() : device_.synchronize();
}

// Pages may be given to others at once, so nothing may still use them.
HostKv::~HostKv() {
  device_.settle();
  cudaStreamSynchronize(device_.stream());
  if (stream_ != nullptr) {
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
  }
  if (computed_ != nullptr) cudaEventDestroy(computed_);
  for (const Slot& slot : slots_)
    for (const cudaEvent_t event : {slot.up, slot.down})
      if (event != nullptr) cudaEventDestroy(event);
  for (std::byte* chunk : chunks_) cudaFreeHost(chunk);
}

Status HostKv::reserve(int n_wanted) {
  const size_t n_before = chunks_.size();
  std::vector<std::byte*> added;
  const auto give_back = [&] {
    for (std::byte* chunk : added) cudaFreeHost(chunk);
  };
  const int n_chunks = (n_wanted + kChunkPages - 1) / kChunkPages;
  const int64_t needed = (n_chunks - static_cast<int64_t>(n_before)) * chunk_bytes();
  if (needed <= 0) return {};
  const auto available = static_cast<int64_t>(available_memory_bytes());
  if (available > 0 && needed > available)
    return no_host_memory(needed, "none either (" + std::to_string(available >> 20) + " MiB are free)");
  if (!device_.begin()) return device_.synchronize();
  while (n_before + added.size() < static_cast<size_t>(n_chunks)) {
    void* chunk = nullptr;
    if (cudaMallocHost(&chunk, static_cast<size_t>(chunk_bytes())) != cudaSuccess) {
      cudaGetLastError();
      give_back();
      return no_host_memory(needed, "none that the system lets a GPU use (pinned memory)");
    }
    added.push_back(static_cast<std::byte*>(chunk));
  }
  chunks_.insert(chunks_.end(), added.begin(), added.end());
  std::vector<std::byte*> pages;
  const int first = static_cast<int>(n_before) * kChunkPages;
  for (int page = first; page < std::min(n_pages(), most_pages_); ++page) pages.push_back(host_page(0, page));
  const size_t at = static_cast<size_t>(first) * sizeof(std::byte*);
  device_.upload(std::as_bytes(std::span(pages)), home_table_.as() + at, device_.stream());
  if (device_.ok()) return {};
  chunks_.resize(n_before);
  give_back();
  return device_.synchronize();
}

std::byte* HostKv::host_page(int layer, int page) const {
  std::byte* chunk = chunks_[static_cast<size_t>(page / kChunkPages)];
  return chunk + (int64_t{layer} * kChunkPages + page % kChunkPages) * layer_bytes_;
}

std::byte* HostKv::device_page(int layer, int page) const {
  return window_.as() + (int64_t{layer & 1} * most_pages_ + page) * layer_bytes_;
}

// --- At home --------------------------------------------------------------------------------------------------------

KvView HostKv::home() {
  for (Slot& slot : slots_) {
    if (slot.goes_down) device_.check(cudaStreamWaitEvent(device_.stream(), slot.down, 0), kDoing);
    slot.goes_down = false;
  }
  KvView view = shape_;
  view.pages = home_table_.as<std::byte*>();
  view.layer_bytes = kChunkPages * layer_bytes_;
  view.far = true;
  return view;
}

void HostKv::write_home(int layer, TokenPos position) {
  Slot& slot = slot_of(layer);
  if (slot.layer == layer) slot.is_there[static_cast<size_t>(position / kPageTokens)] = false;
  written(layer) = std::max(written(layer), position + 1);
}

void HostKv::forget(int n_tokens) {
  for (int& end : written_) end = std::min(end, n_tokens);
}

// --- In the device's memory -----------------------------------------------------------------------------------------

KvView HostKv::open_view() const {
  KvView view = shape_;
  view.pages = window_table_.as<std::byte*>();
  view.layer_bytes = most_pages_ * layer_bytes_;
  view.layer_mask = 1;
  return view;
}

KvView HostKv::open_layer(int layer, int n_tokens) {
  const auto bring = [&](int l) { bring_up(l, 0, pages_of(std::min(n_tokens, written(l)))); };
  bring(layer);
  await(slot_of(layer));
  if (layer + 1 < n_layers_) bring(layer + 1);
  return open_view();
}

KvView HostKv::open_to_write(int layer, TokenPos first, int n) {
  const int end = first + n;
  bring_up(layer, 0, 0);
  // Of a page that is written in part, the rest must be there when it goes down.
  if (first % kPageTokens != 0) bring_up(layer, first / kPageTokens, pages_of(std::min(first, written(layer))));
  if (end % kPageTokens != 0 && written(layer) > end) bring_up(layer, end / kPageTokens, end / kPageTokens + 1);
  await(slot_of(layer));
  return open_view();
}

void HostKv::wrote(int layer, std::span<const TokenPos> positions) {
  for (size_t i = 0; i < positions.size();) {
    const int first_page = positions[i] / kPageTokens;
    int end_page = first_page + 1;
    while (i < positions.size() && positions[i] / kPageTokens <= end_page)
      end_page = std::max(end_page, positions[i++] / kPageTokens + 1);
    take_down(layer, first_page, end_page);
  }
  if (!positions.empty()) written(layer) = std::max(written(layer), positions.back() + 1);
}

void HostKv::wrote(int layer, TokenPos first, int n) {
  take_down(layer, first / kPageTokens, pages_of(first + n));
  written(layer) = std::max(written(layer), first + n);
}

// The compute stream may use what comes up, and write over what has gone down.
void HostKv::await(Slot& slot) {
  if (slot.goes_up) device_.check(cudaStreamWaitEvent(device_.stream(), slot.up, 0), kDoing);
  if (slot.goes_down) device_.check(cudaStreamWaitEvent(device_.stream(), slot.down, 0), kDoing);
  slot.goes_up = slot.goes_down = false;
}

// Copies wait for the kernels that have been enqueued: they may still read what is overwritten or write what is copied.
void HostKv::wait_for_compute() {
  device_.check(cudaEventRecord(computed_, device_.stream()), kDoing);
  device_.check(cudaStreamWaitEvent(stream_, computed_, 0), kDoing);
}

void HostKv::copy_pages(int layer, int first_page, int end_page, cudaMemcpyKind kind) {
  for (int page = first_page; page < end_page && device_.ok();) {
    const int end = std::min(end_page, (page / kChunkPages + 1) * kChunkPages);
    const auto n_bytes = static_cast<size_t>((end - page) * layer_bytes_);
    std::byte* host = host_page(layer, page);
    std::byte* device = device_page(layer, page);
    const bool up = kind == cudaMemcpyHostToDevice;
    device_.check(cudaMemcpyAsync(up ? device : host, up ? host : device, n_bytes, kind, stream_), kDoing);
    page = end;
  }
}

// Pages that are not there yet. The slot becomes the layer's.
void HostKv::bring_up(int layer, int first_page, int end_page) {
  Slot& slot = slot_of(layer);
  if (slot.layer != layer) std::fill(slot.is_there.begin(), slot.is_there.end(), false);
  slot.layer = layer;
  bool waits = false;
  for (int page = first_page; page < end_page;) {
    if (slot.is_there[static_cast<size_t>(page)]) {
      ++page;
      continue;
    }
    int end = page;
    while (end < end_page && !slot.is_there[static_cast<size_t>(end)]) slot.is_there[static_cast<size_t>(end++)] = true;
    if (!waits) wait_for_compute();
    waits = true;
    copy_pages(layer, page, end, cudaMemcpyHostToDevice);
    page = end;
  }
  if (!waits) return;
  device_.check(cudaEventRecord(slot.up, stream_), kDoing);
  slot.goes_up = true;
  if (!device_.ok()) slot.layer = -1;  // what did not come must not be taken for there
}

void HostKv::take_down(int layer, int first_page, int end_page) {
  Slot& slot = slot_of(layer);
  wait_for_compute();
  copy_pages(layer, first_page, end_page, cudaMemcpyDeviceToHost);
  for (int page = first_page; page < end_page; ++page) slot.is_there[static_cast<size_t>(page)] = true;
  device_.check(cudaEventRecord(slot.down, stream_), kDoing);
  slot.goes_down = true;
}

}  // namespace mneme::engine::cuda
