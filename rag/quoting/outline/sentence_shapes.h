// What the form of a sentence, heading or label alone tells of it, whatever it is about. Threads: pure functions.
#pragma once

#include <string_view>

#include "rag/quoting/outline/passage_outline.h"

namespace mneme::rag {

// Headings over steps, whatever they are about.
bool heads_steps(std::string_view heading);
// "For docstrings and comments, the limit is 72": what stands before the comma; empty where no case comes first.
std::string_view opening_case(std::string_view sentence);
// "Capital", and under it "name: Ulaanbaatar", "etymology: ...": one item is what the heading asks for.
bool stands_for_heading(std::string_view label);
// "Total: 412.60 EUR", "Amount due 161.45 EUR": the sum of a bill.
bool states_sum(std::string_view raw);
// "Date: 9 March 2026": a label and what it says, no sentence. Such a line does not lead what its heading names.
bool is_bare_field(std::string_view raw);
bool is_item(const OutlinePart& part);
// "With hard water this is about every six weeks", "It takes an hour": a word stands for what the sentence before says.
bool points_back(std::string_view sentence);
// "Allergies: penicillin" says what it has to say in few words, and so does an item "E15: door not locked"; of a list
// of single values ("PEP: 20") each is only one.
bool says_under_label(const OutlinePart& part);
// Spoken ones too: "Is this the captain?" said I.
bool is_question(std::string_view raw);
// The text without the questions that it quotes between quotation marks; all of it where it quotes none.
std::string without_quoted_questions(std::string_view text);
// The line above a mail: "From: ...; To: ...; Date: ...; Subject: ...".
bool is_letterhead(std::string_view raw);
bool asks_about_letter(std::string_view question);
// "Unlike an egg, a wheel holds no byte code"; not "Chapter 4 tells the difference between the stack and the heap",
// which says that there is one, and not which.
bool states_difference(std::string_view sentence);
// "* Explain the law of demand", as textbooks begin and end: it asks, and does not say.
bool sets_exercise(const OutlinePart& part);

}  // namespace mneme::rag
