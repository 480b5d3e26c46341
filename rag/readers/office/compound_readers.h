// The readers of what compound files hold, one for each kind. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string>

#include "base/status.h"
#include "rag/readers/office/compound_file.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

// The stream in which Office files say their title, author and date (ole_properties.h).
inline constexpr std::string_view kSummaryStream =
    "\x05"
    "SummaryInformation";

// name: the file's. Errors: kUnsupported for encrypted and older ones, kCorruption for damaged ones.
Status read_word(ReadContext& context, const std::string& name, const CompoundFile& file);
Status read_workbook(ReadContext& context, const std::string& name, const CompoundFile& file);
Status read_slides(ReadContext& context, const std::string& name, const CompoundFile& file);
Status read_message(ReadContext& context, const std::string& name, const CompoundFile& file);

}  // namespace mneme::readers
