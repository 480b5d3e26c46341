#include "engine/step_runner.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/guarded.h"
#include "base/trace.h"
#include "engine/transformer/sampler.h"

namespace mneme::engine {

namespace {

// Steps up to this many rows may run together with others, this many of them at once.
constexpr size_t kShortStepRows = 8;
constexpr size_t kMaxTogether = 16;
static_assert(kMaxTogether <= ForwardPass::kMostSampled);

size_t index(Priority priority) {
  return priority == Priority::kInteractive ? 0 : 1;
}

}  // namespace

struct StepRunner::Request {
  const Step& step;
  std::vector<float>& logits;
  Status status;
  std::atomic<bool> taken = false;  // somebody runs it
  std::atomic<bool> done = false;   // status and logits are there
};

// A request among those that wait, until it is taken along or ends. It may end by an exception: nobody may find it
// afterwards, and who has taken it along must be done with it.
class StepRunner::Waiting {
 public:
  Waiting(StepRunner& runner, Request& request) : runner_(runner), request_(request) {
    MutexLock lock(runner_.waiting_mutex_);
    line().push_back(&request_);
  }
  ~Waiting() {
    {
      MutexLock lock(runner_.waiting_mutex_);
      std::erase(line(), &request_);
    }
    while (request_.taken.load() && !request_.done.load()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  std::vector<Request*>& line() MNEME_REQUIRES(runner_.waiting_mutex_) {
    return runner_.waiting_[index(request_.step.priority)];
  }
  StepRunner& runner_;
  Request& request_;
};

Status StepRunner::run(const Step& step, std::vector<float>& logits) {
  MNEME_RETURN_IF_ERROR(check(step));
  Request request{step, logits, {}, false, false};
  return step.ids.size() > kShortStepRows || step.wanted == WantedLogits::kAll ? run_alone(request)
                                                                               : run_with_others(request);
}

Status StepRunner::run_alone(Request& request) {
  const CancelToken& cancel = *request.step.cancel;
  std::optional<EngineQueue::Turn> turn =
      queue_.enter_unless(request.step.priority, [&] { return cancel.cancelled(); });
  if (!turn) return cancelled();
  run_together({&request}, *turn);
  return request.status;
}

// Either the turn comes, or somebody whose turn came earlier takes this step along, or it is cancelled before either.
Status StepRunner::run_with_others(Request& request) {
  const Step& step = request.step;
  const Waiting waiting(*this, request);
  const auto is_over = [&] { return request.done.load() || (step.cancel->cancelled() && !request.taken.load()); };
  for (;;) {
    std::optional<EngineQueue::Turn> turn = queue_.enter_unless(step.priority, is_over);
    if (turn && !request.done.load()) run_together(take_waiting(step.priority, request), *turn);
    if (request.done.load()) return request.status;
    // Cancelled; unless somebody has taken it along just now and still uses it.
    MutexLock lock(waiting_mutex_);
    if (std::erase(waiting_[index(step.priority)], &request) > 0) return cancelled();
  }
}

Status StepRunner::check(const Step& step) const {
  if (step.ids.empty() || step.ids.size() > static_cast<size_t>(most_rows()))
    return usage_error("a step takes 1 to " + std::to_string(most_rows()) + " tokens");
  for (const TokenId id : step.ids) {
    if (id < 0 || id >= config_.vocab_size)
      return usage_error("token " + std::to_string(id) + " is not in the vocabulary");
  }
  return {};
}

// The own request and those that wait with it. No sequence is in there twice: its thread waits for its step.
std::vector<StepRunner::Request*> StepRunner::take_waiting(Priority priority, Request& own) {
  MutexLock lock(waiting_mutex_);
  std::vector<Request*>& waiting = waiting_[index(priority)];
  std::erase(waiting, &own);
  std::vector<Request*> taken = {&own};
  const size_t n_more = std::min(waiting.size(), kMaxTogether - 1);
  taken.insert(taken.end(), waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(n_more));
  waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(n_more));
  for (Request* request : taken) request->taken.store(true);
  return taken;
}

// Whatever happens, all of them are told: the threads that they belong to wait for it.
void StepRunner::run_together(const std::vector<Request*>& requests, EngineQueue::Turn& turn) {
  const Status status = guarded("a step of the model", [&] {
    run_with_room(requests, turn);
    return Status();
  });
  for (Request* request : requests) {
    if (!status.ok()) request->status = status;
    request->done.store(true);
  }
}

void StepRunner::run_with_room(std::vector<Request*> requests, EngineQueue::Turn& turn) {
  std::erase_if(requests, [](Request* request) {
    const Step& step = request->step;
    request->status = guarded("keys and values of a text", [&] {
      return step.cache->reserve(step.first_position + static_cast<int>(step.ids.size()));
    });
    return !request->status.ok();
  });
  if (requests.empty()) return;
  auto chosen = lane(requests[0]->step.priority);
  const Status status = chosen.ok() ? run_layers(**chosen, requests, turn) : chosen.status();
  for (Request* request : requests) {
    const bool was_cancelled = status.ok() && request->step.cancel->cancelled();
    request->status = was_cancelled ? cancelled() : status;
  }
}

Status StepRunner::run_layers(Lane& lane, std::span<Request* const> requests, EngineQueue::Turn& turn) {
  MNEME_RETURN_IF_ERROR(begin(lane, requests));
  const trace::Span span("step", "engine", static_cast<int64_t>(lane.ids.size()));
  const auto all_give_up = [&] {
    return std::all_of(requests.begin(), requests.end(),
                       [](const Request* request) { return request->step.cancel->cancelled(); });
  };
  const bool all_rows = requests[0]->step.wanted == WantedLogits::kAll;
  const int n_kv_layers = config_.n_kv_layers();
  for (int layer = 0; layer < config_.n_layers; ++layer) {
    if (all_give_up() || !turn.give_way(all_give_up)) return cancelled();
    const trace::Span layer_span("layer", "engine", layer);
    lane.pass->project(layer);
    // Behind the last keys and values only rows whose logits are wanted matter: most often of the last layer's
    // attention and feed-forward.
    if (layer + 1 == n_kv_layers && !all_rows) lane.pass->keep_rows(lane.wanted_rows);
    lane.pass->finish(layer);
  }
  if (lane.wanted_rows.empty()) return backend_.synchronize();
  for (size_t i = 0; i < lane.wanted_rows.size(); ++i) lane.wanted_rows[i] = static_cast<int>(i);  // what was kept
  const auto samples = [](const Request* request) { return request->step.sampler != nullptr; };
  if (std::all_of(requests.begin(), requests.end(), samples)) return sample(lane, requests);
  // A step alone writes its logits in place.
  if (requests.size() == 1) return lane.pass->logits(lane.wanted_rows, requests[0]->logits);
  MNEME_RETURN_IF_ERROR(lane.pass->logits(lane.wanted_rows, lane.logits));
  auto row = lane.logits.begin();
  for (Request* request : requests) {
    if (request->step.wanted == WantedLogits::kNone) continue;
    request->logits.assign(row, row + config_.vocab_size);
    row += config_.vocab_size;
    if (samples(request)) *request->step.sampled = request->step.sampler->sample(request->logits);
  }
  return {};
}

Status StepRunner::sample(Lane& lane, std::span<Request* const> requests) {
  std::vector<Sampler*> samplers;
  for (const Request* request : requests) samplers.push_back(request->step.sampler);
  std::vector<TokenId> tokens(samplers.size(), kNoToken);
  MNEME_RETURN_IF_ERROR(lane.pass->sample(lane.wanted_rows, samplers, tokens));
  for (size_t i = 0; i < tokens.size(); ++i) *requests[i]->step.sampled = tokens[i];
  return {};
}

Status StepRunner::begin(Lane& lane, std::span<Request* const> requests) {
  lane.positions.clear();
  lane.ids.clear();
  lane.groups.clear();
  lane.wanted_rows.clear();
  for (const Request* request : requests) {
    const Step& step = request->step;
    const int first_row = static_cast<int>(lane.ids.size());
    const int n_rows = static_cast<int>(step.ids.size());
    lane.groups.push_back({step.cache, first_row, n_rows});
    lane.ids.insert(lane.ids.end(), step.ids.begin(), step.ids.end());
    for (int row = 0; row < n_rows; ++row) {
      lane.positions.push_back(step.first_position + row);
      const bool wanted =
          step.wanted == WantedLogits::kAll || (step.wanted == WantedLogits::kLast && row + 1 == n_rows);
      if (wanted) lane.wanted_rows.push_back(first_row + row);
    }
  }
  return lane.pass->begin({lane.positions, lane.groups}, lane.ids);
}

Result<StepRunner::Lane*> StepRunner::lane(Priority priority) {
  Lane& lane = lanes_[index(priority)];
  if (lane.pass == nullptr) {
    MNEME_ASSIGN_OR_RETURN(lane.pass, ForwardPass::make(config_, weights_, backend_, most_rows()));
  }
  return &lane;
}

}  // namespace mneme::engine
