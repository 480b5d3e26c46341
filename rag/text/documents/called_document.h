// Whether a document is the one that a question calls by a name: "the lease", "the paper on attention", "the GPL-3
// license". Threads: pure functions.
#pragma once

#include <string_view>

namespace mneme::rag {

// What a document is called by.
struct DocumentNaming {
  std::string_view title{};
  std::string_view file{};       // its name without the extension
  std::string_view folders{};    // DocumentRecord::names
  std::string_view beginning{};  // of its text, which may say what kind of document it is; may be empty
  std::string_view format{};     // likewise
  std::string_view author{};
  bool is_letter = false;  // by its shape (letter_shape.h)
};

enum class Called {
  kNot,
  kButForKind,  // by all words but one for a kind of document: "GPL-3" of "the GPL-3 license"
  kSo,
};

// `called`: the question's words for it. A document without a title of its own is called by its first line, too. Words
// for any document ("paper") need not be there beside others, but one of title and file must say something of it. A
// kind of document ("license") may also be said by another word for it, by the beginning or by the format; where a kind
// is named, other words may be said by synonyms ("tenancy agreement" of a lease).
Called called_so(std::string_view called, const DocumentNaming& document);

// Whether it is one of those that several are called by: "letters bank". All words are said by its names, author or
// beginning, and the kind by any of these, the folders alone included, or by the format; a kind that formats tell
// ("mails") by these or the title and file alone, and letters by their shape, or by names, author and folders. Of no
// words all are.
bool is_among(std::string_view called, const DocumentNaming& document);

}  // namespace mneme::rag
