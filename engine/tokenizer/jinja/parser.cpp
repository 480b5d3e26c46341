#include "engine/tokenizer/jinja/parser.h"

#include <algorithm>
#include <initializer_list>

namespace mneme::engine::jinja {

namespace {

constexpr int kMaxNesting = 120;
constexpr int kMaxNodes = 2000;  // of one tag: bounds the depth of chains such as a + b + c, which do not nest here

using Words = std::initializer_list<std::string_view>;

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Block run() {
    Block block = parse_block({});
    if (peek().type != TokenType::kEnd) error("unexpected tag");
    return block;
  }

 private:
  // --- Tokens ---
  const Token& peek(size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  const Token& take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool is_operator(std::string_view text) const { return peek().type == TokenType::kOperator && peek().text == text; }
  bool is_name(std::string_view text) const { return peek().type == TokenType::kName && peek().text == text; }
  bool accept_operator(std::string_view text) { return is_operator(text) && (take(), true); }
  bool accept_name(std::string_view text) { return is_name(text) && (take(), true); }
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
  [[noreturn]] void error(const std::string& what) const {
    fail(what + (peek().text.empty() ? "" : " at '" + peek().text + "'") + " in line " + std::to_string(peek().line));
  }

  struct Nesting {
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.nesting_ > kMaxNesting) parser_.error("too deeply nested");
    }
    ~Nesting() { --parser_.nesting_; }
    Parser& parser_;
  };

  // --- Statements ---
  // Statements up to a tag that starts with one of `ends` (left in place, after its begin token) or the end.
  Block parse_block(Words ends);
  std::unique_ptr<const Statement> parse_tag();
  void parse_if(Statement& statement);
  void parse_for(Statement& statement);
  void parse_set(Statement& statement);
  void parse_macro(Statement& statement);
  void end_tag(std::string_view name) {
    if (!accept_name(name)) error("expected " + std::string(name));
    expect_block_end();
  }

  // --- Expressions, loosest first ---
  void count_node() {
    if (++n_nodes_ > kMaxNodes) error("too long an expression");
  }
  ExpressionPtr make(ExpressionKind kind, std::string text, std::initializer_list<ExpressionPtr*> operands);
  ExpressionPtr parse_expression();  // a if b else c
  ExpressionPtr parse_or();
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
  ExpressionPtr parse_tuple();  // a, b, c (a list) or one expression
  void parse_arguments(Expression& call);

  std::vector<Token> tokens_;
  size_t at_ = 0;
  int nesting_ = 0;
  int n_nodes_ = 0;  // of the current tag
};

Block Parser::parse_block(Words ends) {
  Nesting nesting(*this);
  Block block;
  while (peek().type != TokenType::kEnd) {
    if (peek().type == TokenType::kBlockBegin && peek(1).type == TokenType::kName &&
        std::find(ends.begin(), ends.end(), peek(1).text) != ends.end()) {
      take();
      return block;
    }
    n_nodes_ = 0;
    auto statement = std::make_unique<Statement>();
    statement->line = peek().line;
    if (peek().type == TokenType::kText) {
      statement->text = take().text;
      block.push_back(std::move(statement));
    } else if (peek().type == TokenType::kPrintBegin) {
      take();
      statement->kind = StatementKind::kPrint;
      statement->expressions.push_back(parse_tuple());
      if (peek().type != TokenType::kPrintEnd) error("expected }}");
      take();
      block.push_back(std::move(statement));
    } else if (peek().type == TokenType::kBlockBegin) {
      take();
      block.push_back(parse_tag());
    } else {
      error("unexpected token");
    }
  }
  if (ends.size() > 0) error("the template ends before " + std::string(*(ends.end() - 1)));
  return block;
}

std::unique_ptr<const Statement> Parser::parse_tag() {
  auto statement = std::make_unique<Statement>();
  statement->line = peek().line;
  const std::string name = expect_any_name();
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
    expect_block_end();
    statement->blocks.push_back(parse_block({"endgeneration"}));
    end_tag("endgeneration");
  } else if (name == "break" || name == "continue") {
    statement->kind = name == "break" ? StatementKind::kBreak : StatementKind::kContinue;
    expect_block_end();
  } else {
    fail("the tag '" + name + "' in line " + std::to_string(statement->line) + " is not supported");
  }
  return statement;
}

