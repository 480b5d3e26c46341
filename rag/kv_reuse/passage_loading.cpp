#include "rag/kv_reuse/passage_loading.h"

#include <utility>

#include "base/thread_pool.h"
#include "rag/kv_reuse/speed_profile.h"
#include "rag/kv_reuse/timed_loading.h"

namespace mneme::rag {
namespace {

using engine::PromptSegment;

class Choosing {
 public:
  Choosing(KvLibrary& library, const FusingOptions& options, const LoadingInput& input)
      : library_(library), options_(options), input_(input) {}

  PassageLoading run() {
    look_up();
    if (options_.seconds_left.has_value()) {
      choose_in_time();
    } else {
      loading_.plan = plan_loading(question(), library_.speed().profile());
    }
    return std::move(loading_);
  }

 private:
  void look_up() {
    for (const PromptSegment& segment : input_.plan.segments) {
      if (segment.chunk < 0) continue;
      const auto passage = static_cast<size_t>(segment.chunk);
      const bool hashed = passage < input_.text_hashes.size();
      ChunkTokens tokens{segment.ids, hashed ? input_.text_hashes[passage] : Hash128{}};
      loading_.found.push_back(find(tokens));
      loading_.found.back().passage = segment.chunk;
      // Nothing is stored for a passage without tokens.
      if (loading_.found.back().empty() && !tokens.ids.empty()) loading_.missing.push_back(std::move(tokens));
    }
  }

  StoredForms find(const ChunkTokens& tokens) {
    return options_.seconds_left.has_value() ? find_forms(library_, tokens, input_.level, options_.goal_levels)
                                             : find_form(library_, tokens, input_.level);
  }

  LoadingQuestion question() const {
    LoadingQuestion question;
    size_t at = 0;
    for (const PromptSegment& segment : input_.plan.segments) {
      const int n_tokens = static_cast<int>(segment.ids.size());
      if (segment.chunk < 0) {
        question.other_tokens += n_tokens;
        continue;
      }
      ChunkOffer offer{.n_tokens = n_tokens, .stored = std::nullopt};
      if (const StoredForms& found = loading_.found[at++]; !found.empty()) offer.stored = found.offer(0);
      question.chunks.push_back(std::move(offer));
    }
    question.prefix_tokens = input_.prefix_tokens;
    question.fp16_bytes_per_token = input_.config.kv_bytes_per_token();
    question.n_layers = input_.config.n_kv_layers();
    question.n_cores = ThreadPool::physical_cores();
    question.least_ratio = options_.least_ratio;
    question.ratio = options_.repairs ? input_.ratio : std::optional(0.0);
    question.full_layers = options_.repairs ? input_.full_layers : std::optional(0);
    if (options_.computes_first_layers) question.most_full_layers = input_.most_full_layers;
    question.selector = input_.selector;
    return question;
  }

  TimedQuestion timed_question() const {
    TimedQuestion timed{.loading = question(),
                        .layer_bytes = {},
                        .seconds = *options_.seconds_left,
                        .bytes_per_second = storage_bytes_per_second(library_)};
    for (const StoredForms& found : loading_.found) {
      auto& by_level = timed.layer_bytes.emplace_back();
      for (size_t form = 0; form < found.levels.size(); ++form) {
        std::vector<uint64_t>& layers = by_level[static_cast<size_t>(found.levels[form])];
        for (const storage::LayerSegment& layer : found.chunks[form]->header().layers) {
          layers.push_back(layer.size_bytes);
        }
      }
    }
    return timed;
  }

  void choose_in_time() {
    const SpeedProfile profile = library_.speed().profile();
    TimedQuestion asked = timed_question();
    const TimedLoading timed = plan_timed_loading(asked, profile);
    loading_.timed = timed.plan;
    // In the controller's terms, for the report.
    std::vector<bool> load;
    for (size_t i = 0; i < loading_.found.size(); ++i) {
      const StreamForm form = timed.plan->plan().forms[i];
      load.push_back(!form.is_text());
      if (form.is_text()) continue;
      const StoredForms& found = loading_.found[i];
      asked.loading.chunks[i].stored = found.offer(found.form_of(*form.level));
    }
    loading_.plan = predict_loading(asked.loading, profile, std::move(load), timed.ratio);
    loading_.plan.first_token_ms = timed.first_token_seconds * 1e3;
  }

  KvLibrary& library_;
  const FusingOptions& options_;
  const LoadingInput& input_;
  PassageLoading loading_;
};

}  // namespace

PassageLoading choose_loading(KvLibrary& library, const FusingOptions& options, const LoadingInput& input) {
  return Choosing(library, options, input).run();
}

double storage_bytes_per_second(KvLibrary& library) {
  const double measured = library.store().throughput().bytes_per_second();
  if (measured > 0.0) return measured;
  double slowest = 0.0;
  for (const auto& [root, rate] : library.speed().profile().root_bytes_per_s) {
    if (slowest == 0.0 || rate < slowest) slowest = rate;
  }
  return slowest;
}

}  // namespace mneme::rag
