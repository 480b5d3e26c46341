// mneme chat: a conversation in the terminal, kept in the catalogue; list, show, export and delete.
#include "app/commands/cmd_chat.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/commands/answer_options.h"
#include "app/commands/commands.h"
#include "app/commands/kv_store.h"
#include "app/commands/trial_beside.h"
#include "app/context.h"
#include "app/output/result_text.h"
#include "app/output/terminal_text.h"
#include "app/session.h"
#include "app/text_input.h"
#include "base/human_text.h"
#include "base/utf8.h"
#include "rag/answering/answerer.h"
#include "rag/answering/citations/answer_citations.h"
#include "rag/answering/exchange/answer_json.h"
#include "rag/kv_reuse/chat_kv.h"
#include "rag/retrieval/reranker.h"
#include "rag/saved_json.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::app {
namespace {

using nlohmann::json;

constexpr int kTitleColumns = 60;
constexpr const char* kHelp =
    "A line is a question about the documents; one that goes on from the last answer may do so. The chat is kept: "
    "`mneme chat "
    "list` shows it, `mneme chat --resume ID` goes on. /new begins another chat, which knows nothing of this one. An "
    "empty line, "
    "/quit or Ctrl-D ends it; Ctrl-C does, too, in the middle of an answer.";

struct ChatArguments {
  AnswerArguments answer;
  std::string resume;
  std::string rewrite = "rules";
  std::string id;
};

Result<storage::ChatId> chat_id(const std::string& text) {
  int64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return usage_error("a chat is named by its number, not by " + text + "; see `mneme chat list`.");
  }
  return storage::ChatId{id};
}

std::vector<rag::Turn> turns_of(const std::vector<storage::MessageRecord>& messages) {
  std::vector<rag::Turn> turns;
  for (const storage::MessageRecord& message : messages) {
    if (message.role == "user") {
      turns.push_back({.question = message.text, .answer = "", .documents = {}});
    } else if (!turns.empty()) {
      turns.back().answer = message.text;
      const auto saved = rag::answer_from_json(rag::parse_saved_json(message.details_json));
      if (saved) turns.back().documents = rag::cited_documents(saved->citations);
    }
  }
  return turns;
}

class Conversation {
 public:
  Conversation(Context& context, rag::Workspace& workspace, rag::AskOptions options)
      : context_(context),
        workspace_(workspace),
        answerer_(workspace),
        options_(std::move(options)),
        began_writable_(workspace.catalogue().writable().ok()) {
    options_.chat = &kv_;
  }

  Status resume(storage::ChatId chat) {
    MNEME_ASSIGN_OR_RETURN(const storage::ChatRecord record, workspace_.catalogue().chat(chat));
    MNEME_ASSIGN_OR_RETURN(const std::vector<storage::MessageRecord> messages, workspace_.catalogue().messages(chat));
    options_.history = turns_of(messages);
    chat_ = chat;
    kv_.set_chat(static_cast<int64_t>(chat));
    context_.output.note("Going on with: " + record.title);
    return {};
  }

  // Keeps what the answers computed, so that going on later is a load. An error where the catalogue could be written
  // when the chat began and something of it is not kept all the same.
  Status leave() {
    answerer_.leave_chat(options_);
    return began_writable_ ? keep() : Status();
  }

  // What is asked from here on is another chat. An error where this one is not kept, which then goes on.
  Status start_anew() {
    MNEME_RETURN_IF_ERROR(leave());
    kv_ = rag::ChatKv();
    options_.history.clear();
    chat_.reset();
    to_keep_.clear();
    told_not_kept_ = false;
    return {};
  }

