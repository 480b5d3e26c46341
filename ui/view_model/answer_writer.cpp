#include "ui/view_model/answer_writer.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "base/trace.h"
#include "base/utf8.h"
#include "ui/language/tr.h"
#include "ui/view_model/conversations.h"
#include "ui/view_model/kv_store.h"
#include "ui/view_model/message_view.h"

namespace mneme::ui {
namespace {

using Clock = std::chrono::steady_clock;
using Ended = AnswerUnderWay::Ended;

constexpr std::chrono::milliseconds kPublishEvery{16};  // a frame: more would only cost
constexpr size_t kMostEvents = 200'000;
constexpr size_t kRecentAnswers = 50;

// Whether a question waits for the model first.
bool opens_model(const EngineView& engine) {
  const bool none = engine.model.empty() || engine.model == "none";
  return !none && engine.state != EngineView::State::kOpen;
}

bool was_interrupted(const MessageView& answer) {
  return answer.facts && answer.facts->finish == "interrupted";
}

// Before anything was written.
MessageView interrupted() {
  MessageView message;
  message.facts.emplace().finish = "interrupted";
  return message;
}

// The model is opened first: where it is not open, its file is what was not found.
std::string reason_of(const Status& status, rag::Workspace& workspace) {
  const bool gone = status.code() == StatusCode::kNotFound && !workspace.model_is_open();
  if (!gone || workspace.model_name() == "none") return status.message();
  return filled(tr("The file of the model “{0}” is gone; choose another, or have passages quoted ({1})."),
                workspace.model_name(), status.message());
}

// A question as it is named in a sentence.
std::string named(const std::string& question) {
  constexpr size_t kBytes = 60;
  const size_t cut = utf8::floor_boundary(question, std::min(kBytes, question.size()));
  return filled(tr_c("quotation", "“{0}”"), question.substr(0, cut) + (cut < question.size() ? "…" : ""));
}

// Changes the answer being made, where it stands.
void change(Publisher& publisher, const AnswerUnderWay& one, const std::function<void(MessageView&)>& with) {
  publisher.update([&](Snapshot& s) { change_answer(s, one.number, with); });
}

// Gathers tokens and publishes them once a frame, so that a fast model costs no more than a slow one.
class TokenStream {
 public:
  TokenStream(Publisher& publisher, const AnswerUnderWay& one) : publisher_(publisher), one_(one) {}
  void add(std::string_view text) {
    waiting_ += text;
    if (Clock::now() - published_ >= kPublishEvery) flush();
  }
  void flush() {
    published_ = Clock::now();
    if (waiting_.empty()) return;
    change(publisher_, one_, [&](MessageView& m) { m.text += waiting_; });
    waiting_.clear();
  }

