// What Excel prints above and below a sheet. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string_view>

#include "rag/readers/running_texts.h"

namespace mneme::readers {

// The texts of a header or footer, whose codes ("&L&\"Arial\"&10Price list&RPage &P") are taken out.
void take_printed_text(std::string_view coded, RunningTexts& running);

}  // namespace mneme::readers
