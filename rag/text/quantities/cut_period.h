// Periods in texts that are read without regard to spaces: 去年, 2025年, 지난달. Threads: pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "rag/text/languages/language.h"
#include "rag/text/quantities/named_period.h"

namespace mneme::rag {

// Of a folded text. What names the period is cut out, and a space is left there; nothing where none is named.
std::optional<NamedPeriod> cut_period(std::string& folded, std::chrono::sys_days today, Language language);

}  // namespace mneme::rag