 private:
  Publisher& publisher_;
  const AnswerUnderWay& one_;
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

AnswerWriter::~AnswerWriter() {
  attempt([&] { leave_chat(); });
}

void AnswerWriter::write(AnswerUnderWay& one) {
  const Clock::time_point begun = Clock::now();
  const MessageView message = ask(one);
  const bool shown = finish(one, message);
  const bool took_long = Clock::now() - begun > std::chrono::seconds(publisher_.current()->settings.long_work_s);
  tell_of_end(one, message, shown, took_long);
}

void AnswerWriter::withdraw(AnswerUnderWay& one) {
  finish(one, interrupted());
}

MessageView AnswerWriter::ask(AnswerUnderWay& one) {
  if (one.cancel.cancelled()) return interrupted();
  const bool opens = opens_model(publisher_.current()->engine);
  change(publisher_, one, [&](MessageView& m) { m.stage = opens ? "opening" : "retrieving"; });
  go_on_with_chat(one);
  TokenStream stream(publisher_, one);
  rag::AskCallbacks callbacks;
  callbacks.token = [&](std::string_view text) { stream.add(text); };
  callbacks.stage = [&](std::string_view stage) {
    change(publisher_, one, [&](MessageView& m) { m.stage = stage; });
    if (workspace_.model_is_open()) publisher_.update([](Snapshot& s) { s.engine.state = EngineView::State::kOpen; });
  };
  callbacks.sources = [&](const std::vector<rag::Citation>& sources) {
    change(publisher_, one, [&](MessageView& m) { m.sources = source_views(sources); });
  };
  trace::start(trace::Detail::kStages);
  const Result<rag::Answer> answer = answerer_->ask(one.place.question->text, one.options, callbacks, one.cancel);
  std::vector<StageView> timeline = timeline_of(trace::finish_events(kMostEvents));
  stream.flush();
  if (answer.ok()) return message_of(*answer, std::move(timeline));
  if (answer.status().code() == StatusCode::kCancelled) return interrupted();
  MessageView failed;
  failed.error = reason_of(answer.status(), workspace_);
  return failed;
}

// True when its conversation is shown.
bool AnswerWriter::finish(AnswerUnderWay& one, MessageView message) {
  const Ended ended = one.ended;
  const bool cut = was_interrupted(message) && (ended == Ended::kCutOff || ended == Ended::kCutOffSilently);
  if (message.facts && !message.text.empty()) remember(publisher_, one.place.question->text, *message.facts);
  const bool gives_back = one.place.replaces_an_answer() && (message.text.empty() || cut);
  if (cut && ended == Ended::kCutOff)
    publisher_.notice(filled(gives_back ? tr("The answer to {0} was stopped; the one before stays.")
                                        : tr("The answer to {0} was stopped."),
                             named(one.place.question->text)),
                      false);
  return gives_back ? give_back(one, message) : keep(one, std::move(message));
}

// What stood there before is there still: in the catalogue it was not touched.
bool AnswerWriter::give_back(const AnswerUnderWay& one, const MessageView& message) {
  bool shown = false;
  publisher_.update([&](Snapshot& s) { shown = give_up_answer(s, one.number, one.place.shown); });
  if (!message.error.empty()) {
    publisher_.notice(
        filled(tr("What was answered before stays, as it could not be answered again: {0}"), message.error), true);
  } else if (!was_interrupted(message)) {
    publisher_.notice(tr("What was answered before stays: the model wrote nothing."), false);
  } else if (one.ended == Ended::kStopped) {
    publisher_.notice(tr("What was answered before stays, as nothing new was written yet."), false);
  }
  return shown;
}

bool AnswerWriter::keep(AnswerUnderWay& one, MessageView message) {
  auto answer = std::make_shared<const MessageView>(std::move(message));
  const auto deleted = [&] {
    return one.ended == Ended::kCutOffSilently && one.chat != 0 && chats_.keeper().is_gone(one.chat);
  };
  if (holds_words(*answer) && !deleted()) {
    ChatKeeper::Change change{one.place.replaced, {answer}, one.place.behind};
    if (one.place.question->id == 0) change.added.insert(change.added.begin(), one.place.question);
    const Messages kept = chats_.keeper().keep(change, one.chat);
    if (!kept.empty()) answer = kept.back();
  }
  bool shown = false;
  publisher_.update([&](Snapshot& s) { shown = end_answer(s, one.number, answer); });
  return shown;
}

// Who looks at another chat is told, and so is the desktop after a long time.
void AnswerWriter::tell_of_end(const AnswerUnderWay& one, const MessageView& message, bool shown, bool took_long) {
  const bool was_ended = one.ended != Ended::kByItself;
  if (was_ended || (shown && !took_long)) return;
  Notice notice;
  notice.long_work = took_long;
  const bool failed = !message.error.empty();
  if (shown) {
    notice.text = failed ? tr("The question could not be answered.") : tr("The answer is there.");
  } else {
    const std::string question = named(one.place.question->text);
    notice.text = failed ? filled(tr("{0} could not be answered: {1}"), question, message.error)
                         : filled(tr("{0} was answered."), question);
    notice.is_error = failed;
    notice.action = one.chat == 0 ? NoticeAction::kNone : NoticeAction::kOpenChat;
    notice.chat = one.chat;
  }
  publisher_.notice(std::move(notice));
}

// Stores what was computed for the chat that is left, so that going on with it later is a load. Of a chat that is no
// more nothing stays: whoever deletes it while this is being stored finds it afterwards, or is seen here.
void AnswerWriter::leave_chat() {
  if (chat_kv_ && chat_of_kv_ > 0) {
    if (answerer_ && !chats_.keeper().is_gone(chat_of_kv_)) answerer_->leave_chat(last_options_);
    if (chats_.keeper().is_gone(chat_of_kv_)) static_cast<void>(forget_chat_kv(workspace_, chat_of_kv_));
  }
  chat_kv_.reset();
  last_options_ = {};
}

void AnswerWriter::go_on_with_chat(AnswerUnderWay& one) {
  if (!answerer_) answerer_ = std::make_unique<rag::Answerer>(workspace_);
  if (!chat_kv_ || chat_of_kv_ != one.chat) {
    leave_chat();
    chat_kv_ = std::make_unique<rag::ChatKv>(std::max<int64_t>(0, one.chat));
    chat_of_kv_ = one.chat;
  }
  one.options.chat = chat_kv_.get();
  last_options_ = one.options;
}

void AnswerWriter::forget_model() {
  leave_chat();
  answerer_.reset();
}

}  // namespace mneme::ui
