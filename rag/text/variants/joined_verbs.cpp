#include "rag/text/variants/joined_verbs.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "rag/text/variants/related_words.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/word_groups.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

// "Rise" for "go up": a verb and its particle, and words that say the same.
std::vector<std::string> said_in_one_word(const std::vector<std::string>& verbs, std::string_view particle) {
  struct Phrasal {
    std::string_view verb;
    std::string_view particle;
    std::string_view words;
  };
  constexpr Phrasal kPhrasals[] = {{"go", "up", "rise rises increase increases raised"},
                                   {"go", "down", "fall falls decrease reduced"},
                                   {"give", "back", "return returned"},
                                   {"bring", "back", "return returned"},
                                   {"send", "back", "return returned"},
                                   {"take", "back", "return returned"},
                                   {"come", "back", "return returns"},
                                   {"get", "back", "refund refunded repaid return returned"},
                                   {"pay", "back", "refund refunded repaid"},
                                   {"hand", "in", "submit submitted"},
                                   {"send", "in", "submit submitted"},
                                   {"call", "off", "cancel cancelled"},
                                   {"put", "off", "postpone postponed"},
                                   {"pick", "up", "collect collected fetch"},
                                   {"throw", "away", "dispose disposal"},
                                   {"sign", "up", "register registration"}};
  std::vector<std::string> words;
  for (const Phrasal& phrasal : kPhrasals) {
    const bool is_it =
        phrasal.particle == particle && std::find(verbs.begin(), verbs.end(), phrasal.verb) != verbs.end();
    if (is_it) for_each_word(phrasal.words, [&](std::string_view word) { words.emplace_back(word); });
  }
  return words;
}

}  // namespace

std::vector<JoinedVerb> joined_verbs(std::string_view text) {
  constexpr std::string_view kParticles[] = {"down", "in", "out", "up", "off", "on", "over", "away", "back"};
  std::vector<JoinedVerb> joined;
  std::string verb;  // the word before
  for (const std::string& word : words_of(text)) {
    if (!verb.empty() && one_of(word, kParticles)) {
      std::vector<std::string> forms = {verb, stem_of(verb)};
      for (const std::string_view form : related_words(verb)) forms.emplace_back(form);
      for (const std::string& form : forms) joined.push_back({verb, form + word});
      for (std::string& one : said_in_one_word(forms, word)) joined.push_back({verb, std::move(one)});
    }
    verb = word;
  }
  return joined;
}

}  // namespace mneme::rag
