#include "rag/text/asked/action.h"

#include <algorithm>
#include <iterator>

#include "rag/text/languages/stop_words.h"
#include "rag/text/words/word_groups.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

// Each line: verbs of which any may stand for any other at the head of an instruction.
constexpr std::string_view kGroups[] = {
    "show display see view list print check inspect look",
    "find search locate look",
    "find detect determine discover",
    "change modify alter edit set adjust",
    "replace substitute change",
    "create make generate add new",
    "delete remove erase clear drop",
    "stop kill terminate end quit",
    "shut power halt",
    "restart reboot",
    "start run launch execute begin",
    "copy duplicate clone transfer",
    "pack archive compress zip",
    "unpack extract decompress unzip",
    "measure test benchmark time check",
    "count calculate compute",
    "download fetch get retrieve",
    "convert transform",
    "join merge combine concatenate",
    "rename move",
    "shrink reduce compress",
    "schedule plan",
};

}  // namespace

bool wants_action(std::string_view before) {
  constexpr std::string_view kBefore[] = {"i", "you", "we", "to", "it", "one", "can", "ich", "man"};
  return std::find(std::begin(kBefore), std::end(kBefore), before) != std::end(kBefore);
}

std::string commanded_action(std::string_view question) {
  constexpr std::string_view kCommands[] = {
      "rename", "delete",  "remove", "kill",    "stop",     "convert", "compress", "extract", "install", "uninstall",
      "create", "copy",    "mount",  "unmount", "encrypt",  "decrypt", "resize",   "sort",    "restart", "undo",
      "merge",  "restore", "enable", "disable", "download", "upload",  "monitor",  "format",  "archive", "unzip"};
  WordScanner scanner(question);
  Word word;
  if (!scanner.next(word) || question.find('?') != std::string_view::npos) return {};
  std::string verb(word.text);
  const bool commands = std::find(std::begin(kCommands), std::end(kCommands), verb) != std::end(kCommands);
  return commands && scanner.next(word) ? verb : std::string();
}

std::string asked_action(std::string_view question) {
  if (std::string verb = commanded_action(question); !verb.empty()) return verb;
  std::string before;
  WordScanner scanner(question);
  for (Word word; scanner.next(word); before = word.text) {
    if (!before.empty() && wants_action(before) && !is_stop_word(word.text)) return std::string(word.text);
  }
  return {};
}

std::vector<std::string_view> like_actions(std::string_view folded) {
  std::vector<std::string_view> like;
  for (const std::string_view group : kGroups) {
    bool has = false;
    for_each_word(group, [&](std::string_view word) { has |= word == folded; });
    if (!has) continue;
    for_each_word(group, [&](std::string_view word) {
      if (word != folded && std::find(like.begin(), like.end(), word) == like.end()) like.push_back(word);
    });
  }
  return like;
}

bool makes_something(std::string_view folded) {
  constexpr std::string_view kMaking[] = {"make", "cook", "bake", "prepare", "brew", "roast", "fry", "mache", "koche"};
  return std::find(std::begin(kMaking), std::end(kMaking), folded) != std::end(kMaking);
}

bool only_looks(std::string_view action) {
  constexpr std::string_view kLooking[] = {"show",    "display",   "see",   "view",  "list", "check",
                                           "inspect", "look",      "find",  "know",  "tell", "get",
                                           "learn",   "determine", "sehen", "zeige", "finde"};
  return std::find(std::begin(kLooking), std::end(kLooking), action) != std::end(kLooking);
}

}  // namespace mneme::rag