  // One question, its answer on the screen and in the catalogue.
  Status ask(const std::string& question) {
    rag::AskCallbacks callbacks;
    Output& output = context_.output;
    callbacks.stage = [&output](std::string_view stage) { output.status_line(std::string(stage) + "..."); };
    if (!output.json()) {
      if (!options_.history.empty()) output.print("\n");
      callbacks.token = [&output](std::string_view text) { output.print(terminal_safe(text)); };
    }
    MNEME_ASSIGN_OR_RETURN(const rag::Answer answer, answerer_.ask(question, options_, callbacks, context_.cancel));
    output.status_line("");
    if (output.json()) {
      output.print_json(rag::answer_to_json(answer));
    } else {
      output.print("\n");
      const std::string citations = citations_text(answer, output.columns());
      if (!citations.empty()) output.print("\n" + citations);
      if (!answer.standalone_query.empty()) output.note("searched for: " + terminal_line(answer.standalone_query));
      const std::string summary = answer_summary(answer);
      if (!summary.empty()) output.note("(" + summary + ")");
      for (const std::string& note : answer.notes) output.note("note: " + terminal_line(note));
    }
    options_.history.push_back(
        {.question = question, .answer = answer.text, .documents = rag::cited_documents(answer.citations)});
    to_keep_.push_back({.role = "user", .text = question, .details_json = "{}"});
    to_keep_.push_back(
        {.role = "assistant",
         .text = answer.text,
         .details_json = rag::answer_to_json(answer).dump(-1, ' ', false, json::error_handler_t::replace)});
    tell_whether_kept(keep());
    return {};
  }

 private:
  // What could not be written before is tried again, in its order.
  Status keep() {
    storage::Catalogue& catalogue = workspace_.catalogue();
    if (to_keep_.empty()) return {};
    if (!chat_) {
      const std::string title = cut_to_width(terminal_line(to_keep_.front().text), kTitleColumns);
      MNEME_ASSIGN_OR_RETURN(chat_, catalogue.create_chat(title));
      kv_.set_chat(static_cast<int64_t>(*chat_));
    }
    while (!to_keep_.empty()) {
      to_keep_.front().chat = *chat_;
      MNEME_RETURN_IF_ERROR(catalogue.append_message(to_keep_.front()).status());
      to_keep_.pop_front();
    }
    return {};
  }

  // Once for each time that it begins to be so: the answer is there, and the chat goes on.
  void tell_whether_kept(const Status& kept) {
    if (!kept.ok() && !told_not_kept_) context_.output.warning("this chat is not kept so far: " + kept.message());
    told_not_kept_ = !kept.ok();
  }

  Context& context_;
  rag::Workspace& workspace_;
  rag::Answerer answerer_;
  rag::AskOptions options_;
  rag::ChatKv kv_;
  std::optional<storage::ChatId> chat_;
  std::deque<storage::MessageRecord> to_keep_;  // not in the catalogue yet, oldest first
  const bool began_writable_;
  bool told_not_kept_ = false;
};

bool ends_chat(const std::string& words) {
  return words.empty() || words == "/quit" || words == "/exit";
}

