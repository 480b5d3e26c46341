// The tokens of a template as the parsers take them, one after the other. Threads: one owner.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/tokenizer/jinja/lexer.h"
#include "engine/tokenizer/jinja/value.h"

namespace mneme::engine::jinja {

class TokenStream {
 public:
  // tokens: at least one; the last is kEnd, which is never taken.
  explicit TokenStream(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& peek(size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  const Token& take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool is_operator(std::string_view text) const { return peek().type == TokenType::kOperator && peek().text == text; }
  bool is_name(std::string_view text) const { return peek().type == TokenType::kName && peek().text == text; }
  bool accept_operator(std::string_view text) { return is_operator(text) && (take(), true); }
  bool accept_name(std::string_view text) { return is_name(text) && (take(), true); }

  // These throw Error where something else stands.
  void expect_operator(std::string_view text) {
    if (!accept_operator(text)) error("expected '" + std::string(text) + "'");
  }
  std::string expect_any_name() {
    if (peek().type != TokenType::kName) error("expected a name");
    return take().text;
  }
  void expect_block_end() {
    if (peek().type != TokenType::kBlockEnd) error("expected the end of the tag");
    take();
  }
  // Throws Error: what is wrong, at which token, in which line.
  [[noreturn]] void error(const std::string& what) const {
    fail(what + (peek().text.empty() ? "" : " at '" + peek().text + "'") + " in line " + std::to_string(peek().line));
  }

  // One level of blocks or expressions within each other; throws Error where there are too many for the stack.
  class Nesting {
   public:
    explicit Nesting(TokenStream& tokens) : tokens_(tokens) {
      if (++tokens_.nesting_ > kMaxNesting) tokens_.error("too deeply nested");
    }
    ~Nesting() { --tokens_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    TokenStream& tokens_;
  };

 private:
  static constexpr int kMaxNesting = 120;

  std::vector<Token> tokens_;
  size_t at_ = 0;
  int nesting_ = 0;
};

}  // namespace mneme::engine::jinja
