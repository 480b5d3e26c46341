// A request as the question that it stands for: "Tell me when the rent is due" asks "When the rent is due?", "Define
// inflation" and "Erkläre mir Inflation" what that is, "Give me the price of the bicycle" what the price is, "List the
// steps to bake bread" how to. By rules of form, in the languages of the interface and the commonest others. Threads:
// pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

// The question, as somebody would write it; what is no such request, as it is. What programs are told to do ("List
// installed packages", "Find large files") is left: it asks for the command.
std::string plain_question(std::string_view question);

}  // namespace mneme::rag
