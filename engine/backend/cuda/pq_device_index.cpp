#include "engine/backend/cuda/pq_device_index.h"

#include <algorithm>

#include "engine/pq/key_parts.h"
#include "engine/pq/kmeans.h"

namespace mneme::engine::cuda {
namespace {

constexpr int kMinTrainingKeys = 4096;
constexpr int kMaxTrainingKeys = 16384;
constexpr int kGroup = 16;  // keys that get codes together
constexpr int kGrowthToRetrain = 4;
constexpr int kIterations = 16;  // of k-means, by default: they cost a GPU a few milliseconds
// Values of so few more keys do not move the means: they wait for others.
constexpr int kFewValues = 256;
constexpr int kFewValuesPart = 16;  // likewise, as a part of those that are summed
constexpr int kFewPoints = 512;     // coded at once while decoding
constexpr int kManyPoints = 16384;  // and where a codebook is new
constexpr int64_t kAlignment = 256;
constexpr std::string_view kDoing = "clustering keys";

int64_t aligned(int64_t n_bytes) {
  return (n_bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Pieces of one block of memory, one after the other; without a block, only their sizes.
class Pieces {
 public:
  explicit Pieces(std::byte* base) : base_(base) {}
  template <typename T>
  T* take(int64_t n) {
    T* piece = base_ == nullptr ? nullptr : reinterpret_cast<T*>(base_ + used_);
    used_ += aligned(n * static_cast<int64_t>(sizeof(T)));
    return piece;
  }
  int64_t used() const { return used_; }

 private:
  std::byte* base_;
  int64_t used_ = 0;
};

// A layer's arrays in its piece of memory; gives how long that is.
int64_t lay_out(std::byte* base, PqLayerView& view) {
  Pieces pieces(base);
  const int64_t heads = view.n_kv_heads;
  const int64_t of_codes = heads * kKeyParts * kKeyCodes;
  view.codes = pieces.take<uint8_t>(heads * kKeyParts * view.code_stride);
  view.centroids = pieces.take<int8_t>(heads * view.head_dim * kKeyCodes);
  view.scales = pieces.take<float>(heads * view.head_dim);
  view.spreads = pieces.take<float>(heads * view.head_dim);
  view.spread_of = pieces.take<float>(of_codes);
  view.cell_counts = pieces.take<int>(heads * kCells);
  view.counted = pieces.take<CountedCells>(heads);
  view.value_sums = pieces.take<float>(of_codes * view.head_dim);
  view.value_counts = pieces.take<int>(of_codes);
  return pieces.used();
}

}  // namespace

PqDeviceIndex::PqDeviceIndex(Device& device, const RetrievalOptions& options, const KvCacheOptions& kv,
                             const ModelConfig& config)
    : device_(device),
      options_(options),
      kv_(kv),
      iterations_(options.iterations > 0 ? options.iterations : kIterations),
      code_stride_((int64_t{kv.max_tokens} + kKeyCodes - 1) / kKeyCodes * kKeyCodes),
      layers_(static_cast<size_t>(kv.n_layers)) {
  PqLayerView sizes;
  sizes.n_kv_heads = kv.n_kv_heads;
  sizes.head_dim = kv.head_dim;
  sizes.code_stride = code_stride_;
  layer_bytes_ = lay_out(nullptr, sizes);
  int n_retrieving = 0;
  for (int layer = 0; layer < kv.n_layers; ++layer) {
    const LayerConfig& of_layer = config.layers[static_cast<size_t>(layer)];
    if (of_layer.sliding_window == 0) at(layer).place = n_retrieving++;
    const bool rotates = of_layer.uses_rope && !config.ropes.empty();
    const RopeConfig* rope = rotates ? &config.ropes[static_cast<size_t>(of_layer.rope_index)] : nullptr;
    const std::vector<int> order = make_key_parts(kv.head_dim, kKeyParts, rope).order;
    orders_.insert(orders_.end(), order.begin(), order.end());
  }
}

bool PqDeviceIndex::open() {
  if (memory_.size() > 0) return device_.ok();
  int64_t n_retrieving = 0;
  for (const Layer& layer : layers_) n_retrieving += layer.place >= 0 ? 1 : 0;
  const auto orders = std::as_bytes(std::span(orders_));
  if (!device_.grow(device_orders_, orders.size(), "the order of keys' dimensions") ||
      !device_.grow(memory_, static_cast<size_t>(n_retrieving * layer_bytes_), "codes of keys"))
    return false;
  device_.upload(orders, device_orders_.as(), device_.stream());
  return device_.ok();
}

PqLayerView PqDeviceIndex::view(int layer) const {
  PqLayerView view;
  view.n_kv_heads = kv_.n_kv_heads;
  view.head_dim = kv_.head_dim;
  view.n_clusters = at(layer).n_clusters;
  view.code_stride = code_stride_;
  view.order = device_orders_.as<int>() + int64_t{layer} * kv_.head_dim;
  lay_out(memory_.as() + at(layer).place * layer_bytes_, view);
  return view;
}

PqDeviceIndex::Scratch PqDeviceIndex::scratch(int n_points) {
  const int64_t heads = kv_.n_kv_heads;
  const int64_t sums = n_slices(n_points) * heads * kKeyParts * kKeyCodes;
  const auto lay = [&](std::byte* base, Scratch& out) {
    Pieces pieces(base);
    out.points = pieces.take<float>(heads * n_points * kv_.head_dim);
    out.codes = pieces.take<uint8_t>(heads * kKeyParts * n_points);
    out.centroids = pieces.take<float>(heads * kv_.head_dim * kKeyCodes);
    out.chosen = pieces.take<int>(int64_t{kKeyParts} * kKeyCodes);
    out.sums.sums = pieces.take<float>(sums * kv_.head_dim);
    out.sums.counts = pieces.take<int>(sums);
    return pieces.used();
  };
  Scratch out;
  const int64_t n_bytes = lay(nullptr, out);
  if (device_.grow(scratch_, static_cast<size_t>(n_bytes), "clustering keys")) lay(scratch_.as(), out);
  return out;
}

PqPoints PqDeviceIndex::points_of(const Scratch& scratch, int n) const {
  return {.n_kv_heads = kv_.n_kv_heads,
          .head_dim = kv_.head_dim,
          .n = n,
          .data = scratch.points,
          .codes = scratch.codes,
          .code_stride = n,
          .first = 0};
}

bool PqDeviceIndex::trains_at(int layer, int n_tokens) const {
  const Layer& own = at(layer);
  const int n = n_tokens / kGroup * kGroup;
  return own.place >= 0 && n > options_.n_sinks && (own.n_trained == 0 || n >= own.n_trained * kGrowthToRetrain);
}

bool PqDeviceIndex::update(const KvView& kv, int layer, int n_tokens) {
  Layer& own = at(layer);
  const int n = n_tokens / kGroup * kGroup;
  if (n <= options_.n_sinks || own.place < 0 || !device_.begin() || !open()) return false;
  const bool trains = trains_at(layer, n_tokens);
  if (trains) train(kv, layer, n);
  const int at_once = trains ? kManyPoints : kFewPoints;
  encode(kv, layer, n, at_once);
  if (options_.tail) sum_values(kv, layer, at_once);
  // What did not come to be must not be taken for known.
  if (!device_.ok()) own.start_anew();
  return trains;
}

void PqDeviceIndex::train(const KvView& kv, int layer, int n_tokens) {
  // Sinks are attended to anyway, and are unlike other keys.
  const int available = n_tokens - options_.n_sinks;
  const int wanted = options_.training_keys > 0 ? options_.training_keys
                                                : std::clamp(available / 4, kMinTrainingKeys, kMaxTrainingKeys);
  const int step = std::max(1, (available + wanted - 1) / wanted);
  const int n = (available + step - 1) / step;
  Layer& own = at(layer);
  own.start_anew();
  own.n_clusters = std::min(1 << options_.n_bits, n);
  own.n_trained = n_tokens;
  const Scratch room = scratch(std::max(n, kManyPoints < n_tokens ? kManyPoints : n_tokens));
  if (!device_.ok()) return;
  const PqLayerView index = view(layer);
  const cudaStream_t stream = device_.stream();
  const PqPoints points = points_of(room, n);
  const size_t n_bytes = static_cast<size_t>(kv_.n_kv_heads) * sizeof(CountedCells);
  device_.check(cudaMemsetAsync(index.counted, 0, n_bytes, stream), kDoing);
  device_.check(gather_tokens(stream, kv, {layer, options_.n_sinks, n, step}, false, index.order, room.points), kDoing);
  cluster(room, points, own.n_clusters);
  const Centroids rounded{.bytes = index.centroids, .scales = index.scales, .n_clusters = own.n_clusters};
  CodeSums squares = room.sums;
  squares.around = rounded;
  device_.check(round_centroids(stream, room.centroids, index), kDoing);
  device_.check(find_nearest(stream, points, rounded), kDoing);
  device_.check(sum_by_code(stream, points, squares), kDoing);
  device_.check(measure_spread(stream, squares, n, index), kDoing);
}

void PqDeviceIndex::cluster(const Scratch& room, const PqPoints& points, int n_clusters) {
  std::vector<int> chosen;
  for (int part = 0; part < kKeyParts; ++part) {
    const std::vector<int> of_part = sampled_points(points.n, n_clusters, options_.seed + static_cast<uint64_t>(part));
    chosen.insert(chosen.end(), of_part.begin(), of_part.end());
  }
  const cudaStream_t stream = device_.stream();
  device_.upload(std::as_bytes(std::span(chosen)), reinterpret_cast<std::byte*>(room.chosen), stream);
  device_.check(start_centroids(stream, points, room.chosen, n_clusters, room.centroids), kDoing);
  for (int i = 0; i < iterations_; ++i) {
    device_.check(find_nearest(stream, points, {.floats = room.centroids, .n_clusters = n_clusters}), kDoing);
    device_.check(sum_by_code(stream, points, room.sums), kDoing);
    device_.check(move_centroids(stream, points, room.sums, n_clusters, room.centroids), kDoing);
  }
}

void PqDeviceIndex::encode(const KvView& kv, int layer, int n_tokens, int at_once) {
  Layer& own = at(layer);
  const PqLayerView index = view(layer);
  while (own.n_coded < n_tokens) {
    const int n = std::min(at_once, n_tokens - own.n_coded);
    const Scratch room = scratch(n);
    if (!device_.ok()) return;
    PqPoints points = points_of(room, n);
    points.codes = index.codes;
    points.code_stride = code_stride_;
    points.first = own.n_coded;
    device_.check(gather_tokens(device_.stream(), kv, {layer, own.n_coded, n, 1}, false, index.order, room.points),
                  kDoing);
    device_.check(find_nearest(device_.stream(), points,
                               {.bytes = index.centroids, .scales = index.scales, .n_clusters = own.n_clusters}),
                  kDoing);
    own.n_coded += n;
  }
}

void PqDeviceIndex::sum_values(const KvView& kv, int layer, int at_once) {
  Layer& own = at(layer);
  const int first = std::max(own.n_valued, options_.n_sinks);
  const bool waits =
      own.n_valued > 0 && own.n_coded - own.n_valued < std::max(kFewValues, own.n_valued / kFewValuesPart);
  if (waits || own.n_coded <= first) return;
  const PqLayerView index = view(layer);
  for (int begin = first; begin < own.n_coded;) {
    const int n = std::min(at_once, own.n_coded - begin);
    const Scratch room = scratch(n);
    if (!device_.ok()) return;
    PqPoints points = points_of(room, n);
    points.codes = index.codes;
    points.code_stride = code_stride_;
    points.first = begin;
    CodeSums sums = room.sums;
    sums.own_places = false;
    device_.check(gather_tokens(device_.stream(), kv, {layer, begin, n, 1}, true, nullptr, room.points), kDoing);
    device_.check(sum_by_code(device_.stream(), points, sums), kDoing);
    device_.check(add_value_sums(device_.stream(), sums, n, own.n_valued == 0, index), kDoing);
    begin += n;
    own.n_valued = begin;
  }
}

void PqDeviceIndex::end_training() {
  cudaStreamSynchronize(device_.stream());  // its next owner may be on another stream
  scratch_ = DeviceBuffer();
}

void PqDeviceIndex::forget(int n_tokens) {
  for (Layer& layer : layers_) {
    // A codebook of keys that are mostly gone may fit the new ones badly.
    if (n_tokens < layer.n_trained / 2) layer.start_anew();
    const int n_left = std::min(layer.n_coded, n_tokens / kGroup * kGroup);
    if (n_left < layer.counted_end) {
      ++layer.edition;
      layer.counted_end = 0;
    }
    layer.n_coded = n_left;
    // Values that are gone cannot be taken back: all are summed anew.
    if (layer.n_valued > n_left) layer.n_valued = 0;
  }
}

}  // namespace mneme::engine::cuda