// "/clear": what looks like a command and is none. A path has more slashes or other signs, a question more words.
bool is_unknown_command(const std::string& words) {
  return words.size() > 1 && words.front() == '/' &&
         std::all_of(words.begin() + 1, words.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

// Other modes compute everything, or load without asking how well that goes.
bool asks_for_the_gate(const rag::AskOptions& options) {
  return !options.recompute_ratio && (!options.mode || *options.mode == rag::AnswerMode::kBlend);
}

// Asks line by line until the end. A question that fails is told of and the chat goes on; gives how the first one that
// did would have ended a program of its own.
ExitCode ask_lines(Context& context, Conversation& conversation, TrialBeside* trial) {
  ExitCode first_failure = ExitCode::kDone;
  const auto failed = [&](const Status& status) {
    context.output.status_line("");
    context.output.error(status);
    if (first_failure == ExitCode::kDone) first_failure = exit_code(status.code());
  };
  // Whoever asks through a pipe waits for the answer before the next question; where nobody takes it, the chat ends,
  // and app/run.cpp says why.
  while (!context.cancel.cancelled() && context.output.flush().ok()) {
    context.output.status_line("> ");
    const Result<std::optional<std::string>> line = read_line(std::cin, kMaxQuestionBytes, context.cancel);
    if (!line.ok()) {
      failed(line.status());
      if (line.status().code() == StatusCode::kResource) continue;
      break;
    }
    const std::string words = line->has_value() ? terminal_line(**line) : "";
    if (ends_chat(words)) break;
    if (words == "/help") {
      context.output.note(kHelp);
      continue;
    }
    if (words == "/new") {
      const Status left = conversation.start_anew();
      if (!left.ok()) failed(left);
      if (left.ok()) context.output.note("A new chat; what was said before is left.");
      continue;
    }
    if (is_unknown_command(words)) {
      failed(usage_error("there is no " + words + " in a chat; there are /new, /help and /quit."));
      continue;
    }
    const Status asked = conversation.ask(utf8::sanitise(**line));
    if (asked.code() == StatusCode::kCancelled) return ExitCode::kInterrupted;
    if (!asked.ok()) failed(asked);
    if (trial != nullptr) trial->begin();
  }
  return context.cancel.cancelled() ? ExitCode::kInterrupted : first_failure;
}

Result<ExitCode> run_chat(Context& context, const ChatArguments& arguments) {
  MNEME_ASSIGN_OR_RETURN(rag::AskOptions options, ask_options(arguments.answer));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  if (!arguments.answer.collection.empty()) {
    MNEME_RETURN_IF_ERROR(workspace->catalogue().find_collection(arguments.answer.collection).status());
  }
  std::unique_ptr<rag::Reranker> reranker;
  if (!arguments.answer.rerank_by.empty()) {
    MNEME_ASSIGN_OR_RETURN(reranker, rag::open_reranker(*workspace, arguments.answer.rerank_by));
    options.search.reranker = reranker.get();
  }
  options.rewrite_by_model = arguments.rewrite == "model";
  const bool typed = ::isatty(STDIN_FILENO) == 1;
  // Who asks through a pipe is gone before it is over.
  std::optional<TrialBeside> trial;
  if (typed && asks_for_the_gate(options)) trial.emplace(*workspace, options.kv_level, context.cancel);
  Conversation conversation(context, *workspace, std::move(options));
  if (!arguments.resume.empty()) {
    MNEME_ASSIGN_OR_RETURN(const storage::ChatId id, chat_id(arguments.resume));
    MNEME_RETURN_IF_ERROR(conversation.resume(id));
  }
  if (context.output.stderr_is_terminal())
    context.output.note("Ask away; /new begins another chat, /help says more, /quit ends it.");
  const ExitCode outcome = ask_lines(context, conversation, trial ? &*trial : nullptr);
  MNEME_RETURN_IF_ERROR(conversation.leave());
  // Whoever typed the questions has seen which of them failed; a script looks at the exit status.
  return typed && outcome != ExitCode::kInterrupted ? ExitCode::kDone : outcome;
}

Result<ExitCode> list_chats(Context& context) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChatRecord> chats, workspace->catalogue().list_chats());
  json list = json::array();
  for (const storage::ChatRecord& chat : chats) {
    list.push_back({{"id", static_cast<int64_t>(chat.id)},
                    {"title", chat.title},
                    {"messages", chat.n_messages},
                    {"created_ms", chat.created_ms},
                    {"updated_ms", chat.updated_ms}});
    if (!context.output.json()) {
      context.output.print(std::to_string(static_cast<int64_t>(chat.id)) + "\t" + terminal_line(chat.title) + "\t" +
                           human_number_of(chat.n_messages, "message") + "\n");
    }
  }
  if (context.output.json()) {
    context.output.print_json({{"chats", std::move(list)}});
  } else if (chats.empty()) {
    context.output.note("There is no chat yet; `mneme chat` begins one.");
  }
  return ExitCode::kDone;
}

