#include "rag/readers/text_decoding.h"

#include <unicode/ucnv.h>
#include <unicode/ucsdet.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "base/ascii.h"
#include "base/utf8.h"
#include "rag/readers/encoding_labels.h"
#include "rag/readers/old_encodings.h"

namespace mneme::readers {
namespace {

constexpr size_t kSampleBytes = 64 * 1024;

struct UnicodeForm {
  const char* name;
  int unit;  // bytes per code unit
  bool big_endian;
};
constexpr UnicodeForm kUtf16Le{"UTF-16LE", 2, false};
constexpr UnicodeForm kUtf16Be{"UTF-16BE", 2, true};
constexpr UnicodeForm kUtf32Le{"UTF-32LE", 4, false};
constexpr UnicodeForm kUtf32Be{"UTF-32BE", 4, true};

std::optional<UnicodeForm> form_by_mark(std::string_view bytes) {
  using std::string_view_literals::operator""sv;
  if (bytes.starts_with("\xff\xfe\0\0"sv) && bytes.size() % 4 == 0) return kUtf32Le;
  if (bytes.starts_with("\0\0\xfe\xff"sv)) return kUtf32Be;
  if (bytes.starts_with("\xff\xfe"sv)) return kUtf16Le;
  if (bytes.starts_with("\xfe\xff"sv)) return kUtf16Be;
  return std::nullopt;
}

// UTF-16 without a mark: Western text has nearly all its zeros at one parity.
std::optional<UnicodeForm> form_by_zeros(std::string_view bytes) {
  const std::string_view sample = bytes.substr(0, std::min<size_t>(bytes.size(), 4096) & ~size_t{1});
  if (sample.size() < 8) return std::nullopt;
  size_t even = 0;
  size_t odd = 0;
  for (size_t i = 0; i < sample.size(); i += 2) {
    even += sample[i] == 0;
    odd += sample[i + 1] == 0;
  }
  const auto are_many = [&](size_t zeros) { return zeros * 5 >= sample.size(); };  // two fifths of the units
  if (are_many(odd) && even * 50 <= odd) return kUtf16Le;
  if (are_many(even) && odd * 50 <= even) return kUtf16Be;
  return std::nullopt;
}

std::string decode_unicode(std::string_view bytes, const UnicodeForm& form) {
  const auto unit_at = [&](size_t i) {
    char32_t value = 0;
    for (int b = 0; b < form.unit; ++b) {
      const int shift = 8 * (form.big_endian ? form.unit - 1 - b : b);
      value |= static_cast<char32_t>(static_cast<unsigned char>(bytes[i + b])) << shift;
    }
    return value;
  };
  std::string text;
  text.reserve(bytes.size());
  const size_t step = static_cast<size_t>(form.unit);
  size_t i = 0;
  while (i + step <= bytes.size()) {
    char32_t c = unit_at(i);
    i += step;
    if (form.unit == 2 && c >= 0xd800 && c < 0xdc00 && i + 2 <= bytes.size()) {
      const char32_t low = unit_at(i);
      if (low >= 0xdc00 && low < 0xe000) {
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        i += 2;
      }
    }
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) c = 0xfffd;
    utf8::append(text, c);
  }
  if (i < bytes.size()) utf8::append(text, 0xfffd);
  return text;
}

// Thai in TIS-620, which ICU's detector does not know. Vowels and tone marks above and below the line stand behind a
// consonant or one another, leading vowels before a consonant; other encodings break that at every third byte.
bool is_thai(std::string_view bytes) {
  constexpr size_t kFewestMarks = 8;
  const auto at = [&](size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0; };
  const auto is_consonant = [](int c) { return c >= 0xa1 && c <= 0xce; };
  const auto is_above_or_below = [](int c) {
    return c == 0xd1 || (c >= 0xd4 && c <= 0xda) || (c >= 0xe7 && c <= 0xee);
  };
  size_t marks = 0;
  size_t wrong = 0;
  for (size_t i = 0; i < std::min(bytes.size(), kSampleBytes); ++i) {
    const int c = at(i);
    if (c < 0x80) continue;
    const bool leads = c >= 0xe0 && c <= 0xe4;
    if (c < 0xa1 || c > 0xfb || (c > 0xda && c < 0xdf)) {
      ++wrong;
    } else if (leads) {
      ++marks;
      wrong += is_consonant(at(i + 1)) ? 0 : 1;
    } else if (is_above_or_below(c)) {
      ++marks;
      wrong += i > 0 && (is_consonant(at(i - 1)) || is_above_or_below(at(i - 1))) ? 0 : 1;
    }
  }
  return marks >= kFewestMarks && wrong * 50 <= marks;
}

struct DetectorClose {
  void operator()(UCharsetDetector* detector) const { ucsdet_close(detector); }
};
struct ConverterClose {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};

// What to detect the encoding by: detectors want text beyond ASCII, so that it begins a little before the first such
// byte.
std::string_view sample_of(std::string_view bytes) {
  const auto high = std::find_if(bytes.begin(), bytes.end(), [](char c) { return (c & 0x80) != 0 || c == 0x1b; });
  const size_t first = static_cast<size_t>(high - bytes.begin());
  return bytes.substr(first > 1024 ? first - 1024 : 0, kSampleBytes);
}

// The names ICU's detector finds in the text, best first. Single-byte guesses of low confidence are left out.
std::vector<std::string> detect_encodings(std::string_view bytes) {
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<UCharsetDetector, DetectorClose> detector(ucsdet_open(&error));
  if (U_FAILURE(error)) return {};
  const std::string_view sample = sample_of(bytes);
  ucsdet_setText(detector.get(), sample.data(), static_cast<int32_t>(sample.size()), &error);
  int32_t count = 0;
  const UCharsetMatch** matches = ucsdet_detectAll(detector.get(), &count, &error);
  std::vector<std::string> names;
  if (is_thai(sample)) names.emplace_back("windows-874");
  if (U_FAILURE(error)) return names;
  for (int32_t i = 0; i < count; ++i) {
    const int32_t confidence = ucsdet_getConfidence(matches[i], &error);
    const char* name = ucsdet_getName(matches[i], &error);
    if (U_FAILURE(error) || name == nullptr) break;
    constexpr int32_t kLeastConfidence = 10;
    if (confidence >= kLeastConfidence) names.emplace_back(name);
  }
  return names;
}

bool has_characters_of_two_bytes(std::string_view encoding) {
  for (const std::string_view name : {"GB18030", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR"}) {
    if (encoding == name) return true;
  }
  return false;
}

// Most bytes beyond ASCII stand alone or in pairs within or beside words of ASCII letters, as accents do. Any two of
// them make a Chinese character, and the detector is content with one; but in texts of such characters they stand
// together.
bool is_accented_latin_text(std::string_view bytes) {
  constexpr size_t kLongestRun = 3;
  const auto is_high = [&](size_t i) { return i < bytes.size() && (bytes[i] & 0x80) != 0; };
  // In windows-1252; the first bytes of most Chinese characters are signs there.
  const auto is_accented_letter = [&](size_t i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    const bool of_the_lower_half =
        byte == 0x8a || byte == 0x8c || byte == 0x8e || byte == 0x9a || byte == 0x9c || byte == 0x9e || byte == 0x9f;
    return (byte >= 0xc0 && byte != 0xd7 && byte != 0xf7) || of_the_lower_half;
  };
  size_t all = 0;
  size_t accents = 0;
  for (size_t i = 0; i < std::min(bytes.size(), kSampleBytes); ++i) {
    if (!is_high(i)) continue;
    const size_t begin = i;
    bool letters = true;
    for (; is_high(i); ++i) letters = letters && is_accented_letter(i);
    const bool in_word = (begin > 0 && is_letter(bytes[begin - 1])) || (i < bytes.size() && is_letter(bytes[i]));
    all += i - begin;
    if (letters && in_word && i - begin <= kLongestRun) accents += i - begin;
  }
  return accents * 2 > all;
}

// Characters that text does not contain, replacement characters and C1 controls; or hardly anything but half-width
// katakana, which any bytes make in Shift-JIS.
bool converted_badly(std::string_view text) {
  size_t bad = 0;
  size_t all = 0;
  size_t beyond_ascii = 0;
  size_t narrow_kana = 0;
  for (size_t offset = 0; offset < text.size(); ++all) {
    const char32_t c = utf8::next(text, offset);
    beyond_ascii += c >= 0x80;
    narrow_kana += c >= 0xff61 && c < 0xffa0;
    bad += c == 0xfffd || (c >= 0x80 && c < 0xa0 && c != 0x85) || (c >= 0xe000 && c < 0xf900);
  }
  return bad * 200 > all || narrow_kana * 2 > beyond_ascii;
}

struct RepairedUtf8 {
  size_t invalid = 0;
  size_t multibyte = 0;
};
RepairedUtf8 count_utf8(std::string_view text) {
  RepairedUtf8 counts;
  for (size_t offset = 0; offset < text.size();) {
    const size_t before = offset;
    const bool ascii = (text[offset] & 0x80) == 0;
    const char32_t c = utf8::next(text, offset);
    if (ascii) continue;
    if (c == 0xfffd && offset - before == 1) {
      ++counts.invalid;
    } else {
      ++counts.multibyte;
    }
  }
  return counts;
}

// A text of a few words says too little to be told from others: what most such texts are, unless hardly anything in it
// is a word then.
std::optional<std::string> western_text(std::string_view bytes) {
  const size_t high =
      static_cast<size_t>(std::count_if(bytes.begin(), bytes.end(), [](char c) { return (c & 0x80) != 0; }));
  const size_t plain = static_cast<size_t>(
      std::count_if(bytes.begin(), bytes.end(), [](char c) { return is_letter(c) || is_digit(c); }));
  auto text = convert_from(bytes, "windows-1252");
  if (high > plain || !text.ok() || converted_badly(*text)) return std::nullopt;
  return std::move(*text);
}

}  // namespace

bool looks_binary(std::string_view beginning) {
  if (beginning.empty() || form_by_mark(beginning) || form_by_zeros(beginning)) return false;
  size_t control = 0;
  for (const char c : beginning) {
    if (c == 0) return true;
    const auto byte = static_cast<unsigned char>(c);
    control +=
        byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r' && byte != '\f' && byte != 0x1b && byte != 0x08;
  }
  return control * 50 > beginning.size();
}

Result<std::string> convert_from(std::string_view bytes, std::string_view encoding) {
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<UConverter, ConverterClose> from(ucnv_open(encoding_meant_by(encoding).c_str(), &error));
  if (U_FAILURE(error)) return unsupported("its encoding \"" + std::string(encoding) + "\" is not known.");
  const std::unique_ptr<UConverter, ConverterClose> to(ucnv_open("UTF-8", &error));
  if (U_FAILURE(error)) return Status(StatusCode::kInternal, "ICU has no UTF-8 converter.");
  std::string text;
  text.reserve(bytes.size() * 3 / 2);
  std::array<UChar, 4096> pivot;
  UChar* pivot_source = pivot.data();
  UChar* pivot_target = pivot.data();
  const char* source = bytes.data();
  const char* const source_end = source + bytes.size();
  std::array<char, 16384> buffer;
  do {
    error = U_ZERO_ERROR;
    char* target = buffer.data();
    ucnv_convertEx(to.get(), from.get(), &target, buffer.data() + buffer.size(), &source, source_end, pivot.data(),
                   &pivot_source, &pivot_target, pivot.data() + pivot.size(), false, true, &error);
    text.append(buffer.data(), target);
  } while (error == U_BUFFER_OVERFLOW_ERROR);
  if (U_FAILURE(error)) return corruption(std::string("it could not be converted from ") + std::string(encoding) + ".");
  return text;
}

namespace {

DecodedText converted(std::string text, const std::string& encoding, const char* how = "") {
  return {std::move(text), encoding, "converted from " + encoding + how};
}

// By its mark, or by where its zeros stand.
std::optional<DecodedText> wide_unicode_text(std::string_view bytes) {
  if (const auto form = form_by_mark(bytes))
    return converted(decode_unicode(bytes.substr(static_cast<size_t>(form->unit)), *form), form->name);
  if (const auto form = form_by_zeros(bytes)) return converted(decode_unicode(bytes, *form), form->name);
  return std::nullopt;
}

// In this encoding, where that gives a text.
std::optional<DecodedText> text_in(const std::string& encoding, std::string_view bytes, const char* how) {
  auto text = convert_from(bytes, encoding);
  if (!text.ok() || converted_badly(*text)) return std::nullopt;
  return converted(std::move(*text), encoding, how);
}

// Whether a tenth of what is not ASCII is kana: no other text converts to that.
bool is_japanese(std::string_view text) {
  size_t kana = 0;
  size_t beyond_ascii = 0;
  for (size_t offset = 0; offset < text.size();) {
    const char32_t c = utf8::next(text, offset);
    beyond_ascii += c >= 0x80;
    kana += c >= 0x3041 && c <= 0x30fe;
  }
  return kana * 10 > beyond_ascii;
}

// Shift-JIS, most of whose second bytes are those of letters, so that the first look like accented letters in words.
std::optional<DecodedText> text_in_shift_jis(std::string_view bytes, const char* how) {
  auto text = text_in("Shift_JIS", bytes, how);
  return text && is_japanese(text->text) ? std::move(text) : std::nullopt;
}

// In the first of the encodings that the bytes look like.
std::optional<DecodedText> text_in_old_encoding(const std::string& bytes) {
  constexpr const char* kDetected = " (detected)";
  if (const auto old = old_western_encoding(sample_of(bytes))) {
    if (auto text = text_in_shift_jis(bytes, kDetected)) return text;
    if (auto text = text_in(*old, bytes, kDetected)) return text;
  }
  const bool accented = is_accented_latin_text(bytes);
  for (const std::string& name : detect_encodings(bytes)) {
    if (name.starts_with("UTF-") || (accented && has_characters_of_two_bytes(name))) continue;
    if (auto text = text_in(name, bytes, kDetected)) return text;
  }
  return std::nullopt;
}

}  // namespace

Result<DecodedText> decode_text(std::string bytes, std::string_view declared) {
  if (auto wide = wide_unicode_text(bytes)) return std::move(*wide);
  if (looks_binary(std::string_view(bytes).substr(0, kSampleBytes)) || bytes.find('\0') != std::string::npos) {
    return unsupported("it holds binary data, not text.");
  }
  const bool iso2022 = bytes.find("\x1b$") != std::string::npos;
  const bool is_utf8 = utf8::first_invalid(bytes) == bytes.size();
  if (is_utf8 && !iso2022) return DecodedText{std::move(bytes), "UTF-8", ""};
  if (!declared.empty()) {
    if (auto text = text_in(std::string(declared), bytes, "")) return std::move(*text);
  }
  const RepairedUtf8 counts = count_utf8(bytes);
  const bool damaged_utf8 = !iso2022 && counts.multibyte >= 8 * counts.invalid && counts.multibyte > 0;
  if (!damaged_utf8) {
    if (auto text = text_in_old_encoding(bytes)) return std::move(*text);
    if (is_utf8) return DecodedText{std::move(bytes), "UTF-8", ""};
    if (auto text = western_text(bytes)) return converted(std::move(*text), "windows-1252", " (assumed)");
  }
  // A few bad bytes in a long text cost a few characters, not the document.
  if (damaged_utf8 || counts.invalid * 1000 < bytes.size()) {
    return DecodedText{utf8::sanitise(bytes), "UTF-8",
                       std::to_string(counts.invalid) + " bytes that are not UTF-8 were replaced"};
  }
  return unsupported("its encoding could not be determined; convert it to UTF-8.");
}

}  // namespace mneme::readers
