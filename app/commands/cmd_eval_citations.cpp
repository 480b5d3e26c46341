// mneme eval --citations: whether the citation check catches planted wrong numbers and leaves right ones alone.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/commands/cmd_eval.h"
#include "app/eval/eval_citations.h"
#include "app/measure/envelope.h"
#include "app/output/progress.h"

namespace mneme::app {
namespace {

using nlohmann::json;

json counts_json(const CitationCounts& counts) {
  return {{"n", counts.right},
          {"caught", share_json(counts.caught, counts.planted)},
          {"flagged", share_json(counts.flagged, counts.right)}};
}

}  // namespace

Result<ExitCode> eval_citations(Context& context, const EvalArguments& arguments, EvalSet set) {
  EvalCorpus corpus = corpus_of(set);
  apply_limit(arguments.limit, set, corpus);
  const CitationScores scores = [&] {
    Progress bar(context.output, "questions");
    return evaluate_citations(
        set, corpus, arguments.chunks, arguments.seed, [&](size_t i) { bar.update(i + 1, set.questions.size(), ""); },
        context.cancel);
  }();
  const json report =
      with_machine({{"set", set.name},
                    {"citations", {{"sentence", counts_json(scores.sentence)}, {"bare", counts_json(scores.bare)}}},
                    {"interrupted", scores.interrupted}},
                   context.options.threads);
  if (context.output.json()) {
    context.output.print_json(report);
  } else {
    for (const auto& [name, counts] : report["citations"].items()) {
      char line[160];
      std::snprintf(line, sizeof line, "%-9s %s answers, wrong numbers caught %.3f, right ones marked %.3f\n",
                    name.c_str(), counts["n"].dump().c_str(),
                    counts["caught"].is_null() ? 0.0 : counts["caught"].get<double>(),
                    counts["flagged"].is_null() ? 0.0 : counts["flagged"].get<double>());
      context.output.print(line);
    }
  }
  return scores.interrupted ? ExitCode::kInterrupted : ExitCode::kDone;
}

}  // namespace mneme::app
