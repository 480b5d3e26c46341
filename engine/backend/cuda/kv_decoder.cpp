#include "engine/backend/cuda/kv_decoder.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "engine/backend/cuda/codec_rans.h"
#include "engine/backend/cuda/codec_synthesis.h"
#include "engine/backend/cuda/twin_memory.h"
#include "engine/codec/kv_profile.h"

namespace mneme::engine::cuda {
namespace {

constexpr std::string_view kDoing = "decoding stored keys and values";
constexpr size_t kStateBytes = kRansLanes * sizeof(uint32_t);

TransformStream stream_of(const EncodedPiece& piece, size_t stream) {
  return transform_stream_at(piece.n_tokens, static_cast<int>(piece.payload.streams.size()), static_cast<int>(stream),
                             piece.codec->plan(piece.layer).row);
}

size_t n_tiles(int n_tokens) {
  return static_cast<size_t>((n_tokens + kSynthesisTokens - 1) / kSynthesisTokens);
}

// The exceptions of one stream, which come component by component and so group by group, as the kernel takes them.
// begin: (n_groups + 1), counted from `first`. Returns how many there are.
size_t write_repairs(const TransformPlan& plan, const TransformStream& stream,
                     std::span<const TransformException> exceptions, size_t first, uint32_t* begin,
                     ComponentRepair* repairs) {
  const size_t end_symbol = stream.first_symbol + static_cast<size_t>(stream.n_tokens) * static_cast<size_t>(plan.row);
  const auto n_tokens = static_cast<uint32_t>(stream.n_tokens);
  size_t n = 0;
  for (size_t g = 0; g < plan.groups.size(); ++g) {
    const CodedGroup& group = plan.groups[g];
    begin[g] = static_cast<uint32_t>(first + n);
    for (; n < exceptions.size() && exceptions[n].index < end_symbol; ++n) {
      const auto local = static_cast<uint32_t>(exceptions[n].index - stream.first_symbol);
      const auto place = static_cast<int>(local / n_tokens);
      if (place >= group.first + group.count) break;
      repairs[n] = {static_cast<int>(local % n_tokens), static_cast<int16_t>(place - group.first), exceptions[n].value};
    }
  }
  begin[plan.groups.size()] = static_cast<uint32_t>(first + n);
  return n;
}

}  // namespace

// What a batch takes.
struct KvDecoder::Sizes {
  size_t n_streams = 0;
  size_t n_tiles = 0;
  size_t n_begins = 0;
  size_t n_repairs = 0;
  size_t stream_bytes = 0;
  size_t symbol_bytes = 0;
  size_t part_bytes = 0;  // of decoded keys, or values

