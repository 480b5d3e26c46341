#include "engine/backend/cuda/kv_batch.h"

#include <algorithm>

#include "base/streamed_copy.h"

namespace mneme::engine::cuda {
namespace {

TransformStream stream_of(const EncodedPiece& piece, size_t stream) {
  return transform_stream_at(piece.n_tokens, static_cast<int>(piece.frame.streams.size()), static_cast<int>(stream),
                             piece.codec->plan(piece.layer).row);
}

size_t n_tiles(int n_tokens) {
  return static_cast<size_t>((n_tokens + kSynthesisTokens - 1) / kSynthesisTokens);
}

// Writes what describes a batch's streams, one behind the other, and notes what is left to be done for each.
class Layout {
 public:
  Layout(const BatchSizes& sizes, const BatchMemory& to, std::vector<StreamTask>& tasks)
      : memory_(to.host, to.uploaded),
        rans_(memory_.take<RansJob>(sizes.n_streams)),
        blocks_(memory_.take<RansBlock>(sizes.n_blocks)),
        synthesis_(memory_.take<SynthesisJob>(sizes.n_streams)),
        tiles_(memory_.take<SynthesisTile>(sizes.n_tiles)),
        begins_(memory_.take<uint32_t>(sizes.n_begins)),
        repairs_(memory_.take<ComponentRepair>(sizes.n_repairs)),
        next_(to),
        tasks_(tasks) {
    written_.rans = rans_.device;
    written_.blocks = blocks_.device;
    written_.synthesis = synthesis_.device;
    written_.tiles = tiles_.device;
  }

  void add(size_t number, const EncodedPiece& piece, const CodecTables& tables) {
    for (size_t s = 0; s < piece.frame.streams.size(); ++s) add_stream(number, piece, tables, s);
    n_repairs_ += piece.frame.n_exceptions();
  }
  BatchJobs jobs() const {
    BatchJobs jobs = written_;
    jobs.n_streams = static_cast<int>(n_jobs_);
    jobs.n_tiles = static_cast<int>(n_tiles_);
    jobs.n_bytes = memory_.used();
    return jobs;
  }

 private:
  void add_stream(size_t number, const EncodedPiece& piece, const CodecTables& tables, size_t s) {
    const TransformPlan& plan = piece.codec->plan(piece.layer);
    const TransformStream stream = stream_of(piece, s);
    const ByteSpan bytes = piece.frame.streams[s];
    const auto words = memory_.take<std::byte>(bytes.size());
    tasks_.push_back({.piece = number,
                      .bytes = bytes,
                      .to = words.host,
                      .plan = &plan,
                      .exceptions = {piece.frame.exceptions, stream, s == 0, s + 1 == piece.frame.streams.size()},
                      .first_repair = n_repairs_,
                      .begins = begins_.host + n_begins_,
                      .repairs = repairs_.host + n_repairs_});
    const size_t n_symbols = plan.symbols(stream.n_tokens);
    const CodecTables::Layer& layer = tables.layer(piece.layer);
    rans_.host[n_jobs_] = {.entries = tables.entries(),
                           .tables = layer.tables,
                           .stream = reinterpret_cast<const uint32_t*>(words.device),
                           .symbols = next_.symbols,
                           .damaged = piece.damaged,
                           .n_words = static_cast<uint32_t>((bytes.size() - kRansStateBytes) / sizeof(uint16_t)),
                           .n_steps = static_cast<uint32_t>(n_symbols / kRansLanes),
                           .n_tables = static_cast<uint32_t>(plan.row),
                           .run = static_cast<uint32_t>(stream.n_tokens),
                           .packed = tables.packed(),
                           .stretches = layer.stretches};
    add_to_blocks(tables);
    synthesis_.host[n_jobs_] = {.symbols = next_.symbols,
                                .groups = layer.groups,
                                .reach = layer.reach,
                                .shrink = layer.shrink,
                                .repairs = repairs_.device,
                                .repairs_begin = begins_.device + n_begins_,
                                .damaged = piece.damaged,
                                .keys = next_.keys,
                                .values = next_.values,
                                .n_tokens = stream.n_tokens,
                                .step_scale = piece.frame.step_scale,
                                .first_row = next_row_};
    for (int token = 0; token < stream.n_tokens; token += kSynthesisTokens)
      tiles_.host[n_tiles_++] = {static_cast<int>(n_jobs_), token};
    advance(plan, n_symbols, stream.n_tokens, piece.codec->shape().kv_dim());
  }

