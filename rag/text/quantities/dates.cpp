#include "rag/text/quantities/dates.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/ascii.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kMonths[] = {
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december", "century", "centuries",
    // German
    "januar", "februar", "marz", "mai", "juni", "juli", "oktober", "dezember", "jahrhundert",
    // French
    "janvier", "fevrier", "avril", "juin", "juillet", "aout", "septembre", "octobre", "novembre", "decembre",
    // Spanish
    "enero", "febrero", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
    // Italian
    "gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "settembre", "ottobre", "dicembre",
    // Portuguese
    "janeiro", "fevereiro", "maio", "junho", "julho", "setembro", "outubro", "novembro", "dezembro",
    // Russian
    "январь", "января", "январе", "февраль", "февраля", "феврале", "март", "марта", "марте", "апрель", "апреля",
    "апреле", "мая", "мае", "июнь", "июня", "июне", "июль", "июля", "июле", "август", "августа", "августе", "сентябрь",
    "сентября", "сентябре", "октябрь", "октября", "октябре", "ноябрь", "ноября", "ноябре", "декабрь", "декабря",
    "декабре",
    // Dutch, Polish, Turkish
    "januari", "februari", "maart", "augustus", "stycznia", "lutego", "kwietnia", "czerwca", "lipca", "sierpnia",
    "września", "października", "listopada", "grudnia", "şubat", "nisan", "mayıs", "haziran", "temmuz", "ağustos",
    "eylül", "kasım", "aralık",
    // Arabic
    "يناير", "فبراير", "مارس", "أبريل", "إبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر",
    "ديسمبر", "كانون", "شباط", "آذار", "نيسان", "أيار", "حزيران", "تموز", "أيلول", "تشرين"};
// Words that also mean something else, or end other words: of months where the sentence holds a number.
constexpr std::string_view kMonthsBesideNumbers[] = {"mars", "marco", "май"};
constexpr std::string_view kWeekdays[] = {
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mondays", "tuesdays", "wednesdays",
    "thursdays", "fridays", "saturdays", "sundays", "weekend", "weekdays",
    // German
    "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag", "montags", "dienstags",
    "mittwochs", "donnerstags", "freitags", "samstags", "sonntags", "sonnabend", "wochenende",
    // French and Spanish
    "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche", "lunes", "martes", "miercoles", "jueves",
    "viernes", "sabado", "domingo",
    // Italian and Portuguese
    "lunedi", "martedi", "mercoledi", "giovedi", "venerdi", "sabato", "domenica", "segunda feira", "terca feira",
    "quarta feira", "quinta feira", "sexta feira",
    // Russian
    "понедельник", "понедельника", "вторник", "среду", "четверг", "четверга", "пятница", "пятницу", "пятницы",
    "суббота", "субботу", "субботы", "воскресенье", "воскресенья", "понедельникам", "вторникам", "средам", "четвергам",
    "пятницам", "субботам", "воскресеньям",
    // Dutch, Polish, Turkish
    "maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag", "poniedziałek", "wtorek", "środa",
    "czwartek", "piątek", "sobota", "niedziela", "pazartesi", "çarşamba", "perşembe", "cumartesi",
    // Arabic
    "الأحد", "الاثنين", "الإثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت"};
constexpr std::string_view kWideDays[] = {"月", "日", "曜", "周", "号", "星期"};
// Days that come again: "due on the first working day of the month".
constexpr std::string_view kRecurring[] = {"working day",
                                           "business day",
                                           "werktag",
                                           "day of the month",
                                           "day of each month",
                                           "day of every month",
                                           "end of the month",
                                           "end of each month",
                                           "monatsende",
                                           "ende des monats",
                                           "tag des monats",
                                           "des monats",
                                           "jour du mois",
                                           "fin du mois",
                                           "de chaque mois",
                                           "de cada mes",
                                           "fin de mes",
                                           "di ogni mese",
                                           "fine mese",
                                           "каждого месяца",
                                           "числа",
                                           "من كل شهر",
                                           "van de maand",
                                           "kazdego miesiaca",
                                           "毎月",
                                           "每月"};
