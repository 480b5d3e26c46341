// Whatever a reader's process may say: refused, or an item that keeps every promise of a document.
#include "base/utf8.h"
#include "rag/readers/worker_wire.h"
#include "tests/fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mneme::fuzz::Input input(data, size);
  const uint8_t what = input.byte();
  if (what % 3 == 0) {
    (void)mneme::readers::decode_status(input.rest());
    return 0;
  }
  if (what % 3 == 1) {
    (void)mneme::readers::decode_request(input.rest());
    return 0;
  }
  const auto item = mneme::readers::decode_item(input.rest());
  mneme::fuzz::require(item.ok() || !item.status().message().empty());
  if (!item.ok() || !item->status.ok()) return 0;
  mneme::fuzz::require(mneme::utf8::valid(item->document.text) && mneme::utf8::valid(item->member));
  for (const auto& block : item->document.blocks) {
    mneme::fuzz::require(block.byte_begin <= block.byte_end && block.byte_end <= item->document.text.size());
  }
  return 0;
}
