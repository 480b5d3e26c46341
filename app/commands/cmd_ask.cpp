// mneme ask: one question, a streamed answer, citations.
#include <nlohmann/json.hpp>

#include "app/commands/answer_options.h"
#include "app/commands/commands.h"
#include "app/commands/trace_file.h"
#include "app/context.h"
#include "app/output/output_path.h"
#include "app/output/result_text.h"
#include "app/output/terminal_text.h"
#include "app/session.h"
#include "app/text_input.h"
#include "base/utf8.h"
#include "rag/answering/answerer.h"
#include "rag/answering/exchange/answer_json.h"
#include "rag/retrieval/reranker.h"
#include "rag/workspace.h"

namespace mneme::app {
namespace {

struct AskArguments {
  std::vector<std::string> words;
  AnswerArguments answer;
  std::vector<std::string> context_files;
  bool stream = false;
  std::string trace_file;
};

Result<std::string> question_text(const AskArguments& arguments) {
  std::string question;
  for (const std::string& word : arguments.words) question += (question.empty() ? "" : " ") + word;
  if (question == "-") {
    MNEME_ASSIGN_OR_RETURN(question, read_standard_input(kMaxQuestionBytes));
  }
  question = utf8::sanitise(question);
  if (terminal_line(question).empty()) return usage_error("the question is empty; write it after `mneme ask`.");
  return question;
}

rag::AskCallbacks reporting(Context& context, bool stream) {
  rag::AskCallbacks callbacks;
  Output& output = context.output;
  callbacks.stage = [&output](std::string_view stage) { output.status_line(std::string(stage) + "..."); };
  if (output.json()) {
    if (stream) {
      callbacks.token = [&output](std::string_view text) {
        output.print_json({{"event", "token"}, {"text", std::string(text)}});
      };
    }
  } else {
    callbacks.token = [&output](std::string_view text) { output.print(terminal_safe(text)); };
  }
  return callbacks;
}

void print_answer(Context& context, const rag::Answer& answer, const std::string& nothing_found) {
  Output& output = context.output;
  if (!output.json()) output.print("\n");  // the answer itself ends in none
  if (!nothing_found.empty()) output.note("note: " + nothing_found);
  if (!answer.standalone_query.empty()) output.note("searched for: " + terminal_line(answer.standalone_query));
  for (const std::string& note : answer.notes) output.note("note: " + terminal_line(note));
  output.detail(answer_details(answer));
  if (output.json()) {
    output.print_json(rag::answer_to_json(answer));
    return;
  }
  const std::string citations = citations_text(answer, output.columns());
  if (!citations.empty()) output.print("\n" + citations);
  const std::string summary = answer_summary(answer);
  if (!summary.empty()) output.note("(" + summary + ")");
}

Result<ExitCode> run_ask(Context& context, const AskArguments& arguments) {
  MNEME_ASSIGN_OR_RETURN(const std::string question, question_text(arguments));
  MNEME_RETURN_IF_ERROR(check_output_path("--trace", arguments.trace_file));
  MNEME_ASSIGN_OR_RETURN(rag::AskOptions options, ask_options(arguments.answer));
  options.context_files = arguments.context_files;
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  std::unique_ptr<rag::Reranker> reranker;
  if (!arguments.answer.rerank_by.empty()) {
    MNEME_ASSIGN_OR_RETURN(reranker, rag::open_reranker(*workspace, arguments.answer.rerank_by));
    options.search.reranker = reranker.get();
  }
  TraceFile trace(arguments.trace_file);
  rag::Answerer answerer(*workspace);
  const Result<rag::Answer> answer =
      answerer.ask(question, options, reporting(context, arguments.stream), context.cancel);
  context.output.status_line("");
  const Status traced = trace.write();
  if (!answer.ok()) return answer.status();
  // Without a model an answer may need no passage, or its notes say what is missing.
  const bool says_itself = answer->model == "none" && (answer->in_documents || !answer->notes.empty());
  const bool found = !answer->sources.empty() || says_itself;
  print_answer(context, *answer, found ? "" : why_nothing_found(*workspace, arguments.answer.collection, question));
  if (!traced.ok()) return traced;
  return answer->finish == rag::Finish::kInterrupted ? ExitCode::kInterrupted : ExitCode::kDone;
}

}  // namespace

void add_ask(Command root) {
  auto arguments = std::make_shared<AskArguments>();
  Command command = root.subcommand("ask", "Ask one question of the indexed documents");
  command.words("QUESTION", arguments->words, "The question; - reads it from standard input");
  add_answer_options(command, arguments->answer);
  command.repeated("--context FILE", arguments->context_files,
                   "Use this file as a passage instead of searching; may be given several times");
  command.flag("--stream", arguments->stream, "With --json: one event per piece of text before the result");
  command.option("--trace FILE", arguments->trace_file, "Write a Chrome trace of the work to FILE");
  command.action([arguments](Context& context) { return run_ask(context, *arguments); });
}

}  // namespace mneme::app
