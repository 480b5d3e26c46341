// What a compound file is, told by the names in it. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rag/readers/office/compound_file.h"

namespace mneme::readers {

// Of those that are read.
enum class CompoundKind : uint8_t { kWord, kExcel, kPowerPoint, kMessage, kOther };
CompoundKind compound_kind(const CompoundFile& file);

// Why another one is refused and what to do, as the end of a sentence: "an Office file encrypted with a password; save
// it without one to index it." What damage hides is told from the names alone, wherever they stand.
std::string why_compound_file_is_refused(const CompoundFile& file, std::string_view bytes);

}  // namespace mneme::readers
