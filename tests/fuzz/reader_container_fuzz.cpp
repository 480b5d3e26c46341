// Archives, office packages and stores of mail: the bytes as they come, and as parts of packages.
#include <cstdint>
#include <cstdlib>

#include "base/utf8.h"
#include "rag/readers/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  static constexpr const char* kNames[] = {"a.zip",  "a.docx", "a.xlsx", "a.pptx",  "a.odt",  "a.ods",
                                           "a.epub", "a.tar",  "a.pst",  "a.pages", "a.vsdx", "a.webarchive"};
  const char* name = kNames[data[0] % std::size(kNames)];
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  mneme::readers::ReadLimits limits;
  limits.time = std::chrono::milliseconds(2000);
  limits.unpacked_bytes = 16 << 20;
  const auto status =
      mneme::readers::read_bytes(name, mneme::as_bytes(bytes), limits, [](mneme::readers::ReadItem item) {
        if (item.status.ok() && !mneme::utf8::valid(item.document.text)) std::abort();
        return mneme::Status();
      });
  if (!status.ok() && status.message().empty()) std::abort();
  return 0;
}
