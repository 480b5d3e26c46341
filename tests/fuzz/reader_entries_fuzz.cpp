// Calendars and contacts: whatever the bytes, text that is well-formed, blocks in order, lines that go forward in each.
#include <cstdint>
#include <cstdlib>

#include "base/utf8.h"
#include "rag/readers/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const char* name = data[0] % 2 == 0 ? "a.ics" : "a.vcf";
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  mneme::readers::ReadLimits limits;
  limits.time = std::chrono::milliseconds(2000);
  const auto document = mneme::readers::read_document(name, mneme::as_bytes(bytes), limits);
  if (!document.ok()) {
    if (document.status().message().empty()) std::abort();
    return 0;
  }
  if (!mneme::utf8::valid(document->text)) std::abort();
  if (document->format != "ics" && document->format != "vcf") return 0;  // what it holds is another kind's
  if (document->title.empty() || document->blocks.empty()) std::abort();
  uint64_t end = 0;
  for (const mneme::rag::Block& block : document->blocks) {
    const bool in_order = end <= block.byte_begin && block.byte_begin < block.byte_end;
    const bool in_text = block.byte_end <= document->text.size() && block.line_begin >= 1;
    if (!in_order || !in_text || block.line_begin > block.line_end) std::abort();
    end = block.byte_end;
  }
  return 0;
}
