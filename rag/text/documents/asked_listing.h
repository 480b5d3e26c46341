// Questions for documents rather than for what they say: "Which files mention the crane?", "Show me the invoice of
// ACME", "How many documents are there?", in the languages that rag/text/languages/documents has words for. Threads:
// pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

struct AskedListing {
  enum class What {
    kNone,
    kAbout,  // documents that speak of something
    kNamed,  // one that is called something
    kHeld,   // what there is altogether
  };
  What what = What::kNone;
  std::string text;  // kAbout, kNamed: of what, in the question's words
};

AskedListing asked_listing(std::string_view question);

}  // namespace mneme::rag
