#include "rag/readers/office/compressed_rtf.h"

#include <algorithm>

#include "rag/readers/office/little_endian.h"

namespace mneme::readers {
namespace {

constexpr size_t kHeader = 16;
constexpr uint32_t kIsPacked = 0x75465a4c;  // "LZFu"
constexpr uint32_t kIsPlain = 0x414c454d;   // "MELA"
constexpr size_t kWindow = 4096;

// What the window holds at the beginning: words that every file has.
constexpr std::string_view kKnown =
    "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS "
    "Sans "
    "SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    "\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab"
    "\\tx";

class Unpacker {
 public:
  explicit Unpacker(std::string_view packed) : packed_(packed), window_(kKnown) { window_.resize(kWindow, ' '); }

  // Eight pieces at a time: a byte as it is, or a place in the window and how many bytes from there.
  std::string unpack() {
    while (at_ < packed_.size()) {
      const uint8_t kinds = u8_at(packed_, at_++);
      for (int i = 0; i < 8 && at_ < packed_.size(); ++i) {
        if ((kinds >> i & 1) == 0) {
          put(packed_[at_++]);
        } else if (!copy()) {
          return std::move(text_);
        }
      }
    }
    return std::move(text_);
  }

 private:
  // False at the end, which is a place where nothing can stand yet.
  bool copy() {
    if (packed_.size() - at_ < 2) return false;
    const size_t written = size_t{u8_at(packed_, at_)} << 8 | u8_at(packed_, at_ + 1);
    at_ += 2;
    const size_t from = written >> 4;
    if (from == next_) return false;
    for (size_t i = 0; i < (written & 0xf) + 2; ++i) put(window_[(from + i) % kWindow]);
    return true;
  }

  void put(char byte) {
    text_.push_back(byte);
    window_[next_] = byte;
    next_ = (next_ + 1) % kWindow;
  }

  std::string_view packed_;
  std::string window_;
  std::string text_;
  size_t at_ = 0;
  size_t next_ = kKnown.size();  // place in the window
};

}  // namespace

std::string unpacked_rtf(std::string_view packed) {
  const size_t size = u32_at(packed, 4);
  const uint32_t kind = u32_at(packed, 8);
  const std::string_view rest = bytes_at(packed, kHeader, packed.size());
  if (kind == kIsPlain) return std::string(rest.substr(0, size));
  if (kind != kIsPacked) return {};
  std::string text = Unpacker(rest).unpack();
  text.resize(std::min(text.size(), size));
  return text;
}

}  // namespace mneme::readers
