#include "rag/text/languages/stop_words.h"

#include <string>
#include <unordered_set>

#include "rag/text/words/words.h"

namespace mneme::rag {
namespace {

// The commonest function and question words, without diacritics.
constexpr std::string_view kWords[] = {
    // English
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because", "been",
    "before", "being", "but", "by", "can", "could", "did", "do", "does", "doing", "for", "from", "had", "has", "have",
    "having", "he", "her", "here", "hers", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just",
    "me", "more", "most", "my", "no", "nor", "not", "of", "on", "once", "only", "or", "other", "our", "out", "over",
    "own", "s", "same", "she", "should", "so", "some", "such", "t", "than", "that", "the", "their", "them", "then",
    "there", "these", "they", "this", "those", "to", "too", "under", "up", "us", "very", "was", "we", "were", "what",
    "when", "where", "which", "while", "who", "whom", "whose", "why", "will", "with", "would", "you", "your", "please",
    "tell", "many", "much", "kind", "type", "name", "may", "might", "shall", "must", "upon", "between", "during",
    "happen", "happens", "happened", "bedeutet", "passiert", "signifie", "significa",
    // German
    "der", "die", "das", "den", "dem", "des", "ein", "eine", "einer", "eines", "einem", "einen", "und", "oder", "ist",
    "sind", "war", "waren", "wird", "werden", "wurde", "im", "zu", "zum", "zur", "mit", "von", "vom", "auf", "fur",
    "nicht", "wie", "wer", "wo", "wann", "warum", "welche", "welcher", "welches", "sich", "auch", "aus", "bei", "nach",
    "ich", "er", "sie", "es", "wir", "ihr", "als", "dass", "dieser", "diese", "dieses", "hat", "haben",
    // French, Spanish, Italian, Portuguese
    "le", "la", "les", "un", "une", "du", "et", "ou", "est", "sont", "dans", "sur", "pour", "par", "pas", "que", "qui",
    "quoi", "quel", "quelle", "comment", "ce", "ces", "cette", "il", "elle", "ils", "au", "aux", "avec", "ne", "se",
    "el", "los", "las", "una", "unos", "y", "o", "de", "del", "en", "con", "por", "para", "como", "donde", "cual",
    "quien", "cuando", "es", "son", "su", "sus", "al", "lo", "gli", "uno", "di", "da", "che", "chi", "cosa", "come",
    "dove", "quando", "sono", "nel", "nella", "della", "delle", "dei", "os", "um", "uma", "do", "dos", "em", "no", "na",
    "nos", "nas", "com", "qual", "quais", "onde", "sao",
    // Russian
    "и", "в", "во", "не", "на", "с", "со", "что", "как", "а", "то", "он", "она", "они", "это", "по", "из", "у", "за",
    "от", "к", "ко", "о", "об", "для", "где", "когда", "кто", "какой", "какая", "был", "была", "были", "же", "бы",
    // More of German
    "tun", "tue", "tut", "mache", "machst", "macht", "machen", "wogegen", "womit", "wofur", "worauf", "woran", "worin",
    "wovon", "wodurch", "woraus", "mein", "meine", "meiner", "meinem", "meinen", "unser", "unsere", "unserer",
    "unserem", "unseren", "ihre", "ihren", "ihrem", "sein", "seine", "seinen", "muss", "mussen", "soll", "sollen",
    "darf", "durfen", "kann", "konnen", "hatte", "hatten", "wurden", "viel", "viele", "wieviel", "wieviele", "uber",
    "unter", "durch", "wenn", "weil", "dann", "noch", "nur", "schon", "sehr", "gibt", "beim", "ans", "ins", "mir",
    "mich", "uns", "wen", "wem", "wessen", "wohin", "woher", "wieso", "weshalb", "wozu", "kein", "keine", "keinen",
    "seit", "bis", "vor", "ohne", "welchem", "welchen", "habe", "hast", "habt", "bin", "bist", "seid", "wirst", "ware",
    "wurde", "wurden", "konnte", "konnten", "sollte", "sollten", "musste", "mussten", "mochte", "mochten", "wollen",
    // More of French
    "combien", "quand", "pourquoi", "je", "tu", "nous", "vous", "mon", "ma", "mes", "notre", "votre", "vos", "leur",
    "leurs", "ai", "avons", "avez", "ont", "dois", "doit", "doivent", "devons", "faut", "peut", "peux", "etait", "sera",
    "sous", "chez", "quels", "quelles", "lequel", "sans", "qu",
    // More of Spanish
    "cuanto", "cuanta", "cuantos", "cuantas", "quienes", "cuales", "adonde", "mi", "mis", "nuestro", "nuestra", "tengo",
    "tiene", "tienen", "tenemos", "hay", "debo", "debe", "deben", "puedo", "puede", "fue", "ha", "han", "hemos", "muy",
    "hasta", "desde", "entre", "soy", "esta", "estan",
    // More of Italian and Portuguese
    "va", "vanno", "quanto", "quanta", "quanti", "quante", "perche", "mio", "mia", "miei", "mie", "nostro", "nostra",
    "suo", "sua", "ho", "hai", "hanno", "abbiamo", "devo", "deve", "dobbiamo", "posso", "puo", "alla", "allo", "alle",
    "agli", "dal", "dalla", "dello", "degli", "negli", "nelle", "sul", "sulla", "ogni", "cui", "della", "dell", "nell",
    "dall", "sull", "quem", "quantos", "quantas", "porque", "ao", "aos", "meu", "minha", "meus", "minhas", "nosso",
    "nossa", "tenho", "tem", "temos", "pode", "pelo", "pela", "foi", "numa", "das", "uns",
    // More of Russian
    "мне", "меня", "мной", "мы", "нас", "нам", "вы", "вас", "вам", "ты", "мой", "моя", "мое", "мои", "моего", "моей",
    "наш", "наша", "наше", "наши", "нашего", "нашей", "свой", "свои", "я", "ли", "до", "во", "нужно", "надо", "можно",
    "должен", "должна", "должны", "должно", "быть", "есть", "будет", "было", "если", "или", "при", "так", "также",
    "сколько", "почему", "зачем", "куда", "откуда", "кого", "кому", "кем", "чем", "чего", "какие", "какое", "какого",
    "какую", "какому", "каком", "каким", "каких", "каков", "какова", "под", "над", "без", "после", "этот", "эта", "эти",
    "этого", "их", "его", "ее", "ему", "ей", "значит", "означает", "может", "могу", "можем", "могут", "иметь", "нельзя",
    "какова", "сейчас", "всего",
    // Verbs that say nothing of their own, of French, Spanish, Italian and Portuguese
    "avoir", "etre", "faire", "pouvoir", "puis", "peuvent", "tener", "haber", "ser", "hacer", "hace", "pueden",
    "podemos", "debemos", "avere", "essere", "posso", "possiamo", "ter", "haver", "fazer",
    // Dutch, Polish, Turkish
    "het", "een", "wat", "waar", "wanneer", "hoeveel", "welke", "mijn", "onze", "zijn", "heeft", "hebben", "moet",
    "mag", "jest", "czy", "jak", "ile", "kiedy", "gdzie", "kto", "jaki", "jaka", "jakie", "moj", "moja", "ve", "bir",
    "bu", "mi", "ne", "zaman", "nerede", "kac", "nasil", "benim",
    // Arabic
    "هذا", "هذه", "ذلك", "كان", "كانت", "اي", "او", "ثم", "لنا", "لي", "نحن", "انا", "يجب", "يمكن", "يمكنني", "استطيع",
    "يوجد", "لدي", "لدينا", "ماذا", "معنى", "يعني", "عند", "كل", "بين", "بعد", "قبل", "في", "من", "على", "الى", "إلى",
    "ما", "متى", "هو", "هي", "هل", "عن", "مع", "كم", "اين", "كيف", "لماذا", "التي", "الذي",
    // Japanese and Chinese pairs
    "です", "ます", "した", "して", "する", "って", "には", "とは", "のは", "では", "から", "この", "その", "なに",
    "どの", "どこ", "いつ", "だれ", "ある", "いる", "った", "てい", "れた", "され", "こと", "もの", "なん", "です",
    "すか", "何で", "のか", "什么", "哪个", "哪些", "怎么", "如何", "为什", "是什", "的是", "是谁", "哪里", "多少",
    "的？", "么？"};

const std::unordered_set<std::string>& stop_words() {
  static const std::unordered_set<std::string> kFolded = [] {
    std::unordered_set<std::string> folded;
    for (const std::string_view word : kWords) folded.insert(folded_text(word));
    return folded;
  }();
  return kFolded;
}

}  // namespace

bool is_stop_word(std::string_view folded) {
  return stop_words().contains(std::string(folded));
}

}  // namespace mneme::rag
