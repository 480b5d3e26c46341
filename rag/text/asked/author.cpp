#include "rag/text/asked/author.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kWritingDeeds[] = {"wrote",    "written",     "writes",  "write",
                                              "authored", "geschrieben", "schrieb", "verfasst"};
constexpr std::string_view kWriters[] = {"author", "authors", "writer", "autor", "autorin", "verfasser", "verfasserin"};
constexpr std::string_view kSigningDeeds[] = {"signed",       "signs",         "approved", "unterschrieben",
                                              "unterschrieb", "unterzeichnet", "genehmigt"};
constexpr std::string_view kWriting[] = {
    "by", "from", "author", "authors", "writer", "writers", "writing", "wrote", "written", "write", "writes", "pen",
    "penned", "composed", "composer", "composers", "songwriter", "songwriters", "lyrics", "lyricist", "poet",
    "novelist", "playwright", "screenwriter", "screenplay", "screenwriters", "authored", "authorship", "credited",
    "attributed", "dictated", "drafted", "created", "creator", "published", "novel", "book", "poem", "song", "work",
    "works", "s", "signed", "regards", "sincerely", "yours",
    // German
    "von", "autor", "autorin", "autoren", "verfasser", "verfasserin", "verfasst", "geschrieben", "schrieb", "gez",
    "grussen", "grusse", "gruss", "absender"};
constexpr std::string_view kSigning[] = {"signed", "signs", "sign", "signature", "signatures", "signatory",
                                         "signatories", "regards", "sincerely", "yours", "approved", "approval",
                                         "approves", "agreed", "released",
                                         // German
                                         "unterschrieben", "unterschrieb", "unterschrift", "unterzeichnet", "gez",
                                         "genehmigt", "genehmigung", "freigegeben", "grussen", "grusse", "gruss"};

bool says_one(std::string_view text, std::span<const std::string_view> words) {
  WordScanner scanner(text);
  for (Word word; scanner.next(word);) {
    if (one_of(word.text, words)) return true;
  }
  return false;
}

}  // namespace

Authorship asked_authorship(std::string_view question) {
  const std::vector<std::string> words = words_of(question);
  if (words.size() < 2 || (words[0] != "who" && words[0] != "wer")) return Authorship::kNone;
  const std::string& verb = words[1] == "has" && words.size() > 2 ? words[2] : words[1];
  const auto asks = [&](std::span<const std::string_view> deeds) {
    return one_of(verb, deeds) || (words[0] == "wer" && one_of(words.back(), deeds));
  };
  return asks(kWritingDeeds) ? Authorship::kWriting : asks(kSigningDeeds) ? Authorship::kSigning : Authorship::kNone;
}

bool is_writing_word(std::string_view folded) {
  return one_of(folded, kWritingDeeds) || one_of(folded, kWriters);
}

bool asks_who_wrote(std::string_view question) {
  constexpr std::string_view kBe[] = {"is", "are", "was", "were", "ist", "sind", "war"};
  const std::vector<std::string> words = words_of(question);
  const bool who = !words.empty() && (words[0] == "who" || words[0] == "wer");
  const bool named = who && words.size() > 3 && one_of(words[1], kBe) && one_of(words[3], kWriters);
  return named || asked_authorship(question) == Authorship::kWriting;
}

bool asks_when_written(std::string_view question) {
  const std::vector<std::string> words = words_of(question);
  if (words.size() < 3 || (words[0] != "when" && words[0] != "wann")) return false;
  return std::any_of(words.begin(), words.end(), [](const std::string& word) { return is_writing_word(word); });
}

bool tells_authorship(std::string_view text, Authorship authorship) {
  if (written_without_spaces(text)) return true;
  return authorship == Authorship::kWriting ? says_one(text, kWriting) : says_one(text, kSigning);
}

}  // namespace mneme::rag
