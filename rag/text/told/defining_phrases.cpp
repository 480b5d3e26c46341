#include "rag/text/told/defining_phrases.h"

#include "rag/text/asked/person.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

using Phrases = std::vector<std::string>;

constexpr size_t kShortestPlural = 4;  // letters: "bus" is one

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

// By the whole name, and by the last part of it alone: "Stapleton, the naturalist".
Phrases introducing_phrases(const std::string& name) {
  const std::string last = name.substr(name.rfind(' ') + 1);
  Phrases phrases;
  for (const std::string& called : {name, last}) {
    for (const char* said : {" was a", " was the", " is a", " is the", " a", " the"})
      phrases.push_back(quoted(called + said));
    for (const char* naming : {"named ", "called ", "name is "}) phrases.push_back(quoted(naming + called));
    if (last == name) break;
  }
  return phrases;
}

// "tariffs" of "tariff", "policies" of "policy", and "tariff" of "tariffs". By English rules.
std::string in_other_number(const std::string& thing) {
  const bool plural = thing.size() >= kShortestPlural && thing.ends_with('s') && !thing.ends_with("ss");
  if (plural) return thing.substr(0, thing.size() - 1);
  const bool changes = thing.size() > 2 && thing.ends_with('y') &&
                       std::string_view("aeiou").find(thing[thing.size() - 2]) == std::string_view::npos;
  return changes ? thing.substr(0, thing.size() - 1) + "ies" : thing + "s";
}

void add_introductions(const std::string& thing, Phrases& phrases) {
  for (const char* verb : {"present ", "presents ", "propose ", "proposes ", "introduce ", "introduces "})
    phrases.push_back(quoted(verb + thing));
  phrases.push_back(quoted(thing + " which"));
}

Phrases phrases_about(const std::string& thing, bool short_form) {
  Phrases phrases;
  for (const char* said : {" is a", " is an", " is the", " are"}) phrases.push_back(quoted(thing + said));
  const std::string other = in_other_number(thing);
  for (const char* said : {" is a", " are"}) phrases.push_back(quoted(other + said));
  if (short_form) {
    for (const char* said : {" stands for", " short for"}) phrases.push_back(quoted(thing + said));
  }
  add_introductions(thing, phrases);
  phrases.push_back(thing + " glossary");
  // What has a name of several words is told of where they stand together.
  if (thing.find(' ') != std::string::npos) phrases.push_back(quoted(thing));
  return phrases;
}

}  // namespace

Phrases defining_phrases(std::string_view question) {
  if (const std::string name = asked_person(question); !name.empty()) return introducing_phrases(name);
  const std::string thing = asked_thing(question);
  if (thing.empty() || thing.find('"') != std::string::npos) return {};
  if (written_without_spaces(question)) return {quoted(thing + "是"), quoted(thing + "とは")};
  return phrases_about(thing, !short_form_asked(question).empty());
}

}  // namespace mneme::rag
