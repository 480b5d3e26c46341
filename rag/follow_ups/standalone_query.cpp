#include "rag/follow_ups/standalone_query.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "rag/follow_ups/asked_topic.h"
#include "rag/follow_ups/exchanged_asking.h"
#include "rag/follow_ups/exchanged_thing.h"
#include "rag/follow_ups/follow_up_words.h"
#include "rag/follow_ups/named_topic.h"
#include "rag/follow_ups/pleasantries.h"
#include "rag/follow_ups/way_back.h"
#include "rag/follow_ups/wide_follow_ups.h"
#include "rag/text/asked/extremes.h"
#include "rag/text/asked/plain_question.h"
#include "rag/text/documents/asked_gist.h"
#include "rag/text/documents/listed_reference.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/words/phrases.h"

namespace mneme::rag {

namespace {

constexpr size_t kMostTopics = 2;
constexpr size_t kShort = 3;  // words that say something; a longer question says what it is about

enum class Leaning {
  kNot,
  kPerhaps,  // names a thing, in few words: "How long is a lesson?"
  kLikely,   // names nothing, in few words: "Whom do I pay?"
  kSurely,   // points back: "And how much is it?"
};

bool is_impersonal(std::span<const PlacedWord> words, size_t i) {  // "faut-il", "y a-t-il"
  return words[i].text == "il" && i > 0 &&
         (words[i - 1].text == "faut" || (i > 1 && words[i - 1].text == "t" && words[i - 2].text == "a"));
}

bool points_back(std::string_view question, std::span<const PlacedWord> words) {
  for (size_t i = 0; i < words.size(); ++i) {
    if ((is_pronoun(words[i].text, language_of(question)) && !is_impersonal(words, i)) ||
        is_lone_article(question, words, i))
      return true;
  }
  return false;
}

// Words that say something.
size_t n_saying(std::string_view question) {
  if (is_wide(question)) return wide_topic_of(question).empty() ? 0 : 2;
  const std::vector<PlacedWord> words = spaced_words(question);
  size_t n = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i].text;
    const bool last = i + 1 == words.size();  // "The cheapest?"
    const bool says = !is_stop_word(word) && !is_asking_verb(word) && !is_pronoun(word, language_of(question)) &&
                      !(last && is_superlative(word));
    n += says || is_name_like_article(question, words, i) ? 1 : 0;
  }
  return n;
}

Leaning leaning_of(std::string_view question) {
  if (is_wide(question)) {
    return is_wide_follow_up(question) ? Leaning::kSurely : Leaning::kPerhaps;
  }
  const std::vector<PlacedWord> words = spaced_words(question);
  if (n_continuing(words, language_of(question)) > 0 || points_back(question, words)) return Leaning::kSurely;
  const size_t n = n_saying(question);
  if (n == 0) return Leaning::kSurely;
  if (n > kShort) return Leaning::kNot;
  return topic_of(question).text.empty() ? Leaning::kLikely : Leaning::kPerhaps;
}

// An earlier request as a question: "Summarise the lease" as "What is the lease about?",
// "the second one" of a list as the name of the file.
std::string talked_question(const Turn& turn) {
  std::string said(without_pleasantries(turn.question));
  const std::optional<ListedReference> reference = listed_reference(said);
  if (reference && turn.documents.size() == 1) {
    const std::string file = std::filesystem::path(turn.documents.front()).stem().string();
    if (wants_listed_whole(said, *reference)) return "What is " + file + " about?";
    said.replace(reference->begin, reference->end - reference->begin, file);
  }
  const AskedGist gist = is_wide(said) ? AskedGist() : asked_gist(said);
  if (!gist.is_asked) return plain_question(said);
  return "What is " + (gist.document.empty() ? "it" : gist.document) + " about?";
}

bool says_one_of(std::string_view question, std::span<const std::string_view> words) {
  const std::vector<PlacedWord> said = spaced_words(question);
  return std::any_of(said.begin(), said.end(), [&](const PlacedWord& word) { return one_of(word.text, words); });
}

bool points_to_person(std::string_view question) {
  static constexpr std::string_view kWords[] = {"he", "she", "him", "her", "his"};
  return says_one_of(question, kWords);
}

// "Oscar's swimming course"
bool names_person(std::string_view topic) {
  const std::vector<PlacedWord> words = spaced_words(topic);
  return std::any_of(words.begin(), words.end(), [&](const PlacedWord& w) {
    return topic[w.begin] >= 'A' && topic[w.begin] <= 'Z' && w.end < topic.size();
  });
}

// "How much is the advanced one?" names a thing once the one is known.
bool names_another(std::string_view question) {
  static constexpr std::string_view kWords[] = {"one", "ones"};
  return says_one_of(question, kWords);
}

// "And where is the key?", "What about the deposit?": goes on, and with a thing of its own.
bool names_its_own(std::string_view question) {
  const std::vector<PlacedWord> words = spaced_words(question);
  const size_t n = n_continuing(words, language_of(question));
  if (n == 0 || n >= words.size() || is_preposition(words[n].text) || points_back(question, words)) return false;
  return topic_of(question).is_thing;
}

// What is being talked about, newest first.
class Talk {
 public:
  // What the next question may mean.
  std::vector<QuestionReading> readings(std::string_view question) const {
    const Leaning leaning = topics_.empty() ? Leaning::kNot : leaning_of(question);
    std::vector<QuestionReading> leaned;
    if (leaning != Leaning::kNot) leaned = leaning_ones(question);
    const bool exchanges = exchange(question).has_value();
    const bool by_itself = leaning <= Leaning::kPerhaps || (names_its_own(question) && !exchanges);
    const auto alone = by_itself ? leaned.begin() : leaned.end();
    // One verb that names nothing asks of nothing by itself.
    const bool says_little = leaning >= Leaning::kLikely && n_saying(question) < 2 && !exchanges && !by_itself;
    if (!says_little || leaned.empty()) leaned.insert(alone, {std::string(question), "", "", true});
    if (by_itself && leaned.size() > 1) name_own_thing(question, leaned);
    std::vector<QuestionReading> different;
    for (QuestionReading& reading : leaned) {
      const auto is_it = [&](const QuestionReading& other) { return other.question == reading.question; };
      if (std::none_of(different.begin(), different.end(), is_it)) different.push_back(std::move(reading));
    }
    return different;
  }