void Parser::parse_if(Statement& statement) {
  statement.kind = StatementKind::kIf;
  statement.expressions.push_back(parse_expression());
  expect_block_end();
  while (true) {
    statement.blocks.push_back(parse_block({"elif", "else", "endif"}));
    if (accept_name("elif")) {
      statement.expressions.push_back(parse_expression());
      expect_block_end();
    } else if (accept_name("else")) {
      expect_block_end();
      statement.blocks.push_back(parse_block({"endif"}));
      return end_tag("endif");
    } else {
      return end_tag("endif");
    }
  }
}

void Parser::parse_for(Statement& statement) {
  statement.kind = StatementKind::kFor;
  const bool parenthesis = accept_operator("(");
  do {
    statement.names.push_back(expect_any_name());
  } while (accept_operator(","));
  if (parenthesis) expect_operator(")");
  if (!accept_name("in")) error("expected in");
  statement.expressions.push_back(parse_or());
  statement.expressions.push_back(accept_name("if") ? parse_expression() : nullptr);
  if (is_name("recursive")) error("recursive loops are not supported");
  expect_block_end();
  statement.blocks.push_back(parse_block({"else", "endfor"}));
  if (accept_name("else")) {
    expect_block_end();
    statement.blocks.push_back(parse_block({"endfor"}));
  }
  end_tag("endfor");
}

void Parser::parse_set(Statement& statement) {
  statement.kind = StatementKind::kSet;
  statement.names.push_back(expect_any_name());
  if (accept_operator(".")) {
    statement.attribute = true;
    statement.names.push_back(expect_any_name());
  } else {
    while (accept_operator(",")) statement.names.push_back(expect_any_name());
  }
  if (accept_operator("=")) {
    statement.expressions.push_back(parse_tuple());
    return expect_block_end();
  }
  if (statement.names.size() != 1) error("expected =");
  statement.kind = StatementKind::kSetBlock;
  expect_block_end();
  statement.blocks.push_back(parse_block({"endset"}));
  end_tag("endset");
}

void Parser::parse_macro(Statement& statement) {
  statement.kind = StatementKind::kMacro;
  statement.text = expect_any_name();
  expect_operator("(");
  while (!accept_operator(")")) {
    if (!statement.names.empty()) expect_operator(",");
    statement.names.push_back(expect_any_name());
    statement.expressions.push_back(accept_operator("=") ? parse_expression() : nullptr);
  }
  expect_block_end();
  statement.blocks.push_back(parse_block({"endmacro"}));
  end_tag("endmacro");
}

ExpressionPtr Parser::make(ExpressionKind kind, std::string text, std::initializer_list<ExpressionPtr*> operands) {
  count_node();
  auto expression = std::make_unique<Expression>();
  expression->kind = kind;
  expression->text = std::move(text);
  expression->line = peek().line;
  for (ExpressionPtr* operand : operands) expression->operands.push_back(std::move(*operand));
  return expression;
}

ExpressionPtr Parser::parse_expression() {
  Nesting nesting(*this);
  ExpressionPtr value = parse_or();
  while (accept_name("if")) {
    ExpressionPtr condition = parse_or();
    ExpressionPtr other = accept_name("else") ? parse_expression() : nullptr;
    value = make(ExpressionKind::kConditional, "", {&condition, &value, &other});
  }
  return value;
}

ExpressionPtr Parser::parse_or() {
  ExpressionPtr left = parse_and();
  while (accept_name("or")) {
    ExpressionPtr right = parse_and();
    left = make(ExpressionKind::kBinary, "or", {&left, &right});
  }
  return left;
}

ExpressionPtr Parser::parse_and() {
  ExpressionPtr left = parse_not();
  while (accept_name("and")) {
    ExpressionPtr right = parse_not();
    left = make(ExpressionKind::kBinary, "and", {&left, &right});
  }
  return left;
}

ExpressionPtr Parser::parse_not() {
  Nesting nesting(*this);
  if (!accept_name("not")) return parse_compare();
  ExpressionPtr value = parse_not();
  return make(ExpressionKind::kUnary, "not", {&value});
}

