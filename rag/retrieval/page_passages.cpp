#include "rag/retrieval/page_passages.h"

#include "rag/chunking/page_marks.h"
#include "rag/retrieval/hit_list.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

namespace {

// The first byte of a passage that is on `page` or a later one; its size where none is.
size_t first_byte_of(const storage::ChunkRecord& chunk, int page) {
  size_t low = 0;
  size_t high = chunk.text.size();
  while (low < high) {  // pages only grow
    const size_t middle = low + (high - low) / 2;
    if (chunking::page_at(chunk.page_marks, chunk.page, middle) >= page) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace

Result<std::vector<Hit>> passages_of_page(storage::Catalogue& catalogue, const storage::DocumentRecord& document,
                                          int page) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChunkRecord> chunks, catalogue.document_chunks(document.id));
  std::vector<Hit> hits;
  for (const storage::ChunkRecord& chunk : chunks) {
    if (chunk.page == 0 || chunk.page > page) continue;
    const size_t begin = first_byte_of(chunk, page);
    const size_t end = first_byte_of(chunk, page + 1);
    if (begin >= end) continue;
    Hit hit = hit_of(chunk, document);
    hit.text = chunk.text.substr(begin, end - begin);
    hit.byte_begin += begin;
    hit.byte_end = hit.byte_begin + hit.text.size();
    hit.page = page;
    hit.page_marks.clear();
    hit.rank = static_cast<int>(hits.size()) + 1;
    hits.push_back(std::move(hit));
  }
  return hits;
}

}  // namespace mneme::rag
