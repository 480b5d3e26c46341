#include "rag/quoting/outline/sentence_shapes.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "rag/text/asked/labels.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kLeastSaid = 2;  // words behind the label of an item

bool is_lower(std::string_view text) {
  return !text.empty() && text.front() >= 'a' && text.front() <= 'z';
}

}  // namespace

bool heads_steps(std::string_view heading) {
  constexpr std::string_view kNames[] = {
      "method",      "steps",     "directions", "instructions", "preparation", "procedure", "how it is",   "how to",
      "zubereitung", "anleitung", "vorgehen",   "schritte",     "preparation", "etapes",    "preparacion", "pasos",
      "操作",        "步骤",      "做法",       "流程",         "方法",        "作り方",    "手順"};
  const std::string folded = folded_text(heading);
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view name) { return folded.find(name) != std::string::npos; });
}

std::string_view opening_case(std::string_view sentence) {
  constexpr std::string_view kOpenings[] = {"For ", "If ", "When ", "Where ", "Unless ", "While ", "Except "};
  const bool opens = std::any_of(std::begin(kOpenings), std::end(kOpenings),
                                 [&](std::string_view opening) { return sentence.starts_with(opening); });
  const size_t comma = sentence.find(',');
  return opens && comma != std::string_view::npos ? sentence.substr(0, comma) : std::string_view();
}

bool stands_for_heading(std::string_view label) {
  const std::string folded = folded_text(label);
  return folded == "name" || folded == "title" || folded == "total" || folded.starts_with("total ");
}

bool states_sum(std::string_view raw) {
  constexpr std::string_view kSums[] = {
      "total",       "grand total",   "amount due",    "total due",       "balance due",   "amount payable",
      "total price", "total amount",  "gesamtbetrag",  "rechnungsbetrag", "gesamtsumme",   "endbetrag",
      "zu zahlen",   "to be paid",    "to pay",        "nachzahlung",     "montant total", "montant a payer",
      "net a payer", "importe total", "total a pagar", "totale",          "итого"};
  const std::string_view label = label_of(raw);
  const std::string folded = folded_text(label.empty() ? raw.substr(0, raw.find_first_of("0123456789$")) : label);
  return std::find(std::begin(kSums), std::end(kSums), folded.substr(0, folded.find_last_not_of(' ') + 1)) !=
         std::end(kSums);
}

bool says_under_label(const OutlinePart& part) {
  const std::string_view label = label_of(part.raw);
  if (label.empty()) return false;
  if (part.span.kind == SentenceKind::kText) return true;
  const std::string_view said = part.raw.substr(static_cast<size_t>(label.end() - part.raw.begin()));
  return part.span.kind == SentenceKind::kItem && words_of(said).size() >= kLeastSaid;
}

bool is_bare_field(std::string_view raw) {
  return !label_of(raw).empty() && !raw.ends_with('.') && raw.find('\n') == std::string_view::npos;
}

bool is_item(const OutlinePart& part) {
  return part.span.kind == SentenceKind::kItem || part.span.kind == SentenceKind::kRow;
}

bool points_back(std::string_view sentence) {
  // As the first word: elsewhere they mostly stand for something in the sentence itself.
  constexpr std::string_view kFirst[] = {"it", "they", "es", "sie", "c", "ca", "ella", "esso", "essa", "оно", "они"};
  // These stand for what was said wherever they are, ...
  constexpr std::string_view kAnywhere[] = {"cela", "esto", "eso", "ello", "questo", "cio", "isto", "isso", "это"};
  // ... and these, that are articles too, beside a verb.
  constexpr std::string_view kBesideVerb[] = {"this", "that", "das", "dies", "il", "elle"};
  constexpr std::string_view kVerbs[] = {"is",   "was",  "takes", "lasts",  "happens", "costs",  "means",     "needs",
                                         "can",  "may",  "must",  "should", "will",    "ist",    "war",       "wird",
                                         "gilt", "muss", "kann",  "soll",   "dauert",  "kostet", "geschieht", "est",
                                         "doit", "dure", "coute", "peut",   "faut",    "sera"};
  constexpr std::string_view kWide[] = {"これ", "それ", "这", "這", "此", "它"};
  constexpr size_t kWithin = 6;  // words
  if (std::any_of(std::begin(kWide), std::end(kWide),
                  [&](std::string_view word) { return sentence.find(word) != std::string_view::npos; }))
    return true;
  const std::vector<std::string> words = words_of(sentence);
  if (words.empty()) return false;
  if (one_of(words.front(), kFirst)) return true;
  for (size_t i = 0; i < std::min(words.size(), kWithin); ++i) {
    if (one_of(words[i], kAnywhere)) return true;
    const bool beside =
        (i > 0 && one_of(words[i - 1], kVerbs)) || (i + 1 < words.size() && one_of(words[i + 1], kVerbs));
    if (beside && one_of(words[i], kBesideVerb)) return true;
  }
  return false;
}

