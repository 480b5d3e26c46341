#include "rag/answering/answer_by_quoting.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rag/answering/brief/brief_answer.h"
#include "rag/answering/brief/stated_brief.h"
#include "rag/answering/sources/dated_documents.h"
#include "rag/answering/sources/matter_words.h"
#include "rag/answering/sources/source_quotes.h"
#include "rag/prompt/prompt_layout.h"
#include "rag/text/asked/payments.h"
#include "rag/text/asked/price.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/notes.h"
#include "rag/text/quantities/money.h"
#include "rag/text/words/words.h"

namespace mneme::rag {
namespace {

Quotations quotes_for(const QuestionSources& found, const Embedder& embedder, const Answer& answer) {
  if (!found.answerable) return {};
  std::vector<std::reference_wrapper<const Hit>> hits;
  hits.reserve(answer.sources.size());
  for (const Citation& citation : answer.sources) hits.emplace_back(citation.source);
  return quotes_from(found, hits, embedder);
}

const std::string& question_of(const Asked& asked, const Answer& answer) {
  return answer.standalone_query.empty() ? asked.question : answer.standalone_query;
}

Result<std::optional<BriefAnswer>> read_quotes(const Asked& asked, std::span<const QuotedSentence> sentences,
                                               const OpenReader& open_reader, const Answer& answer) {
  MNEME_ASSIGN_OR_RETURN(engine::LanguageModel* const reader, open_reader());
  if (reader == nullptr) return std::optional<BriefAnswer>();
  std::vector<ReadQuote> quotes;
  quotes.reserve(sentences.size());
  for (const QuotedSentence& sentence : sentences) {
    const Citation& from = answer.sources[static_cast<size_t>(sentence.passage)];
    quotes.push_back({from.n, from.source.title, sentence.text});
  }
  return read_brief_answer(*reader, question_of(asked, answer), quotes, asked.cancel);
}

// Whatever hinders reading costs the short answer, not the quotations.
void take_brief(Result<std::optional<BriefAnswer>> brief, std::string_view question, std::string_view best,
                bool is_short, Answer& answer) {
  if (!brief.ok()) {
    const bool is_wanted = brief.status().code() != StatusCode::kCancelled;
    if (is_wanted)
      answer.notes.push_back(note_for(question, &NoteTexts::only_quoted, {{"why", brief.status().message()}}));
    return;
  }
  answer.brief = *std::move(brief);
  if (!answer.brief || !is_worth_stating(*answer.brief, question, best)) return;
  answer.brief->stated = true;
  if (!is_short) answer.brief->text = with_unit(answer.brief->text, question, best);
}

std::string with_number(const BriefAnswer& brief) {
  return brief.text + " [" + std::to_string(brief.n) + "]";
}

std::string text_of(std::span<const QuotedSentence> sentences, const Asked& asked, const Answer& answer) {
  const bool is_short = asked.options.short_answer;
  if (sentences.empty() && is_short) return PromptLayout::embedded().no_answer_short;
  if (sentences.empty()) return note_for(asked.question, &NoteTexts::not_said);
  if (!answer.brief) return quoted_answer(sentences);
  if (is_short) return with_number(*answer.brief);
  return (answer.brief->stated ? with_number(*answer.brief) + "\n\n" : "") + quoted_answer(sentences);
}

// What money was spent on, each word by itself; unset where the question does not ask how much was.
std::optional<std::vector<MatterWords>> spent_on(std::string_view question) {
  using What = AskedPayments::What;
  const AskedPayments asked = asked_payments(question, local_today());
  const bool reckons = asked.what == What::kSum || asked.what == What::kAverage;
  if (!asked.is_asked || asked.received || asked.may_be_price || !reckons) return std::nullopt;
  std::vector<MatterWords> matter;
  for (const std::string& word : words_of(asked.topic)) {
    if (MatterWords one(word, language_of(question)); !one.empty()) matter.push_back(std::move(one));
  }
  return matter;
}

// Where no table and no bill tells what was paid, a sentence with a sum may that speaks of what it was paid for ("The
// roof came to 900 euros"), and nothing else does.
void keep_with_sums(const std::vector<MatterWords>& matter, const Answer& answer,
                    std::vector<QuotedSentence>& sentences) {
  std::erase_if(sentences, [&](const QuotedSentence& sentence) {
    const Hit& hit = answer.sources[static_cast<size_t>(sentence.passage)].source;
    const std::string said = hit.title + "\n" + hit.heading_path + "\n" + sentence.text;
    const bool speaks =
        std::any_of(matter.begin(), matter.end(), [&](const MatterWords& one) { return one.are_in(said); });
    return !sum_in(sentence.text) || !(matter.empty() || speaks);
  });
}

void note_untold(std::span<const std::string> untold, std::string_view question, Answer& answer) {
  std::string parts;
  for (const std::string& part : untold) parts += (parts.empty() ? "" : " ") + part;
  if (!parts.empty()) answer.notes.push_back(note_for(question, &NoteTexts::parts_not_said, {{"parts", parts}}));
}

void mark_quoted(std::span<const QuotedSentence> sentences, Answer& answer) {
  for (const QuotedSentence& sentence : sentences) {
    Citation& citation = answer.sources[static_cast<size_t>(sentence.passage)];
    citation.cited = citation.quoted = true;
    citation.quotes.push_back({sentence.byte_begin, sentence.byte_end});
  }
}

}  // namespace

void answer_by_quoting(const Asked& asked, const QuestionSources& found, const Embedder& embedder,
                       const OpenReader& reader, Answer& answer) {
  Quotations quotations = quotes_for(found, embedder, answer);
  const std::optional<std::vector<MatterWords>> spent = spent_on(asked.question);
  if (spent) keep_with_sums(*spent, answer, quotations.sentences);
  const std::vector<QuotedSentence>& sentences = quotations.sentences;
  if (!sentences.empty() && found.page == 0) {
    take_brief(read_quotes(asked, sentences, reader, answer), question_of(asked, answer), sentences.front().text,
               asked.options.short_answer, answer);
  }
  answer.in_documents = !sentences.empty();
  answer.text = text_of(sentences, asked, answer);
  const auto n_rows = std::count_if(sentences.begin(), sentences.end(), [](const auto& s) { return s.of_table; });
  if (n_rows > 1 && asks_to_reckon(found.query))
    answer.notes.push_back(note_for(asked.question, &NoteTexts::rows_not_reckoned));
  if (spent && sentences.empty()) answer.notes.push_back(note_for(asked.question, &NoteTexts::no_payments));
  if (!sentences.empty()) note_untold(quotations.untold, asked.question, answer);
  answer.cache.chunks = static_cast<int>(answer.sources.size());
  answer.attention.kind = "none";
  mark_quoted(sentences, answer);
}

}  // namespace mneme::rag