constexpr std::string_view kUnits[] = {
    "second", "seconds", "minute", "minutes", "min", "mins", "hour", "hours", "day", "days", "week", "weeks", "month",
    "months", "year", "years", "decade", "decades", "season", "seasons",
    // German
    "sekunde", "sekunden", "minuten", "stunde", "stunden", "std", "tag", "tage", "tagen", "woche", "wochen", "monat",
    "monate", "monaten", "jahr", "jahre", "jahren",
    // French
    "seconde", "secondes", "heure", "heures", "jour", "jours", "semaine", "semaines", "mois", "an", "ans", "annee",
    "annees",
    // Spanish
    "segundos", "minutos", "hora", "horas", "dia", "dias", "semanas", "mes", "meses", "ano", "anos",
    // Italian and Portuguese
    "secondi", "minuti", "ora", "ore", "giorno", "giorni", "settimana", "settimane", "mese", "mesi", "anno", "anni",
    "semana",
    // Russian
    "секунд", "секунды", "минут", "минуты", "минуту", "час", "часа", "часов", "день", "дня", "дней", "неделя", "недели",
    "неделю", "недель", "месяц", "месяца", "месяцев", "год", "года", "лет", "сутки", "суток", "полгода",
    // Arabic
    "دقيقة", "دقائق", "ساعة", "ساعات", "يوم", "يوما", "يومان", "يومين", "أيام", "أسبوع", "أسبوعان", "أسبوعين", "أسابيع",
    "شهر", "شهرا", "شهران", "شهرين", "أشهر", "سنة", "سنتان", "سنتين", "سنوات", "عام", "عامان", "عامين", "أعوام",
    "ثانية",
    // Dutch, Polish, Turkish
    "uur", "dag", "dagen", "weken", "maand", "maanden", "jaar", "minuut", "godzin", "godziny", "dni", "dzień",
    "tygodni", "tygodnie", "miesięcy", "miesiące", "lata", "rok", "dakika", "saat", "gün", "hafta", "yıl",
    // Chinese and Japanese
    "秒", "分钟", "分鐘", "小时", "小時", "天", "周", "个月", "年", "分間", "時間", "日間", "週間", "か月", "ヶ月",
    "カ月"};
constexpr std::string_view kOften[] = {
    "every", "each", "once", "twice", "times", "per", "hourly", "daily", "weekly", "monthly", "quarterly", "yearly",
    "annually", "regularly",
    // German
    "alle", "jede", "jeden", "jedes", "jeder", "einmal", "zweimal", "dreimal", "mal", "pro", "taglich", "wochentlich",
    "monatlich", "vierteljahrlich", "halbjahrlich", "jahrlich", "regelmassig",
    // French
    "chaque", "tous les", "toutes les", "fois", "par jour", "par semaine", "par mois", "par an", "quotidien",
    "hebdomadaire", "mensuel", "annuel", "quotidiennement", "mensuellement", "annuellement",
    // Spanish
    "cada", "veces", "vez", "todos los", "todas las", "diario", "diariamente", "semanal", "mensual", "anual",
    // Italian and Portuguese
    "ogni", "volta", "volte", "giornaliero", "settimanale", "mensile", "annuale", "vezes", "todos os", "todas as",
    // Russian
    "каждый", "каждую", "каждые", "каждое", "раз", "раза", "ежедневно", "еженедельно", "ежемесячно", "ежегодно",
    // Chinese and Japanese
    "每", "次", "毎", "ごと", "おき", "一度", "一回", "1回", "2回", "3回", "たび",
    // Arabic, Dutch, Polish, Turkish
    "مرة", "مرتين", "مرات", "كل", "يوميا", "أسبوعيا", "شهريا", "سنويا", "elke", "iedere", "per dag", "razy", "każdy",
    "günde"};

