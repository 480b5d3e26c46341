#include "rag/text/stop_words.h"

#include <unordered_set>

namespace mneme::rag {
namespace {

const std::unordered_set<std::string_view>& stop_words() {
  // The commonest function and question words; folded, so without diacritics.
  static const std::unordered_set<std::string_view> words = {
      // English
      "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because", "been",
      "before", "being", "but", "by", "can", "could", "did", "do", "does", "doing", "for", "from", "had", "has", "have",
      "having", "he", "her", "here", "hers", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just",
      "me", "more", "most", "my", "no", "nor", "not", "of", "on", "once", "only", "or", "other", "our", "out", "over",
      "own", "s", "same", "she", "should", "so", "some", "such", "t", "than", "that", "the", "their", "them", "then",
      "there", "these", "they", "this", "those", "to", "too", "under", "up", "us", "very", "was", "we", "were", "what",
      "when", "where", "which", "while", "who", "whom", "whose", "why", "will", "with", "would", "you", "your",
      "please", "tell", "many", "much", "kind", "type", "name", "may", "might", "shall", "must", "upon", "between",
      "during", "happen", "happens", "happened", "bedeutet", "passiert", "signifie", "significa",
      // German
      "der", "die", "das", "den", "dem", "des", "ein", "eine", "einer", "eines", "einem", "einen", "und", "oder", "ist",
      "sind", "war", "waren", "wird", "werden", "wurde", "im", "zu", "zum", "zur", "mit", "von", "vom", "auf", "fur",
      "nicht", "wie", "wer", "wo", "wann", "warum", "welche", "welcher", "welches", "sich", "auch", "aus", "bei",
      "nach", "ich", "er", "sie", "es", "wir", "ihr", "als", "dass", "dieser", "diese", "dieses", "hat", "haben",
      // French, Spanish, Italian, Portuguese
      "le", "la", "les", "un", "une", "du", "et", "ou", "est", "sont", "dans", "sur", "pour", "par", "pas", "que",
      "qui", "quoi", "quel", "quelle", "comment", "ce", "ces", "cette", "il", "elle", "ils", "au", "aux", "avec", "ne",
      "se", "el", "los", "las", "una", "unos", "y", "o", "de", "del", "en", "con", "por", "para", "como", "donde",
      "cual", "quien", "cuando", "es", "son", "su", "sus", "al", "lo", "gli", "uno", "di", "da", "che", "chi", "cosa",
      "come", "dove", "quando", "sono", "nel", "nella", "della", "delle", "dei", "os", "um", "uma", "do", "dos", "em",
      "no", "na", "nos", "nas", "com", "qual", "quais", "onde", "sao",
      // Russian
      "и", "в", "во", "не", "на", "с", "со", "что", "как", "а", "то", "он", "она", "они", "это", "по", "из", "у", "за",
      "от", "к", "ко", "о", "об", "для", "где", "когда", "кто", "какой", "какая", "был", "была", "были", "же", "бы",
      // Arabic
      "في", "من", "على", "الى", "إلى", "ما", "متى", "هو", "هي", "هل", "عن", "مع", "كم", "اين", "كيف", "لماذا", "التي",
      "الذي",
      // Japanese and Chinese pairs
      "です", "ます", "した", "して", "する", "って", "には", "とは", "のは", "では", "から", "この", "その", "なに",
      "どの", "どこ", "いつ", "だれ", "ある", "いる", "った", "てい", "れた", "され", "こと", "もの", "なん", "です",
      "すか", "何で", "のか", "什么", "哪个", "哪些", "怎么", "如何", "为什", "是什", "的是", "是谁", "哪里", "多少",
      "的？", "么？"};
  return words;
}

}  // namespace

bool is_stop_word(std::string_view folded) {
  return stop_words().contains(folded);
}

}  // namespace mneme::rag
