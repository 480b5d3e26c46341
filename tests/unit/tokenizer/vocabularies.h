// Small vocabularies made in memory, for the tokenizer tests.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tokenizer/byte_alphabet.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/tokenizer/vocabulary.h"

namespace mneme::engine::testing {

inline void add(Vocabulary& vocabulary, std::string_view text, TokenKind kind, float score = 0.0f) {
  vocabulary.tokens.emplace_back(text);
  vocabulary.kinds.push_back(kind);
  vocabulary.scores.push_back(score);
}

// Unknown, BOS, EOS, a marker, 256 bytes, then the pieces in falling score.
inline Vocabulary sentencepiece_vocabulary(const std::vector<std::string>& pieces) {
  Vocabulary v;
  v.file = "test";
  v.model = "llama";
  v.add_bos = true;
  add(v, "<unk>", TokenKind::kUnknown);
  add(v, "<s>", TokenKind::kControl);
  add(v, "</s>", TokenKind::kControl);
  add(v, "<|q|>", TokenKind::kUserDefined);
  v.unknown = 0;
  v.bos = 1;
  v.eos = 2;
  for (int byte = 0; byte < 256; ++byte) {
    char name[8];
    std::snprintf(name, sizeof(name), "<0x%02X>", byte);
    add(v, name, TokenKind::kByte);
  }
  float score = -1.0f;
  for (const std::string& piece : pieces) add(v, piece, TokenKind::kNormal, score--);
  return v;
}

// 256 bytes, then the results of the merges ("left right" in plain bytes, written in the byte alphabet here), then
// <|endoftext|>, <|im_start|> and <|im_end|>.
inline Vocabulary bpe_vocabulary(std::string_view pre, const std::vector<std::pair<std::string, std::string>>& merges) {
  const auto spell = [](std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) text += byte_character(static_cast<unsigned char>(byte));
    return text;
  };
  Vocabulary v;
  v.file = "test";
  v.model = "gpt2";
  v.pre = pre;
  for (int byte = 0; byte < 256; ++byte) add(v, byte_character(static_cast<unsigned char>(byte)), TokenKind::kNormal);
  for (const auto& [left, right] : merges) {
    add(v, spell(left + right), TokenKind::kNormal);
    v.merges.push_back(spell(left) + " " + spell(right));
  }
  for (const char* marker : {"<|endoftext|>", "<|im_start|>", "<|im_end|>"}) add(v, marker, TokenKind::kControl);
  v.bos = v.eos = v.size() - 3;
  return v;
}

// Gemma 4's kind: markers, 256 bytes, the characters of `alphabet` and the results of the merges, spaces visible.
inline Vocabulary character_vocabulary(const std::vector<std::string>& alphabet,
                                       const std::vector<std::pair<std::string, std::string>>& merges) {
  Vocabulary v = sentencepiece_vocabulary(alphabet);
  v.model = "gemma4";
  for (const auto& [left, right] : merges) {
    add(v, left + right, TokenKind::kNormal);
    v.merges.push_back(left + " " + right);
  }
  return v;
}

inline std::unique_ptr<Tokenizer> make(Vocabulary vocabulary) {
  if (!vocabulary.check().ok()) return nullptr;
  auto tokenizer = Tokenizer::make(std::move(vocabulary));
  return tokenizer.ok() ? *std::move(tokenizer) : nullptr;
}

}  // namespace mneme::engine::testing
