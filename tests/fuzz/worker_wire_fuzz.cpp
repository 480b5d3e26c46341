// Whatever a reader's process may say: refused, or an item that keeps every promise of a document.
#include "base/utf8.h"
#include "rag/readers/process/worker_wire.h"
#include "tests/fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mneme::fuzz::Input input(data, size);
  const uint8_t what = input.byte();
  if (what % 5 == 0) {
    (void)mneme::readers::decode_status(input.rest());
    return 0;
  }
  if (what % 5 == 1) {
    (void)mneme::readers::decode_request(input.rest());
    return 0;
  }
  if (what % 5 == 3) {
    constexpr uint64_t kSize = uint64_t{5} << 20;
    const auto wanted = mneme::readers::decode_want(input.rest(), kSize);
    mneme::fuzz::require(!wanted.ok() || (wanted->n_bytes > 0 && wanted->n_bytes <= mneme::readers::kMostPieceBytes &&
                                          wanted->offset <= kSize - wanted->n_bytes));
    return 0;
  }
  if (what % 5 == 4) {
    const auto member = mneme::readers::decode_member(input.rest());
    mneme::fuzz::require(!member.ok() || (member->number > 0 && mneme::utf8::valid(member->label)));
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
