#include "rag/text/asked/question_parts.h"

#include <algorithm>

#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

// Question words that may begin a second question.
constexpr std::string_view kAskWords[] = {
    "who",      "whom",    "whose",   "when",    "where",  "why",    "how",    "what",    "which",
    "wer",      "wem",     "wann",    "wo",      "warum",  "wie",    "wieso",  "was",     "welche",
    "welcher",  "welches", "wohin",   "wieviel", "qui",    "quand",  "ou",     "comment", "combien",
    "pourquoi", "quel",    "quelle",  "quien",   "cuando", "donde",  "como",   "cuanto",  "cuanta",
    "cuantos",  "cuantas", "chi",     "quando",  "quanto", "quanta", "quanti", "quante",  "perche",
    "quem",     "quantos", "quantas", "onde",    "кто",    "что",    "когда",  "где",     "почему",
    "сколько",  "зачем",   "куда",    "какой",   "какая",  "какое",  "какие"};
// Verbs that a question begins with which is answered by yes or no.
constexpr std::string_view kAskVerbs[] = {
    "is",     "are",   "was",    "were",  "does", "do",    "did",    "can",  "could", "may",  "must",  "should", "will",
    "would",  "has",   "have",   "am",    "ist",  "sind",  "war",    "hat",  "haben", "habe", "kann",  "konnen", "darf",
    "durfen", "muss",  "mussen", "gibt",  "wird", "soll",  "sollen", "est",  "sont",  "peut", "puis",  "dois",   "doit",
    "hay",    "puedo", "puede",  "tengo", "se",   "posso", "puo",    "devo", "ha",    "есть", "можно", "нужно"};
constexpr std::string_view kJoiners[] = {"and", "or", "but", "und", "oder", "aber", "et", "y", "pero", "e", "и", "а"};
constexpr std::string_view kWideAsk[] = {"什么", "怎么", "如何", "多少", "多久", "多长", "哪",   "为何",  "几",
                                         "谁",   "なぜ", "いつ", "どこ", "誰",   "何",   "どう", "いくら"};

bool asks(std::string_view piece) {
  for (const std::string_view wide : kWideAsk) {
    if (piece.find(wide) != std::string_view::npos) return true;
  }
  const size_t last = piece.find_last_not_of(" \t\r\n");
  if (last != std::string_view::npos && piece[last] == '?') return true;
  WordScanner scanner(piece);
  Word word;
  for (bool first = true; scanner.next(word);) {
    if (one_of(word.text, kAskWords) || (first && one_of(word.text, kAskVerbs))) return true;
    first = first && one_of(word.text, kJoiners);
  }
  return false;
}

// Where a new question begins: behind "and" or a stop, with a question word; behind a question mark; behind a wide
// comma.
std::vector<size_t> part_begins(std::string_view question) {
  std::vector<size_t> begins{0};
  WordScanner scanner(question);
  Word word;
  size_t joiner = std::string_view::npos;
  size_t last_end = 0;
  for (bool first = true; scanner.next(word); first = false) {
    // Pairs of wide characters overlap: there is nothing between them.
    const std::string_view gap = question.substr(last_end, std::max(last_end, word.byte_begin) - last_end);
    const bool stops = gap.find_first_of("?;") != std::string_view::npos;
    const bool asked = gap.starts_with("? ") || gap.starts_with("?\n");  // apart, it may be a sign that is asked about
    const bool begins_asking = one_of(word.text, kAskWords) && (joiner != std::string_view::npos || stops);
    const size_t begin = !asked && joiner != std::string_view::npos ? joiner : word.byte_begin;
    if (!first && (asked || begins_asking) && begin != begins.back()) begins.push_back(begin);
    joiner = !first && one_of(word.text, kJoiners) ? word.byte_begin : std::string_view::npos;
    last_end = word.byte_end;
  }
  for (const std::string_view comma : {std::string_view("，"), std::string_view("、"), std::string_view("？")}) {
    for (size_t at = question.find(comma); at != std::string_view::npos; at = question.find(comma, at + 1)) {
      if (at + comma.size() < question.size()) begins.push_back(at + comma.size());
    }
  }
  std::sort(begins.begin(), begins.end());
  return begins;
}

}  // namespace

std::vector<std::string_view> question_parts(std::string_view question) {
  const std::vector<size_t> begins = part_begins(question);
  std::vector<std::string_view> parts;
  for (size_t i = 0; i < begins.size(); ++i) {
    const size_t end = i + 1 < begins.size() ? begins[i + 1] : question.size();
    const std::string_view part = question.substr(begins[i], end - begins[i]);
    // What asks nothing by itself belongs to what stands beside it.
    if (parts.empty() || (asks(part) && asks(parts.back()))) {
      parts.push_back(part);
    } else {
      parts.back() = question.substr(static_cast<size_t>(parts.back().data() - question.data()),
                                     parts.back().size() + part.size());
    }
  }
  return parts;
}

std::string_view without_joiners(std::string_view part) {
  size_t end = part.size();
  while (end > 0 && std::string_view(" \t\r\n,;").find(part[end - 1]) != std::string_view::npos) --end;
  part = part.substr(0, end);
  WordScanner scanner(part);
  Word word;
  while (scanner.next(word)) {
    if (!one_of(word.text, kJoiners)) return part.substr(word.byte_begin);
  }
  return part;
}

}  // namespace mneme::rag