ExpressionPtr Parser::parse_compare() {
  ExpressionPtr left = parse_sum();
  while (true) {
    std::string op;
    if (peek().type == TokenType::kOperator && (peek().text == "==" || peek().text == "!=" || peek().text == "<" ||
                                                peek().text == ">" || peek().text == "<=" || peek().text == ">=")) {
      op = take().text;
    } else if (accept_name("in")) {
      op = "in";
    } else if (is_name("not") && peek(1).type == TokenType::kName && peek(1).text == "in") {
      take();
      take();
      op = "not in";
    } else {
      return left;
    }
    ExpressionPtr right = parse_sum();
    left = make(ExpressionKind::kBinary, op, {&left, &right});
  }
}

ExpressionPtr Parser::parse_sum() {
  ExpressionPtr left = parse_concat();
  while (is_operator("+") || is_operator("-")) {
    const std::string op = take().text;
    ExpressionPtr right = parse_concat();
    left = make(ExpressionKind::kBinary, op, {&left, &right});
  }
  return left;
}

ExpressionPtr Parser::parse_concat() {
  ExpressionPtr left = parse_product();
  while (accept_operator("~")) {
    ExpressionPtr right = parse_product();
    left = make(ExpressionKind::kBinary, "~", {&left, &right});
  }
  return left;
}

ExpressionPtr Parser::parse_product() {
  ExpressionPtr left = parse_power();
  while (is_operator("*") || is_operator("/") || is_operator("//") || is_operator("%")) {
    const std::string op = take().text;
    ExpressionPtr right = parse_power();
    left = make(ExpressionKind::kBinary, op, {&left, &right});
  }
  return left;
}

ExpressionPtr Parser::parse_power() {
  ExpressionPtr left = parse_unary(true);
  while (accept_operator("**")) {
    ExpressionPtr right = parse_unary(true);
    left = make(ExpressionKind::kBinary, "**", {&left, &right});
  }
  return left;
}

ExpressionPtr Parser::parse_unary(bool with_filters) {
  Nesting nesting(*this);
  ExpressionPtr value;
  if (is_operator("-") || is_operator("+")) {
    const std::string op = take().text;
    ExpressionPtr operand = parse_unary(false);
    value = make(ExpressionKind::kUnary, op, {&operand});
  } else {
    value = parse_primary();
  }
  value = parse_postfix(std::move(value));
  return with_filters ? parse_filters(std::move(value)) : std::move(value);
}

ExpressionPtr Parser::parse_primary() {
  auto expression = std::make_unique<Expression>();
  expression->line = peek().line;
  const Token& token = peek();
  if (token.type == TokenType::kString) {
    std::string text;
    while (peek().type == TokenType::kString) text += take().text;  // adjacent strings join
    expression->literal = Value::text(text);
  } else if (token.type == TokenType::kInteger) {
    expression->literal = Value(static_cast<int64_t>(std::stoll(take().text)));
  } else if (token.type == TokenType::kFloat) {
    expression->literal = Value(std::stod(take().text));
  } else if (token.type == TokenType::kName) {
    const std::string name = take().text;
    if (name == "true" || name == "True" || name == "false" || name == "False") {
      expression->literal = Value(name == "true" || name == "True");
    } else if (name == "none" || name == "None") {
      expression->literal = Value(None{});
    } else {
      expression->kind = ExpressionKind::kName;
      expression->text = name;
    }
  } else if (accept_operator("(")) {
    if (accept_operator(")")) return make(ExpressionKind::kList, "", {});
    ExpressionPtr inner = parse_tuple();
    expect_operator(")");
    return inner;
  } else if (accept_operator("[")) {
    expression->kind = ExpressionKind::kList;
    while (!accept_operator("]")) {
      if (!expression->operands.empty()) expect_operator(",");
      if (accept_operator("]")) break;
      expression->operands.push_back(parse_expression());
    }
  } else if (accept_operator("{")) {
    expression->kind = ExpressionKind::kDict;
    while (!accept_operator("}")) {
      if (!expression->operands.empty()) expect_operator(",");
      if (accept_operator("}")) break;
      expression->operands.push_back(parse_expression());
      expect_operator(":");
      expression->operands.push_back(parse_expression());
    }
  } else {
    error("unexpected token");
  }
  return expression;
}