// "Within 14 days": a day that depends on another.
constexpr std::string_view kWithin[] = {"within",        "no later than", "innerhalb",   "binnen",    "dans les",
                                        "dans un delai", "sous",          "avant",       "dentro de", "en el plazo",
                                        "antes de",      "entro",         "no prazo de", "ate",       "в течение",
                                        "не позднее",    "以内",          "之内",        "天内"};

// "By 3 May", "due on", "within 14 days": a day that is the last one.
constexpr std::string_view kUntil[] = {"by", "until", "till", "due", "latest", "deadline", "no later", "before",
                                       "within", "expires", "closes", "valid",
                                       // German
                                       "bis", "spatestens", "fallig", "innerhalb", "binnen", "frist", "gultig",
                                       // French, Spanish, Italian, Portuguese
                                       "jusqu", "au plus tard", "avant", "delai", "dans les", "echeance", "hasta",
                                       "antes", "a mas tardar", "plazo", "dentro de", "vence", "durante", "valido",
                                       "valable", "entro", "fino", "scade", "scadenza", "ate", "prazo", "vencimento",
                                       // Russian
                                       "до", "не позднее", "срок", "в течение", "действителен", "действительно",
                                       // Chinese and Japanese
                                       "まで", "以内", "期限", "締切", "之前", "前", "截止", "内",
                                       // Arabic, Dutch, Polish
                                       "قبل", "حتى", "آخر موعد", "خلال", "uiterlijk", "najpóźniej"};
// Of a time of day.
constexpr std::string_view kAskHour[] = {
    "what time",    "which hour", "um wie viel uhr", "um wieviel uhr", "welche uhrzeit", "welcher uhrzeit",
    "quelle heure", "que hora",   "che ora",         "que horas",      "во сколько",     "котором часу",
    "几点",         "何時",       "اي ساعه",         "hoe laat",       "o ktorej",       "saat kacta"};
constexpr std::string_view kAskUntil[] = {
    "until when", "till when", "by when", "by what date", "by which date", "deadline", "latest date",
    // German
    "bis wann", "bis zu welchem", "bis spatestens wann", "wann spatestens",
    // French, Spanish, Italian, Portuguese
    "jusqu a quand", "jusqu a quelle date", "avant quand", "avant quelle date", "hasta cuando", "hasta que fecha",
    "hasta que dia", "antes de cuando", "entro quando", "fino a quando", "entro che", "ate quando", "ate que dia",
    // Russian
    "до какого", "до когда", "к какому числу", "до какой даты", "не позднее какого",
    // Chinese and Japanese
    "ما اخر موعد", "حتى متى", "قبل متى", "tot wanneer", "do kiedy", "什么时候之前", "何时之前", "哪天之前", "几号之前",
    "截止", "最晚", "最迟", "いつまで", "何日まで"};

struct TimeWords {
  FoldedPhrases months{kMonths};
  FoldedPhrases months_beside_numbers{kMonthsBesideNumbers};
  FoldedPhrases weekdays{kWeekdays};
  FoldedPhrases wide_days{kWideDays};
  FoldedPhrases recurring{kRecurring};
  FoldedPhrases units{kUnits};
  FoldedPhrases within{kWithin};
  FoldedPhrases often{kOften};
  FoldedPhrases until{kUntil};
  FoldedPhrases ask_until{kAskUntil};
  FoldedPhrases ask_hour{kAskHour};
};

const TimeWords& words() {
  static const TimeWords kWords;
  return kWords;
}

size_t digits_at(std::string_view text, size_t at) {
  size_t n = 0;
  while (at + n < text.size() && is_digit(text[at + n])) ++n;
  return n;
}

// A number of four digits that stands by itself and can be a year: "1953", not "RFC 3107" or "pep-0008".
bool has_year(std::string_view sentence) {
  for (size_t at = 0; at < sentence.size();) {
    const size_t n = digits_at(sentence, at);
    if (n == 4 && (sentence[at] == '1' || sentence.substr(at, 2) == "20")) return true;
    at += std::max<size_t>(n, 1);
  }
  return false;
}

