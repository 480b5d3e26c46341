// Numbers of lists in scripts other than Latin: "三", "ג", "б", "나". Contracts and statutes are cited by them.
// Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string>

#include "rag/readers/number_labels.h"

namespace mneme::readers {

// In digits what the script does not write.
std::string in_other_script(int number, NumberScript script);

}  // namespace mneme::readers
