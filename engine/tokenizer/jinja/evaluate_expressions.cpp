// Expressions: names, items, calls and operators.
#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "engine/tokenizer/jinja/evaluator.h"
#include "engine/tokenizer/jinja/filters.h"
#include "engine/tokenizer/jinja/methods.h"

namespace mneme::engine::jinja {

Value Evaluator::compute(const Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::kLiteral: return expression.literal;
    case ExpressionKind::kName: return evaluate_name(expression);
    case ExpressionKind::kList: {
      List list;
      for (const auto& item : expression.operands) list.push_back(evaluate(*item));
      return Value(std::move(list));
    }
    case ExpressionKind::kDict: {
      Dict dict;
      for (size_t i = 0; i + 1 < expression.operands.size(); i += 2) {
        const Value key = evaluate(*expression.operands[i]);
        dict.set(key.print(), evaluate(*expression.operands[i + 1]));
      }
      return Value(std::move(dict));
    }
    case ExpressionKind::kAttribute: return evaluate_attribute(expression);
    case ExpressionKind::kItem: return evaluate_item(expression);
    case ExpressionKind::kSlice: return evaluate_slice(expression);
    case ExpressionKind::kCall: return evaluate_call(expression);
    case ExpressionKind::kFilter: {
      const Value input = evaluate(*expression.operands[0]);
      return apply_filter(*this, expression.text, input, evaluate_arguments(expression));
    }
    case ExpressionKind::kTest: {
      const Value input = evaluate(*expression.operands[0]);
      return Value(apply_test(expression.text, input, evaluate_arguments(expression)));
    }
    case ExpressionKind::kUnary: return evaluate_unary(expression);
    case ExpressionKind::kBinary: return evaluate_binary(expression);
    case ExpressionKind::kConditional:
      if (evaluate(*expression.operands[0]).truthy()) return evaluate(*expression.operands[1]);
      return expression.operands[2] ? evaluate(*expression.operands[2]) : Value();
  }
  return {};
}

Value Evaluator::evaluate_name(const Expression& expression) {
  const Value* value = find(expression.text);
  return value ? *value : Value();
}

Value Evaluator::evaluate_attribute(const Expression& expression) {
  const Value object = evaluate(*expression.operands[0]);
  if (object.is_undefined())
    fail("'" + expression.text + "' of an undefined value in line " + std::to_string(expression.line));
  if (const Dict* dict = object.as_dict()) {
    if (const Value* value = dict->find(expression.text)) return *value;
  }
  return find_method(object, expression.text);  // undefined when there is none
}

namespace {

// Python's index: negative ones count from the end. False when out of range.
bool resolve_index(int64_t& index, size_t size) {
  if (index < 0) index += static_cast<int64_t>(size);
  return index >= 0 && index < static_cast<int64_t>(size);
}

// Offsets of the characters of a text, and its end.
std::vector<size_t> character_offsets(std::string_view text) {
  Meter::made(text.size() * sizeof(size_t));
  std::vector<size_t> offsets;
  for (size_t at = 0; at < text.size(); utf8::next(text, at)) offsets.push_back(at);
  offsets.push_back(text.size());
  return offsets;
}

}  // namespace

Value Evaluator::evaluate_item(const Expression& expression) {
  const Value object = evaluate(*expression.operands[0]);
  const Value key = evaluate(*expression.operands[1]);
  if (object.is_undefined()) fail("an item of an undefined value in line " + std::to_string(expression.line));
  if (const Dict* dict = object.as_dict()) {
    const Value* value = key.as_text() ? dict->find(key.text().bytes()) : nullptr;
    return value ? *value : Value();
  }
  if (key.as_text()) return find_method(object, key.text().bytes());
  int64_t index = key.integer();
  if (const List* list = object.as_list()) return resolve_index(index, list->size()) ? (*list)[index] : Value();
  const Text& text = object.text();
  const std::vector<size_t> offsets = character_offsets(text.bytes());
  if (!resolve_index(index, offsets.size() - 1)) return {};
  return Value(text.slice(offsets[index], offsets[index + 1] - offsets[index]));
}