  size_t uploaded_bytes() const {
    return TwinMemory::bytes_of<RansJob>(n_streams) + TwinMemory::bytes_of<SynthesisJob>(n_streams) +
           TwinMemory::bytes_of<SynthesisTile>(n_tiles) + TwinMemory::bytes_of<uint32_t>(n_begins) +
           TwinMemory::bytes_of<ComponentRepair>(n_repairs) + stream_bytes;
  }
};

// A batch as it was written, by its addresses on the device.
struct KvDecoder::Jobs {
  const RansJob* rans = nullptr;
  const SynthesisJob* synthesis = nullptr;
  const SynthesisTile* tiles = nullptr;
  int n_streams = 0;
  int n_tiles = 0;
  SynthesisShape shape;
  size_t n_bytes = 0;
};

// A batch takes up to 30 MB: of each GiB one.
KvDecoder::KvDecoder(Device& device)
    : device_(device),
      n_slots_(std::clamp(static_cast<size_t>(device.info().memory_bytes >> 30), kFewestBatches, kMostBatches)) {}

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

Result<TransformPayload> KvDecoder::parse(const TransformCodec& codec, int layer, int n_tokens, ByteSpan payload) {
  MNEME_ASSIGN_OR_RETURN(TransformPayload parsed, parse_transform_payload(payload, n_tokens, codec.plan(layer).row));
  for (const ByteSpan stream : parsed.streams) {
    if (stream.size() < kStateBytes || (stream.size() - kStateBytes) % sizeof(uint16_t) != 0)
      return corruption("an encoded KV layer is damaged");
  }
  return parsed;
}

KvDecoder::Sizes KvDecoder::sizes_of(std::span<const EncodedPiece> pieces) {
  Sizes sizes;
  size_t n_tokens = 0;
  for (const EncodedPiece& piece : pieces) {
    const TransformPlan& plan = piece.codec->plan(piece.layer);
    const size_t n_streams = piece.payload.streams.size();
    sizes.n_streams += n_streams;
    sizes.n_begins += n_streams * (plan.groups.size() + 1);
    sizes.n_repairs += piece.payload.exceptions.size();
    n_tokens += static_cast<size_t>(piece.n_tokens);
    for (size_t s = 0; s < n_streams; ++s) {
      const int n = stream_of(piece, s).n_tokens;
      sizes.n_tiles += n_tiles(n);
      sizes.symbol_bytes += TwinMemory::bytes_of<uint8_t>(plan.symbols(n));
      sizes.stream_bytes += TwinMemory::bytes_of<std::byte>(piece.payload.streams[s].size());
    }
  }
  sizes.part_bytes = TwinMemory::bytes_of<f16>(n_tokens * static_cast<size_t>(pieces.front().codec->shape().kv_dim()));
  return sizes;
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

bool KvDecoder::make_room(Slot& slot, const Sizes& sizes) {
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

KvDecoder::Jobs KvDecoder::write(std::span<const EncodedPiece> pieces, const Sizes& sizes, const Slot& slot) {
  TwinMemory memory(slot.host.data(), slot.uploaded.as());
  const auto rans = memory.take<RansJob>(sizes.n_streams);
  const auto synthesis = memory.take<SynthesisJob>(sizes.n_streams);
  const auto tiles = memory.take<SynthesisTile>(sizes.n_tiles);
  const auto begins = memory.take<uint32_t>(sizes.n_begins);
  const auto repairs = memory.take<ComponentRepair>(sizes.n_repairs);
  auto* symbols = slot.symbols.as<uint8_t>();
  const int kv_dim = pieces.front().codec->shape().kv_dim();
  auto* keys = decoded_.as<f16>();
  auto* values = reinterpret_cast<f16*>(decoded_.as() + sizes.part_bytes);
  copies_.clear();
  size_t job = 0;
  size_t tile = 0;
  size_t n_begins = 0;
  size_t n_repairs = 0;
  for (const EncodedPiece& piece : pieces) {
    const TransformPlan& plan = piece.codec->plan(piece.layer);
    const CodecTables* const tables = tables_of(*piece.codec);
    if (tables == nullptr) return {};
    const CodecTables::Layer& layer = tables->layer(piece.layer);
    std::span<const TransformException> exceptions(piece.payload.exceptions);
    for (size_t s = 0; s < piece.payload.streams.size(); ++s, ++job) {
      const TransformStream stream = stream_of(piece, s);
      const ByteSpan bytes = piece.payload.streams[s];
      const auto words = memory.take<std::byte>(bytes.size());
      copies_.push_back({bytes, words.host});
      const size_t n_symbols = plan.symbols(stream.n_tokens);
      uint8_t* const own_symbols = std::exchange(symbols, symbols + TwinMemory::bytes_of<uint8_t>(n_symbols));
      rans.host[job] = {.entries = tables->entries(),
                        .tables = layer.tables,
                        .stream = reinterpret_cast<const uint32_t*>(words.device),
                        .symbols = own_symbols,
                        .damaged = piece.damaged,
                        .n_words = static_cast<uint32_t>((bytes.size() - kStateBytes) / sizeof(uint16_t)),
                        .n_steps = static_cast<uint32_t>(n_symbols / kRansLanes),
                        .n_tables = static_cast<uint32_t>(plan.row),
                        .run = static_cast<uint32_t>(stream.n_tokens),
                        .packed = tables->packed()};
      synthesis.host[job] = {.symbols = own_symbols,
                             .groups = layer.groups,
                             .reach = layer.reach,
                             .shrink = layer.shrink,
                             .repairs = repairs.device,
                             .repairs_begin = begins.device + n_begins,
                             .damaged = piece.damaged,
                             .keys = keys,
                             .values = values,
                             .n_tokens = stream.n_tokens,
                             .step_scale = piece.payload.step_scale};
      const size_t n =
          write_repairs(plan, stream, exceptions, n_repairs, begins.host + n_begins, repairs.host + n_repairs);
      exceptions = exceptions.subspan(n);
      n_repairs += n;
      n_begins += plan.groups.size() + 1;
      for (int token = 0; token < stream.n_tokens; token += kSynthesisTokens)
        tiles.host[tile++] = {static_cast<int>(job), token};
      keys += static_cast<size_t>(stream.n_tokens) * static_cast<size_t>(kv_dim);
      values += static_cast<size_t>(stream.n_tokens) * static_cast<size_t>(kv_dim);
    }
  }
  const SynthesisShape shape{static_cast<int>(pieces.front().codec->plan(0).groups.size()),
                             pieces.front().codec->profile()->group_dim, kv_dim, device_.info().major >= 8};
  return {rans.device, synthesis.device, tiles.device, static_cast<int>(job), static_cast<int>(tile),
          shape,       memory.used()};
}

// One processor copies a few GB/s, which would be slower than the device decodes.
void KvDecoder::run_copies() {
  constexpr size_t kLarge = size_t{512} << 10;
  constexpr int kCopiers = 8;
  const auto run = [&](int /*worker*/, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) std::memcpy(copies_[i].to, copies_[i].from.data(), copies_[i].from.size());
  };
  size_t n_bytes = 0;
  for (const Copy& copy : copies_) n_bytes += copy.from.size();
  if (n_bytes < kLarge) return run(0, 0, copies_.size());
  if (copiers_ == nullptr)
    copiers_ = std::make_unique<ThreadPool>(std::clamp(ThreadPool::physical_cores(), 1, kCopiers));
  copiers_->parallel_for(copies_.size(), 1, run);
}

void KvDecoder::enqueue(const Jobs& jobs, const Slot& slot) {
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
  check(decode_rans(slot.stream, jobs.rans, jobs.n_streams, device_.info().major >= 8));
  check(times_.end(batch_, DecodeTimes::kEntropy, slot.stream));
  check(cudaEventRecord(slot.has_symbols, slot.stream));

  check(cudaStreamWaitEvent(computing, slot.has_symbols, 0));
  check(times_.begin(batch_, DecodeTimes::kSynthesis, computing));
  check(synthesise_kv(computing, jobs.shape, jobs.synthesis, jobs.tiles, jobs.n_tiles));
  check(times_.end(batch_, DecodeTimes::kSynthesis, computing));
  check(cudaEventRecord(slot.done, computing));
  check(times_.begin(batch_, DecodeTimes::kPlacing, computing));
}

KvDecoder::Decoded KvDecoder::begin(std::span<const EncodedPiece> pieces) {
  if (pieces.empty() || !device_.begin()) return {};
  current_ = (current_ + 1) % n_slots_;
  Slot& slot = slots_[current_];
  const Sizes sizes = sizes_of(pieces);
  if (!open(slot) || !make_room(slot, sizes)) return {};
  device_.check(cudaEventSynchronize(slot.copied), kDoing);
  if (!device_.ok()) return {};
  bound_tables();
  const Jobs jobs = write(pieces, sizes, slot);
  if (!device_.ok()) return {};
  run_copies();
  enqueue(jobs, slot);
  if (!device_.ok()) return {};
  return {decoded_.as<f16>(), reinterpret_cast<const f16*>(decoded_.as() + sizes.part_bytes)};
}

void KvDecoder::end() {
  device_.check(times_.end(batch_, DecodeTimes::kPlacing, device_.stream()), kDoing);
}

}  // namespace mneme::engine::cuda
