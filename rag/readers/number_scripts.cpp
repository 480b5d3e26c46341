#include "rag/readers/number_scripts.h"

#include <array>
#include <string_view>

#include "base/utf8.h"

namespace mneme::readers {
namespace {

constexpr std::u32string_view kStems = U"甲乙丙丁戊己庚辛壬癸";
constexpr std::u32string_view kKorean = U"가나다라마바사아자차카타파하";
constexpr std::u32string_view kCircled = U"①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳";
constexpr std::u32string_view kRussian = U"абвгдежзиклмнопрстуфхцчшщыэюя";
constexpr std::u32string_view kArabic = U"أبتثجحخدذرزسشصضطظعغفقكلمنهوي";
constexpr std::u32string_view kHanDigits = U"〇一二三四五六七八九";

std::string utf8_of(std::u32string_view letters) {
  std::string text;
  for (const char32_t letter : letters) utf8::append(text, letter);
  return text;
}

// Letters go on doubled behind the last.
std::string in_letters(int number, std::u32string_view letters, size_t most_rounds) {
  const auto place = static_cast<size_t>(number - 1);
  const size_t rounds = place / letters.size() + 1;
  if (rounds > most_rounds) return std::to_string(number);
  return utf8_of(std::u32string(rounds, letters[place % letters.size()]));
}

std::string in_upper_russian(int number) {
  std::u32string upper(kRussian);
  for (char32_t& letter : upper) letter -= 0x20;
  return in_letters(number, upper, 5);
}

// "一〇"
std::string in_han_digits(int number) {
  std::u32string text;
  for (const char digit : std::to_string(number)) text += kHanDigits[static_cast<size_t>(digit - '0')];
  return utf8_of(text);
}

// "十二", "一百零三"
std::string in_han(int number) {
  constexpr std::array<char32_t, 4> kPlaces = {U'千', U'百', U'十', 0};
  if (number > 9999) return in_han_digits(number);
  std::u32string text;
  bool passed_zero = false;
  int unit = 1000;
  for (const char32_t place : kPlaces) {
    const int digit = number / unit % 10;
    unit /= 10;
    if (digit == 0) {
      passed_zero = !text.empty();
      continue;
    }
    if (passed_zero) text += U'零';
    passed_zero = false;
    const bool is_ten = place == U'十' && digit == 1 && text.empty();
    if (!is_ten) text += kHanDigits[static_cast<size_t>(digit)];
    if (place != 0) text += place;
  }
  return utf8_of(text);
}

// "י״א" without its sign: hundreds, tens, ones; 15 and 16 are 9 and 6, 9 and 7.
std::string in_hebrew(int number) {
  constexpr std::u32string_view kOnes = U"אבגדהוזחט";
  constexpr std::u32string_view kTens = U"יכלמנסעפצ";
  constexpr std::u32string_view kHundreds = U"קרשת";
  if (number > 499) return std::to_string(number);
  std::u32string text;
  if (number >= 100) text += kHundreds[static_cast<size_t>(number / 100 - 1)];
  const int rest = number % 100;
  const bool is_name = rest == 15 || rest == 16;  // of God, which is not written so
  const int tens = is_name ? 0 : rest / 10;
  const int ones = is_name ? rest - 9 : rest % 10;
  if (is_name) text += U'ט';
  if (tens > 0) text += kTens[static_cast<size_t>(tens - 1)];
  if (ones > 0) text += kOnes[static_cast<size_t>(ones - 1)];
  return utf8_of(text);
}

}  // namespace

std::string in_other_script(int number, NumberScript script) {
  if (number < 1) return std::to_string(number);
  switch (script) {
    case NumberScript::kHan: return in_han(number);
    case NumberScript::kHanDigits: return in_han_digits(number);
    case NumberScript::kHanStems: return in_letters(number, kStems, 1);
    case NumberScript::kKorean: return in_letters(number, kKorean, 5);
    case NumberScript::kCircled: return in_letters(number, kCircled, 1);
    case NumberScript::kLowerRussian: return in_letters(number, kRussian, 5);
    case NumberScript::kUpperRussian: return in_upper_russian(number);
    case NumberScript::kHebrew: return in_hebrew(number);
    case NumberScript::kArabic: return in_letters(number, kArabic, 5);
    default: break;
  }
  return std::to_string(number);
}

}  // namespace mneme::readers
