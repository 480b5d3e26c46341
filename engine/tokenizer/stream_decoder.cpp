#include "base/utf8.h"
#include "engine/tokenizer/tokenizer.h"

namespace mneme::engine {

std::string StreamDecoder::add(TokenId id) {
  pending_ += tokenizer_.token_bytes(id);
  // Hold back at most the last three bytes: an unfinished character is no longer than that.
  size_t cut = pending_.size();
  for (size_t back = 1; back <= 3 && back <= pending_.size(); ++back) {
    const auto byte = static_cast<unsigned char>(pending_[pending_.size() - back]);
    if ((byte & 0xc0) == 0x80) continue;
    const size_t length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    if (length > back) cut = pending_.size() - back;
    break;
  }
  std::string text = utf8::sanitise(std::string_view(pending_).substr(0, cut));
  pending_.erase(0, cut);
  return text;
}

std::string StreamDecoder::finish() {
  std::string text = utf8::sanitise(pending_);
  pending_.clear();
  return text;
}

}  // namespace mneme::engine
