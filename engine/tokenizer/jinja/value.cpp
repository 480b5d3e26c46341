#include "engine/tokenizer/jinja/value.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "engine/tokenizer/jinja/meter.h"

namespace mneme::engine::jinja {

namespace {

constexpr int kMaxDepth = Value::kMaxDepth;  // when printing and comparing: ends cycles, too, which namespaces allow

std::string number_text(double value) {
  if (std::isfinite(value) && value == std::floor(value) && std::fabs(value) < 1e15) {
    char text[40];
    std::snprintf(text, sizeof(text), "%.1f", value);
    return text;
  }
  char text[40];
  for (int digits = 1; digits <= 17; ++digits) {  // the shortest that reads back, as Python prints
    std::snprintf(text, sizeof(text), "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  return text;
}

// JSON string: escapes take the mark of the byte they stand for.
Text json_text(const Text& text) {
  Text out("\"");
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text.bytes()[i];
    const char mark = text.marks()[i];
    switch (c) {
      case '"': out.append("\\\"", mark); break;
      case '\\': out.append("\\\\", mark); break;
      case '\n': out.append("\\n", mark); break;
      case '\r': out.append("\\r", mark); break;
      case '\t': out.append("\\t", mark); break;
      case '\b': out.append("\\b", mark); break;
      case '\f': out.append("\\f", mark); break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          char escape[8];
          std::snprintf(escape, sizeof(escape), "\\u%04x", c);
          out.append(escape, mark);
        } else {
          out.append(std::string_view(&c, 1), mark);
        }
    }
  }
  out.append("\"");
  return out;
}

void new_line(Text& out, int indent, int depth) {
  if (indent < 0) return;
  out.append("\n");
  out.append(std::string(static_cast<size_t>(indent) * depth, ' '));
}

}  // namespace

void fail(std::string message) {
  throw Error{StatusCode::kUnsupported, std::move(message)};
}

Value::Value(Text text) : data_(std::make_shared<const Text>(std::move(text))) {
  Meter::made(sizeof(Text));
}

Value::Value(List list) {
  Meter::made(sizeof(List) + list.size() * sizeof(Value));
  for (const Value& item : list) nest_over(item);
  data_ = std::make_shared<List>(std::move(list));
}

Value::Value(Dict dict) {
  Meter::made(sizeof(Dict) + dict.items.size() * sizeof(std::pair<Text, Value>));
  // A namespace may come to hold itself; the evaluator empties each at its end, none frees another.
  for (const auto& [key, value] : dict.items) {
    if (!dict.is_namespace) nest_over(value);
  }
  data_ = std::make_shared<Dict>(std::move(dict));
}

Value::Value(Function function) : Value(std::move(function), Value()) {}

Value::Value(Function function, const Value& holds) {
  Meter::made(sizeof(Function));
  nest_over(holds);
  data_ = std::make_shared<const Function>(std::move(function));
}

void Value::nest_over(const Value& inner) {
  depth_ = std::max(depth_, inner.depth_ + 1);
  if (depth_ > kMaxDepth) fail("values are nested too deeply");
}

const Value* Dict::find(std::string_view key) const {
  Meter::looked_at(items.size() * 16);
  for (const auto& [name, value] : items) {
    if (name.bytes() == key) return &value;
  }
  return nullptr;
}

void Dict::set(const Text& key, Value value) {
  Meter::looked_at(items.size() * 16);
  for (auto& [name, old] : items) {
    if (name.bytes() == key.bytes()) {
      old = std::move(value);
      return;
    }
  }
  items.emplace_back(key, std::move(value));
}

const Value* Arguments::get(size_t position, std::string_view name) const {
  if (position < positional.size()) return &positional[position];
  for (const auto& [own, value] : named) {
    if (!name.empty() && own == name) return &value;
  }
  return nullptr;
}

int64_t Value::integer() const {
  if (const auto* value = std::get_if<int64_t>(&data_)) return *value;
  if (const bool* value = as_bool()) return *value;
  fail("a whole number was expected, not " + std::string(kind()));
}

double Value::number() const {
  if (const auto* value = std::get_if<double>(&data_)) return *value;
  return static_cast<double>(integer());
}

const Text& Value::text() const {
  if (const Text* value = as_text()) return *value;
  fail("a text was expected, not " + std::string(kind()));
}

bool Value::truthy() const {
  if (const bool* value = as_bool()) return *value;
  if (is_number()) return number() != 0;
  if (const Text* value = as_text()) return !value->empty();
  if (const List* value = as_list()) return !value->empty();
  if (const Dict* value = as_dict()) return value->is_namespace || !value->items.empty();
  return as_function() != nullptr;
}

std::string_view Value::kind() const {
  static constexpr std::string_view kKinds[] = {"an undefined value", "none",   "a boolean", "a whole number",
                                                "a number",           "a text", "a list",    "a mapping",
                                                "a function"};
  return kKinds[data_.index()];
}

Text Value::print() const {
  if (const Text* value = as_text()) return *value;
  return represent(0);
}

Text Value::represent(int depth) const {
  if (depth > kMaxDepth) fail("a value is nested too deeply to print");
  if (is_undefined()) return Text();
  if (is_none()) return Text("None");
  if (const bool* value = as_bool()) return Text(*value ? "True" : "False");
  if (is_integer()) return Text(std::to_string(integer()));
  if (is_number()) return Text(number_text(number()));
  if (const Text* value = as_text()) {
    const std::string_view quote = value->bytes().find('\'') == std::string_view::npos ? "'" : "\"";
    Text out(quote);
    out.append(value->replace("\\", Text("\\\\")).replace("\n", Text("\\n")));
    out.append(quote);
    return out;
  }
  if (const List* list = as_list()) {
    Text out("[");
    for (size_t i = 0; i < list->size(); ++i) {
      if (i > 0) out.append(", ");
      out.append((*list)[i].represent(depth + 1));
    }
    out.append("]");
    return out;
  }
  if (const Dict* dict = as_dict()) {
    Text out("{");
    for (size_t i = 0; i < dict->items.size(); ++i) {
      if (i > 0) out.append(", ");
      out.append(Value(dict->items[i].first).represent(depth + 1));
      out.append(": ");
      out.append(dict->items[i].second.represent(depth + 1));
    }
    out.append("}");
    return out;
  }
  fail("a function cannot be printed");
}

Text Value::json(int indent, int depth) const {
  if (depth > kMaxDepth) fail("a value is nested too deeply for JSON");
  if (is_none()) return Text("null");
  if (const bool* value = as_bool()) return Text(*value ? "true" : "false");
  if (is_number()) return represent(0);
  if (const Text* value = as_text()) return json_text(*value);
  const List* list = as_list();
  const Dict* dict = as_dict();
  if (list == nullptr && dict == nullptr) fail(std::string(kind()) + " has no JSON form");
  const size_t count = list ? list->size() : dict->items.size();
  Text out(list ? "[" : "{");
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) out.append(indent < 0 ? ", " : ",");
    new_line(out, indent, depth + 1);
    if (dict) {
      out.append(json_text(dict->items[i].first));
      out.append(": ");
    }
    out.append((list ? (*list)[i] : dict->items[i].second).json(indent, depth + 1));
  }
  if (count > 0) new_line(out, indent, depth);
  out.append(list ? "]" : "}");
  return out;
}

