#include "rag/text/languages/refusals.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "base/utf8.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/word_groups.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

struct Refusal {
  std::string_view words;  // folded, by which questions of a language in Latin letters are known
  std::string_view sentence;
};

constexpr Refusal kLatin[] = {
    // English, which has a sentence already
    {"the of what who whom whose how is are was were does did do done to for and which where why when with without "
     "much many can could may must should shall will would my our your their his her its i we you they he she in on at "
     "from by about into over under after before a an it this that these those there have has had be been any some "
     "not no or if than then me us all",
     ""},
    {"der die das den dem des bedeutet ein eine einen einem einer eines kein keine keinen und oder ist sind war waren "
     "wer wen "
     "wem wie wo was wann warum wieso wohin woher womit wofur welche welcher welches welchen welchem wieviel wieviele "
     "viel viele hat habe haben hatte habt gibt gibts es muss mussen musste kann kannst konnen darf durfen soll sollen "
     "sollte wird werden wurde ich du er sie wir ihr mir mich dir dich uns euch mein meine meinen meinem meiner dein "
     "deine unser unsere unserem unseren unserer sein seine ihre im in am an zum zur zu von vom bei beim fur mit ohne "
     "auf aus nach vor uber unter seit bis noch schon nicht kostet hoch lange oft heisst steht",
     "Die Dokumente sagen dazu nichts."},
    {"le la les un une des du de et ou est sont etait dans sur sous pour par avec sans chez que qui quel quelle quels "
     "quelles quoi combien quand pourquoi comment je tu il elle nous vous ils elles mon ma mes ton ta tes son sa ses "
     "notre nos votre vos leur faut peut peux dois doit est ce ces cet cette au aux on c d l qu n s y en ne pas plus "
     "avons avez ont ai a",
     "Les documents n’en disent rien."},
    {"el la los las a le les un una unos unas hora dia dias significa quedan llevar del de y o es son era esta estan "
     "en por para con sin sobre que quien quienes cual "
     "cuales cuanto cuanta cuantos cuantas cuando donde como mi mis tu tus su sus nuestro nuestra hay tengo tiene "
     "tenemos puedo puede podemos debo se me nos lo al cada no si mas muy",
     "Los documentos no lo dicen."},
    {"il lo la i gli le un uno una di del della dei delle degli dal dalla nel nella nei e o sono sta per con senza su "
     "sul sulla che chi quale quali quanto quanta quanti quante quando dove come perche mio mia miei nostro nostra "
     "posso puo possiamo devo deve si mi ci al alla ogni non piu ha ho abbiamo c costa cosa",
     "I documenti non lo dicono."},
    {"o a os as um uma uns umas do da dos das de e ou sao esta estao em no na nos nas ao por pelo pela para com sem "
     "sobre que quem qual quais quanto quanta quantos quantas quando onde como meu minha meus minhas nosso nossa tenho "
     "tem temos posso pode podemos devo se me nao mais muito custa ha",
     "Os documentos não o dizem."},
    {"de het een en of van in op aan met zonder voor uit bij naar over wat wie waar wanneer waarom hoeveel hoe welke "
     "welk mijn ons onze je jouw zijn haar hun is was heeft heb hebben hebt moet moeten mag mogen kan kunnen ik wij we "
     "zij er geen niet kost lang nog dat dit die deze",
     "De documenten zeggen hier niets over."},
    {"jest sa czy jak ile kiedy gdzie kto kogo jaki jaka jakie jakiego jaką moj moja moje mam mamy ma musze musi moge "
     "mozna na w we z ze do od za po przy dla i oraz lub sie nie to ten ta te kosztuje dlaczego co",
     "Dokumenty o tym nie mówią."},
    {"ve veya bir bu su o mi mu ne zaman nerede nereye kim kimin kac nasil neden hangi icin ile kadar benim bizim var "
     "yok mi olan gibi daha en cok mumkun",
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

// Words of other languages that English has, too: one of them alone tells nothing ("war memorial date", "son age").
constexpr std::string_view kAlsoEnglish =
    "die das den dem des der am an war hat man also bis her in so er ob dies son par pour plus est ton sous on es con "
    "sin "
    "me no la le un son come dove chi per sole do com mail as van over is was op met zonder uit bent ten to we ma sa "
    "za "
    "od po co mi ne o a i e u y s c d l n ai en as sur sera son mine via";

// Of the language that more of the words are of than of any other; none where two have as many.
std::string_view latin_refusal(std::string_view question) {
  std::array<int, std::size(kLatin)> counts{};
  bool tells = false;
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    for (size_t i = 0; i < counts.size(); ++i) {
      if (!is_among(word.text, kLatin[i].words)) continue;
      ++counts[i];
      tells |= counts[i] > 1 || !is_among(word.text, kAlsoEnglish);
    }
  }
  const auto most = std::max_element(counts.begin(), counts.end());
  if (!tells || std::count(counts.begin(), counts.end(), *most) > 1) return {};
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
