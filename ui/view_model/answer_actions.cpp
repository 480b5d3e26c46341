#include "ui/view_model/answer_actions.h"

#include <chrono>
#include <utility>

#include "base/guarded.h"
#include "base/trace.h"
#include "ui/view_model/message_view.h"

namespace mneme::ui {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPublishEvery{16};  // a frame: more would only cost
constexpr size_t kMostEvents = 200'000;
constexpr size_t kRecentAnswers = 50;

// The conversation's earlier turns as the answerer wants them.
std::vector<rag::Turn> history_of(const ConversationView& conversation) {
  std::vector<rag::Turn> turns;
  for (const auto& message : conversation.messages) {
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

rag::AskOptions options_of(const Snapshot& snapshot) {
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
  options.history = history_of(snapshot.conversation);
  return options;
}

// Whether a question waits for the model first.
bool opens_model(const EngineView& engine) {
  const bool none = engine.model.empty() || engine.model == "none";
  return !none && engine.state != EngineView::State::kOpen;
}

// Changes the last message of the shown conversation, which is the answer being written.
void change_last(Publisher& publisher, const std::function<void(MessageView&)>& change) {
  publisher.update([&](Snapshot& s) {
    if (s.conversation.messages.empty()) return;
    auto message = std::make_shared<MessageView>(*s.conversation.messages.back());
    if (!message->streaming) return;  // another conversation is shown by now
    change(*message);
    s.conversation.messages.back() = std::move(message);
  });
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
    change_last(publisher_, [&](MessageView& m) { m.text += waiting_; });
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

void AnswerActions::show_question(const std::string& question) {
  auto user = std::make_shared<MessageView>();
  user->from_user = true;
  user->text = question;
  auto pending = std::make_shared<MessageView>();
  pending->streaming = true;
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  pending->stage = opens_model(now->engine) ? "opening" : "retrieving";
  chat_ = now->conversation.chat;
  publisher_.update([&](Snapshot& s) {
    s.answering = true;
    s.conversation.messages.push_back(user);
    s.conversation.messages.push_back(pending);
  });
  save(*user);
}

void AnswerActions::save(const MessageView& message) {
  const Result<ChatActions::Saved> saved = chats_.save(message, chat_);
  if (!saved.ok())
    return publisher_.report(Status(saved.status().code(), "the chat cannot be kept: " + saved.status().message()));
  chat_ = saved->chat;
  publisher_.update([&](Snapshot& s) {
    if (s.conversation.chat != chat_) return;
    for (auto& shown : s.conversation.messages) {
      if (shown->id != 0 || shown->from_user != message.from_user) continue;
      auto copy = std::make_shared<MessageView>(*shown);
      copy->id = saved->message;
      shown = std::move(copy);
    }
  });
}

void AnswerActions::finish(const std::string& question, MessageView message) {
  change_last(publisher_, [&](MessageView& m) { m = message; });
  publisher_.update([](Snapshot& s) { s.answering = false; });
  if (message.facts) remember(publisher_, question, *message.facts);
  // A question that could not even be saved has no chat to keep its answer in.
  if (message.error.empty() && chat_ != 0) save(message);
}

// Stores what was computed for the chat that is left, so that going on with it later is a load.
void AnswerActions::leave_chat() {
  if (answerer_ && chat_kv_) answerer_->leave_chat(last_options_);
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

void AnswerActions::ask(const std::string& question) {
  auto cancel = std::make_shared<CancelToken>();
  {
    MutexLock lock(mutex_);
    running_ = cancel;
  }
  rag::AskOptions options = options_of(*publisher_.current());
  show_question(question);
  go_on_with_chat(options);
  const Clock::time_point begin = Clock::now();
  TokenStream stream(publisher_);
  rag::AskCallbacks callbacks;
  callbacks.token = [&](std::string_view text) { stream.add(text); };
  callbacks.stage = [&](std::string_view stage) {
    change_last(publisher_, [&](MessageView& m) { m.stage = stage; });
    if (workspace_.model_is_open()) publisher_.update([](Snapshot& s) { s.engine.state = EngineView::State::kOpen; });
  };
  callbacks.sources = [&](const std::vector<rag::Citation>& sources) {
    change_last(publisher_, [&](MessageView& m) { m.sources = source_views(sources); });
  };
  trace::start(trace::Detail::kStages);
  const Result<rag::Answer> answer = answerer_->ask(question, options, callbacks, *cancel);
  std::vector<StageView> timeline = timeline_of(trace::finish_events(kMostEvents));
  stream.flush();
  MessageView message;
  if (answer.ok()) {
    message = message_of(*answer, std::move(timeline));
  } else {
    message.error = answer.status().message();
  }
  finish(question, std::move(message));
  if (Clock::now() - begin > std::chrono::seconds(publisher_.current()->settings.long_work_s)) {
    Notice notice;
    notice.text = answer.ok() ? "The answer is there." : "The question could not be answered.";
    notice.long_work = true;
    publisher_.notice(std::move(notice));
  }
}

void AnswerActions::stop() {
  MutexLock lock(mutex_);
  if (running_) running_->cancel();
}

void AnswerActions::regenerate() {
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  const auto& messages = now->conversation.messages;
  for (size_t i = messages.size(); i-- > 0;) {
    if (messages[i]->from_user) return edit(i, messages[i]->text);
  }
}

void AnswerActions::edit(size_t message, const std::string& text) {
  if (const Status status = chats_.drop_messages_from(message); !status.ok()) return publisher_.report(status);
  ask(text);
}

}  // namespace mneme::ui
