#include "ui/view_model/answer_actions.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/guarded.h"
#include "base/trace.h"
#include "base/utf8.h"
#include "ui/view_model/kv_store.h"
#include "ui/view_model/message_view.h"

namespace mneme::ui {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPublishEvery{16};  // a frame: more would only cost
constexpr size_t kMostEvents = 200'000;
constexpr size_t kRecentAnswers = 50;

// The conversation's earlier turns as the answerer wants them.
std::vector<rag::Turn> history_of(const Messages& messages) {
  std::vector<rag::Turn> turns;
  for (const auto& message : messages) {
    if (message->from_user) {
      turns.push_back({.question = message->text, .answer = "", .documents = {}});
    } else if (!turns.empty()) {
      turns.back().answer = message->text;
      for (const SourceView& source : message->sources) {
        if (source.cited && !source.document.empty()) turns.back().documents.push_back(source.document);
      }
    }
  }
  std::erase_if(turns, [](const rag::Turn& turn) { return turn.answer.empty(); });
  return turns;
}

rag::AskOptions options_of(const Snapshot& snapshot, const Messages& before) {
  const SettingsView& settings = snapshot.settings;
  rag::AskOptions options;
  options.search.collection = settings.collection;
  options.search.top_k = settings.top_k;
  options.instructions = settings.instructions;
  options.temperature = settings.temperature;
  options.top_p = settings.top_p;
  options.max_tokens = settings.max_tokens;
  options.kv_level = settings.kv_level;
  for (const CollectionRow& row : snapshot.library.collections) {
    if (row.name == settings.collection && !row.kv_level.empty()) options.kv_level = row.kv_level;
  }
  if (const auto mode = rag::parse_answer_mode(settings.mode); mode.ok()) options.mode = *mode;
  options.history = history_of(before);
  return options;
}

// Whether a question waits for the model first.
bool opens_model(const EngineView& engine) {
  const bool none = engine.model.empty() || engine.model == "none";
  return !none && engine.state != EngineView::State::kOpen;
}

// Changes the answer being written, unless another conversation is shown by now.
void change_written(Publisher& publisher, const std::function<void(MessageView&)>& change) {
  publisher.update([&](Snapshot& s) {
    for (auto& shown : s.conversation.messages) {
      if (!shown->streaming) continue;
      auto message = std::make_shared<MessageView>(*shown);
      change(*message);
      shown = std::move(message);
    }
  });
}

bool was_interrupted(const MessageView& answer) {
  return answer.facts && answer.facts->finish == "interrupted";
}

// The model is opened first: where it is not open, its file is what was not found.
std::string reason_of(const Status& status, rag::Workspace& workspace) {
  const bool gone = status.code() == StatusCode::kNotFound && !workspace.model_is_open();
  if (!gone || workspace.model_name() == "none") return status.message();
  return "the file of the model “" + workspace.model_name() + "” is gone; choose another, or have passages quoted (" +
         status.message() + ")";
}

// A question as it is named in a sentence.
std::string named(const std::string& question) {
  constexpr size_t kBytes = 60;
  const size_t cut = utf8::floor_boundary(question, std::min(kBytes, question.size()));
  return "“" + question.substr(0, cut) + (cut < question.size() ? "…" : "") + "”";
}

// Gathers tokens and publishes them once a frame, so that a fast model costs no more than a slow one.
class TokenStream {
 public:
  explicit TokenStream(Publisher& publisher) : publisher_(publisher) {}
  void add(std::string_view text) {
    waiting_ += text;
    if (Clock::now() - published_ >= kPublishEvery) flush();
  }
  void flush() {
    published_ = Clock::now();
    if (waiting_.empty()) return;
    change_written(publisher_, [&](MessageView& m) { m.text += waiting_; });
    waiting_.clear();
  }

