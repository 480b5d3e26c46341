// Questions for what stands in a numbered place of a document: "What does section 7.3 say?", "Was steht in Anhang B?".
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

struct AskedPlace {
  std::string word;    // folded, "annex" of "Annex E"; "" where headings bear the number alone ("7.3 Invoices")
  std::string number;  // "7.3", "e"

  bool empty() const { return number.empty(); }
};

// Empty for questions that ask something else, be it of such a place ("Who signs under section 7.3?").
AskedPlace asked_place(std::string_view question);

// Whether a line begins that place: "7.3 Invoices are payable", "§ 7.3 Rechnungen", "Annex E: Break Fee".
bool begins_place(const AskedPlace& place, std::string_view line);

}  // namespace mneme::rag
