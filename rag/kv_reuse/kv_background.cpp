#include "rag/kv_reuse/kv_background.h"

#include <utility>

#include "base/guarded.h"
#include "base/trace.h"
#include "rag/kv_reuse/kv_job_record.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

// Long enough for a chunk of a large model on a slow machine.
constexpr int64_t kLeaseMs = 10 * 60 * 1000;

}  // namespace

KvBackground::~KvBackground() {
  std::thread thread;
  {
    MutexLock lock(mutex_);
    closing_ = true;
    thread = std::move(thread_);
    changed_.notify_all();
  }
  if (thread.joinable()) thread.join();
  attempt([&] {
    std::deque<Request> rest;  // even an empty one takes memory
    {
      MutexLock lock(mutex_);
      rest.swap(queue_);
    }
    leave_as_jobs(rest);
  });
}

void KvBackground::compute(std::vector<ChunkTokens> chunks, engine::KvLevel level) {
  if (!catalogue_.writable().ok()) return;  // computing what cannot be kept is of no use
  MutexLock lock(mutex_);
  for (ChunkTokens& chunk : chunks) queue_.push_back({std::move(chunk), level, std::nullopt});
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  changed_.notify_all();
}

void KvBackground::cancel() {
  cancel_.cancel();
  std::deque<Request> rest;
  {
    MutexLock lock(mutex_);
    rest.swap(queue_);
    changed_.notify_all();
  }
  leave_as_jobs(rest);
}

int64_t KvBackground::pending() const {
  MutexLock lock(mutex_);
  return static_cast<int64_t>(queue_.size()) + (busy_ ? 1 : 0);
}

Status KvBackground::last_failure() const {
  MutexLock lock(mutex_);
  return failure_;
}

Status KvBackground::take_refusal() {
  MutexLock lock(mutex_);
  if (refusal_is_told_ || refusal_.ok()) return {};
  refusal_is_told_ = true;
  return refusal_;
}

void KvBackground::leave_as_jobs(const std::deque<Request>& requests) {
  std::vector<storage::JobRecord> jobs;
  for (const Request& request : requests) {
    // A job of the catalogue is there already; its lease runs out.
    if (request.job) continue;
    Result<storage::JobRecord> job = kv_job_record(library_, request.chunk, request.level);
    if (job.ok()) jobs.push_back(std::move(job).value());
  }
  if (jobs.empty()) return;
  const Status status = catalogue_.enqueue_jobs(jobs, library_.times_forgotten());
  if (status.ok()) return;
  MutexLock lock(mutex_);
  failure_ = status;
}

std::optional<KvBackground::Request> KvBackground::claim_job() {
  const Result<std::optional<storage::JobRecord>> job = catalogue_.claim_job(kJobKind, kLeaseMs);
  if (!job.ok() || !job->has_value()) return std::nullopt;
  Result<KvJobRequest> request = parse_kv_job(library_, **job);
  if (request.ok()) return Request{std::move(request->chunk), request->level, (*job)->id};
  // Of another model: dropped, for whoever runs that model finds the chunk missing and computes it.
  static_cast<void>(catalogue_.finish_job((*job)->id));
  return Request{};
}

// What to work on next: what was asked here, then what was left by others; waits. Nothing when it is time to end.
std::optional<KvBackground::Request> KvBackground::next() {
  for (;;) {
    {
      MutexLock lock(mutex_);
      busy_ = false;
      while (queue_.empty() && !closing_ && !jobs_left_ && !cancel_.cancelled()) changed_.wait(mutex_);
      if (cancel_.cancelled()) return std::nullopt;
      if (!queue_.empty()) {
        Request request = std::move(queue_.front());
        queue_.pop_front();
        busy_ = true;
        return request;
      }
      if (closing_) return std::nullopt;
    }
    std::optional<Request> left = claim_job();
    MutexLock lock(mutex_);
    jobs_left_ = left.has_value();
    if (!left || left->chunk.ids.empty()) continue;
    busy_ = true;
    return left;
  }
}

void KvBackground::work_on(const Request& request) {
  // Another answer, or another process, may have stored it meanwhile.
  Status status = guarded("a KV cache", [&] {
    if (library_.complete(request.chunk, request.level)) return Status();
    return library_.compute(request.chunk, request.level, cancel_);
  });
  if (status.code() == StatusCode::kCancelled) {
    leave_as_jobs({request});
    return;
  }
  if (status.code() == StatusCode::kNotFound) return;  // forgotten meanwhile, and its job with it
  if (request.job) {
    const Status told = status.ok() ? catalogue_.finish_job(*request.job)
                                    : catalogue_.fail_job(*request.job, status.message(), /*retry=*/false);
    if (status.ok()) status = told;
  }
  if (status.ok()) return;
  MutexLock lock(mutex_);
  failure_ = status;
  if (status.code() == StatusCode::kUnsupported) refusal_ = status;
}

void KvBackground::run() {
  trace::name_thread("kv background");
  // What is left in the queue becomes jobs when this object goes.
  const Status status = guarded("KV caches", [&] {
    while (std::optional<Request> request = next()) work_on(*request);
    return Status();
  });
  if (status.ok()) return;
  MutexLock lock(mutex_);
  busy_ = false;
  failure_ = status;
}

}  // namespace mneme::rag
