// mneme eval: answers by every lane, scored against the set's own.
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/cmd_eval.h"
#include "app/eval/answer_report.h"
#include "app/measure/envelope.h"
#include "app/output/output_path.h"
#include "app/output/progress.h"
#include "app/output/result_file.h"
#include "app/output/terminal_text.h"
#include "app/session.h"
#include "engine/language_model.h"
#include "rag/workspace.h"

namespace mneme::app {
namespace {

using nlohmann::json;

// What decides the records of a run: those of another must not be mixed with them.
Result<json> run_identity(Context& context, const EvalArguments& arguments, const EvalSet& set,
                          rag::Workspace& workspace) {
  MNEME_ASSIGN_OR_RETURN(engine::LanguageModel* const model, workspace.model());
  json identity = {{"eval", set.name},
                   {"content", set.content},
                   {"split", arguments.split},
                   {"modes", arguments.modes},
                   {"chunks", arguments.chunks},
                   {"recompute", arguments.recompute},
                   {"selectors", arguments.selectors},
                   {"seed", arguments.seed},
                   {"level", arguments.kv_level},
                   {"attention",
                    {arguments.attention.kind, arguments.attention.budget, arguments.attention.n_parts,
                     arguments.attention.n_bits, arguments.methods}},
                   {"max_tokens", arguments.max_tokens},
                   {"model", model != nullptr ? model->identity().hex() : "none"},
                   {"device", context.options.device}};
  // Only where it is used, so that records of runs without it stay good.
  if (!arguments.kv_codecs.empty()) identity["kv_codecs"] = arguments.kv_codecs;
  if (!arguments.full_layers.empty()) identity["full_layers"] = arguments.full_layers;
  if (arguments.long_answers) identity["long"] = true;
  if (arguments.cache == "cold") identity["cache"] = arguments.cache;
  return identity;
}

// Without a language model to be measured.
void note_quoting(Output& output, const rag::Workspace& workspace, size_t n_lanes) {
  const bool is_read = workspace.options().model != "none" && !workspace.options().shipped_reader.empty();
  std::string note = is_read ? "note: no model is named; this measures quoting, and reading what is quoted"
                             : "note: there is no language model; this measures quoting";
  if (n_lanes > 1) note += ", which has no modes: all of them do the same";
  output.note(note + ".");
}

}  // namespace

Result<ExitCode> eval_by_answers(Context& context, const EvalArguments& arguments, EvalSet set) {
  EvalCorpus corpus = corpus_of(set);
  apply_limit(arguments.limit, set, corpus);
  EvalAnswerOptions options;
  MNEME_ASSIGN_OR_RETURN(options.codecs, parse_kv_codecs(arguments.kv_codecs));
  MNEME_ASSIGN_OR_RETURN(options.lanes, eval_lanes(arguments, options.codecs));
  options.kv_level = arguments.kv_level;
  options.n_chunks = arguments.chunks;
  options.max_tokens = arguments.max_tokens;
  options.long_answers = arguments.long_answers;
  options.seed = arguments.seed;
  options.cold = arguments.cache == "cold";
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  if (workspace->model_name() == "none") note_quoting(context.output, *workspace, options.lanes.size());
  options.samples = arguments.samples;
  MNEME_ASSIGN_OR_RETURN(const json identity, run_identity(context, arguments, set, *workspace));
  MNEME_ASSIGN_OR_RETURN(ResultFile kept, ResultFile::open(arguments.results_file, identity));
  note_kept(context.output, kept);
  Result<EvalAnswerResult> result = [&] {
    Progress bar(context.output, "questions");
    return evaluate_answers(
        *workspace, set, corpus, options, kept, [&](size_t i) { bar.update(i + 1, set.questions.size(), ""); },
        context.cancel);
  }();
  if (!result.ok()) return result.status();
  for (const std::string& note : result->notes) context.output.note("note: " + terminal_line(note));
  if (!arguments.plot_file.empty() && !result->answerable.empty()) {
    const std::string svg = quality_curve_svg(set.name, options.lanes, *result);
    MNEME_RETURN_IF_ERROR(write_output_file(arguments.plot_file, svg));
  }
  json report = with_machine(answer_report(set, options.lanes, *result, options.samples), context.options.threads);
  report["cache"] = arguments.cache;
  if (context.output.json()) {
    context.output.print_json(report);
  } else {
    context.output.print(answer_report_text(report));
  }
  return result->interrupted ? ExitCode::kInterrupted : ExitCode::kDone;
}

}  // namespace mneme::app
