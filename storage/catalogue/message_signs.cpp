#include "storage/catalogue/message_signs.h"

#include <algorithm>
#include <bit>

#include "storage/catalogue/catalogue_state.h"

namespace mneme::storage {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr size_t kBitsPerByte = 4;                         // at least
constexpr size_t kFewestBits = 64;
constexpr size_t kFewestLetters = 4;
constexpr size_t kMostBits = size_t{1} << 20;

uint32_t folded(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 'A' && byte <= 'Z' ? byte + 32U : byte;
}

// Calls `add` with a hash of each three letters that stand together; its high bits depend on all of them.
template <typename Add>
void for_each_sign(std::string_view text, const Add& add) {
  uint32_t last = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    last = (last << 8 | folded(text[i])) & 0xFFFFFF;
    if (i >= 2) add(last * 0x9E3779B1U);
  }
}

bool has_bit(const uint64_t* bits, uint32_t bit) {
  return (bits[bit / 64] >> (bit % 64) & 1) != 0;
}

}  // namespace

std::vector<uint32_t> message_signs_of(std::string_view text) {
  std::vector<uint32_t> signs;
  if (text.size() < kFewestLetters || text.find(kReplacement) != std::string_view::npos) return signs;
  for_each_sign(text, [&](uint32_t sign) { signs.push_back(sign); });
  return signs;
}

void MessageSigns::clear() {
  entries_.clear();
  bits_.clear();
  last_message_ = 0;
}

void MessageSigns::add(const SignedMessage& message, std::string_view text) {
  const size_t n_bits = std::bit_ceil(std::clamp(kBitsPerByte * text.size(), kFewestBits, kMostBits));
  const Entry entry{message, bits_.size(), 32U - static_cast<uint32_t>(std::countr_zero(n_bits))};
  bits_.resize(entry.begin + n_bits / 64);
  uint64_t* const bits = bits_.data() + entry.begin;
  for_each_sign(text, [&](uint32_t sign) {
    const uint32_t bit = sign >> entry.shift;
    bits[bit / 64] |= uint64_t{1} << (bit % 64);
  });
  entries_.push_back(entry);
}

Status MessageSigns::read_new(Database& database) {
  MNEME_ASSIGN_OR_RETURN(const int64_t times, times_forgotten_in(database));
  if (times != times_forgotten_) clear();
  times_forgotten_ = times;
  MNEME_ASSIGN_OR_RETURN(Statement statement,
                         database.prepare("SELECT id, chat, text FROM messages WHERE id>?1 ORDER BY id"));
  statement.bind(last_message_);
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return {};
    add({statement.id<MessageId>(0), statement.id<ChatId>(1)}, statement.text(2));
    last_message_ = statement.integer(0);
  }
}

Result<std::vector<SignedMessage>> MessageSigns::may_hold(Database& database, const std::vector<uint32_t>& signs,
                                                          const std::unordered_set<int64_t>& chats) {
  MutexLock lock(mutex_);
  MNEME_RETURN_IF_ERROR(read_new(database));
  std::vector<SignedMessage> found;
  for (const Entry& entry : entries_) {
    const uint64_t* const bits = bits_.data() + entry.begin;
    const auto has = [&](uint32_t sign) { return has_bit(bits, sign >> entry.shift); };
    if (!std::all_of(signs.begin(), signs.end(), has)) continue;
    if (chats.contains(static_cast<int64_t>(entry.message.chat))) found.push_back(entry.message);
  }
  return found;
}

void MessageSigns::forget(ChatId chat) {
  MutexLock lock(mutex_);
  std::erase_if(entries_, [&](const Entry& entry) { return entry.message.chat == chat; });
}

}  // namespace mneme::storage
