// Where in a passage's text further pages begin, as the catalogue keeps it: "412:3 980:4", bytes and pages; empty where
// all of it is on the page it begins on. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mneme::chunking {

// Marks come in the order of their bytes.
void add_page_mark(std::string& marks, uint64_t byte, int page);

// The page that a byte of the passage lies on; first_page: where the passage begins. Marks that cannot be read end the
// list.
int page_at(std::string_view marks, int first_page, uint64_t byte);

}  // namespace mneme::chunking
