// "Who wrote it?", "Who signed the lease?": papers say so in so many words, or not at all. Whoever else they name did
// something else. English and German. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string_view>

namespace mneme::rag {

enum class Authorship : uint8_t {
  kNone,
  kWriting,
  kSigning,  // or approving
};

// What somebody did, where a question asks who did it.
Authorship asked_authorship(std::string_view question);
// Whether it asks who wrote something, be it for "the author", whom no papers need to call so.
bool asks_who_wrote(std::string_view question);
// Whether it asks when something was written: "When was the report written?", "Wann wurde der Brief geschrieben?"
bool asks_when_written(std::string_view question);
// Whether a word (folded) says that something was written.
bool is_writing_word(std::string_view folded);
// Whether a text tells that somebody did: "Author: ", "a novel by"; "Signed: ", "Kind regards".
bool tells_authorship(std::string_view text, Authorship authorship);

}  // namespace mneme::rag