json message_json(const storage::MessageRecord& message) {
  json details = rag::parse_saved_json(message.details_json);
  if (details.is_discarded()) details = nullptr;
  return {{"role", message.role},
          {"text", message.text},
          {"details", std::move(details)},
          {"created_ms", message.created_ms}};
}

// An answer with the places that its numbers stand for.
std::string message_markdown(const storage::MessageRecord& message) {
  const bool is_question = message.role == "user";
  std::string text = std::string(is_question ? "\n## Question" : "\n## Answer") + "\n\n" + message.text + "\n";
  if (is_question) return text;
  std::optional<rag::Answer> answer = rag::answer_from_json(rag::parse_saved_json(message.details_json));
  if (!answer) return text;
  answer->text = message.text;
  const std::string places = citations_markdown(*answer);
  return places.empty() ? text : text + "\n" + places;
}

// `export` writes Markdown that other programs can read; `show` the same for the eye.
Result<ExitCode> show_chat(Context& context, const std::string& id_text, bool neutralise) {
  MNEME_ASSIGN_OR_RETURN(const storage::ChatId id, chat_id(id_text));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  MNEME_ASSIGN_OR_RETURN(const storage::ChatRecord chat, workspace->catalogue().chat(id));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::MessageRecord> messages, workspace->catalogue().messages(id));
  if (context.output.json()) {
    json object = {{"id", static_cast<int64_t>(id)}, {"title", chat.title}, {"messages", json::array()}};
    for (const storage::MessageRecord& message : messages) object["messages"].push_back(message_json(message));
    context.output.print_json(object);
    return ExitCode::kDone;
  }
  std::string text = "# " + chat.title + "\n";
  for (const storage::MessageRecord& message : messages) text += message_markdown(message);
  context.output.print(neutralise || context.output.stdout_is_terminal() ? terminal_safe(text) : text);
  return ExitCode::kDone;
}

Result<ExitCode> delete_chat(Context& context, const std::string& id_text) {
  MNEME_ASSIGN_OR_RETURN(const storage::ChatId id, chat_id(id_text));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  MNEME_RETURN_IF_ERROR(workspace->catalogue().delete_chat(id));
  MNEME_RETURN_IF_ERROR(remove_chat_kv(*workspace, static_cast<int64_t>(id)));
  if (context.output.json()) context.output.print_json({{"deleted", static_cast<int64_t>(id)}});
  context.output.note("Deleted chat " + id_text + ".");
  return ExitCode::kDone;
}

}  // namespace

Result<ExitCode> chat_in_terminal(Context& context) {
  return run_chat(context, ChatArguments{});
}

void add_chat(Command root) {
  auto arguments = std::make_shared<ChatArguments>();
  Command chat = root.subcommand("chat", "A conversation about the indexed documents");
  add_answer_options(chat, arguments->answer);
  chat.option("--resume ID", arguments->resume, "Go on with an earlier chat");
  chat.choice(
      "--rewrite", arguments->rewrite, {"rules", "model"},
      "Who makes a follow-up stand alone before the search: rules, or the language model where its wording holds");
  chat.action([arguments](Context& context) { return run_chat(context, *arguments); });
  chat.subcommand("list", "Earlier chats, newest first").action(list_chats);
  Command show = chat.subcommand("show", "Print a chat");
  show.positional("ID", arguments->id, "Its number");
  show.action([arguments](Context& context) { return show_chat(context, arguments->id, true); });
  Command exported = chat.subcommand("export", "Write a chat as Markdown, or as JSON with --json");
  exported.positional("ID", arguments->id, "Its number");
  exported.action([arguments](Context& context) { return show_chat(context, arguments->id, false); });
  Command remove = chat.subcommand("delete", "Delete a chat");
  remove.positional("ID", arguments->id, "Its number");
  remove.action([arguments](Context& context) { return delete_chat(context, arguments->id); });
}

}  // namespace mneme::app
