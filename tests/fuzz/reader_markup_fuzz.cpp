// HTML and XML.
#include <cstdint>
#include <cstdlib>

#include "base/utf8.h"
#include "rag/readers/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const char* name = data[0] % 3 == 0 ? "a.html" : data[0] % 3 == 1 ? "a.xhtml" : "a.xml";
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  mneme::readers::ReadLimits limits;
  limits.time = std::chrono::milliseconds(2000);
  const auto document = mneme::readers::read_document(name, mneme::as_bytes(bytes), limits);
  if (document.ok() && !mneme::utf8::valid(document->text)) std::abort();
  return 0;
}
