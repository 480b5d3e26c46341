#include "engine/backend/cuda/cuda_encoded_placer.h"

#include <cassert>
#include <numeric>
#include <string_view>
#include <utility>

#include "engine/backend/cuda/head_kernels.h"

namespace mneme::engine::cuda {
namespace {

constexpr std::string_view kDoing = "placing stored keys and values";

}  // namespace

CudaEncodedPlacer::~CudaEncodedPlacer() {
  decoder_.wait();
  decoder_.take_milliseconds();
}

bool CudaEncodedPlacer::takes(int layer, const KvCodec& codec) const {
  const KvShape& shape = codec.shape();
  return layer >= target_.first_layer && layer < shape.n_layers && shape.n_kv_heads == target_.shape.n_kv_heads &&
         shape.head_dim == target_.shape.head_dim && KvDecoder::known(codec) != nullptr;
}

bool CudaEncodedPlacer::make_flags() {
  if (damaged_.size() > 0) return device_.ok();
  const auto n_bytes = static_cast<size_t>(target_.max_tokens) * sizeof(int);
  if (!device_.grow(damaged_, n_bytes, "what is known of stored keys and values")) return false;
  device_.check(cudaMemsetAsync(damaged_.as(), 0, n_bytes, device_.copy_stream()), kDoing);
  return device_.ok();
}

void CudaEncodedPlacer::Batch::add(EncodedPiece piece, TokenPos first, size_t chunk) {
  n_tokens += piece.n_tokens;
  pieces.push_back(std::move(piece));
  firsts.push_back(first);
  chunks.push_back(chunk);
}

void CudaEncodedPlacer::Batch::clear() {
  n_tokens = 0;
  pieces.clear();
  firsts.clear();
  chunks.clear();
}

std::vector<int> CudaEncodedPlacer::Batch::positions() const {
  std::vector<int> all(static_cast<size_t>(n_tokens));
  auto next = all.begin();
  for (size_t p = 0; p < pieces.size(); ++p) {
    const auto end = next + pieces[p].n_tokens;
    std::iota(next, end, firsts[p]);
    next = end;
  }
  return all;
}

// Of a token's keys and values, decoded.
int64_t CudaEncodedPlacer::token_bytes() const {
  return int64_t{2} * target_.shape.kv_dim() * static_cast<int64_t>(sizeof(f16));
}

std::vector<Status> CudaEncodedPlacer::place(int layer, std::span<const EncodedChunk> chunks, const RopeConfig* rope) {
  std::vector<Status> statuses(chunks.size());
  if (!device_.begin() || !make_flags()) return statuses;
  Batch batch;
  const auto flush = [&] {
    place_batch(layer, batch, rope, statuses);
    batch.clear();
    ++batch.number;
  };
  for (size_t c = 0; c < chunks.size(); ++c) {
    const EncodedChunk& chunk = chunks[c];
    assert(chunk.first >= 0 && chunk.n_tokens > 0 && chunk.first + chunk.n_tokens <= target_.max_tokens);
    const TransformCodec& codec = *KvDecoder::known(*chunk.coded.codec);
    Result<TransformFrame> frame = KvDecoder::parse(codec, layer, chunk.n_tokens, chunk.coded.payload);
    if (!frame.ok()) {
      statuses[c] = frame.status();
      continue;
    }
    if (batch.n_tokens > 0 && (batch.n_tokens + chunk.n_tokens) * token_bytes() > target_.batch_bytes) flush();
    batch.add({&codec, layer, chunk.n_tokens, *std::move(frame), damaged_.as<int>() + chunk.first}, chunk.first, c);
  }
  if (batch.n_tokens > 0) flush();
  return statuses;
}

namespace {

// Of pieces that turned out corrupt when they were written; whether there are any, and others.
template <typename Batch>
bool leave_out_corrupt(Batch& batch, std::vector<Status>& statuses) {
  const Batch all = std::exchange(batch, {});
  batch.number = all.number;
  for (size_t p = 0; p < all.pieces.size(); ++p) {
    if (all.pieces[p].is_corrupt) {
      statuses[all.chunks[p]] = exceptions_out_of_place();
    } else {
      batch.add(all.pieces[p], all.firsts[p], all.chunks[p]);
    }
  }
  return batch.pieces.size() < all.pieces.size() && !batch.pieces.empty();
}

}  // namespace

SynthesisPlacing CudaEncodedPlacer::placing_of(int layer, const Batch& batch, const RopeConfig* rope) {
  BatchRows& rows = rows_of(batch.number, batch.positions());
  return {.kv = target_.view,
          .layer = layer - target_.first_layer,
          .positions = rows.on_device.as<int>(),
          .rotation = rope != nullptr ? rotation_of(rows, *rope) : RotationRef{}};
}

// Where pieces are corrupt the others are written again without them.
void CudaEncodedPlacer::place_batch(int layer, Batch& batch, const RopeConfig* rope, std::vector<Status>& statuses) {
  SynthesisPlacing placing = placing_of(layer, batch, rope);
  KvDecoder::Decoded decoded = decoder_.begin(batch.pieces, placing);
  if (decoded.keys == nullptr && leave_out_corrupt(batch, statuses)) {
    placing = placing_of(layer, batch, rope);
    decoded = decoder_.begin(batch.pieces, placing);
  }
  bytes_decoded_ += batch.n_tokens * token_bytes();
  if (decoded.keys == nullptr) return;
  if (!decoded.is_placed && device_.ok()) {
    const KvRange range{.layer = placing.layer, .first = 0, .n = batch.n_tokens, .positions = placing.positions};
    device_.check(place_kv(device_.stream(), placing.kv, range, decoded.keys, decoded.values, placing.rotation),
                  kDoing);
  }
  decoder_.end();
}

// Everything that reads them is on the compute stream, as is what writes them anew.
CudaEncodedPlacer::BatchRows& CudaEncodedPlacer::rows_of(size_t batch, std::vector<int> positions) {
  while (rows_.size() <= batch) rows_.push_back(std::make_unique<BatchRows>());
  BatchRows& rows = *rows_[batch];
  if (rows.positions == positions) return rows;
  rows.positions = std::move(positions);
  for (BatchRows::Angles& angles : rows.angles) angles.rope = nullptr;
  const auto bytes = std::as_bytes(std::span(rows.positions));
  if (device_.grow(rows.on_device, bytes.size(), "positions of stored keys"))
    device_.upload(bytes, rows.on_device.as(), device_.stream());
  return rows;
}

RotationRef CudaEncodedPlacer::rotation_of(BatchRows& rows, const RopeConfig& rope) {
  BatchRows::Angles* unused = nullptr;
  for (BatchRows::Angles& angles : rows.angles) {
    if (angles.rope == &rope) return angles.rotation;
    if (angles.rope == nullptr) unused = &angles;
  }
  BatchRows::Angles& angles = unused != nullptr ? *unused : rows.angles.emplace_back();
  angles.rotation = ropes_.of_positions(
      rope, {.positions = rows.on_device.as<int>(), .n_rows = static_cast<int>(rows.positions.size())}, angles.memory);
  angles.rope = &rope;
  return angles.rotation;
}

Result<DeviceDecoding> CudaEncodedPlacer::finish() {
  DeviceDecoding decoding;
  if (damaged_.size() == 0 || bytes_decoded_ == 0) return decoding;  // nothing was given to the decoder
  std::vector<int> damaged(static_cast<size_t>(target_.max_tokens));
  // The compute stream waits for every batch, and so does this.
  MNEME_RETURN_IF_ERROR(device_.download(damaged_.as(), std::as_writable_bytes(std::span(damaged)), kDoing));
  for (size_t position = 0; position < damaged.size(); ++position)
    if (damaged[position] != 0) decoding.damaged.push_back(static_cast<TokenPos>(position));
  if (!decoding.damaged.empty()) damaged_ = DeviceBuffer();  // nothing uses it any more
  decoding.decode_ms = decoder_.take_milliseconds();
  decoding.bytes_decoded = std::exchange(bytes_decoded_, 0);
  return decoding;
}

}  // namespace mneme::engine::cuda
