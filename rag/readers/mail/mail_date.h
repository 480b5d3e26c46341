// When a message was written. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "rag/readers/mail/mime.h"

namespace mneme::readers {

// As its head has it: "Fri, 31 May 2024 10:00:00 +0200"; of one without a date, when it came. "" where nothing tells.
std::string told_date(const MimePart& message);

// "2024-05-31" of a date as old and new programs write it, also with two digits of the year and with the year behind
// the time ("Thu Dec 4 16:00:00 2008"); "" for others.
std::string mail_day(std::string_view date);

}  // namespace mneme::readers