bool Value::equals(const Value& other, int depth) const {
  if (depth > kMaxDepth) fail("values are nested too deeply to compare");
  const bool numeric = is_number() || as_bool();
  if (numeric && (other.is_number() || other.as_bool())) return number() == other.number();
  if (data_.index() != other.data_.index()) return false;
  Meter::looked_at(as_text() ? as_text()->size() : 256);
  if (const Text* value = as_text()) return value->bytes() == other.text().bytes();
  if (const List* list = as_list()) {
    return std::equal(list->begin(), list->end(), other.as_list()->begin(), other.as_list()->end(),
                      [&](const Value& a, const Value& b) { return a.equals(b, depth + 1); });
  }
  if (const Dict* dict = as_dict()) {
    if (dict == other.as_dict()) return true;
    if (dict->items.size() != other.as_dict()->items.size()) return false;
    for (const auto& [key, value] : dict->items) {
      const Value* match = other.as_dict()->find(key.bytes());
      if (match == nullptr || !value.equals(*match, depth + 1)) return false;
    }
    return true;
  }
  return as_function() == other.as_function();
}

int Value::compare(const Value& other) const {
  Meter::looked_at(as_text() ? as_text()->size() : 0);
  if (as_text() && other.as_text()) return text().bytes().compare(other.text().bytes());
  const bool numeric = (is_number() || as_bool()) && (other.is_number() || other.as_bool());
  if (!numeric) fail(std::string(kind()) + " and " + std::string(other.kind()) + " have no order");
  return number() < other.number() ? -1 : number() > other.number();
}

}  // namespace mneme::engine::jinja
