// Whether what is found speaks of a matter: of every word of it, or another form of each. Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rag/text/languages/language.h"

namespace mneme::rag {

// Stems of the words by which a matter is known.
std::vector<std::string> matter_of(std::string_view text);

// language: that of the question.
bool speak_of(std::span<const std::string_view> texts, const std::vector<std::string>& matter, Language language);

}  // namespace mneme::rag
