// mneme search: retrieval only.
#include <nlohmann/json.hpp>

#include "app/commands/answer_options.h"
#include "app/commands/commands.h"
#include "app/context.h"
#include "app/output/result_json.h"
#include "app/output/result_text.h"
#include "app/output/terminal_text.h"
#include "app/session.h"
#include "base/utf8.h"
#include "rag/retrieval/reranker.h"
#include "rag/retrieval/retriever.h"
#include "rag/workspace.h"

namespace mneme::app {
namespace {

constexpr int kMaxTopK = 10000;

struct SearchArguments {
  std::vector<std::string> words;
  std::string collection;
  int top_k = 6;
  std::string method = "hybrid";
  bool rerank = false;
  bool no_rerank = false;
  std::string rerank_by;
  int neighbours = 0;
  double diversity = 0;
};

Result<ExitCode> run_search(Context& context, const SearchArguments& arguments) {
  rag::SearchOptions options;
  MNEME_ASSIGN_OR_RETURN(options.method, rag::parse_search_method(arguments.method));
  options.collection = arguments.collection;
  options.top_k = arguments.top_k;
  options.neighbours = arguments.neighbours;
  options.diversity = arguments.diversity;
  if (arguments.rerank && arguments.no_rerank) return usage_error("--rerank and --no-rerank exclude each other.");
  if (arguments.rerank || arguments.no_rerank) options.rerank = arguments.rerank;
  std::string query;
  for (const std::string& word : arguments.words) query += (query.empty() ? "" : " ") + word;
  query = utf8::sanitise(query);
  if (terminal_line(query).empty()) return usage_error("the query is empty; write it after `mneme search`.");
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  std::unique_ptr<rag::Reranker> reranker;
  if (!arguments.rerank_by.empty()) {
    if (arguments.no_rerank) return usage_error("--rerank-by and --no-rerank exclude each other.");
    MNEME_ASSIGN_OR_RETURN(reranker, rag::open_reranker(*workspace, arguments.rerank_by));
    options.rerank = true;
    options.reranker = reranker.get();
  }
  rag::Retriever retriever(*workspace);
  MNEME_ASSIGN_OR_RETURN(const rag::SearchResult result, retriever.search(query, options, context.cancel));
  for (const std::string& note : result.notes) context.output.note("note: " + note);
  context.output.detail(search_details(result));
  if (context.output.json()) {
    context.output.print_json(search_json(result));
  } else {
    context.output.print(search_text(result, context.output.columns()));
    const std::string why =
        result.hits.empty() ? why_nothing_found(*workspace, arguments.collection, query) : std::string();
    if (!why.empty()) context.output.note("note: " + why);
  }
  return ExitCode::kDone;
}

}  // namespace

void add_search(Command root) {
  auto arguments = std::make_shared<SearchArguments>();
  Command command = root.subcommand("search", "Find passages, without an answer");
  command.words("QUERY", arguments->words,
                "Words; \"quoted phrases\"; path:PART, type:EXTENSION, after:YYYY-MM-DD and "
                "before:YYYY-MM-DD narrow the search");
  command.option("--collection NAME", arguments->collection, "Search this collection; all without it");
  command.integer("--top-k N", arguments->top_k, 1, kMaxTopK, "Passages to show");
  command.choice("--method", arguments->method, {"hybrid", "dense", "lexical"}, "By words, by meaning, or by both");
  command.flag("--rerank", arguments->rerank, "Look at the best candidates a second time; hybrid search always does");
  command.flag("--no-rerank", arguments->no_rerank, "Leave them as the search found them");
  command.exclusive({"--rerank", "--no-rerank"});
  command.exclusive({"--rerank-by", "--no-rerank"});
  add_choice_options(command, arguments->neighbours, arguments->diversity);
  add_rerank_by_option(command, arguments->rerank_by);
  command.action([arguments](Context& context) { return run_search(context, *arguments); });
}

}  // namespace mneme::app