bool is_question(std::string_view raw) {
  constexpr std::string_view kSpoken[] = {"?\" ", "?” ", "?’ ", "?' "};
  return raw.ends_with('?') || raw.ends_with("？") || raw.ends_with("?\"") || raw.ends_with("?”") ||
         std::any_of(std::begin(kSpoken), std::end(kSpoken), [&](std::string_view spoken) {
           const size_t at = raw.find(spoken);
           return at != std::string_view::npos && is_lower(raw.substr(at + spoken.size()));
         });
}

std::string without_quoted_questions(std::string_view text) {
  struct Marks {
    std::string_view open;
    std::string_view close;
  };
  constexpr Marks kMarks[] = {{"\"", "\""},         {"\u201c", "\u201d"}, {"\u201e", "\u201c"}, {"\u201e", "\u201d"},
                              {"\u00ab", "\u00bb"}, {"\u00bb", "\u00ab"}, {"\u300c", "\u300d"}};
  std::string rest(text);
  for (const Marks& marks : kMarks) {
    for (size_t open = rest.find(marks.open); open != std::string::npos; open = rest.find(marks.open, open)) {
      const size_t begin = open + marks.open.size();
      const size_t close = rest.find(marks.close, begin);
      if (close == std::string::npos) break;
      std::string_view quoted = std::string_view(rest).substr(begin, close - begin);
      while (quoted.ends_with(' ') || quoted.ends_with("\u00a0")) quoted.remove_suffix(quoted.ends_with(' ') ? 1 : 2);
      const size_t end = close + marks.close.size();
      const bool asks = quoted.ends_with('?') || quoted.ends_with("\uff1f") || quoted.ends_with("\u061f");
      if (asks) rest.replace(open, end - open, " ");
      open = asks ? open : end;
    }
  }
  return rest;
}

bool is_letterhead(std::string_view raw) {
  constexpr std::string_view kWrote[] = {" wrote:",    " schrieb:",  " schrieb am",
                                         " a écrit :", " escribió:", " ha scritto:"};
  constexpr size_t kLongestLine = 120;
  const bool quotes = raw.size() <= kLongestLine && raw.ends_with(':') &&
                      std::any_of(std::begin(kWrote), std::end(kWrote),
                                  [&](std::string_view wrote) { return raw.find(wrote) != std::string_view::npos; });
  return quotes || (raw.starts_with("From: ") && raw.find("; Subject: ") != std::string_view::npos);
}

bool asks_about_letter(std::string_view question) {
  constexpr std::string_view kWords[] = {"mail",     "email",     "mails", "emails", "letter",  "message",
                                         "messages", "write",     "wrote", "sent",   "written", "sender",
                                         "subject",  "nachricht", "brief", "schrieb"};
  const std::vector<std::string> words = words_of(question);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
  });
}

bool states_difference(std::string_view sentence) {
  constexpr std::string_view kStating[] = {" unlike ",     " whereas ",       " differ ",      " differs ",
                                           " in contrast", " by contrast ",   " compared to ", " compared with ",
                                           " anders als ", " im gegensatz zu"};
  const std::string folded = " " + folded_text(sentence) + " ";
  return std::any_of(std::begin(kStating), std::end(kStating),
                     [&](std::string_view stating) { return folded.find(stating) != std::string::npos; });
}

bool sets_exercise(const OutlinePart& part) {
  constexpr std::string_view kTasks[] = {"explain",     "describe",   "identify", "discuss",  "define",
                                         "calculate",   "compare",    "analyze",  "evaluate", "contrast",
                                         "distinguish", "understand", "explore",  "summarize"};
  if (part.span.kind != SentenceKind::kItem || part.stems.empty()) return false;
  const std::vector<std::string> words = words_of(part.raw.substr(0, 24));
  return !words.empty() && std::find(std::begin(kTasks), std::end(kTasks), words.front()) != std::end(kTasks);
}

}  // namespace mneme::rag
