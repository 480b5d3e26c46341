#include "engine/tokenizer/jinja/parser.h"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <utility>

#include "engine/tokenizer/jinja/expression_parser.h"
#include "engine/tokenizer/jinja/token_stream.h"

namespace mneme::engine::jinja {
namespace {

using Words = std::initializer_list<std::string_view>;

class StatementParser {
 public:
  explicit StatementParser(std::vector<Token> tokens) : tokens_(std::move(tokens)), expressions_(tokens_) {}

  Block run() {
    Block block = parse_block({});
    if (tokens_.peek().type != TokenType::kEnd) tokens_.error("unexpected tag");
    return block;
  }

 private:
  // Statements up to a tag that starts with one of `ends` (left in place, after its begin token) or the end.
  Block parse_block(Words ends);
  std::unique_ptr<const Statement> parse_tag();
  void parse_if(Statement& statement);
  void parse_for(Statement& statement);
  void parse_set(Statement& statement);
  void parse_macro(Statement& statement);
  void end_tag(std::string_view name) {
    if (!tokens_.accept_name(name)) tokens_.error("expected " + std::string(name));
    tokens_.expect_block_end();
  }

  TokenStream tokens_;
  ExpressionParser expressions_;
};

Block StatementParser::parse_block(Words ends) {
  const TokenStream::Nesting nesting(tokens_);
  Block block;
  while (tokens_.peek().type != TokenType::kEnd) {
    if (tokens_.peek().type == TokenType::kBlockBegin && tokens_.peek(1).type == TokenType::kName &&
        std::find(ends.begin(), ends.end(), tokens_.peek(1).text) != ends.end()) {
      tokens_.take();
      return block;
    }
    expressions_.begin_tag();
    auto statement = std::make_unique<Statement>();
    statement->line = tokens_.peek().line;
    if (tokens_.peek().type == TokenType::kText) {
      statement->text = tokens_.take().text;
      block.push_back(std::move(statement));
    } else if (tokens_.peek().type == TokenType::kPrintBegin) {
      tokens_.take();
      statement->kind = StatementKind::kPrint;
      statement->expressions.push_back(expressions_.parse_tuple());
      if (tokens_.peek().type != TokenType::kPrintEnd) tokens_.error("expected }}");
      tokens_.take();
      block.push_back(std::move(statement));
    } else if (tokens_.peek().type == TokenType::kBlockBegin) {
      tokens_.take();
      block.push_back(parse_tag());
    } else {
      tokens_.error("unexpected token");
    }
  }
  if (ends.size() > 0) tokens_.error("the template ends before " + std::string(*(ends.end() - 1)));
  return block;
}

std::unique_ptr<const Statement> StatementParser::parse_tag() {
  auto statement = std::make_unique<Statement>();
  statement->line = tokens_.peek().line;
  const std::string name = tokens_.expect_any_name();
  if (name == "if") {
    parse_if(*statement);
  } else if (name == "for") {
    parse_for(*statement);
  } else if (name == "set") {
    parse_set(*statement);
  } else if (name == "macro") {
    parse_macro(*statement);
  } else if (name == "generation") {  // marks the assistant's text for training; no effect on it
    statement->kind = StatementKind::kBlock;
    tokens_.expect_block_end();
    statement->blocks.push_back(parse_block({"endgeneration"}));
    end_tag("endgeneration");
  } else if (name == "break" || name == "continue") {
    statement->kind = name == "break" ? StatementKind::kBreak : StatementKind::kContinue;
    tokens_.expect_block_end();
  } else {
    fail("the tag '" + name + "' in line " + std::to_string(statement->line) + " is not supported");
  }
  return statement;
}

void StatementParser::parse_if(Statement& statement) {
  statement.kind = StatementKind::kIf;
  statement.expressions.push_back(expressions_.parse_expression());
  tokens_.expect_block_end();
  while (true) {
    statement.blocks.push_back(parse_block({"elif", "else", "endif"}));
    if (tokens_.accept_name("elif")) {
      statement.expressions.push_back(expressions_.parse_expression());
      tokens_.expect_block_end();
    } else if (tokens_.accept_name("else")) {
      tokens_.expect_block_end();
      statement.blocks.push_back(parse_block({"endif"}));
      return end_tag("endif");
    } else {
      return end_tag("endif");
    }
  }
}

void StatementParser::parse_for(Statement& statement) {
  statement.kind = StatementKind::kFor;
  const bool parenthesis = tokens_.accept_operator("(");
  do {
    statement.names.push_back(tokens_.expect_any_name());
  } while (tokens_.accept_operator(","));
  if (parenthesis) tokens_.expect_operator(")");
  if (!tokens_.accept_name("in")) tokens_.error("expected in");
  statement.expressions.push_back(expressions_.parse_or());
  statement.expressions.push_back(tokens_.accept_name("if") ? expressions_.parse_expression() : nullptr);
  if (tokens_.is_name("recursive")) tokens_.error("recursive loops are not supported");
  tokens_.expect_block_end();
  statement.blocks.push_back(parse_block({"else", "endfor"}));
  if (tokens_.accept_name("else")) {
    tokens_.expect_block_end();
    statement.blocks.push_back(parse_block({"endfor"}));
  }
  end_tag("endfor");
}

void StatementParser::parse_set(Statement& statement) {
  statement.kind = StatementKind::kSet;
  statement.names.push_back(tokens_.expect_any_name());
  if (tokens_.accept_operator(".")) {
    statement.attribute = true;
    statement.names.push_back(tokens_.expect_any_name());
  } else {
    while (tokens_.accept_operator(",")) statement.names.push_back(tokens_.expect_any_name());
  }
  if (tokens_.accept_operator("=")) {
    statement.expressions.push_back(expressions_.parse_tuple());
    return tokens_.expect_block_end();
  }
  if (statement.names.size() != 1) tokens_.error("expected =");
  statement.kind = StatementKind::kSetBlock;
  tokens_.expect_block_end();
  statement.blocks.push_back(parse_block({"endset"}));
  end_tag("endset");
}

void StatementParser::parse_macro(Statement& statement) {
  statement.kind = StatementKind::kMacro;
  statement.text = tokens_.expect_any_name();
  tokens_.expect_operator("(");
  while (!tokens_.accept_operator(")")) {
    if (!statement.names.empty()) tokens_.expect_operator(",");
    statement.names.push_back(tokens_.expect_any_name());
    statement.expressions.push_back(tokens_.accept_operator("=") ? expressions_.parse_expression() : nullptr);
  }
  tokens_.expect_block_end();
  statement.blocks.push_back(parse_block({"endmacro"}));
  end_tag("endmacro");
}

}  // namespace

Block parse(std::vector<Token> tokens) {
  return StatementParser(std::move(tokens)).run();
}

}  // namespace mneme::engine::jinja
