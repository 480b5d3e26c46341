#include "rag/text/refusals.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "base/utf8.h"
#include "rag/text/phrases.h"
#include "rag/text/word_groups.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

struct Refusal {
  std::string_view words;  // folded, by which questions of a language in Latin letters are known
  std::string_view sentence;
};

constexpr Refusal kLatin[] = {
    // English, which has a sentence already
    {"the of what who how is are was were does did do to for and which where why when with much many can my our i we "
     "in a it have",
     ""},
    {"der die das den dem ein eine und ist sind wie wer wo was wann warum welche welcher welches wieviel wieviele viel "
     "hat haben muss kann darf ich wir mein meine unser im am zum zur von vom bei fur mit auf nicht kostet bis wird "
     "hoch",
     "Die Dokumente sagen dazu nichts."},
    {"le la les un une des du de et est sont dans sur pour par que qui quel quelle combien quand pourquoi comment je "
     "nous "
     "mon ma mes notre faut peut est ce au aux on c d l qu",
     "Les documents n’en disent rien."},
    {"el la los las un una del de y es son en por para que quien cual cuanto cuanta cuantos cuantas cuando donde como "
     "mi "
     "mis hay tengo puedo se con cada",
     "Los documentos no lo dicen."},
    {"il lo la i gli le un una di del della e sono nel per che chi quale quanto quanta quanti quante quando dove come "
     "mio mia posso devo cosa si con ogni costa",
     "I documenti non lo dicono."},
    {"o a os as um uma do da dos das de e sao no na por para que quem qual quanto quanta quantos quantas quando onde "
     "como meu minha tenho posso com ao custa",
     "Os documentos não o dizem."},
    {"het een van wat wie waar wanneer hoeveel welke mijn ons onze zijn heeft hebben moet mag ik wij de en op met voor "
     "kost hoe lang",
     "De documenten zeggen hier niets over."},
    {"jest czy jak ile kiedy gdzie kto jaki jaka jakie moj moja mam musze moge na w z do i sie nie kosztuje dlaczego",
     "Dokumenty o tym nie mówią."},
    {"ve bir bu mi mu ne zaman nerede kim kac nasil benim hangi icin kadar neden var",
     "Belgeler bu konuda bir şey söylemiyor."},
};
constexpr std::string_view kRussian = "В документах об этом не сказано.";
constexpr std::string_view kChinese = "文档中没有说明。";
constexpr std::string_view kJapanese = "文書には書かれていません。";
constexpr std::string_view kKorean = "문서에 나와 있지 않습니다.";
constexpr std::string_view kArabic = "لا تذكر الوثائق ذلك.";

// Letters that Ukrainian and its neighbours, and Persian and Urdu, have besides.
constexpr std::string_view kNotRussian[] = {"і", "ї", "є", "ґ", "ў", "ј", "љ", "њ", "ћ", "ђ"};
constexpr std::string_view kNotArabic[] = {"پ", "چ", "ژ", "گ", "ی", "ک", "ے", "ٹ", "ڈ"};

bool holds_any(std::string_view text, std::span<const std::string_view> letters) {
  return std::any_of(letters.begin(), letters.end(),
                     [&](std::string_view letter) { return text.find(letter) != std::string_view::npos; });
}

// Letters of a question by their scripts. Kana among ideographs are Japanese.
struct Letters {
  int latin = 0;
  int cyrillic = 0;
  int arabic = 0;
  int ideographs = 0;
  int kana = 0;
  int hangul = 0;
};

Letters letters_of(std::string_view text) {
  Letters letters;
  for (size_t at = 0; at < text.size();) {
    const char32_t c = utf8::next(text, at);
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c < 0x250)) ++letters.latin;
    if (c >= 0x400 && c < 0x530) ++letters.cyrillic;
    if (c >= 0x600 && c < 0x700) ++letters.arabic;
    if (c >= 0x4E00 && c < 0xA000) ++letters.ideographs;
    if (c >= 0x3041 && c < 0x3100) ++letters.kana;
    if (c >= 0xAC00 && c < 0xD7A4) ++letters.hangul;
  }
  return letters;
}

bool is_among(std::string_view word, std::string_view words) {
  bool among = false;
  for_each_word(words, [&](std::string_view other) { among |= other == word; });
  return among;
}

// Of the language that more of the words are of than of any other; none where two have as many.
std::string_view latin_refusal(std::string_view question) {
  std::array<int, std::size(kLatin)> counts{};
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    for (size_t i = 0; i < counts.size(); ++i) counts[i] += is_among(word.text, kLatin[i].words) ? 1 : 0;
  }
  const auto most = std::max_element(counts.begin(), counts.end());
  if (std::count(counts.begin(), counts.end(), *most) > 1) return {};
  return kLatin[static_cast<size_t>(most - counts.begin())].sentence;
}

}  // namespace

std::string_view refusal_for(std::string_view question) {
  const Letters letters = letters_of(question);
  const int wide = letters.ideographs + letters.kana + letters.hangul;
  if (letters.hangul > 0 && 2 * letters.hangul >= wide) return kKorean;
  if (wide > 0 && 2 * wide >= letters.latin) return letters.kana > 0 ? kJapanese : kChinese;
  if (letters.cyrillic > letters.latin) return holds_any(question, kNotRussian) ? "" : kRussian;
  if (letters.arabic > letters.latin) return holds_any(question, kNotArabic) ? "" : kArabic;
  return latin_refusal(question);
}

}  // namespace mneme::rag