 private:
  Publisher& publisher_;
  std::string waiting_;
  Clock::time_point published_{};
};

void remember(Publisher& publisher, const std::string& question, const AnswerFacts& facts) {
  publisher.update([&](Snapshot& s) {
    auto activity = std::make_shared<ActivityView>(*s.activity);
    activity->answers.insert(activity->answers.begin(), {question, facts});
    if (activity->answers.size() > kRecentAnswers) activity->answers.resize(kRecentAnswers);
    s.activity = std::move(activity);
  });
}

}  // namespace

AnswerActions::~AnswerActions() {
  attempt([&] { leave_chat(); });
}

std::shared_ptr<CancelToken> AnswerActions::begin() {
  MutexLock lock(mutex_);
  running_ = std::make_shared<CancelToken>();
  ended_ = Ended::kByItself;
  return running_;
}

AnswerActions::Ended AnswerActions::end() {
  MutexLock lock(mutex_);
  running_.reset();
  return ended_;
}

void AnswerActions::show_question(AnswerPlace& place) {
  auto pending = std::make_shared<MessageView>();
  pending->streaming = true;
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  pending->stage = opens_model(now->engine) ? "opening" : "retrieving";
  chat_ = now->conversation.chat;
  publisher_.update([&](Snapshot& s) {
    s.answering = true;
    s.conversation.messages = place.with(pending);
  });
  // Where nothing would be lost by it, a question is kept before it is answered.
  if (place.replaces_an_answer()) return;
  const bool keeps_question = place.question->id == 0 && place.behind.empty();
  const auto& gone = place.replaced;
  const bool forgets = std::any_of(gone.begin(), gone.end(), [](const auto& message) { return message->id != 0; });
  if (!keeps_question && !forgets) return;
  const Messages saved = save({gone, keeps_question ? Messages{place.question} : Messages{}, {}});
  if (!saved.empty()) place.question = saved.front();
}

Messages AnswerActions::save(ChatActions::Change change) {
  Result<ChatActions::Saved> saved = chats_.save(change, chat_);
  if (!saved.ok()) {
    publisher_.report(Status(saved.status().code(), "the chat cannot be kept: " + saved.status().message()));
    return {};
  }
  chat_ = saved->chat;
  return std::move(saved->added);
}

void AnswerActions::finish(AnswerPlace place, MessageView message) {
  const Ended ended = end();
  const bool cut = was_interrupted(message) && (ended == Ended::kCutOff || ended == Ended::kCutOffSilently);
  if (message.facts && !message.text.empty()) remember(publisher_, place.question->text, *message.facts);
  const bool gives_back = place.replaces_an_answer() && (message.text.empty() || cut);
  if (cut && ended == Ended::kCutOff)
    publisher_.notice("The answer to " + named(place.question->text) + " was stopped" +
                          (gives_back ? "; the one before stays." : "."),
                      false);
  if (gives_back) return give_back(place, message, ended);
  keep(std::move(place), std::move(message));
}

// What stood there before is there still: in the catalogue it was not touched.
void AnswerActions::give_back(const AnswerPlace& place, const MessageView& message, Ended ended) {
  publisher_.update([&](Snapshot& s) {
    s.answering = false;
    const auto& shown = s.conversation.messages;
    if (std::any_of(shown.begin(), shown.end(), [](const auto& m) { return m->streaming; }))
      s.conversation.messages = place.shown;
  });
  if (!message.error.empty()) {
    publisher_.notice("What was answered before stays, as it could not be answered again: " + message.error, true);
  } else if (!was_interrupted(message)) {
    publisher_.notice("What was answered before stays: the model wrote nothing.", false);
  } else if (ended == Ended::kStopped) {
    publisher_.notice("What was answered before stays, as nothing new was written yet.", false);
  }
}

void AnswerActions::keep(AnswerPlace place, MessageView message) {
  const bool written = !message.text.empty() || !message.reasoning.empty();
  const auto answer = std::make_shared<const MessageView>(std::move(message));
  publisher_.update([&](Snapshot& s) {
    s.answering = false;
    for (auto& shown : s.conversation.messages) {
      if (shown->streaming) shown = answer;
    }
  });
  if (!written) return;
  ChatActions::Change change{place.replaced, {answer}, place.behind};
  if (place.question->id == 0) change.added.insert(change.added.begin(), place.question);
  save(std::move(change));
}

