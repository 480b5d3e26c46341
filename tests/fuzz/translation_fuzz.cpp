// Any bytes as a PO file: refused in a sentence, or messages that can be looked up, and lead back to their English.
#include "tests/fuzz/fuzz_input.h"
#include "ui/language/message_table.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const mneme::fuzz::Input input(data, size);
  const auto messages = mneme::ui::parse_po(input.rest());
  mneme::fuzz::require(messages.ok() || !messages.status().message().empty());
  if (!messages.ok()) return 0;
  for (const char* code : {"de", "ar", "ja"}) {
    const mneme::ui::MessageTable table(*mneme::ui::find_language(code), *messages);
    for (const mneme::ui::PoMessage& message : *messages) {
      const char* const text = message.plural_id.empty() ? table.find(message.context.c_str(), message.id.c_str())
                                                         : table.find_plural(message.id.c_str(), 7);
      mneme::fuzz::require(text == nullptr || table.english_of(text) == message.id);
    }
  }
  return 0;
}
