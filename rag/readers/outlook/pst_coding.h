// The two ways in which Outlook's stores make their blocks unreadable to the eye; neither is encryption, no password is
// part of them ([MS-PST] 5.1, 5.2). Internal to rag/readers. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>

namespace mneme::readers {

void decode_permuted(std::string& bytes);
void decode_cyclic(std::string& bytes, uint32_t key);

}  // namespace mneme::readers
