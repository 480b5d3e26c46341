#include "rag/text/documents/asked_listing.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "rag/text/words/phrases.h"
#include "rag/text/words/placed_words.h"

namespace mneme::rag {

namespace {

// Any documents, by which no one of them is called.
constexpr std::string_view kDocuments[] = {"document", "documents", "file",  "files", "dokument",  "dokumente",
                                           "datei",    "dateien",   "texts", "texte", "unterlagen"};
// Kinds that may stand for any in "which ... mention".
constexpr std::string_view kKinds[] = {"papers",     "notes",      "articles", "pages",     "letters",  "mails",
                                       "emails",     "messages",   "reports",  "books",     "pdfs",     "chats",
                                       "minutes",    "recipes",    "briefe",   "notizen",   "artikel",  "nachrichten",
                                       "protokolle", "rechnungen", "invoices", "contracts", "vertrage", "peps"};
// Papers that people look for by name.
constexpr std::string_view kPapers[] = {
    "contract",    "invoice",    "receipt",      "letter",      "lease",       "report",        "policy",
    "certificate", "manual",     "statement",    "bill",        "form",        "minutes",       "agenda",
    "cv",          "resume",     "presentation", "slides",      "spreadsheet", "paper",         "document",
    "file",        "pdf",        "notes",        "offer",       "quote",       "agreement",     "recipe",
    "timetable",   "transcript", "prescription", "vertrag",     "rechnung",    "quittung",      "brief",
    "mietvertrag", "bericht",    "protokoll",    "anleitung",   "zeugnis",     "bescheinigung", "angebot",
    "formular",    "lebenslauf", "rezept",       "kontoauszug", "bescheid",    "mail",          "email",
    "scan"};
constexpr std::string_view kLead[] = {"which", "what", "list", "show",  "find",   "give",    "me",     "all",
                                      "the",   "any",  "my",   "of",    "our",    "tell",    "please", "can",
                                      "you",   "in",   "are",  "there", "welche", "welchen", "zeig",   "zeige",
                                      "mir",   "alle", "die",  "meine", "finde",  "nenne",   "liste",  "bitte"};
constexpr std::string_view kBegins[] = {"which",  "what", "list", "show",  "find",  "give",  "are",  "in",
                                        "welche", "in",   "zeig", "zeige", "finde", "nenne", "liste"};
constexpr std::string_view kJoins[] = {"that", "which", "do",   "i",   "we",  "have", "you",
                                       "are",  "there", "habe", "die", "ich", "gibt", "es"};
constexpr std::string_view kTelling[] = {"mention",
                                         "mentions",
                                         "mentioning",
                                         "mentioned",
                                         "contain",
                                         "contains",
                                         "containing",
                                         "talk about",
                                         "talks about",
                                         "speak of",
                                         "speak about",
                                         "are about",
                                         "is about",
                                         "about",
                                         "deal with",
                                         "deals with",
                                         "discuss",
                                         "discusses",
                                         "describe",
                                         "describes",
                                         "cover",
                                         "covers",
                                         "refer to",
                                         "regarding",
                                         "concerning",
                                         "say something about",
                                         "erwahnen",
                                         "enthalten",
                                         "handeln von",
                                         "behandeln",
                                         "sprechen von",
                                         "sprechen uber",
                                         "gehen um",
                                         "uber",
                                         "zu"};
constexpr std::string_view kFinding[] = {"find",
                                         "open",
                                         "show me",
                                         "show",
                                         "locate",
                                         "where is",
                                         "where s",
                                         "where are",
                                         "where did i put",
                                         "where can i find",
                                         "where do i find",
                                         "get me",
                                         "wo ist",
                                         "wo finde ich",
                                         "wo liegt",
                                         "offne",
                                         "zeig mir",
                                         "zeige mir"};
constexpr std::string_view kArticles[] = {"the", "my",  "a",   "an",   "our",   "der",
                                          "die", "das", "den", "mein", "meine", "meinen"};
constexpr std::string_view kOther[] = {"what",  "who", "how", "why", "when", "where",
                                       "which", "to",  "was", "wer", "wie"};
// With "#" for documents.
constexpr std::string_view kHeld[] = {"how many # are there",
                                      "how many # do i have",
                                      "how many # do you have",
                                      "how many # do you know",
                                      "how many # are indexed",
                                      "how many # have you read",
                                      "what # do you have",
                                      "what # are there",
                                      "what # do you know",
                                      "which # do you have",
                                      "which # are there",
                                      "which # do you know",
                                      "which # are indexed",
                                      "list all #",
                                      "list all my #",
                                      "list my #",
                                      "list the #",
                                      "show all #",
                                      "show me all #",
                                      "what is indexed",
                                      "what have you indexed",
                                      "what have you read",
                                      "wie viele # gibt es",
                                      "wie viele # habe ich",
                                      "wie viele # hast du",
                                      "wie viele # kennst du",
                                      "welche # gibt es",
                                      "welche # hast du",
                                      "welche # kennst du",
                                      "was ist indiziert",
                                      "zeige alle #"};
constexpr size_t kMostNameWords = 8;

using Words = std::span<const PlacedWord>;

std::string text_of(std::string_view question, Words words) {
  while (!words.empty() && one_of(words.front().text, kArticles)) words = words.subspan(1);
  return words.empty() ? std::string() : std::string(spanned(question, words));
}

// "Which documents mention the crane", "list all notes about tides".
std::string asked_about(std::string_view question, Words words) {
  if (words.empty() || !one_of(words.front().text, kBegins)) return {};
  size_t at = 0;
  while (at < words.size() && one_of(words[at].text, kLead)) ++at;
  if (at == words.size() || (!one_of(words[at].text, kDocuments) && !one_of(words[at].text, kKinds))) return {};
  ++at;
  size_t telling = begins_with(words.subspan(at), kTelling);
  while (telling == 0 && at < words.size() && one_of(words[at].text, kJoins))
    telling = begins_with(words.subspan(++at), kTelling);
  if (telling == 0) return {};
  const Words matter = words.subspan(at + telling);
  if (matter.empty() || one_of(matter.front().text, kOther)) return {};  // "about to expire"
  return text_of(question, matter);
}

// "Where is the crane mentioned?"
std::string asked_mention(std::string_view question, Words words) {
  constexpr std::string_view kWhere[] = {"where is", "where are", "where was", "wo wird", "wo werden"};
  constexpr std::string_view kMentioned[] = {"mentioned", "erwahnt"};
  const size_t where = begins_with(words, kWhere);
  if (where == 0 || words.size() <= where + 1 || !one_of(words.back().text, kMentioned)) return {};
  return text_of(question, words.subspan(where, words.size() - where - 1));
}

// "Show me the invoice of ACME".
std::string asked_name(std::string_view question, Words words) {
  const size_t finding = begins_with(words, kFinding);
  if (finding == 0) return {};
  const Words name = words.subspan(finding);
  const bool is_paper =
      std::any_of(name.begin(), name.end(), [](const PlacedWord& w) { return one_of(w.text, kPapers); });
  const bool asks = std::any_of(name.begin(), name.end(), [](const PlacedWord& w) { return one_of(w.text, kOther); });
  return is_paper && !asks && name.size() <= kMostNameWords ? text_of(question, name) : std::string();
}

bool asks_for_all(Words words) {
  std::string folded;
  for (const PlacedWord& word : words) {
    folded += folded.empty() ? "" : " ";
    folded += one_of(word.text, kDocuments) ? "#" : word.text;
  }
  return one_of(folded, kHeld);
}

}  // namespace

AskedListing asked_listing(std::string_view question) {
  using What = AskedListing::What;
  const std::vector<PlacedWord> words = placed_words(question);
  if (asks_for_all(words)) return {What::kHeld, {}};
  for (const auto asked : {asked_about, asked_mention}) {
    if (std::string text = asked(question, words); !text.empty()) return {What::kAbout, std::move(text)};
  }
  if (std::string text = asked_name(question, words); !text.empty()) return {What::kNamed, std::move(text)};
  return {};
}

}  // namespace mneme::rag