Value Evaluator::evaluate_slice(const Expression& expression) {
  const Value object = evaluate(*expression.operands[0]);
  const auto part = [&](size_t i, int64_t otherwise) {
    if (!expression.operands[i]) return otherwise;
    const Value value = evaluate(*expression.operands[i]);
    return value.is_none() ? otherwise : value.integer();
  };
  const List* list = object.as_list();
  std::vector<size_t> offsets;
  if (list == nullptr) offsets = character_offsets(object.text().bytes());
  const auto size = static_cast<int64_t>(list ? list->size() : offsets.size() - 1);
  const int64_t stride = part(3, 1);
  if (stride == 0) fail("a slice with step 0");
  const auto clamp = [&](int64_t index, int64_t low, int64_t high) {
    if (index < 0) index = index < -size ? low : index + size;
    return std::min(std::max(index, low), high);
  };
  const int64_t low = stride > 0 ? 0 : -1;
  const int64_t high = stride > 0 ? size : size - 1;
  const int64_t begin = expression.operands[1] ? clamp(part(1, stride > 0 ? 0 : size), low, high)
                        : stride > 0           ? 0
                                               : size - 1;
  const int64_t end = expression.operands[2] ? clamp(part(2, stride > 0 ? size : -size - 1), low, high)
                      : stride > 0           ? size
                                             : -1;
  List items;
  Text text;
  for (int64_t i = begin; stride > 0 ? i < end : i > end;) {
    if (list) {
      Meter::made(sizeof(Value));
      items.push_back((*list)[i]);
    } else {
      text.append(object.text().slice(offsets[i], offsets[i + 1] - offsets[i]));
    }
    if (stride > size || stride < -size) break;
    i += stride;
  }
  return list ? Value(std::move(items)) : Value(std::move(text));
}

Arguments Evaluator::evaluate_arguments(const Expression& expression) {
  Arguments arguments;
  for (size_t i = 1; i < expression.operands.size(); ++i) {
    arguments.positional.push_back(evaluate(*expression.operands[i]));
  }
  for (const auto& [name, value] : expression.named) arguments.named.emplace_back(name, evaluate(*value));
  return arguments;
}

Value Evaluator::evaluate_call(const Expression& expression) {
  const Value function = evaluate(*expression.operands[0]);
  if (!function.as_function()) {
    fail("'" + expression.operands[0]->text + "' in line " + std::to_string(expression.line) +
         " is not a function this program knows");
  }
  return call(function, evaluate_arguments(expression));
}

Value Evaluator::call(const Value& function, const Arguments& arguments) {
  if (!function.as_function()) fail(std::string(function.kind()) + " cannot be called");
  return (*function.as_function())(*this, arguments);
}

Value Evaluator::evaluate_unary(const Expression& expression) {
  Value value = evaluate(*expression.operands[0]);
  if (expression.text == "not") return Value(!value.truthy());
  if (expression.text == "+") return value;
  return value.is_integer() ? Value(int64_t(0 - static_cast<uint64_t>(value.integer()))) : Value(-value.number());
}

