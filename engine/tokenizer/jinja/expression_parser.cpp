#include "engine/tokenizer/jinja/expression_parser.h"

#include <memory>
#include <utility>

namespace mneme::engine::jinja {
namespace {

constexpr int kMaxNodes = 2000;  // of one tag: bounds the depth of chains such as a + b + c, which do not nest here

}  // namespace

void ExpressionParser::count_node() {
  if (++n_nodes_ > kMaxNodes) tokens_.error("too long an expression");
}

ExpressionPtr ExpressionParser::make(ExpressionKind kind, std::string text,
                                     std::initializer_list<ExpressionPtr*> operands) {
  count_node();
  auto expression = std::make_unique<Expression>();
  expression->kind = kind;
  expression->text = std::move(text);
  expression->line = tokens_.peek().line;
  for (ExpressionPtr* operand : operands) expression->operands.push_back(std::move(*operand));
  return expression;
}

ExpressionPtr ExpressionParser::parse_expression() {
  const TokenStream::Nesting nesting(tokens_);
  ExpressionPtr value = parse_or();
  while (tokens_.accept_name("if")) {
    ExpressionPtr condition = parse_or();
    ExpressionPtr other = tokens_.accept_name("else") ? parse_expression() : nullptr;
    value = make(ExpressionKind::kConditional, "", {&condition, &value, &other});
  }
  return value;
}

ExpressionPtr ExpressionParser::parse_or() {
  ExpressionPtr left = parse_and();
  while (tokens_.accept_name("or")) {
    ExpressionPtr right = parse_and();
    left = make(ExpressionKind::kBinary, "or", {&left, &right});
  }
  return left;
}

ExpressionPtr ExpressionParser::parse_and() {
  ExpressionPtr left = parse_not();
  while (tokens_.accept_name("and")) {
    ExpressionPtr right = parse_not();
    left = make(ExpressionKind::kBinary, "and", {&left, &right});
  }
  return left;
}

ExpressionPtr ExpressionParser::parse_not() {
  const TokenStream::Nesting nesting(tokens_);
  if (!tokens_.accept_name("not")) return parse_compare();
  ExpressionPtr value = parse_not();
  return make(ExpressionKind::kUnary, "not", {&value});
}

ExpressionPtr ExpressionParser::parse_compare() {
  ExpressionPtr left = parse_sum();
  while (true) {
    std::string op;
    if (tokens_.peek().type == TokenType::kOperator &&
        (tokens_.peek().text == "==" || tokens_.peek().text == "!=" || tokens_.peek().text == "<" ||
         tokens_.peek().text == ">" || tokens_.peek().text == "<=" || tokens_.peek().text == ">=")) {
      op = tokens_.take().text;
    } else if (tokens_.accept_name("in")) {
      op = "in";
    } else if (tokens_.is_name("not") && tokens_.peek(1).type == TokenType::kName && tokens_.peek(1).text == "in") {
      tokens_.take();
      tokens_.take();
      op = "not in";
    } else {
      return left;
    }
    ExpressionPtr right = parse_sum();
    left = make(ExpressionKind::kBinary, op, {&left, &right});
  }
}

ExpressionPtr ExpressionParser::parse_sum() {
  ExpressionPtr left = parse_concat();
  while (tokens_.is_operator("+") || tokens_.is_operator("-")) {
    const std::string op = tokens_.take().text;
    ExpressionPtr right = parse_concat();
    left = make(ExpressionKind::kBinary, op, {&left, &right});
  }
  return left;
}

ExpressionPtr ExpressionParser::parse_concat() {
  ExpressionPtr left = parse_product();
  while (tokens_.accept_operator("~")) {
    ExpressionPtr right = parse_product();
    left = make(ExpressionKind::kBinary, "~", {&left, &right});
  }
  return left;
}

ExpressionPtr ExpressionParser::parse_product() {
  ExpressionPtr left = parse_power();
  while (tokens_.is_operator("*") || tokens_.is_operator("/") || tokens_.is_operator("//") ||
         tokens_.is_operator("%")) {
    const std::string op = tokens_.take().text;
    ExpressionPtr right = parse_power();
    left = make(ExpressionKind::kBinary, op, {&left, &right});
  }
  return left;
}

ExpressionPtr ExpressionParser::parse_power() {
  ExpressionPtr left = parse_unary(true);
  while (tokens_.accept_operator("**")) {
    ExpressionPtr right = parse_unary(true);
    left = make(ExpressionKind::kBinary, "**", {&left, &right});
  }
  return left;
}

ExpressionPtr ExpressionParser::parse_unary(bool with_filters) {
  const TokenStream::Nesting nesting(tokens_);
  ExpressionPtr value;
  if (tokens_.is_operator("-") || tokens_.is_operator("+")) {
    const std::string op = tokens_.take().text;
    ExpressionPtr operand = parse_unary(false);
    value = make(ExpressionKind::kUnary, op, {&operand});
  } else {
    value = parse_primary();
  }
  value = parse_postfix(std::move(value));
  return with_filters ? parse_filters(std::move(value)) : std::move(value);
}

ExpressionPtr ExpressionParser::parse_primary() {
  auto expression = std::make_unique<Expression>();
  expression->line = tokens_.peek().line;
  const Token& token = tokens_.peek();
  if (token.type == TokenType::kString) {
    std::string text;
    while (tokens_.peek().type == TokenType::kString) text += tokens_.take().text;  // adjacent strings join
    expression->literal = Value::text(text);
  } else if (token.type == TokenType::kInteger) {
    expression->literal = Value(static_cast<int64_t>(std::stoll(tokens_.take().text)));
  } else if (token.type == TokenType::kFloat) {
    expression->literal = Value(std::stod(tokens_.take().text));
  } else if (token.type == TokenType::kName) {
    const std::string name = tokens_.take().text;
    if (name == "true" || name == "True" || name == "false" || name == "False") {
      expression->literal = Value(name == "true" || name == "True");
    } else if (name == "none" || name == "None") {
      expression->literal = Value(None{});
    } else {
      expression->kind = ExpressionKind::kName;
      expression->text = name;
    }
  } else if (tokens_.accept_operator("(")) {
    if (tokens_.accept_operator(")")) return make(ExpressionKind::kList, "", {});
    ExpressionPtr inner = parse_tuple();
    tokens_.expect_operator(")");
    return inner;
  } else if (tokens_.accept_operator("[")) {
    expression->kind = ExpressionKind::kList;
    while (!tokens_.accept_operator("]")) {
      if (!expression->operands.empty()) tokens_.expect_operator(",");
      if (tokens_.accept_operator("]")) break;
      expression->operands.push_back(parse_expression());
    }
  } else if (tokens_.accept_operator("{")) {
    expression->kind = ExpressionKind::kDict;
    while (!tokens_.accept_operator("}")) {
      if (!expression->operands.empty()) tokens_.expect_operator(",");
      if (tokens_.accept_operator("}")) break;
      expression->operands.push_back(parse_expression());
      tokens_.expect_operator(":");
      expression->operands.push_back(parse_expression());
    }
  } else {
    tokens_.error("unexpected token");
  }
  return expression;
}

ExpressionPtr ExpressionParser::parse_postfix(ExpressionPtr value) {
  while (true) {
    if (tokens_.accept_operator(".")) {
      const std::string name =
          tokens_.peek().type == TokenType::kInteger ? tokens_.take().text : tokens_.expect_any_name();
      value = make(ExpressionKind::kAttribute, name, {&value});
    } else if (tokens_.accept_operator("[")) {
      value = parse_subscript(std::move(value));
    } else if (tokens_.accept_operator("(")) {
      count_node();
      auto call = std::make_unique<Expression>();
      call->kind = ExpressionKind::kCall;
      call->line = tokens_.peek().line;
      call->operands.push_back(std::move(value));
      parse_arguments(*call);
      value = std::move(call);
    } else {
      return value;
    }
  }
}

ExpressionPtr ExpressionParser::parse_subscript(ExpressionPtr value) {
  ExpressionPtr parts[3];
  int n_colons = 0;
  while (!tokens_.is_operator("]")) {
    if (tokens_.accept_operator(":")) {
      if (++n_colons > 2) tokens_.error("too many colons");
    } else {
      if (parts[n_colons]) tokens_.error("expected ]");
      parts[n_colons] = parse_expression();
    }
  }
  tokens_.expect_operator("]");
  if (n_colons > 0) return make(ExpressionKind::kSlice, "", {&value, &parts[0], &parts[1], &parts[2]});
  if (!parts[0]) tokens_.error("expected an index");
  return make(ExpressionKind::kItem, "", {&value, &parts[0]});
}

// After the opening parenthesis, to and with the closing one.
void ExpressionParser::parse_arguments(Expression& call) {
  bool first = true;
  while (!tokens_.accept_operator(")")) {
    if (!first) tokens_.expect_operator(",");
    first = false;
    if (tokens_.accept_operator(")")) return;
    if (tokens_.peek().type == TokenType::kName && tokens_.peek(1).type == TokenType::kOperator &&
        tokens_.peek(1).text == "=") {
      std::string name = tokens_.take().text;
      tokens_.take();
      call.named.emplace_back(std::move(name), parse_expression());
    } else {
      call.operands.push_back(parse_expression());
    }
  }
}

ExpressionPtr ExpressionParser::parse_filters(ExpressionPtr value) {
  while (true) {
    if (tokens_.accept_operator("|")) {
      count_node();
      auto filter = std::make_unique<Expression>();
      filter->kind = ExpressionKind::kFilter;
      filter->line = tokens_.peek().line;
      filter->text = tokens_.expect_any_name();
      filter->operands.push_back(std::move(value));
      if (tokens_.accept_operator("(")) parse_arguments(*filter);
      value = std::move(filter);
    } else if (tokens_.accept_name("is")) {
      value = parse_test(std::move(value));
    } else if (tokens_.is_operator("(") || tokens_.is_operator(".") || tokens_.is_operator("[")) {
      value = parse_postfix(std::move(value));  // (a | b).c has ended its parenthesis: a|b(...)[0] goes on here
    } else {
      return value;
    }
  }
}

ExpressionPtr ExpressionParser::parse_test(ExpressionPtr value) {
  count_node();
  const bool negated = tokens_.accept_name("not");
  auto test = std::make_unique<Expression>();
  test->kind = ExpressionKind::kTest;
  test->line = tokens_.peek().line;
  test->text = tokens_.expect_any_name();
  test->operands.push_back(std::move(value));
  const TokenType next = tokens_.peek().type;
  if (tokens_.accept_operator("(")) {
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

ExpressionPtr ExpressionParser::parse_tuple() {
  ExpressionPtr first = parse_expression();
  if (!tokens_.is_operator(",")) return first;
  auto list = std::make_unique<Expression>();
  list->kind = ExpressionKind::kList;
  list->line = tokens_.peek().line;
  list->operands.push_back(std::move(first));
  while (tokens_.accept_operator(",")) {
    if (tokens_.is_operator(")") || tokens_.peek().type == TokenType::kPrintEnd ||
        tokens_.peek().type == TokenType::kBlockEnd)
      break;
    list->operands.push_back(parse_expression());
  }
  return list;
}

}  // namespace mneme::engine::jinja
