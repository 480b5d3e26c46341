// mneme eval: answer quality and time per mode, or retrieval quality, over a question set.
#include "app/commands/cmd_eval.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/output/output_path.h"
#include "base/human_text.h"

namespace mneme::app {
namespace {

constexpr int kMaxChunks = 10000;
constexpr int kMaxLayers = 1024;
constexpr int kMaxQuestions = 1 << 30;

Result<EvalSet> load_set(const EvalArguments& arguments) {
  MNEME_ASSIGN_OR_RETURN(const EvalFormat format, parse_eval_format(arguments.format));
  MNEME_ASSIGN_OR_RETURN(EvalSet set, load_eval_set(arguments.set, format));
  // A search chooses among the paragraphs of the whole set, whichever questions are asked (searched_corpus).
  if (arguments.retrieval || arguments.refusing) return set;
  std::erase_if(set.questions, [&](const EvalQuestion& question) { return !is_in_split(arguments, question); });
  return set;
}

// Times and distances are measured without answers, too; what is right cannot be.
void tell_of_missing_answers(Output& output, const EvalSet& set) {
  const auto is_bare = [](const EvalQuestion& question) { return question.answerable && question.answers.empty(); };
  const auto count = std::count_if(set.questions.begin(), set.questions.end(), is_bare);
  if (count == 0) return;
  const EvalQuestion& first = *std::find_if(set.questions.begin(), set.questions.end(), is_bare);
  output.warning(human_number_of(count, "question") + (count == 1 ? " has no answers (" : " have no answers (first ") +
                 first.id + "), so every mode is said to be wrong there; add \"answers\", or \"answerable\": false.");
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

Result<ExitCode> run_eval(Context& context, const EvalArguments& arguments) {
  if (!arguments.retrieval && (!arguments.among.empty() || arguments.by_passage)) {
    return usage_error("--among and --by-passage say how --retrieval is measured; add it, or leave them out.");
  }
  if (static_cast<int>(arguments.retrieval) + static_cast<int>(arguments.refusing) +
          static_cast<int>(arguments.citations) >
      1) {
    return usage_error("--retrieval, --refusing and --citations measure different things; give one of them.");
  }
  MNEME_RETURN_IF_ERROR(check_output_path("--plot", arguments.plot_file));
  MNEME_RETURN_IF_ERROR(check_output_path("--evidence", arguments.evidence_file));
  MNEME_ASSIGN_OR_RETURN(EvalSet set, load_set(arguments));
  if (set.questions.empty())
    return usage_error(arguments.set + " has no questions in its " + arguments.split + " split.");
  if (arguments.citations && !arguments.results_file.empty()) {
    return usage_error("--citations takes seconds and keeps nothing; leave out --results.");
  }
  if (arguments.citations) return eval_citations(context, arguments, std::move(set));
  if (arguments.refusing) return eval_refusing(context, arguments, std::move(set));
  if (arguments.retrieval) return eval_by_search(context, arguments, std::move(set));
  tell_of_missing_answers(context.output, set);
  return eval_by_answers(context, arguments, std::move(set));
}

}  // namespace

bool is_in_split(const EvalArguments& arguments, const EvalQuestion& question) {
  return arguments.split == "all" || is_test_title(split_title(question)) == (arguments.split == "test");
}

void apply_limit(int limit, EvalSet& set, EvalCorpus& corpus) {
  if (limit <= 0 || set.questions.size() <= static_cast<size_t>(limit)) return;
  set.questions.resize(static_cast<size_t>(limit));
  corpus.relevant.resize(static_cast<size_t>(limit));
}

nlohmann::json share_json(int64_t part, int64_t whole) {
  return whole > 0 ? nlohmann::json(static_cast<double>(part) / static_cast<double>(whole)) : nlohmann::json(nullptr);
}

void add_eval(Command root) {
  auto arguments = std::make_shared<EvalArguments>();
  Command command = root.subcommand("eval", "Measure answer quality and time per mode, or retrieval quality");
  command.positional("SET", arguments->set, "A file of questions");
  command.choice("--format", arguments->format, {"auto", "squad", "musique", "longchat", "jsonl"}, "Its format");
  command.choice("--split", arguments->split, {"all", "test", "train"}, "By the hash of the document's title");
  command.list("--modes M,M", arguments->modes,
               "full, prefix, reuse, blend, auto (blend where the model was measured to bear it), map-rerank, "
               "map-reduce (passage by passage)");
  command.list("--recompute R,R", arguments->recompute, 0, 1, "Shares of tokens that blend repairs");
  command.list("--selectors S,S", arguments->selectors,
               "How blend chooses them, each measured: " + joined(selector_names()));
  command.list("--full-layers N,N", arguments->full_layers, 0, kMaxLayers,
               "First layers that blend computes for the whole prompt, each measured");
  add_kv_level_option(command, arguments->kv_level);
  command.list("--kv-codecs C,C", arguments->kv_codecs,
               "Also answer through passages coded by each, nothing stored: all, uniform8, transform:low, ...");
  command.choice("--cache", arguments->cache, {"cold", "warm"}, "Page cache before each answer that loads stored KV");
  command.integer("--chunks N", arguments->chunks, 0, kMaxChunks, "Pad with distractors to N passages; 0: as they are");
  command.integer("--limit N", arguments->limit, 0, kMaxQuestions, "Only the first N questions; 0: all");
  command.flag("--long", arguments->long_answers,
               "Ask for whole sentences with their [n], and measure how many quote the right one; with --max-tokens 96 "
               "or so");
  command.integer("--max-tokens N", arguments->max_tokens, 1, kMaxQuestions, "Longest answer");
  command.seed("--seed S", arguments->seed, "Of the distractors");
  command.option("--results FILE", arguments->results_file,
                 "Keep what is finished there (answers and refusals by question, searches by method), and go on where "
                 "it was stopped");
  add_rerank_by_option(command, arguments->rerank_by);
  command.option("--evidence FILE", arguments->evidence_file,
                 "With --retrieval or --refusing: write what decided, to fit the weights by");
  command.flag("--refusing", arguments->refusing,
               "Measure by quoting how often an answer is refused, and given where the documents hold none");
  command.option("--documents DIR", arguments->documents,
                 "With --refusing: ask these, which answer none of the questions, instead of the set's own");
  command.option("--plot FILE", arguments->plot_file, "Write quality against the share recomputed as SVG");
  command.integer("--samples N", arguments->samples, 0, kMaxQuestions, "Show the answers to the first N questions");
  add_attention_options(command, arguments->attention);
  add_pq_method_option(command, arguments->methods, "With --attention pq: each decoded with at each budget");
  command.flag("--retrieval", arguments->retrieval, "Measure retrieval instead of answers");
  command.list("--among FILE,FILE", arguments->among,
               "With --retrieval: further sets, asked too, or passages, all in one index");
  command.flag("--by-passage", arguments->by_passage,
               "With --retrieval: right is a passage that holds an answer, not any of its document");
  command.flag("--citations", arguments->citations, "Measure the citation check with planted wrong numbers instead");
  command.exclusive({"--retrieval", "--refusing", "--citations"});
  command.action([arguments](Context& context) { return run_eval(context, *arguments); });
}

}  // namespace mneme::app
