#include "ui/view_model/answer_actions.h"

#include <algorithm>
#include <utility>

#include "base/guarded.h"
#include "ui/language/tr.h"
#include "ui/view_model/conversations.h"

namespace mneme::ui {
namespace {

using Ended = AnswerUnderWay::Ended;

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

}  // namespace

std::vector<rag::Turn> history_of(const Messages& messages) {
  std::vector<rag::Turn> turns;
  for (const auto& message : messages) {
    if (message->from_user) {
      turns.push_back({.question = message->text, .answer = "", .documents = {}});
    } else if (!turns.empty()) {
      turns.back().answer = message->text;
      std::vector<std::string>& documents = turns.back().documents;
      for (const SourceView& source : message->sources) {
        const bool is_known = std::find(documents.begin(), documents.end(), source.document) != documents.end();
        if (source.cited && !source.document.empty() && !is_known) documents.push_back(source.document);
      }
    }
  }
  std::erase_if(turns, [](const rag::Turn& turn) { return turn.answer.empty(); });
  return turns;
}

bool AnswerActions::takes_question() {
  if (!publisher_.current()->conversation.answering) return true;
  publisher_.notice(tr("This chat is still being answered; then it can be asked on."), false);
  return false;
}

void AnswerActions::ask(const std::string& question) {
  if (takes_question()) begin(place_at_end(publisher_.current()->conversation.messages, question));
}

void AnswerActions::regenerate(std::optional<size_t> question) {
  if (!takes_question()) return;
  auto place = place_of_answer(publisher_.current()->conversation.messages, question);
  if (place) begin(*std::move(place));
}

void AnswerActions::edit(size_t message, const std::string& text) {
  if (!takes_question()) return;
  auto place = place_of_edited(publisher_.current()->conversation.messages, message, text);
  if (place) begin(*std::move(place));
}

void AnswerActions::begin(AnswerPlace place) {
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  auto one = std::make_shared<AnswerUnderWay>();
  one->number = ++last_number_;
  one->chat = now->conversation.chat;
  one->options = options_of(*now, place.before);
  one->place = std::move(place);
  bool waits = false;
  {
    MutexLock lock(mutex_);
    waits = !under_way_.empty();
    under_way_.push_back(one);
  }
  show(*one, waits);
  save_question(*one);
  on_answering_([this, one] {
    const Status status = guarded("answering a question", [&] {
      if (has_turn(one)) writer_.write(*one);
      return Status();
    });
    leave(one);
    if (status.ok()) return;
    writer_.withdraw(*one);
    publisher_.report(status);
  });
}

void AnswerActions::show(const AnswerUnderWay& one, bool waits) {
  auto pending = std::make_shared<MessageView>();
  pending->streaming = true;
  pending->under_way = one.number;
  pending->stage = waits ? "waiting" : "retrieving";
  publisher_.update([&](Snapshot& s) {
    s.conversation.messages = one.place.with(pending);
    s.conversation.answering = true;
  });
}

// Where nothing would be lost by it, a question is kept before it is answered.
void AnswerActions::save_question(AnswerUnderWay& one) {
  AnswerPlace& place = one.place;
  if (place.replaces_an_answer()) return;
  const bool keeps_question = place.question->id == 0 && place.behind.empty();
  const auto& gone = place.replaced;
  const bool forgets = std::any_of(gone.begin(), gone.end(), [](const auto& message) { return message->id != 0; });
  if (!keeps_question && !forgets) return;
  const Messages saved =
      chats_.keeper().keep({gone, keeps_question ? Messages{place.question} : Messages{}, {}}, one.chat);
  if (!saved.empty()) place.question = saved.front();
}

bool AnswerActions::has_turn(const std::shared_ptr<AnswerUnderWay>& one) {
  MutexLock lock(mutex_);
  return !under_way_.empty() && under_way_.front() == one;
}

void AnswerActions::leave(const std::shared_ptr<AnswerUnderWay>& one) {
  MutexLock lock(mutex_);
  std::erase(under_way_, one);
}

void AnswerActions::stop(std::optional<int64_t> chat) {
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  end(chat ? conversation_of_chat(*now, *chat) : &now->conversation, Ended::kStopped);
}

// The one being written ends by itself as soon as it sees that; one that waits would see it after the others only.
void AnswerActions::end(const ConversationView* conversation, Ended how) {
  const uint64_t number = conversation == nullptr ? 0 : answer_under_way(*conversation);
  std::shared_ptr<AnswerUnderWay> waiting;
  {
    MutexLock lock(mutex_);
    const auto found =
        std::find_if(under_way_.begin(), under_way_.end(), [&](const auto& one) { return one->number == number; });
    if (found == under_way_.end()) return;
    (*found)->end(how);
    if (found == under_way_.begin()) return;
    waiting = *found;
    under_way_.erase(found);
  }
  writer_.withdraw(*waiting);
}

void AnswerActions::cut_off() {
  MutexLock lock(mutex_);
  if (!under_way_.empty()) under_way_.front()->end(Ended::kCutOff);
}

void AnswerActions::cut_off_silently() {
  MutexLock lock(mutex_);
  for (const auto& one : under_way_) one->end(Ended::kCutOffSilently);
}

void AnswerActions::cut_off_of(int64_t chat) {
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  end(conversation_of_chat(*now, chat), Ended::kCutOffSilently);
}

}  // namespace mneme::ui