// "the 3rd of each month", "on the 12th".
bool has_day_of_month(const std::string& folded) {
  for (const std::string_view ending : {"st ", "nd ", "rd ", "th "}) {
    for (size_t at = folded.find(ending); at != std::string::npos; at = folded.find(ending, at + 1)) {
      const size_t first = folded.find_last_not_of("0123456789", at - 1) + 1;
      const std::string_view behind = std::string_view(folded).substr(at + ending.size());
      if (at - first >= 1 && at - first <= 2 &&
          (behind.empty() || behind.starts_with("of ") || behind.starts_with("day")))
        return true;
    }
  }
  return false;
}

// "20.2.", "3/14": day and month, parted by the same sign that ends or begins no longer number.
bool has_day_and_month(std::string_view sentence) {
  for (size_t at = 0; at < sentence.size();) {
    const size_t first = digits_at(sentence, at);
    const size_t sign = at + first;
    const bool parted =
        first >= 1 && first <= 2 && sign < sentence.size() && (sentence[sign] == '.' || sentence[sign] == '/');
    const size_t second = parted ? digits_at(sentence, sign + 1) : 0;
    const size_t behind = sign + 1 + second;
    const bool dotted = parted && sentence[sign] == '.' && behind < sentence.size() && sentence[behind] == '.';
    const bool slashed = parted && sentence[sign] == '/' && (behind >= sentence.size() || !is_letter(sentence[behind]));
    if (second >= 1 && second <= 2 && (dotted || slashed)) return true;
    at = std::max(at + 1, at + first);
  }
  return false;
}

// "6 h 40", "18h", "8 Uhr", "20 heures", "7時50分", "9点".
bool has_hour(std::string_view sentence) {
  constexpr std::string_view kHours[] = {"h",     "Uhr",  "heures", "horas", "ore", "uur",
                                         "часов", "часа", "時",     "点",    "點"};
  for (size_t at = 0; at < sentence.size();) {
    const size_t n = digits_at(sentence, at);
    at += n;
    if (n == 1 || n == 2) {
      const std::string_view behind = sentence.substr(at + (sentence.substr(at).starts_with(' ') ? 1 : 0));
      const bool hour = std::any_of(std::begin(kHours), std::end(kHours), [&](std::string_view name) {
        if (!behind.starts_with(name) || behind.substr(name.size()).starts_with("間")) return false;
        return name != "h" || behind.size() == 1 || !is_letter(behind[1]);
      });
      if (hour) return true;
    }
    at += n == 0 ? 1 : 0;
  }
  return false;
}

// "2025年", "昭和36年"; "2年1組" is a class.
bool has_wide_year(std::string_view folded) {
  constexpr std::string_view kYear = "年";
  for (size_t at = folded.find(kYear); at != std::string_view::npos; at = folded.find(kYear, at + 1)) {
    if (at >= 2 && is_digit(folded[at - 1]) && is_digit(folded[at - 2])) return true;
  }
  return false;
}

// "18:15".
bool has_clock_time(std::string_view sentence) {
  const size_t colon = sentence.find(':');
  return colon != std::string_view::npos && colon > 0 && is_digit(sentence[colon - 1]) &&
         digits_at(sentence, colon + 1) > 0;
}

// "15分", "30天": a number at once before a unit of time, and no time of day or date.
bool says_wide_time(std::string_view sentence) {
  constexpr std::string_view kWideUnits[] = {"分", "秒", "日", "天", "年", "時間", "小时", "か月", "ヶ月", "个月"};
  constexpr std::string_view kOfDates[] = {"時", "点", "點", "月", "年", ":"};
  constexpr size_t kYear = 4;  // digits
  const auto is_lasting = [&](size_t unit) {
    const size_t first = sentence.find_last_not_of("0123456789", unit - 1) + 1;  // npos + 1 is 0
    const std::string_view before = sentence.substr(0, first);
    return first < unit && unit - first < kYear &&
           std::none_of(std::begin(kOfDates), std::end(kOfDates), [&](auto mark) { return before.ends_with(mark); });
  };
  for (const std::string_view unit : kWideUnits) {
    for (size_t at = sentence.find(unit); at != std::string_view::npos; at = sentence.find(unit, at + 1)) {
      if (at > 0 && is_lasting(at)) return true;
    }
  }
  return false;
}

}  // namespace

