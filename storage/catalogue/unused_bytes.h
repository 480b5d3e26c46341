// What a page of a tree (https://www.sqlite.org/fileformat2.html, section 1.6) holds beside its cells: the gap between
// the list of cells and the cells, and freed blocks among them. SQLite overwrites what is deleted (secure_delete), but
// when it moves cells to a neighbour it leaves them in the gap of the page they were in: a text that is deleted
// afterwards would still stand there.
// Pages are hostile: what contradicts itself counts as no page of a tree. Threads: pure functions.
#pragma once

#include <cstddef>

#include "base/bytes.h"

namespace mneme::storage {

// page: without what is reserved at its end. header_bytes: what stands before the page's own header (100 in the first
// page of a file, else 0).

// Zeros in the gap. No other page is touched than one of a tree; of those that go on for others (overflow, the list of
// free pages) the first four bytes are a page's number, so below 2^24 pages in a file none looks like it.
void clear_gap(MutableByteSpan page, size_t header_bytes);

// Whether anything stands in the gap or in freed blocks; false where it is no page of a tree.
bool holds_leftovers(ByteSpan page, size_t header_bytes);

}  // namespace mneme::storage
