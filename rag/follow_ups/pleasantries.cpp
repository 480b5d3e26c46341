#include "rag/follow_ups/pleasantries.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "rag/text/languages/language_facts.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

// Of what several languages say the first one's reply: all_languages() has them in this order.
std::unordered_map<std::string, std::string_view> replies_of_all() {
  std::unordered_map<std::string, std::string_view> replies;
  const auto add = [&](PhraseList said, std::string_view reply) {
    for_each_part(said, ", ", [&](std::string_view phrase) { replies.emplace(folded_text(phrase), reply); });
  };
  for (const LanguageFacts* facts : all_languages()) {
    add(facts->thanks, facts->notes->welcome);
    add(facts->greetings, facts->notes->greeting);
  }
  return replies;
}

// The reply to a piece between marks; empty where it is no pleasantry.
std::string_view reply_to(std::string_view piece) {
  static const std::unordered_map<std::string, std::string_view> kReplies = replies_of_all();
  const auto at = kReplies.find(folded_text(piece));
  return at == kReplies.end() ? std::string_view() : at->second;
}

// Up to the first mark that ends a piece, and what stands behind the mark; no mark: all of it, and nothing.
std::pair<std::string_view, std::string_view> first_piece(std::string_view text) {
  size_t end = text.size();
  size_t behind = text.size();
  for (const std::string_view mark : {".", "!", ",", "。", "！", "，", "、", "…"}) {
    const size_t at = text.find(mark);
    if (at < end) end = at, behind = at + mark.size();
  }
  std::string_view rest = text.substr(behind);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  return {text.substr(0, end), rest};
}

}  // namespace

std::string_view without_pleasantries(std::string_view question) {
  for (std::string_view rest = question;;) {
    const auto [piece, behind] = first_piece(rest);
    if (piece.size() == rest.size() || reply_to(piece).empty()) return rest;
    if (folded_text(behind).empty()) return question;
    rest = behind;
  }
}

std::string_view reply_to_pleasantry(std::string_view text) {
  std::string_view reply;
  while (!folded_text(text).empty()) {
    const auto [piece, behind] = first_piece(text);
    reply = reply_to(piece);
    if (reply.empty()) return {};
    text = behind;
  }
  return reply;
}

}  // namespace mneme::rag
