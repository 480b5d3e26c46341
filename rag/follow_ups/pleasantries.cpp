#include "rag/follow_ups/pleasantries.h"

#include <algorithm>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

using Phrases = std::span<const std::string_view>;

constexpr std::string_view kThanksEnglish[] = {
    "thanks", "thank you", "thank you very much", "many thanks",  "thanks a lot",     "great", "perfect", "ok",
    "okay",   "ok thanks", "okay thanks",         "great thanks", "thank you so much"};
constexpr std::string_view kHelloEnglish[] = {"hello", "hi", "good morning", "good evening"};
constexpr std::string_view kThanksGerman[] = {"danke", "vielen dank", "danke schön", "ok danke",
                                              "super", "super danke", "gut",         "alles klar"};
constexpr std::string_view kHelloGerman[] = {"hallo", "guten tag", "guten morgen", "guten abend"};
constexpr std::string_view kThanksFrench[] = {"merci", "merci beaucoup", "d'accord", "très bien", "parfait"};
constexpr std::string_view kHelloFrench[] = {"bonjour", "bonsoir"};
constexpr std::string_view kThanksSpanish[] = {"gracias", "muchas gracias", "vale", "perfecto"};
constexpr std::string_view kHelloSpanish[] = {"hola", "buenos días"};
constexpr std::string_view kThanksItalian[] = {"grazie", "grazie mille", "perfetto"};
constexpr std::string_view kHelloItalian[] = {"ciao", "buongiorno"};
constexpr std::string_view kThanksPortuguese[] = {"obrigado", "obrigada"};
constexpr std::string_view kHelloPortuguese[] = {"olá", "bom dia"};
constexpr std::string_view kThanksRussian[] = {"спасибо", "большое спасибо", "спасибо большое", "хорошо", "понятно"};
constexpr std::string_view kHelloRussian[] = {"привет", "здравствуйте"};
constexpr std::string_view kThanksJapanese[] = {"ありがとう",   "ありがとうございます", "ありがとうございました",
                                                "わかりました", "分かりました",         "なるほど"};
constexpr std::string_view kHelloJapanese[] = {"こんにちは"};
constexpr std::string_view kThanksChinese[] = {"谢谢", "谢谢你", "多谢", "好的", "好的谢谢", "明白了", "知道了"};
constexpr std::string_view kHelloChinese[] = {"你好", "您好"};

struct Pleasantry {
  Phrases said;
  std::string_view reply;
};
constexpr Pleasantry kPleasantries[] = {
    {kThanksEnglish, "You are welcome."},
    {kHelloEnglish, "Hello! What would you like to know?"},
    {kThanksGerman, "Gern geschehen."},
    {kHelloGerman, "Hallo! Was möchten Sie wissen?"},
    {kThanksFrench, "Avec plaisir."},
    {kHelloFrench, "Bonjour ! Que voulez-vous savoir ?"},
    {kThanksSpanish, "De nada."},
    {kHelloSpanish, "¡Hola! ¿Qué quiere saber?"},
    {kThanksItalian, "Prego."},
    {kHelloItalian, "Buongiorno! Che cosa vuole sapere?"},
    {kThanksPortuguese, "De nada."},
    {kHelloPortuguese, "Olá! O que gostaria de saber?"},
    {kThanksRussian, "Пожалуйста."},
    {kHelloRussian, "Здравствуйте! Что вы хотите узнать?"},
    {kThanksJapanese, "どういたしまして。"},
    {kHelloJapanese, "こんにちは。何をお調べしますか？"},
    {kThanksChinese, "不客气。"},
    {kHelloChinese, "您好！想了解什么？"},
};

// The reply to a piece between marks; empty where it is no pleasantry.
std::string_view reply_to(std::string_view piece) {
  static const auto kReplies = [] {
    std::unordered_map<std::string, std::string_view> replies;
    for (const Pleasantry& pleasantry : kPleasantries) {
      for (const std::string_view said : pleasantry.said) replies.emplace(folded_text(said), pleasantry.reply);
    }
    return replies;
  }();
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
