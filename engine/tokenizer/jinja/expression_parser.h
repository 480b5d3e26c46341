// Expressions of Jinja, by recursive descent: one function per level of precedence. Throws Error (parser.h).
// Ownership: borrows the tokens. Threads: one owner.
#pragma once

#include <initializer_list>
#include <string>

#include "engine/tokenizer/jinja/syntax.h"
#include "engine/tokenizer/jinja/token_stream.h"

namespace mneme::engine::jinja {

class ExpressionParser {
 public:
  explicit ExpressionParser(TokenStream& tokens) : tokens_(tokens) {}

  void begin_tag() { n_nodes_ = 0; }  // the expressions that follow are of another tag

  ExpressionPtr parse_tuple();       // a, b, c (a list) or one expression
  ExpressionPtr parse_expression();  // a if b else c
  ExpressionPtr parse_or();          // anything but a conditional

 private:
  void count_node();
  ExpressionPtr make(ExpressionKind kind, std::string text, std::initializer_list<ExpressionPtr*> operands);
  // Loosest first.
  ExpressionPtr parse_and();
  ExpressionPtr parse_not();
  ExpressionPtr parse_compare();
  ExpressionPtr parse_sum();
  ExpressionPtr parse_concat();
  ExpressionPtr parse_product();
  ExpressionPtr parse_power();
  ExpressionPtr parse_unary(bool with_filters);
  ExpressionPtr parse_primary();
  ExpressionPtr parse_postfix(ExpressionPtr value);
  ExpressionPtr parse_filters(ExpressionPtr value);
  ExpressionPtr parse_test(ExpressionPtr value);
  ExpressionPtr parse_subscript(ExpressionPtr value);
  void parse_arguments(Expression& call);

  TokenStream& tokens_;
  int n_nodes_ = 0;  // of the current tag
};

}  // namespace mneme::engine::jinja
