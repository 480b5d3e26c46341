// Every reader of plain-text formats, and the chunker behind it. The first byte chooses the format.
#include <cstdint>
#include <cstdlib>

#include "base/utf8.h"
#include "rag/chunking/chunker.h"
#include "rag/readers/reader.h"

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  static constexpr const char* kNames[] = {"a.md",   "a.rst", "a.adoc", "a.txt",   "a.py",   "a.csv",
                                           "a.json", "a.rtf", "a.eml",  "a.ipynb", "a.mbox", "a",
                                           "a.tex",  "a.man", "a.srt",  "a.org",   "a.enex", "a.bib"};
  const char* name = kNames[data[0] % std::size(kNames)];
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto status = mneme::readers::read_bytes(name, mneme::as_bytes(bytes), {}, [](mneme::readers::ReadItem item) {
    if (!item.status.ok()) return mneme::Status();
    const mneme::rag::Document& document = item.document;
    check(mneme::utf8::valid(document.text) && !document.title.empty());
    uint64_t end = 0;
    for (const mneme::rag::Block& block : document.blocks) {
      check(end <= block.byte_begin && block.byte_begin < block.byte_end && block.byte_end <= document.text.size());
      end = block.byte_end;
    }
    end = 0;
    for (const mneme::rag::Chunk& chunk : mneme::chunking::chunk_document(document, {.target_tokens = 32})) {
      check(end <= chunk.byte_begin && chunk.byte_begin < chunk.byte_end && chunk.byte_end <= document.text.size());
      check(mneme::utf8::valid(mneme::chunking::chunk_text(document, chunk)));
      end = chunk.byte_end;
    }
    return mneme::Status();
  });
  check(status.ok() || !status.message().empty());
  return 0;
}
