// How somebody is reached: whether a question asks for a telephone number or a mail address, and whether a sentence
// holds one. What answers says it in signs ("ring 0345 600 0199"), not in the question's words. Threads: pure
// functions.
#pragma once

#include <cstdint>
#include <string_view>

namespace mneme::rag {

enum class Contact : uint8_t { kNone, kTelephone, kMail };

// kNone also where a question asks how something is done with numbers and addresses.
Contact asked_contact(std::string_view question);

// "phone", "number", "address": in such a question a form of asking, which answers need not say.
bool is_contact_word(std::string_view folded);

bool holds_contact(Contact contact, std::string_view sentence);

// A number of few digits beside a word that says to call it ("dial 112").
bool holds_short_number(std::string_view sentence);

}  // namespace mneme::rag
