#include "engine/backend/cuda/kv_decoder.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/backend/cuda/codec_rans.h"
#include "engine/backend/cuda/codec_synthesis.h"
#include "engine/codec/kv_profile.h"

namespace mneme::engine::cuda {
namespace {

constexpr std::string_view kDoing = "decoding stored keys and values";

}  // namespace

// A batch takes up to 30 MB: of each GiB one.
KvDecoder::KvDecoder(Device& device, const Ways& ways)
    : device_(device),
      n_slots_(std::clamp(static_cast<size_t>(device.info().memory_bytes >> 30), kFewestBatches, kMostBatches)),
      ways_(ways) {}

KvDecoder::~KvDecoder() {
  wait();
  for (Slot& slot : slots_) {
    if (slot.stream != nullptr) cudaStreamDestroy(slot.stream);
    for (const cudaEvent_t event : {slot.copied, slot.has_symbols, slot.done})
      if (event != nullptr) cudaEventDestroy(event);
  }
}

void KvDecoder::wait() {
  device_.settle();
  cudaStreamSynchronize(device_.copy_stream());
  for (const Slot& slot : slots_)
    if (slot.stream != nullptr) cudaStreamSynchronize(slot.stream);
  cudaStreamSynchronize(device_.stream());
}

const TransformCodec* KvDecoder::known(const KvCodec& codec) {
  const auto* transform = dynamic_cast<const TransformCodec*>(&codec);
  if (transform == nullptr) return nullptr;
  const int group_dim = transform->profile()->group_dim;
  const bool fits = group_dim <= kSynthesisChannels && group_dim == kv_group_dim(transform->shape().kv_dim());
  return fits ? transform : nullptr;
}

Result<TransformFrame> KvDecoder::parse(const TransformCodec& codec, int layer, int n_tokens, ByteSpan payload) {
  MNEME_ASSIGN_OR_RETURN(TransformFrame frame, frame_transform_payload(payload, n_tokens, codec.plan(layer).row));
  for (const ByteSpan stream : frame.streams) {
    if (stream.size() < kRansStateBytes || (stream.size() - kRansStateBytes) % sizeof(uint16_t) != 0)
      return corruption("an encoded KV layer is damaged");
  }
  return frame;
}

// Ahead of the computation: few and long-running blocks, which should not wait for the last of its many.
bool KvDecoder::open(Slot& slot) {
  if (slot.stream == nullptr) {
    int least = 0;
    int greatest = 0;
    device_.check(cudaDeviceGetStreamPriorityRange(&least, &greatest), kDoing);
    device_.check(cudaStreamCreateWithPriority(&slot.stream, cudaStreamNonBlocking, greatest), kDoing);
  }
  for (cudaEvent_t* event : {&slot.copied, &slot.has_symbols, &slot.done})
    if (*event == nullptr) device_.check(cudaEventCreateWithFlags(event, cudaEventDisableTiming), kDoing);
  return device_.ok();
}

bool KvDecoder::make_room(Slot& slot, const BatchSizes& sizes) {
  const std::pair<DeviceBuffer*, size_t> buffers[] = {
      {&slot.uploaded, sizes.uploaded_bytes()}, {&slot.symbols, sizes.symbol_bytes}, {&decoded_, 2 * sizes.part_bytes}};
  const bool fits = slot.host.size() >= sizes.uploaded_bytes() &&
                    std::all_of(std::begin(buffers), std::end(buffers),
                                [](const auto& buffer) { return buffer.first->size() >= buffer.second; });
  if (fits) return true;
  wait();
  // Layers differ a little, and every growth waits for all that is under way.
  const auto with_reserve = [](size_t n_bytes) { return n_bytes + n_bytes / 4; };
  for (const auto& [buffer, n_bytes] : buffers) {
    if (buffer->size() >= n_bytes) continue;
    if (!device_.grow(*buffer, with_reserve(n_bytes), "keys and values on their way")) return false;
  }
  if (slot.host.size() < sizes.uploaded_bytes() && !slot.host.resize(with_reserve(sizes.uploaded_bytes())))
    device_.check(cudaErrorMemoryAllocation, kDoing);
  return device_.ok();
}

// Between batches: one under way reads its tables.
void KvDecoder::bound_tables() {
  constexpr size_t kMostTables = 6;  // levels of a calibration, and of the one it took the place of
  if (tables_.size() <= kMostTables) return;
  wait();
  tables_.clear();
}

const CodecTables* KvDecoder::tables_of(const TransformCodec& codec) {
  for (const auto& tables : tables_)
    if (tables->is_of(codec)) return tables.get();
  auto made = CodecTables::make(device_, codec);
  if (!made.ok()) {
    device_.fail(made.status());
    return nullptr;
  }
  return tables_.emplace_back(std::move(*made)).get();
}

bool KvDecoder::find_tables(std::span<const EncodedPiece> pieces) {
  bound_tables();
  tables_of_pieces_.clear();
  for (const EncodedPiece& piece : pieces) {
    const CodecTables* const tables = tables_of(*piece.codec);
    if (tables == nullptr) return false;
    tables_of_pieces_.push_back(tables);
  }
  return true;
}

cudaError_t KvDecoder::decode_symbols(const BatchJobs& jobs, cudaStream_t stream) {
  const bool is_new = device_.info().major >= 8;
  if (most_tables_ < 0) most_tables_ = ways_.resident_tables && is_new ? most_resident_rans_tables() : 0;
  if (jobs.n_tables <= most_tables_)
    return decode_rans_resident(stream, jobs.rans, jobs.blocks, jobs.n_blocks, jobs.n_tables);
  return decode_rans(stream, jobs.rans, jobs.n_streams, is_new);
}

void KvDecoder::enqueue(const BatchJobs& jobs, const SynthesisShape& shape, const SynthesisPlacing* placing,
                        const Slot& slot) {
  const auto check = [&](cudaError_t error) { device_.check(error, kDoing); };
  const cudaStream_t copying = device_.copy_stream();
  const cudaStream_t computing = device_.stream();
  check(times_.begin_batch(batch_));
  if (!device_.ok()) return;
  // The memory that the copy fills was read by the batch before this one in the same slot.
  check(cudaStreamWaitEvent(copying, slot.done, 0));
  check(times_.begin(batch_, DecodeTimes::kCopying, copying));
  check(cudaMemcpyAsync(slot.uploaded.as(), slot.host.data(), jobs.n_bytes, cudaMemcpyHostToDevice, copying));
  check(times_.end(batch_, DecodeTimes::kCopying, copying));
  check(cudaEventRecord(slot.copied, copying));

  check(cudaStreamWaitEvent(slot.stream, slot.copied, 0));
  check(times_.begin(batch_, DecodeTimes::kEntropy, slot.stream));
  check(decode_symbols(jobs, slot.stream));
  check(times_.end(batch_, DecodeTimes::kEntropy, slot.stream));
  check(cudaEventRecord(slot.has_symbols, slot.stream));

  check(cudaStreamWaitEvent(computing, slot.has_symbols, 0));
  check(times_.begin(batch_, DecodeTimes::kSynthesis, computing));
  check(placing != nullptr
            ? synthesise_and_place_kv(computing, shape, jobs.synthesis, jobs.tiles, jobs.n_tiles, *placing)
            : synthesise_kv(computing, shape, jobs.synthesis, jobs.tiles, jobs.n_tiles));
  check(times_.end(batch_, DecodeTimes::kSynthesis, computing));
  check(cudaEventRecord(slot.done, computing));
  check(times_.begin(batch_, DecodeTimes::kPlacing, computing));
}

KvDecoder::Decoded KvDecoder::begin(std::span<EncodedPiece> pieces, const SynthesisPlacing& placing) {
  if (pieces.empty() || !device_.begin()) return {};
  current_ = (current_ + 1) % n_slots_;
  Slot& slot = slots_[current_];
  const BatchSizes sizes = batch_sizes(pieces);
  if (!open(slot) || !make_room(slot, sizes)) return {};
  device_.check(cudaEventSynchronize(slot.copied), kDoing);
  if (!device_.ok() || !find_tables(pieces)) return {};
  auto* const keys = decoded_.as<f16>();
  auto* const values = reinterpret_cast<f16*>(decoded_.as() + sizes.part_bytes);
  const auto jobs = writer_.write(pieces, tables_of_pieces_, sizes,
                                  {slot.host.data(), slot.uploaded.as(), slot.symbols.as<uint8_t>(), keys, values});
  if (!jobs) return {};
  const TransformCodec& codec = *pieces.front().codec;
  const SynthesisShape shape{static_cast<int>(codec.plan(0).groups.size()), codec.profile()->group_dim,
                             codec.shape().kv_dim(), device_.info().major >= 8};
  const bool places = ways_.places_within && synthesis_places(shape, placing);
  enqueue(*jobs, shape, places ? &placing : nullptr, slot);
  if (!device_.ok()) return {};
  return {keys, values, places};
}

void KvDecoder::end() {
  device_.check(times_.end(batch_, DecodeTimes::kPlacing, device_.stream()), kDoing);
}

}  // namespace mneme::engine::cuda