bool has_date(std::string_view sentence, const std::string& folded) {
  const TimeWords& known = words();
  if (has_clock_time(sentence) || has_year(sentence) || has_day_of_month(folded) || has_day_and_month(sentence)) {
    return true;
  }
  if (known.months.any_in(folded) || known.weekdays.any_in(folded) || known.recurring.any_in(folded)) return true;
  if (known.within.any_in(folded) && known.units.any_in(folded) && has_number(sentence)) return true;
  if (!has_digits(sentence)) return false;
  return known.wide_days.any_in(folded) || has_wide_year(folded) || known.months_beside_numbers.any_in(folded) ||
         has_hour(sentence);
}

bool asks_deadline(std::string_view question) {
  return words().ask_until.any_in(" " + folded_text(question) + " ");
}

bool asks_hour(std::string_view question) {
  return words().ask_hour.any_in(" " + folded_text(question) + " ");
}

bool has_time_of_day(std::string_view sentence) {
  constexpr std::string_view kAtHour = "الساعة";  // and the hour in words
  return has_clock_time(sentence) || has_hour(sentence) || sentence.find(kAtHour) != std::string_view::npos;
}

bool sets_deadline(std::string_view sentence, const std::string& folded) {
  const TimeWords& known = words();
  if (!known.until.any_in(folded)) return false;
  return has_date(sentence, folded) || (has_number(sentence) && known.units.any_in(folded));
}

bool is_time_word(std::string_view folded_word) {
  const auto is_it = [&](const std::string& name) { return name == folded_word; };
  const std::span<const std::string> months = words().months.all();
  const std::span<const std::string> weekdays = words().weekdays.all();
  return std::any_of(months.begin(), months.end(), is_it) || std::any_of(weekdays.begin(), weekdays.end(), is_it);
}

bool has_time_unit(std::string_view folded) {
  return words().units.any_in(folded);
}

bool says_short_time(std::string_view sentence) {
  if (says_wide_time(sentence)) return true;
  constexpr std::string_view kSigns[] = {"s", "ms", "us", "ns", "h", "hrs", "sec", "secs", "sek"};
  constexpr std::string_view kOne[] = {"eine", "einen", "einem", "einer", "ein"};
  // "1000 IU a day", "twice an hour": how often, not how long.
  constexpr std::string_view kLasting[] = {"for",   "within", "after", "about",  "takes",  "take", "lasts",
                                           "last",  "than",   "over",  "under",  "of",     "half", "around",
                                           "least", "most",   "to",    "nearly", "roughly"};
  constexpr std::string_view kSome[] = {"few", "several", "couple", "some", "einige", "paar", "mehrere"};
  std::string before_last;
  std::string last;
  size_t last_end = 0;
  WordScanner scanner(sentence);
  for (Word word; scanner.next(word);) {
    const size_t n_digits = std::min(word.text.find_first_not_of("0123456789"), word.text.size());
    if (n_digits > 0 && one_of(word.text.substr(n_digits), kSigns)) return true;
    const bool behind_number = !last.empty() && is_digit(last.front()) && sentence.substr(last_end).starts_with(' ');
    if (behind_number && one_of(word.text, kSigns)) return true;
    const bool one = one_of(last, kOne) || ((last == "a" || last == "an") && one_of(before_last, kLasting));
    const bool some = one_of(last, kSome) || (last == "of" && one_of(before_last, kSome));
    if ((one || some) && has_time_unit(" " + std::string(word.text) + " ")) return true;
    if (word.text == "overnight") return true;
    before_last = std::exchange(last, std::string(word.text));
    last_end = word.byte_end;
  }
  return false;
}

bool says_how_often(std::string_view folded) {
  return words().often.any_in(folded);
}

}  // namespace mneme::rag
