#include "rag/text/asked/contact.h"

#include <algorithm>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/ascii.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/word_groups.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

using Strings = std::span<const std::string_view>;

// Folded. At the end of a question the short names are enough: "what is the plumber's phone".
constexpr std::string_view kAskTelephone[] = {
    "phone number", "telephone number", "mobile number", "number to call", "number to ring", "number do i call",
    "number do i ring", "number can i call",
    // German
    "telefonnummer", "handynummer", "rufnummer", "notrufnummer", "nummer rufe", "nummer rufen", "nummer anrufen",
    "nummer muss ich", "wen rufe ich", "wen rufen wir", "wo rufe ich", "wen anrufen", "wen kann ich anrufen",
    "wen muss ich anrufen", "wen soll ich anrufen", "wo muss ich anrufen",
    // French
    "numero de telephone", "numero d urgence", "qui appeler", "qui dois je appeler", "qui j appelle",
    "qui est ce que j appelle",
    // Spanish, Italian, Portuguese
    "numero de telefono", "numero de emergencias", "telefono de", "telefono del", "telefono para", "a quien llamo",
    "a quien llamar", "a quien tengo que llamar", "numero di telefono", "telefono dell", "chi chiamo",
    "chi devo chiamare", "telefone de", "telefone do", "telefone da", "para quem ligo",
    // Dutch, Polish
    "telefoonnummer", "numer telefonu",
    // Russian
    "номер телефона", "телефон", "куда звонить", "кому звонить", "куда позвонить", "кому позвонить",
    // Chinese, Japanese, Korean
    "电话", "電話", "連絡先", "전화번호",
    // Arabic
    "رقم الهاتف", "رقم هاتف", "هاتف"};
// A number that may be one to call, unless it is that of another thing.
constexpr std::string_view kAskNumber[] = {"quel numero", "numero du",    "numero de l", "numero de la", "numero des",
                                           "numero pour", "que numero",   "numero del",  "numero para",  "quale numero",
                                           "numero dell", "numero della", "какой номер", "رقم"};
// Things with numbers that nobody calls, in the languages of these.
constexpr std::string_view kOtherThings =
    "contrat police client facture dossier compte serie carte passeport bus ligne train vol siege chambre porte "
    "appartement etage page plaque immatriculation siret tva securite sociale commande reservation colis suivi "
    "lot reference identite permis iban modele version poliza contrato factura cuenta cliente serie pedido "
    "reserva habitacion tarjeta pasaporte matricula vuelo autobus linea tren asiento puerta piso pagina "
    "expediente referencia nif dni cif identidad permiso lote modelo version polizza contratto fattura conto "
    "cliente serie ordine prenotazione camera carta passaporto targa volo autobus linea treno posto porta piano "
    "pagina pratica riferimento fiscale identita patente lotto modello versione договора полиса счета машины "
    "квартиры паспорта рейса заказа комнаты карты автобуса поезда места двери страницы дела клиента инн снилс "
    "документа брони палаты кабинета договор полис счет паспорт وثيقه الوثيقه حساب الحساب مشترك المشترك لوحه "
    "اللوحه عقد العقد فاتوره الفاتوره بطاقه البطاقه جواز الجواز رحله الرحله طلب الطلب غرفه الغرفه شقه الشقه مقعد "
    "المقعد هويه الهويه رخصه الرخصه حجز الحجز صفحه الصفحه";
constexpr std::string_view kTelephoneCosts[] = {"电话费", "電話代", "電話料金"};
constexpr std::string_view kAskMail[] = {"email address", "e mail address", "mail address", "mailadresse",
                                         "adresse mail",  "邮箱",           "电子邮件地址", "メールアドレス"};
constexpr std::string_view kLastTelephone[] = {"phone", "telephone", "tel"};
constexpr std::string_view kLastMail[] = {"email", "e mail"};
// Words beside a number that say to call it; who asks for one asks by them, too.
constexpr std::string_view kCalling[] = {
    "call",      "dial",     "ring",    "phone",     "mobile", "tel",     "telephone", "ext",     "extension",
    "emergency", "hotline",  "anrufen", "wahlen",    "notruf", "telefon", "durchwahl", "appeler", "composer",
    "llamar",    "chiamare", "rufe",    "rufen",     "an",     "appelle", "llame",     "llamen",  "chiama",
    "ligar",     "звонить",  "звоните", "позвонить", "اتصل",   "اتصلوا"};
constexpr std::string_view kAddressing[] = {
    "number", "email",    "mail",        "address",  "telefonnummer", "rufnummer", "handynummer",
    "numero", "telefono", "mailadresse", "nummer",   "notrufnummer",  "telephone", "telefone",
    "numer",  "номер",    "телефон",     "телефона", "رقم",           "هاتف",      "الهاتف"};

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

bool has_other_number(std::string_view folded) {
  bool found = false;
  for_each_word(kOtherThings, [&](std::string_view thing) { found |= thing == folded; });
  return found;
}

bool asks_number_to_call(std::string_view question, const std::string& folded) {
  if (!says_any(folded, kAskNumber)) return false;
  const std::vector<std::string> words = words_of(question);
  return std::none_of(words.begin(), words.end(), [](const std::string& word) { return has_other_number(word); });
}

}  // namespace

Contact asked_contact(std::string_view question) {
  if (kind_of_question(question) == QuestionKind::kManner) return Contact::kNone;
  const std::string folded = " " + folded_text(question) + " ";
  static const PhrasesOfLanguages kAsking([](const LanguageFacts& facts) { return facts.contact.asking; });
  const bool own = kAsking.of(language_of(question)).any_in(folded);
  const bool telephone = (own || says_any(folded, kAskTelephone)) && !says_any(folded, kTelephoneCosts);
  if (telephone || asks_number_to_call(question, folded) || ends_with(folded, kLastTelephone))
    return Contact::kTelephone;
  if (says_any(folded, kAskMail) || ends_with(folded, kLastMail)) return Contact::kMail;
  return Contact::kNone;
}

bool is_contact_word(std::string_view folded) {
  static const std::unordered_set<std::string> kOfLanguages =
      words_of_all([](const LanguageFacts& facts) { return facts.contact.words; });
  return one_of(folded, kCalling) || one_of(folded, kAddressing) || kOfLanguages.contains(std::string(folded));
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
