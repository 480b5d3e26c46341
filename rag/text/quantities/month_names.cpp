#include "rag/text/quantities/month_names.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/word_groups.h"

namespace mneme::rag {

namespace {

constexpr int kMonths = 12;

// A run of digits, as many as they are and what they say; at: behind it.
struct Digits {
  size_t n = 0;
  int value = 0;
};

Digits digits_at(std::string_view text, size_t& at) {
  constexpr size_t kMost = 4;
  Digits digits;
  while (at < text.size() && is_digit(text[at])) {
    if (digits.n++ < kMost) digits.value = 10 * digits.value + (text[at] - '0');
    ++at;
  }
  return digits;
}

void add_mark(int month, std::vector<std::string>& marks) {
  if (month < 1 || month > kMonths) return;
  std::string mark = month_mark(month);
  if (std::find(marks.begin(), marks.end(), mark) == marks.end()) marks.push_back(std::move(mark));
}

// Three numbers parted by the same sign, the year first or last.
void add_months_of(const std::array<Digits, 3>& date, char sign, std::vector<std::string>& marks) {
  const bool year_first = date[0].n == 4 && date[1].n == 2 && date[2].n == 2;
  const bool year_last = date[0].n <= 2 && date[1].n <= 2 && (date[2].n == 4 || date[2].n == 2);
  if (year_first) add_mark(date[1].value, marks);
  if (!year_last || sign == '-') return;
  add_mark(date[1].value, marks);
  if (sign == '/') add_mark(date[0].value, marks);  // the month first, as in America
}

}  // namespace

int month_called(std::string_view folded) {
  // English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Turkish, Russian, Arabic, Chinese but for
  // those that end the names of others.
  constexpr std::array<std::string_view, kMonths> kNames = {
      "january jan januar janner janvier enero gennaio janeiro januari stycznia styczen ocak январь января январе "
      "يناير",
      "february feb februar fevrier febrero febbraio fevereiro februari lutego luty subat февраль февраля феврале "
      "فبراير "
      "شباط",
      "march mar marz mars marzo marco maart marca marzec mart март марта марте مارس اذار 三月",
      "april apr avril abril aprile kwietnia kwiecien nisan апрель апреля апреле ابريل نيسان 四月",
      "may mai mayo maggio maio mei maja mayis май мая мае مايو ايار 五月",
      "june jun juni juin junio giugno junho czerwca czerwiec haziran июнь июня июне يونيو حزيران 六月",
      "july jul juli juillet julio luglio julho lipca lipiec temmuz июль июля июле يوليو تموز 七月",
      "august aug aout agosto augustus sierpnia sierpien agustos август августа августе اغسطس اب 八月",
      "september sep sept septembre septiembre settembre setembro wrzesnia wrzesien eylul сентябрь сентября сентябре "
      "سبتمبر ايلول 九月",
      "october oct oktober okt octobre octubre ottobre outubro pazdziernika ekim октябрь октября октябре اكتوبر 十月",
      "november nov novembre noviembre novembro listopada listopad kasim ноябрь ноября ноябре نوفمبر",
      "december dec dezember dez decembre diciembre dicembre dezembro grudnia grudzien aralik декабрь декабря декабре "
      "ديسمبر"};
  int found = 0;
  for (size_t month = 0; month < kNames.size() && !folded.empty(); ++month) {
    for_each_word(kNames[month],
                  [&](std::string_view name) { found = name == folded ? static_cast<int>(month) + 1 : found; });
  }
  return found;
}

int month_named(std::string_view folded) {
  constexpr std::string_view kOtherWords[] = {"may", "mar", "mars", "mart", "mei", "marco", "ocak"};
  return one_of(folded, kOtherWords) ? 0 : month_called(folded);
}

std::string month_mark(int month) {
  return "#" + std::to_string(month);
}

std::vector<std::string> month_marks(std::string_view text) {
  constexpr std::string_view kSigns = "-./";
  std::vector<std::string> marks;
  for (size_t at = text.find_first_of("0123456789"); at != std::string_view::npos;
       at = text.find_first_of("0123456789", at)) {
    std::array<Digits, 3> date;
    date[0] = digits_at(text, at);
    const size_t behind = at;
    const char sign = at < text.size() ? text[at] : '\0';
    bool whole = kSigns.find(sign) != std::string_view::npos;
    for (size_t i = 1; i < date.size() && whole; ++i) {
      whole = at < text.size() && text[at] == sign;
      if (whole) date[i] = digits_at(text, ++at);
      whole = whole && date[i].n > 0;
    }
    if (whole) {
      add_months_of(date, sign, marks);
    } else {
      at = behind;
    }
  }
  return marks;
}

}  // namespace mneme::rag
