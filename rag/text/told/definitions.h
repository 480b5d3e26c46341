// Whether a sentence says what a thing is. Rules of form, for English above all: the thing as subject ("A wheel is an
// archive"), a short form beside what it stands for ("global interpreter lock (GIL)"), a name being given ("this is
// called borrowing"), and emphasis, which authors give a term where they introduce it ("a _borrow checker_ that ...").
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace mneme::rag {

// From 0 to 1. asked: the stems of the question's words (rag/text/words/words.h), the thing among them. sentence: with
// its markup.
double defining_cue(std::string_view sentence, const std::unordered_set<std::string>& asked);

// Whether a sentence, with its markup, emphasises the thing.
bool emphasises(std::string_view sentence, const std::unordered_set<std::string>& asked);

// Whether a line is the entry of a thing (folded words) in a table or glossary: "| F28 | no ignition |", "- F28: no
// ignition". What is told there need not be a sentence.
bool is_entry_of(std::string_view line, const std::vector<std::string>& thing);

// Whether a text, which stands under a short form (folded), begins with what that stands for: "Short for Hypertext
// Transfer Protocol".
bool opens_with_long_form(std::string_view text, std::string_view short_form);

// What a text says that a short form (folded) stands for, where it stands in capitals between brackets behind it:
// "global interpreter lock" of "the Global Interpreter Lock (GIL)". Folded words; "" where it does not say so.
std::string long_form(std::string_view text, std::string_view short_form);

}  // namespace mneme::rag