  // Streams of one codec beside each other share a block.
  void add_to_blocks(const CodecTables& tables) {
    int& n_blocks = written_.n_blocks;
    RansBlock* block = n_blocks > 0 ? &blocks_.host[n_blocks - 1] : nullptr;
    if (block == nullptr || block->packed != tables.packed() || block->n_jobs == kRansBlockStreams) {
      block = &blocks_.host[n_blocks++];
      *block = {.packed = tables.packed(), .n_tables = tables.n_tables(), .first_job = static_cast<int>(n_jobs_)};
    }
    ++block->n_jobs;
    written_.n_tables = std::max(written_.n_tables, tables.n_tables());
  }

  void advance(const TransformPlan& plan, size_t n_symbols, int n_tokens, int kv_dim) {
    const size_t n_numbers = static_cast<size_t>(n_tokens) * static_cast<size_t>(kv_dim);
    ++n_jobs_;
    next_row_ += n_tokens;
    n_begins_ += plan.groups.size() + 1;
    next_.symbols += TwinMemory::bytes_of<uint8_t>(n_symbols);
    next_.keys += n_numbers;
    next_.values += n_numbers;
  }

  TwinMemory memory_;
  const TwinMemory::Array<RansJob> rans_;
  const TwinMemory::Array<RansBlock> blocks_;
  const TwinMemory::Array<SynthesisJob> synthesis_;
  const TwinMemory::Array<SynthesisTile> tiles_;
  const TwinMemory::Array<uint32_t> begins_;
  const TwinMemory::Array<ComponentRepair> repairs_;
  BatchMemory next_;
  int next_row_ = 0;
  BatchJobs written_;
  std::vector<StreamTask>& tasks_;
  size_t n_jobs_ = 0, n_tiles_ = 0, n_begins_ = 0, n_repairs_ = 0;
};

}  // namespace

BatchSizes batch_sizes(std::span<const EncodedPiece> pieces) {
  BatchSizes sizes;
  size_t n_tokens = 0;
  for (const EncodedPiece& piece : pieces) {
    const TransformPlan& plan = piece.codec->plan(piece.layer);
    const size_t n_streams = piece.frame.streams.size();
    sizes.n_streams += n_streams;
    sizes.n_blocks += n_streams;
    sizes.n_begins += n_streams * (plan.groups.size() + 1);
    sizes.n_repairs += piece.frame.n_exceptions();
    n_tokens += static_cast<size_t>(piece.n_tokens);
    for (size_t s = 0; s < n_streams; ++s) {
      const int n = stream_of(piece, s).n_tokens;
      sizes.n_tiles += n_tiles(n);
      sizes.symbol_bytes += TwinMemory::bytes_of<uint8_t>(plan.symbols(n));
      sizes.stream_bytes += TwinMemory::bytes_of<std::byte>(piece.frame.streams[s].size());
    }
  }
  sizes.part_bytes = TwinMemory::bytes_of<f16>(n_tokens * static_cast<size_t>(pieces.front().codec->shape().kv_dim()));
  return sizes;
}

// One processor copies a few GB/s, which would be slower than the device decodes. It is the device alone that reads
// what it writes.
void BatchWriter::run_tasks() {
  constexpr size_t kLarge = size_t{512} << 10;
  constexpr int kThreads = 8;
  const auto run = [&](int /*worker*/, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      StreamTask& task = tasks_[i];
      copy_streamed(task.to, task.bytes.data(), task.bytes.size());
      task.is_corrupt =
          !write_stream_repairs(*task.plan, task.exceptions, task.first_repair, task.begins, task.repairs);
    }
  };
  size_t n_bytes = 0;
  for (const StreamTask& task : tasks_)
    n_bytes += task.bytes.size() + (task.exceptions.is_first ? task.exceptions.all.size() : 0);
  if (n_bytes < kLarge) return run(0, 0, tasks_.size());
  if (threads_ == nullptr)
    threads_ = std::make_unique<ThreadPool>(std::clamp(ThreadPool::physical_cores(), 1, kThreads));
  threads_->parallel_for(tasks_.size(), 1, run);
}

std::optional<BatchJobs> BatchWriter::write(std::span<EncodedPiece> pieces, std::span<const CodecTables* const> tables,
                                            const BatchSizes& sizes, const BatchMemory& memory) {
  tasks_.clear();
  Layout layout(sizes, memory, tasks_);
  for (size_t p = 0; p < pieces.size(); ++p) layout.add(p, pieces[p], *tables[p]);
  run_tasks();
  bool is_corrupt = false;
  for (const StreamTask& task : tasks_) {
    if (!task.is_corrupt) continue;
    pieces[task.piece].is_corrupt = true;
    is_corrupt = true;
  }
  return is_corrupt ? std::nullopt : std::optional(layout.jobs());
}

}  // namespace mneme::engine::cuda
