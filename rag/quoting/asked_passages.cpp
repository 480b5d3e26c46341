#include "rag/quoting/asked_passages.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_set>

#include "base/ascii.h"
#include "rag/quoting/outline/sentence_shapes.h"
#include "rag/text/asked/action.h"
#include "rag/text/languages/elision.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/month_names.h"
#include "rag/text/told/definitions.h"
#include "rag/text/variants/compounds.h"
#include "rag/text/variants/word_forms.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr double kOtherPart = 0.3;  // what a word of the question's other part counts
constexpr double kOnTopic = 0.75;   // of what the best passage has of it
constexpr double kLeanedOn = 0.4;   // what a word counts of what the conversation is about
constexpr double kOneOfMany = 0.4;  // of an item under the heading that is asked for, beside others
constexpr int kSetApart = 3;        // so many sentences that emphasise a term, and half of all: it is written so

// The word, another form of it, or in German a kind of it.
bool is_said(const std::string& stem, const std::string& other) {
  return other == stem || is_form(stem, other) || is_kind_of(other, stem);
}

// "Corvid", "NDA", "2023": a word that merely stands in a title ("eye") calls no document.
bool is_written_as_name(std::string_view word) {
  return !word.empty() && ((word.front() >= 'A' && word.front() <= 'Z') || is_digit(word.front()));
}

// Itself or above it.
bool says_word(const PassageOutline& outline, const std::string& stem) {
  const auto says = [&](const std::string& other) { return is_said(stem, other); };
  const auto holds = [&](const std::vector<std::string>& stems) {
    return std::any_of(stems.begin(), stems.end(), says);
  };
  return holds(outline.context_stems()) || holds(outline.name_stems()) ||
         std::any_of(outline.parts().begin(), outline.parts().end(),
                     [&](const OutlinePart& part) { return holds(part.stems); });
}

// "February" by "2026-02-12".
bool tells_month(const PassageOutline& outline, std::string_view word) {
  const int month = month_named(word);
  if (month == 0) return false;
  const std::string mark = month_mark(month);
  return std::any_of(outline.parts().begin(), outline.parts().end(), [&](const OutlinePart& part) {
    return std::find(part.stems.begin(), part.stems.end(), mark) != part.stems.end();
  });
}

}  // namespace

AskedPassages::AskedPassages(const QuoteQuestion& question, std::span<const PassageOutline> outlines)
    : question_(question), outlines_(outlines), wanted_(question.text) {
  for (const PassageOutline& outline : outlines) {
    own_.push_back(question.names.share_in(outline.context()) > 0.0 || question.names.number_in(outline.text()));
    const bool source = outline.form() == TextForm::kSource;  // its keys are no labels
    titles_.push_back(source ? 0 : question.labels.taken_by(outline.title()));
  }
  any_own_ = std::find(own_.begin(), own_.end(), true) != own_.end();
  for (size_t p = 0; p < outlines.size(); ++p) on_topic_.push_back(share_of_topic(p));
  if (!on_topic_.empty()) most_on_topic_ = *std::max_element(on_topic_.begin(), on_topic_.end());
  find_called();
  count_emphasis();
  weigh_words();
}

void AskedPassages::count_emphasis() {
  if (question_.kind != QuestionKind::kDefinition) return;
  int n_saying = 0;
  int n_emphasised = 0;
  for (const PassageOutline& outline : outlines_) {
    for (const OutlinePart& part : outline.parts()) {
      const bool says = std::any_of(part.stems.begin(), part.stems.end(),
                                    [&](const std::string& stem) { return question_.matter.contains(stem); });
      n_saying += says ? 1 : 0;
      n_emphasised += says && emphasises(part.raw, question_.matter) ? 1 : 0;
    }
  }
  emphasises_usually_ = n_emphasised >= kSetApart && 2 * n_emphasised >= n_saying;
}

// "What is the daily rate in the NDA?": a document is called NDA, and what never speaks of one tells of other rates.
void AskedPassages::find_called() {
  speaks_of_called_.assign(outlines_.size(), true);
  WordScanner scanner(question_.text);
  for (Word word; scanner.next(word);) {
    const std::string stem(stem_of(word.text));
    // "Make" of "How do I make guacamole?" is not the program.
    const bool is_action = question_.kind == QuestionKind::kManner && stem == question_.action;
    const bool only_asks = is_stop_word(word.text, question_.language) || question_.only_asks(word.text) || is_action ||
                           is_elided(question_.text, word);
    if (word.pair || only_asks || question_.topic_stems.contains(stem)) continue;  // a pair names nothing by itself
    const bool calls = std::any_of(outlines_.begin(), outlines_.end(), [&](const PassageOutline& outline) {
      const std::vector<std::string>& name = outline.name_stems();
      return std::find(name.begin(), name.end(), stem) != name.end();
    });
    if (!calls) continue;
    calls_by_name_ |= word.byte_begin > 0 && is_written_as_name(question_.text.substr(word.byte_begin));
    for (size_t p = 0; p < outlines_.size(); ++p) {
      if (!says_word(outlines_[p], stem) && !tells_month(outlines_[p], word.text)) speaks_of_called_[p] = false;
    }
  }
}

