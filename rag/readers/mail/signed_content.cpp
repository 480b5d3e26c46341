#include "rag/readers/mail/signed_content.h"

#include <cstdint>

namespace mneme::readers {
namespace {

// Tags of BER (X.690).
constexpr uint8_t kOctets = 0x04;
constexpr uint8_t kObjectId = 0x06;
constexpr uint8_t kSequence = 0x30;
constexpr uint8_t kOctetsInPieces = 0x24;
constexpr uint8_t kContext0 = 0xa0;
constexpr int kDeepest = 16;

struct Element {
  uint8_t tag = 0;
  std::string_view content;
  bool open = false;  // its length is not told: it ends with two zero bytes, and is not cut there
};

// The length behind a tag, moved behind; nothing where it does not fit.
std::optional<size_t> take_length(std::string_view& bytes, bool& open) {
  const auto first = static_cast<uint8_t>(bytes[0]);
  bytes.remove_prefix(1);
  open = first == 0x80;
  if (first <= 0x80) return open ? bytes.size() : first;
  const size_t n = first & 0x7f;
  if (n > 4 || n > bytes.size()) return std::nullopt;
  size_t length = 0;
  for (size_t i = 0; i < n; ++i) length = length << 8 | static_cast<uint8_t>(bytes[i]);
  bytes.remove_prefix(n);
  return length;
}

// The element that bytes begin with, moved behind it; of an open one only behind its beginning.
std::optional<Element> take_element(std::string_view& bytes) {
  if (bytes.size() < 2) return std::nullopt;
  Element element{.tag = static_cast<uint8_t>(bytes[0]), .content = {}};
  bytes.remove_prefix(1);
  const std::optional<size_t> length = take_length(bytes, element.open);
  if (!length || *length > bytes.size()) return std::nullopt;
  element.content = bytes.substr(0, *length);
  if (!element.open) bytes.remove_prefix(*length);
  return element;
}

// Bytes of a string that may come in pieces. `rest`: what an open one is the beginning of, moved behind it.
bool append_octets(const Element& element, std::string_view& rest, std::string& octets, int depth) {
  if (element.tag == kOctets && !element.open) {
    octets += element.content;
    return true;
  }
  if (element.tag != kOctetsInPieces || depth > kDeepest) return false;
  std::string_view pieces = element.open ? rest : element.content;
  while (!pieces.empty() && !pieces.starts_with(std::string_view("\0\0", 2))) {
    const std::optional<Element> piece = take_element(pieces);
    if (!piece || !append_octets(*piece, pieces, octets, depth + 1)) return false;
  }
  if (element.open) {
    rest = pieces;
    rest.remove_prefix(rest.size() < 2 ? rest.size() : 2);
  }
  return true;
}

// Goes into the next element, which has to have this tag.
bool enter(std::string_view& bytes, uint8_t tag) {
  std::string_view rest = bytes;
  const std::optional<Element> element = take_element(rest);
  if (!element || element->tag != tag) return false;
  bytes = element->open ? rest : element->content;
  return true;
}

bool take_object_id(std::string_view& bytes, std::string_view id) {
  const std::optional<Element> element = take_element(bytes);
  return element && element->tag == kObjectId && element->content == id;
}

}  // namespace

std::optional<std::string> signed_content(std::string_view data) {
  constexpr std::string_view kSignedData = "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02";
  constexpr std::string_view kData = "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01";
  std::string_view at = data;
  if (!enter(at, kSequence) || !take_object_id(at, kSignedData)) return std::nullopt;
  if (!enter(at, kContext0) || !enter(at, kSequence)) return std::nullopt;
  const std::optional<Element> version = take_element(at);
  const std::optional<Element> digests = version ? take_element(at) : std::nullopt;
  if (!digests || digests->open) return std::nullopt;
  if (!enter(at, kSequence) || !take_object_id(at, kData) || !enter(at, kContext0)) return std::nullopt;
  const std::optional<Element> octets = take_element(at);
  std::string content;
  if (!octets || !append_octets(*octets, at, content, 0)) return std::nullopt;
  return content;
}

}  // namespace mneme::readers
