#include "engine/tokenizer/sentencepiece_proto.h"

#include <bit>
#include <string_view>
#include <unordered_set>

#include "base/utf8.h"

namespace mneme::engine {

namespace {

// Field numbers of sentencepiece_model.proto.
enum ModelField { kPieces = 1, kTrainerSpec = 2, kNormalizerSpec = 3 };
enum PieceField { kPieceText = 1, kPieceScore = 2, kPieceType = 3 };
enum TrainerField { kModelType = 3, kByteFallback = 35 };
enum NormalizerField { kName = 1, kCharsmap = 2, kAddDummyPrefix = 3, kRemoveExtraWhitespaces = 4, kEscape = 5 };
enum ModelType { kUnigram = 1, kBpe = 2 };

void put_varint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

void put_integer(std::string& out, int field, uint64_t value) {
  put_varint(out, static_cast<uint64_t>(field) << 3);
  put_varint(out, value);
}

void put_bytes(std::string& out, int field, std::string_view bytes) {
  put_varint(out, static_cast<uint64_t>(field) << 3 | 2);
  put_varint(out, bytes.size());
  out += bytes;
}

void put_float(std::string& out, int field, float value) {
  put_varint(out, static_cast<uint64_t>(field) << 3 | 5);
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(bits >> shift);
}

void put_piece(std::string& out, std::string_view text, float score, TokenKind kind) {
  std::string piece;
  put_bytes(piece, kPieceText, text);
  put_float(piece, kPieceScore, score);
  put_integer(piece, kPieceType, static_cast<uint64_t>(kind));
  put_bytes(out, kPieces, piece);
}

// A name no vocabulary has: control characters around the id.
std::string private_name(TokenId id) {
  return "\x01" + std::to_string(id) + "\x02";
}

bool is_byte_name(std::string_view text) {
  const auto hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'); };
  return text.size() == 6 && text.starts_with("<0x") && text[5] == '>' && hex(text[3]) && hex(text[4]);
}

}  // namespace

SentencePieceProto write_sentencepiece_proto(const Vocabulary& vocabulary) {
  SentencePieceProto proto;
  std::unordered_set<std::string_view> seen;
  int n_unknown = 0;
  int n_bytes = 0;
  for (TokenId id = 0; id < vocabulary.size(); ++id) {
    const std::string& text = vocabulary.tokens[id];
    TokenKind kind = vocabulary.kinds[id];
    // The library wants exactly one unknown piece; further ones are control pieces to it.
    if (kind == TokenKind::kUnknown && (id != vocabulary.unknown || n_unknown > 0)) kind = TokenKind::kControl;
    if (kind == TokenKind::kUserDefined && is_marker(vocabulary, id)) kind = TokenKind::kControl;
    if (kind == TokenKind::kByte && !is_byte_name(text)) kind = TokenKind::kUnused;
    const bool usable =
        !text.empty() && text.find('\0') == std::string::npos && utf8::valid(text) && seen.insert(text).second;
    if (!usable && kind != TokenKind::kUnknown) kind = TokenKind::kUnused;
    n_unknown += kind == TokenKind::kUnknown;
    n_bytes += kind == TokenKind::kByte;
    put_piece(proto.bytes, usable ? text : private_name(id), vocabulary.scores[id], kind);
  }
  if (n_unknown == 0) {
    put_piece(proto.bytes, private_name(vocabulary.size()), 0.0f, TokenKind::kUnknown);
    proto.n_extra_pieces = 1;
  }

  std::string trainer;
  put_integer(trainer, kModelType, vocabulary.model == "t5" ? kUnigram : kBpe);
  put_integer(trainer, kByteFallback, n_bytes == 256);
  put_bytes(proto.bytes, kTrainerSpec, trainer);

  std::string normalizer;
  put_bytes(normalizer, kName, "identity");
  put_bytes(normalizer, kCharsmap, vocabulary.precompiled_charsmap);
  put_integer(normalizer, kAddDummyPrefix, vocabulary.remove_extra_whitespaces && vocabulary.add_space_prefix);
  put_integer(normalizer, kRemoveExtraWhitespaces, vocabulary.remove_extra_whitespaces);
  put_integer(normalizer, kEscape, 1);
  put_bytes(proto.bytes, kNormalizerSpec, normalizer);
  return proto;
}

}  // namespace mneme::engine