void AskedPassages::weigh_words() {
  for (size_t p = 0; p < outlines_.size(); ++p) {
    const bool may_tell = (!any_own_ || own_[p]) && (!calls_by_name_ || speaks_of_called_[p]);
    if (may_tell) wanted_.add(outlines_[p]);  // what is not quoted has no words
  }
  const QuoteQuestion& asked = question_;
  if (asked.kind == QuestionKind::kManner) wanted_.let_stand_for(asked_action(asked.text), asked.like_action);
  const auto only_asks = [&](std::string_view word) { return asked.only_asks(word); };
  const auto says_little = [&](std::string_view word) {
    return asked.only_asks(word) || asked.topic_stems.contains(stem_of(word));
  };
  if (!asked.thing_text.empty()) wanted_.weigh(asked.thing_text, 1.0, only_asks);
  wanted_.weigh(asked.text, asked.thing_text.empty() ? 1.0 : kOtherPart, says_little);
  if (!asked.topic.empty()) wanted_.weigh(asked.topic, kLeanedOn, only_asks);
  if (asked.whole.size() != asked.text.size()) wanted_.weigh(asked.whole, kOtherPart, only_asks);
}

double AskedPassages::share_of_topic(size_t p) const {
  const auto holds = [&](const std::string& stem) { return says_word(outlines_[p], stem); };
  const std::unordered_set<std::string>& topic = question_.topic_stems;
  const auto names = [](const std::string& stem) { return !is_stop_word(stem); };
  const auto n_named = std::count_if(topic.begin(), topic.end(), names);
  const auto n_held =
      std::count_if(topic.begin(), topic.end(), [&](const std::string& stem) { return names(stem) && holds(stem); });
  return n_named == 0 ? 0.0 : static_cast<double>(n_held) / static_cast<double>(n_named);
}

bool AskedPassages::only_others_tell(const std::vector<std::string>& words) const {
  if (!calls_by_name_) return false;
  for (size_t p = 0; p < outlines_.size(); ++p) {
    const auto says = [&](const std::string& word) { return says_word(outlines_[p], stem_of(word)); };
    if (!speaks_of_called_[p] && std::all_of(words.begin(), words.end(), says)) return true;
  }
  return false;
}

bool AskedPassages::is_on_topic(size_t p) const {
  return speaks_of_called_[p] && on_topic_[p] >= kOnTopic * most_on_topic_;
}

double AskedPassages::titled(size_t p) const {
  if (!calls_title(p) || !question_.short_form.empty()) return 0.0;
  std::set<std::string> known;
  return wanted_.share_of(stems_of(outlines_[p].title()), known);
}

double AskedPassages::labelled(size_t p, size_t i) const {
  const OutlinePart& part = outlines_[p].parts()[i];
  const uint64_t title = titles_[p];
  if (title == 0) return 0.0;
  const AskedLabels& labels = question_.labels;
  const std::string_view field = label_in_heading(part.raw);
  const std::string_view label = field.empty() ? label_of(part.raw) : field;
  const std::string heading = outlines_[p].heading_text(part);
  const double under = labels.share_in(heading, title);
  const std::string_view said =
      label.empty() ? label : part.raw.substr(static_cast<size_t>(label.end() - part.raw.begin()));
  const bool as_role = question_.kind == QuestionKind::kPerson && !said.empty();
  const double by_itself =
      std::max(labels.share_in(label, title, said), as_role ? labels.share_as_role(said, title) : 0.0);
  const double both = label.empty() ? 0.0 : labels.share_in(heading + " " + std::string(label), title);
  const bool first = part.heading >= 0 && static_cast<size_t>(part.heading) + 1 == i;
  const bool stands_for_it = stands_for_heading(label) || (first && !is_item(part));
  const double as_one_of_many = stands_for_it ? under : label.empty() && !first ? 0.0 : kOneOfMany * under;
  return std::max({as_one_of_many, by_itself, both});
}

}  // namespace mneme::rag