// Stores what was computed for the chat that is left, so that going on with it later is a load. Of a chat that is no
// more nothing stays: whoever deletes it while this is being stored finds it afterwards, or is seen here.
void AnswerActions::leave_chat() {
  if (chat_kv_ && chat_of_kv_ != 0) {
    if (answerer_ && !chats_.is_gone(chat_of_kv_)) answerer_->leave_chat(last_options_);
    if (chats_.is_gone(chat_of_kv_)) static_cast<void>(forget_chat_kv(workspace_, chat_of_kv_));
  }
  chat_kv_.reset();
  last_options_ = {};
}

void AnswerActions::go_on_with_chat(rag::AskOptions& options) {
  if (!answerer_) answerer_ = std::make_unique<rag::Answerer>(workspace_);
  if (!chat_kv_ || chat_of_kv_ != chat_) {
    leave_chat();
    chat_kv_ = std::make_unique<rag::ChatKv>(chat_);
    chat_of_kv_ = chat_;
  }
  options.chat = chat_kv_.get();
  last_options_ = options;
}

void AnswerActions::forget_model() {
  leave_chat();
  answerer_.reset();
}

void AnswerActions::answer(AnswerPlace place) {
  const std::shared_ptr<CancelToken> cancel = begin();
  rag::AskOptions options = options_of(*publisher_.current(), place.before);
  show_question(place);
  go_on_with_chat(options);
  const Clock::time_point begun = Clock::now();
  TokenStream stream(publisher_);
  rag::AskCallbacks callbacks;
  callbacks.token = [&](std::string_view text) { stream.add(text); };
  callbacks.stage = [&](std::string_view stage) {
    change_written(publisher_, [&](MessageView& m) { m.stage = stage; });
    if (workspace_.model_is_open()) publisher_.update([](Snapshot& s) { s.engine.state = EngineView::State::kOpen; });
  };
  callbacks.sources = [&](const std::vector<rag::Citation>& sources) {
    change_written(publisher_, [&](MessageView& m) { m.sources = source_views(sources); });
  };
  trace::start(trace::Detail::kStages);
  const Result<rag::Answer> answer = answerer_->ask(place.question->text, options, callbacks, *cancel);
  std::vector<StageView> timeline = timeline_of(trace::finish_events(kMostEvents));
  stream.flush();
  MessageView message;
  if (answer.ok()) {
    message = message_of(*answer, std::move(timeline));
  } else if (answer.status().code() == StatusCode::kCancelled) {
    message.facts.emplace().finish = "interrupted";
  } else {
    message.error = reason_of(answer.status(), workspace_);
  }
  finish(std::move(place), std::move(message));
  if (Clock::now() - begun > std::chrono::seconds(publisher_.current()->settings.long_work_s)) {
    Notice notice;
    notice.text = answer.ok() ? "The answer is there." : "The question could not be answered.";
    notice.long_work = true;
    publisher_.notice(std::move(notice));
  }
}

void AnswerActions::ask(const std::string& question) {
  answer(place_at_end(publisher_.current()->conversation.messages, question));
}

void AnswerActions::regenerate(std::optional<size_t> question) {
  auto place = place_of_answer(publisher_.current()->conversation.messages, question);
  if (place) answer(*std::move(place));
}

void AnswerActions::edit(size_t message, const std::string& text) {
  auto place = place_of_edited(publisher_.current()->conversation.messages, message, text);
  if (place) answer(*std::move(place));
}

void AnswerActions::stop() {
  MutexLock lock(mutex_);
  if (!running_) return;
  ended_ = Ended::kStopped;
  running_->cancel();
}

void AnswerActions::cut_off(CutOff kind) {
  MutexLock lock(mutex_);
  if (!running_) return;
  ended_ = kind == CutOff::kTold ? Ended::kCutOff : Ended::kCutOffSilently;
  running_->cancel();
}

}  // namespace mneme::ui