ExpressionPtr Parser::parse_postfix(ExpressionPtr value) {
  while (true) {
    if (accept_operator(".")) {
      const std::string name = peek().type == TokenType::kInteger ? take().text : expect_any_name();
      value = make(ExpressionKind::kAttribute, name, {&value});
    } else if (accept_operator("[")) {
      value = parse_subscript(std::move(value));
    } else if (accept_operator("(")) {
      count_node();
      auto call = std::make_unique<Expression>();
      call->kind = ExpressionKind::kCall;
      call->line = peek().line;
      call->operands.push_back(std::move(value));
      parse_arguments(*call);
      value = std::move(call);
    } else {
      return value;
    }
  }
}

ExpressionPtr Parser::parse_subscript(ExpressionPtr value) {
  ExpressionPtr parts[3];
  int n_colons = 0;
  while (!is_operator("]")) {
    if (accept_operator(":")) {
      if (++n_colons > 2) error("too many colons");
    } else {
      if (parts[n_colons]) error("expected ]");
      parts[n_colons] = parse_expression();
    }
  }
  expect_operator("]");
  if (n_colons > 0) return make(ExpressionKind::kSlice, "", {&value, &parts[0], &parts[1], &parts[2]});
  if (!parts[0]) error("expected an index");
  return make(ExpressionKind::kItem, "", {&value, &parts[0]});
}

// After the opening parenthesis, to and with the closing one.
void Parser::parse_arguments(Expression& call) {
  bool first = true;
  while (!accept_operator(")")) {
    if (!first) expect_operator(",");
    first = false;
    if (accept_operator(")")) return;
    if (peek().type == TokenType::kName && peek(1).type == TokenType::kOperator && peek(1).text == "=") {
      std::string name = take().text;
      take();
      call.named.emplace_back(std::move(name), parse_expression());
    } else {
      call.operands.push_back(parse_expression());
    }
  }
}

ExpressionPtr Parser::parse_filters(ExpressionPtr value) {
  while (true) {
    if (accept_operator("|")) {
      count_node();
      auto filter = std::make_unique<Expression>();
      filter->kind = ExpressionKind::kFilter;
      filter->line = peek().line;
      filter->text = expect_any_name();
      filter->operands.push_back(std::move(value));
      if (accept_operator("(")) parse_arguments(*filter);
      value = std::move(filter);
    } else if (accept_name("is")) {
      value = parse_test(std::move(value));
    } else if (is_operator("(") || is_operator(".") || is_operator("[")) {
      value = parse_postfix(std::move(value));  // (a | b).c has ended its parenthesis: a|b(...)[0] goes on here
    } else {
      return value;
    }
  }
}

ExpressionPtr Parser::parse_test(ExpressionPtr value) {
  count_node();
  const bool negated = accept_name("not");
  auto test = std::make_unique<Expression>();
  test->kind = ExpressionKind::kTest;
  test->line = peek().line;
  test->text = expect_any_name();
  test->operands.push_back(std::move(value));
  const TokenType next = peek().type;
  if (accept_operator("(")) {
    parse_arguments(*test);
  } else if (next == TokenType::kString || next == TokenType::kInteger || next == TokenType::kFloat) {
    test->operands.push_back(parse_primary());
  } else if (next == TokenType::kName && (test->text == "in" || test->text == "eq" || test->text == "equalto" ||
                                          test->text == "sameas" || test->text == "divisibleby")) {
    ExpressionPtr primary = parse_primary();
    test->operands.push_back(parse_postfix(std::move(primary)));
  }
  ExpressionPtr result = std::move(test);
  return negated ? make(ExpressionKind::kUnary, "not", {&result}) : std::move(result);
}

ExpressionPtr Parser::parse_tuple() {
  ExpressionPtr first = parse_expression();
  if (!is_operator(",")) return first;
  auto list = std::make_unique<Expression>();
  list->kind = ExpressionKind::kList;
  list->line = peek().line;
  list->operands.push_back(std::move(first));
  while (accept_operator(",")) {
    if (is_operator(")") || peek().type == TokenType::kPrintEnd || peek().type == TokenType::kBlockEnd) break;
    list->operands.push_back(parse_expression());
  }
  return list;
}

}  // namespace

Block parse(std::vector<Token> tokens) {
  return Parser(std::move(tokens)).run();
}

}  // namespace mneme::engine::jinja
