#include "rag/text/asked_author.h"

#include <string>

#include "rag/text/phrases.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kDeeds[] = {"wrote",          "written",      "writes",        "write",       "signed",
                                       "signs",          "approved",     "authored",      "geschrieben", "schrieb",
                                       "unterschrieben", "unterschrieb", "unterzeichnet", "genehmigt",   "verfasst"};
constexpr std::string_view kTelling[] = {"by",
                                         "from",
                                         "author",
                                         "authors",
                                         "writer",
                                         "writers",
                                         "writing",
                                         "wrote",
                                         "written",
                                         "write",
                                         "writes",
                                         "pen",
                                         "penned",
                                         "composed",
                                         "composer",
                                         "composers",
                                         "songwriter",
                                         "songwriters",
                                         "lyrics",
                                         "lyricist",
                                         "poet",
                                         "novelist",
                                         "playwright",
                                         "screenwriter",
                                         "screenplay",
                                         "screenwriters",
                                         "wrought",
                                         "authored",
                                         "authorship",
                                         "credited",
                                         "attributed",
                                         "dictated",
                                         "drafted",
                                         "draft",
                                         "created",
                                         "creator",
                                         "published",
                                         "novel",
                                         "book",
                                         "poem",
                                         "song",
                                         "work",
                                         "works",
                                         "s",
                                         "signed",
                                         "signs",
                                         "sign",
                                         "signature",
                                         "signatures",
                                         "signatory",
                                         "signatories",
                                         "regards",
                                         "sincerely",
                                         "yours",
                                         "approved",
                                         "approval",
                                         "approves",
                                         "agreed",
                                         "released",
                                         "von",
                                         "autor",
                                         "autorin",
                                         "autoren",
                                         "verfasser",
                                         "verfasserin",
                                         "verfasst",
                                         "geschrieben",
                                         "schrieb",
                                         "unterschrieben",
                                         "unterschrieb",
                                         "unterschrift",
                                         "unterzeichnet",
                                         "gez",
                                         "genehmigt",
                                         "genehmigung",
                                         "freigegeben",
                                         "grussen",
                                         "grusse",
                                         "gruss",
                                         "absender"};

bool says_one(std::string_view text, std::span<const std::string_view> words) {
  WordScanner scanner(text);
  for (Word word; scanner.next(word);) {
    if (one_of(word.text, words)) return true;
  }
  return false;
}

}  // namespace

bool asks_author(std::string_view question) {
  const std::vector<std::string> words = words_of(question);
  if (words.size() < 2) return false;
  if (words[0] == "who")
    return one_of(words[1], kDeeds) || (words[1] == "has" && words.size() > 2 && one_of(words[2], kDeeds));
  return words[0] == "wer" && (one_of(words[1], kDeeds) || one_of(words.back(), kDeeds));
}

bool tells_author(std::string_view text) {
  return written_without_spaces(text) || says_one(text, kTelling);
}

}  // namespace mneme::rag
