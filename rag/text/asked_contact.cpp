#include "rag/text/asked_contact.h"

#include <algorithm>
#include <span>
#include <string>

#include "base/ascii.h"
#include "rag/text/phrases.h"
#include "rag/text/question_kind.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

using Strings = std::span<const std::string_view>;

// Folded. At the end of a question the short names are enough: "what is the plumber's phone".
constexpr std::string_view kAskTelephone[] = {
    "phone number",     "telephone number",    "mobile number",      "number to call", "number to ring",
    "number do i call", "number do i ring",    "number can i call",  "telefonnummer",  "handynummer",
    "rufnummer",        "numero de telephone", "numero de telefono", "电话",           "电话号码",
    "電話番号",         "رقم الهاتف"};
constexpr std::string_view kAskMail[] = {"email address", "e mail address", "mail address", "mailadresse",
                                         "adresse mail",  "邮箱",           "电子邮件地址", "メールアドレス"};
constexpr std::string_view kLastTelephone[] = {"phone", "telephone", "tel"};
constexpr std::string_view kLastMail[] = {"email", "e mail"};
// Words beside a number that say to call it; who asks for one asks by them, too.
constexpr std::string_view kCalling[] = {
    "call",    "dial",    "ring",   "phone",  "mobile",  "tel",       "telephone", "ext",      "extension", "emergency",
    "hotline", "anrufen", "wahlen", "notruf", "telefon", "durchwahl", "appeler",   "composer", "llamar",    "chiamare"};
constexpr std::string_view kAddressing[] = {"number",    "email",       "mail",   "address",  "telefonnummer",
                                            "rufnummer", "handynummer", "numero", "telefono", "mailadresse"};

constexpr int kLeastDigits = 6;
constexpr int kMostDigits = 15;  // of a telephone number anywhere; account numbers are longer
constexpr int kYearDigits = 4;

bool ends_with(const std::string& folded, Strings phrases) {
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](std::string_view phrase) { return folded.ends_with(" " + std::string(phrase) + " "); });
}

bool joins_digits(char c) {
  return c == ' ' || c == '-' || c == '/' || c == '(' || c == ')';
}

// "2024-2029", "2026-04-09": begins with a year that a sign parts from more.
bool is_date(std::string_view number) {
  const size_t first = std::min(number.find_first_not_of("0123456789"), number.size());
  return first == kYearDigits && (number.starts_with("19") || number.starts_with("20")) &&
         number.substr(first).find_first_of("-/") == 0;
}

// Digits in groups: of a number that letters begin ("HM-7731-0428") or a sum ("420,000") they are no telephone's.
bool holds_telephone(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    if (!is_digit(text[at])) {
      ++at;
      continue;
    }
    const size_t begin = at;
    int digits = 0;
    size_t end = at;
    for (; at < text.size() && (is_digit(text[at]) || joins_digits(text[at])); ++at) {
      if (!is_digit(text[at])) continue;
      ++digits;
      end = at + 1;
    }
    const std::string_view before = text.substr(0, begin);
    const size_t sign = before.find_last_not_of("-/");
    const bool of_letters = sign != std::string_view::npos && is_letter(before[sign]);
    const bool goes_on = end + 1 < text.size() && (text[end] == '.' || text[end] == ',') && is_digit(text[end + 1]);
    const bool number = digits >= kLeastDigits && digits <= kMostDigits;
    if (number && !of_letters && !goes_on && !is_date(text.substr(begin, end - begin))) return true;
  }
  return false;
}

bool holds_mail(std::string_view text) {
  const size_t at = text.find('@');
  return at != std::string_view::npos && at > 0 && at + 1 < text.size() && text[at - 1] != ' ' &&
         is_letter(text[at + 1]) && text.find('.', at) != std::string_view::npos;
}

}  // namespace

Contact asked_contact(std::string_view question) {
  if (kind_of_question(question) == QuestionKind::kManner) return Contact::kNone;
  const std::string folded = " " + folded_text(question) + " ";
  if (says_any(folded, kAskTelephone) || ends_with(folded, kLastTelephone)) return Contact::kTelephone;
  if (says_any(folded, kAskMail) || ends_with(folded, kLastMail)) return Contact::kMail;
  return Contact::kNone;
}

bool is_contact_word(std::string_view folded) {
  return one_of(folded, kCalling) || one_of(folded, kAddressing);
}

bool holds_short_number(std::string_view sentence) {
  bool calls = false;
  bool number = false;
  WordScanner scanner(sentence);
  for (Word word; scanner.next(word);) {
    calls |= one_of(word.text, kCalling);
    number |= word.text.size() >= 2 && word.text.find_first_not_of("0123456789") == std::string::npos;
  }
  return calls && number;
}

bool holds_contact(Contact contact, std::string_view sentence) {
  switch (contact) {
    case Contact::kNone: return false;
    case Contact::kTelephone: return holds_telephone(sentence);
    case Contact::kMail: return holds_mail(sentence);
  }
  return false;
}

}  // namespace mneme::rag