namespace {

bool contains(const Value& container, const Value& item) {
  if (const Text* text = container.as_text()) return text->find(item.text().bytes()) != std::string_view::npos;
  if (const Dict* dict = container.as_dict()) return item.as_text() && dict->find(item.text().bytes());
  if (const List* list = container.as_list()) {
    for (const Value& own : *list) {
      if (own.equals(item)) return true;
    }
    return false;
  }
  fail(std::string(container.kind()) + " cannot be searched with 'in'");
}

// Arithmetic on whole numbers, wrapping as unsigned so that no input is undefined behaviour.
Value integer_arithmetic(const std::string& op, int64_t a, int64_t b) {
  const auto ua = static_cast<uint64_t>(a);
  const auto ub = static_cast<uint64_t>(b);
  if (op == "+") return Value(static_cast<int64_t>(ua + ub));
  if (op == "-") return Value(static_cast<int64_t>(ua - ub));
  if (op == "*") return Value(static_cast<int64_t>(ua * ub));
  if (b == 0) fail("division by zero");
  if (op == "/") return Value(static_cast<double>(a) / static_cast<double>(b));
  if (b == -1) return Value(op == "%" ? int64_t{0} : static_cast<int64_t>(0 - ua));
  const int64_t quotient = a / b - ((a % b != 0) && ((a < 0) != (b < 0)));
  return Value(op == "//" ? quotient : a - quotient * b);
}

Value arithmetic(const std::string& op, const Value& left, const Value& right) {
  const bool whole = !(left.is_number() && !left.is_integer()) && !(right.is_number() && !right.is_integer());
  if (op == "**") {
    const double power = std::pow(left.number(), right.number());
    return whole && right.integer() >= 0 && std::fabs(power) < 9e15 ? Value(static_cast<int64_t>(power)) : Value(power);
  }
  if (whole) return integer_arithmetic(op, left.integer(), right.integer());
  const double a = left.number();
  const double b = right.number();
  if (op == "+") return Value(a + b);
  if (op == "-") return Value(a - b);
  if (op == "*") return Value(a * b);
  if (b == 0) fail("division by zero");
  if (op == "/") return Value(a / b);
  return Value(op == "//" ? std::floor(a / b) : a - std::floor(a / b) * b);
}

}  // namespace

Value Evaluator::add(const Value& left, const Value& right) {
  if (left.as_text() && right.as_text()) {
    Text text = left.text();
    text.append(right.text());
    return Value(std::move(text));
  }
  if (left.as_list() && right.as_list()) {
    Meter::made((left.as_list()->size() + right.as_list()->size()) * sizeof(Value));
    List list = *left.as_list();
    list.insert(list.end(), right.as_list()->begin(), right.as_list()->end());
    return Value(std::move(list));
  }
  return arithmetic("+", left, right);
}

Value Evaluator::evaluate_binary(const Expression& expression) {
  const std::string& op = expression.text;
  Value left = evaluate(*expression.operands[0]);
  if (op == "and") return left.truthy() ? evaluate(*expression.operands[1]) : left;
  if (op == "or") return left.truthy() ? left : evaluate(*expression.operands[1]);
  const Value right = evaluate(*expression.operands[1]);
  if (op == "+") return add(left, right);
  if (op == "~") return add(Value(left.print()), Value(right.print()));
  if (op == "==") return Value(left.equals(right));
  if (op == "!=") return Value(!left.equals(right));
  if (op == "in") return Value(contains(right, left));
  if (op == "not in") return Value(!contains(right, left));
  if (op == "<") return Value(left.compare(right) < 0);
  if (op == ">") return Value(left.compare(right) > 0);
  if (op == "<=") return Value(left.compare(right) <= 0);
  if (op == ">=") return Value(left.compare(right) >= 0);
  if (op == "*" && left.as_text()) {
    const auto count = static_cast<size_t>(std::max<int64_t>(right.integer(), 0));
    const size_t size = left.text().size();
    if (size > 0 && count > SIZE_MAX / size) fail("a text is repeated too often");
    Meter::looked_at(count * size);  // too often by far is not begun
    Text text;
    for (size_t i = 0; i < count && size > 0; ++i) text.append(left.text());
    return Value(std::move(text));
  }
  return arithmetic(op, left, right);
}

List items_of(const Value& value) {
  List items;
  if (const List* list = value.as_list()) {
    Meter::made(list->size() * sizeof(Value));
    return *list;
  }
  if (const Dict* dict = value.as_dict()) {
    for (const auto& [key, own] : dict->items) items.emplace_back(key);
    return items;
  }
  if (const Text* text = value.as_text()) {
    const std::vector<size_t> offsets = character_offsets(text->bytes());
    for (size_t i = 0; i + 1 < offsets.size(); ++i) {
      items.emplace_back(text->slice(offsets[i], offsets[i + 1] - offsets[i]));
    }
    return items;
  }
  if (value.is_undefined()) return items;
  fail(std::string(value.kind()) + " cannot be looped over");
}

}  // namespace mneme::engine::jinja