  // documents: that the question was answered from.
  void go_on(std::string_view question, std::span<const std::string> documents) {
    const Leaning leaning = topics_.empty() ? Leaning::kNot : leaning_of(question);
    const std::optional<std::string> exchanged = exchange(question);
    std::string said = readings(question).front().question;
    const bool another = exchanged || (names_another(question) && said != question);
    const AskedTopic own = topic(another ? std::string_view(said) : question);
    if (leaning == Leaning::kNot) {
      topics_.clear();
      if (own.text.empty()) add(question, false);
    }
    const bool is_new = leaning != Leaning::kSurely || another || topics_.empty();
    if (is_new && !own.text.empty()) add(own.text, own.is_thing);
    said_ = std::move(said);
    if (!topics_.empty() && !documents.empty()) topics_.front().documents = {documents.begin(), documents.end()};
    leave_others();
  }

 private:
  struct Named {
    std::string text;
    bool is_thing = false;
    std::vector<std::string> documents{};
  };

  static AskedTopic topic(std::string_view question) {
    return is_wide(question) ? AskedTopic{wide_topic_of(question), true} : topic_of(question);
  }

  void add(std::string_view text, bool is_thing) {
    topics_.insert(topics_.begin(), {.text = std::string(text), .is_thing = is_thing});
    if (topics_.size() > kMostTopics) topics_.pop_back();
  }

  // What was told by other documents than the newest topic is no longer talked about: "And back?" behind a flight is
  // not of the dishwasher.
  void leave_others() {
    if (topics_.empty() || topics_.front().documents.empty()) return;
    const std::vector<std::string>& here = topics_.front().documents;
    std::erase_if(topics_, [&](const Named& named) {
      return !named.documents.empty() && std::find_first_of(named.documents.begin(), named.documents.end(),
                                                            here.begin(), here.end()) == named.documents.end();
    });
  }

  // A question that says itself of what it asks is answered by what tells of that, whatever the talk was of.
  static void name_own_thing(std::string_view question, std::vector<QuestionReading>& readings) {
    for (QuestionReading& reading : readings) reading.named = std::string(topic(question).text);
  }

  std::optional<std::string> exchange(std::string_view question) const {
    if (is_wide(question)) return with_wide_thing_exchanged(said_, question);
    if (n_saying(question) == 0 && price_wanted(question) != PriceWanted::kAny) return std::nullopt;
    if (std::optional<std::string> asked = with_asking_exchanged(said_, question)) return asked;
    if (std::optional<std::string> back = with_way_back(said_, question)) return back;
    return with_thing_exchanged(said_, question);
  }

  // The topics, those first that the question's words can be about.
  std::vector<Named> topics_for(std::string_view question) const {
    std::vector<Named> topics = topics_;
    const auto of_person = [](const Named& named) { return names_person(named.text); };
    if (points_to_person(question)) std::stable_partition(topics.begin(), topics.end(), of_person);
    // "The advanced one" is of what is being talked about, not of "a lesson".
    const auto is_definite = [](const Named& named) { return !named.text.starts_with("a "); };
    if (names_another(question)) std::stable_partition(topics.begin(), topics.end(), is_definite);
    return topics;
  }

  std::vector<QuestionReading> leaning_ones(std::string_view question) const {
    if (std::optional<std::string> exchanged = exchange(question)) {
      const bool names =
          is_wide(question) || !(with_asking_exchanged(said_, question) || with_way_back(said_, question));
      return {{*std::move(exchanged), "", names ? std::string(question) : std::string()}};
    }
    std::vector<QuestionReading> ones;
    for (Named& named : topics_for(question)) {
      std::string said = is_wide(question) ? with_wide_topic_named(question, named.text)
                                           : with_topic_named(question, {named.text, named.is_thing});
      // Where the topic stands in the sentence as anybody would write it, it is asked about like anything else.
      const bool apart = said.ends_with(")") || is_wide(said);
      ones.push_back({std::move(said), apart ? std::move(named.text) : std::string()});
    }
    return ones;
  }

  std::string said_;  // the last question as it stands alone
  std::vector<Named> topics_;
};

}  // namespace

bool is_follow_up(std::string_view question) {
  return leaning_of(without_pleasantries(question)) >= Leaning::kLikely;
}

bool may_go_on(std::string_view question) {
  return leaning_of(without_pleasantries(question)) >= Leaning::kPerhaps;
}

std::span<const std::string> talked_of(std::span<const Turn> history) {
  while (!history.empty() && !reply_to_pleasantry(history.back().question).empty())
    history = history.first(history.size() - 1);
  return history.empty() ? std::span<const std::string>() : history.back().documents;
}

std::vector<QuestionReading> question_readings(std::string_view question, std::span<const Turn> history) {
  Talk talk;
  for (const Turn& turn : history) {
    if (reply_to_pleasantry(turn.question).empty()) talk.go_on(talked_question(turn), turn.documents);
  }
  return talk.readings(plain_question(without_pleasantries(question)));
}

std::string standalone_query(std::string_view question, std::span<const Turn> history) {
  return question_readings(question, history).front().question;
}

}  // namespace mneme::rag
