#include "engine/tokenizer/jinja/filters.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>

#include "base/utf8.h"
#include "engine/tokenizer/jinja/meter.h"

namespace mneme::engine::jinja {

namespace {

struct Call {
  Evaluator& evaluator;
  const Value& input;
  const Arguments& arguments;

  const Value* argument(size_t position, std::string_view name = {}) const { return arguments.get(position, name); }
  Text input_text() const { return input.print(); }
};

using Filter = Value (*)(const Call&);

Value attribute_of(const Value& object, std::string_view path) {
  Value value = object;
  while (true) {
    const size_t dot = path.find('.');
    const Dict* dict = value.as_dict();
    const Value* found = dict ? dict->find(path.substr(0, dot)) : nullptr;
    if (found == nullptr) return {};
    value = Value(*found);
    if (dot == std::string_view::npos) return value;
    path.remove_prefix(dot + 1);
  }
}

Value filter_trim(const Call& call) {
  const Value* characters = call.argument(0, "chars");
  return call.input_text().strip(characters ? characters->text().bytes() : std::string_view(), true, true);
}

Value filter_length(const Call& call) {
  if (const List* list = call.input.as_list()) return Value(static_cast<int64_t>(list->size()));
  if (const Text* text = call.input.as_text()) {
    Meter::made(text->size());  // as slow as that
    int64_t n_characters = 0;
    for (size_t at = 0; at < text->size(); utf8::next(text->bytes(), at)) ++n_characters;
    return Value(n_characters);
  }
  return Value(static_cast<int64_t>(items_of(call.input).size()));
}

Value filter_upper(const Call& call) {
  return call.input_text().map_ascii(std::toupper);
}
Value filter_lower(const Call& call) {
  return call.input_text().map_ascii(std::tolower);
}
Value filter_capitalize(const Call& call) {
  const Text text = call.input_text();
  Text result = text.slice(0, 1).map_ascii(std::toupper);
  result.append(text.slice(std::min<size_t>(1, text.size())).map_ascii(std::tolower));
  return result;
}
Value filter_title(const Call& call) {
  const Text text = call.input_text();
  Text result;
  bool start = true;
  for (size_t i = 0; i < text.size(); ++i) {
    const Text letter = text.slice(i, 1);
    result.append(start ? letter.map_ascii(std::toupper) : letter.map_ascii(std::tolower));
    start = !std::isalnum(static_cast<unsigned char>(text.bytes()[i]));
  }
  return result;
}

Value filter_default(const Call& call) {
  const Value* otherwise = call.argument(0, "default_value");
  const Value* boolean = call.argument(1, "boolean");
  const bool use = call.input.is_undefined() || (boolean && boolean->truthy() && !call.input.truthy());
  return !use ? call.input : otherwise ? *otherwise : Value::text("");
}

Value filter_join(const Call& call) {
  const Value* separator = call.argument(0, "d");
  const Value* attribute = call.argument(1, "attribute");
  Text result;
  bool first = true;
  for (const Value& item : items_of(call.input)) {
    if (!first && separator) result.append(separator->print());
    first = false;
    result.append((attribute ? attribute_of(item, attribute->text().bytes()) : item).print());
  }
  return result;
}

Value filter_items(const Call& call) {
  const Dict* dict = call.input.as_dict();
  if (dict == nullptr && !call.input.is_undefined()) fail("items needs a mapping");
  List pairs;
  for (size_t i = 0; dict && i < dict->items.size(); ++i) {
    pairs.emplace_back(List{Value(dict->items[i].first), dict->items[i].second});
  }
  return pairs;
}

Value filter_dictsort(const Call& call) {
  Value pairs = filter_items(call);
  std::sort(pairs.as_list()->begin(), pairs.as_list()->end(), [](const Value& a, const Value& b) {
    return (*a.as_list())[0].text().bytes() < (*b.as_list())[0].text().bytes();
  });
  return pairs;
}

Value filter_string(const Call& call) {
  return call.input_text();
}

Value filter_int(const Call& call) {
  if (call.input.is_integer() || call.input.as_bool()) return Value(call.input.integer());
  double number = 0;
  if (const Text* text = call.input.as_text()) {
    number = std::strtod(std::string(text->bytes()).c_str(), nullptr);
  } else if (call.input.is_number()) {
    number = call.input.number();
  }
  return Value(std::fabs(number) < 9e15 ? static_cast<int64_t>(number) : int64_t{0});
}

Value filter_float(const Call& call) {
  if (const Text* text = call.input.as_text()) return Value(std::strtod(std::string(text->bytes()).c_str(), nullptr));
  return Value(call.input.number());
}

Value filter_tojson(const Call& call) {
  const Value* indent = call.argument(0, "indent");
  const int64_t spaces = indent && !indent->is_none() ? indent->integer() : -1;
  if (spaces > 16) fail("tojson with too wide an indent");
  Text text = call.input.json(static_cast<int>(std::max<int64_t>(spaces, -1)));
  return text;
}

Value filter_list(const Call& call) {
  return items_of(call.input);
}
Value filter_first(const Call& call) {
  List items = items_of(call.input);
  return items.empty() ? Value() : items.front();
}
Value filter_last(const Call& call) {
  List items = items_of(call.input);
  return items.empty() ? Value() : items.back();
}
Value filter_reverse(const Call& call) {
  List items = items_of(call.input);
  std::reverse(items.begin(), items.end());
  if (!call.input.as_text()) return items;
  Text text;
  for (const Value& item : items) text.append(item.text());
  return text;
}

Value filter_replace(const Call& call) {
  const Value* from = call.argument(0, "old");
  const Value* to = call.argument(1, "new");
  if (from == nullptr || to == nullptr || from->text().empty()) fail("replace needs what and by what");
  Text text = call.input_text().replace(from->text().bytes(), to->print());
  return text;
}

Value filter_indent(const Call& call) {
  const Value* width = call.argument(0, "width");
  const Value* first = call.argument(1, "first");
  const int64_t count = width ? width->integer() : 4;
  if (count < 0 || count > 64) fail("indent of that width");
  const std::string spaces(static_cast<size_t>(count), ' ');
  const Text text = call.input_text();
  Text result(first && first->truthy() ? spaces : "");
  for (size_t begin = 0; begin <= text.size();) {
    const size_t line = text.bytes().find('\n', begin);
    const size_t end = line == std::string_view::npos ? text.size() : line + 1;
    // Blank lines stay blank.
    if (begin > 0 && begin < text.size() && text.bytes()[begin] != '\n') result.append(spaces);
    result.append(text.slice(begin, end - begin));
    if (line == std::string_view::npos) break;
    begin = end;
  }
  return result;
}

Value filter_map(const Call& call) {
  const Value* attribute = call.arguments.get(SIZE_MAX, "attribute");
  List result;
  Arguments rest;
  if (!attribute) {
    if (call.arguments.positional.empty()) fail("map needs a filter or an attribute");
    rest.positional.assign(call.arguments.positional.begin() + 1, call.arguments.positional.end());
  }
  for (const Value& item : items_of(call.input)) {
    result.push_back(attribute ? attribute_of(item, attribute->text().bytes())
                               : apply_filter(call.evaluator, call.arguments.positional[0].text().bytes(), item, rest));
  }
  return result;
}

// select, reject: by a test of the item; selectattr, rejectattr: by a test of its attribute.
Value choose(const Call& call, bool by_attribute, bool keep) {
  const size_t first = by_attribute ? 1 : 0;
  const std::vector<Value>& given = call.arguments.positional;
  if (by_attribute && given.empty()) fail("selectattr needs an attribute");
  Arguments rest;
  if (given.size() > first + 1) rest.positional.assign(given.begin() + static_cast<ptrdiff_t>(first) + 1, given.end());
  List result;
  for (const Value& item : items_of(call.input)) {
    const Value subject = by_attribute ? attribute_of(item, given[0].text().bytes()) : item;
    const bool passed =
        given.size() > first ? apply_test(given[first].text().bytes(), subject, rest) : subject.truthy();
    if (passed == keep) result.push_back(item);
  }
  return result;
}

Value filter_sort(const Call& call) {
  List items = items_of(call.input);
  const Value* attribute = call.arguments.get(SIZE_MAX, "attribute");
  const Value* reverse = call.argument(0, "reverse");
  std::stable_sort(items.begin(), items.end(), [&](const Value& a, const Value& b) {
    if (!attribute) return a.compare(b) < 0;
    const std::string_view path = attribute->text().bytes();
    return attribute_of(a, path).compare(attribute_of(b, path)) < 0;
  });
  if (reverse && reverse->truthy()) std::reverse(items.begin(), items.end());
  return items;
}

Value filter_unique(const Call& call) {
  List result;
  for (const Value& item : items_of(call.input)) {
    const bool seen = std::any_of(result.begin(), result.end(), [&](const Value& own) { return own.equals(item); });
    if (!seen) result.push_back(item);
  }
  return result;
}

Value filter_abs(const Call& call) {
  // Wraps as arithmetic does.
  if (call.input.is_integer()) {
    const int64_t value = call.input.integer();
    return Value(value < 0 ? static_cast<int64_t>(0 - static_cast<uint64_t>(value)) : value);
  }
  return Value(std::fabs(call.input.number()));
}

const std::map<std::string_view, Filter>& filters() {
  static const std::map<std::string_view, Filter> table = {
      {"trim", filter_trim},
      {"length", filter_length},
      {"count", filter_length},
      {"upper", filter_upper},
      {"lower", filter_lower},
      {"capitalize", filter_capitalize},
      {"title", filter_title},
      {"default", filter_default},
      {"d", filter_default},
      {"join", filter_join},
      {"items", filter_items},
      {"dictsort", filter_dictsort},
      {"string", filter_string},
      {"safe", filter_string},
      {"int", filter_int},
      {"float", filter_float},
      {"tojson", filter_tojson},
      {"list", filter_list},
      {"first", filter_first},
      {"last", filter_last},
      {"reverse", filter_reverse},
      {"replace", filter_replace},
      {"indent", filter_indent},
      {"map", filter_map},
      {"select", [](const Call& call) { return choose(call, false, true); }},
      {"reject", [](const Call& call) { return choose(call, false, false); }},
      {"selectattr", [](const Call& call) { return choose(call, true, true); }},
      {"rejectattr", [](const Call& call) { return choose(call, true, false); }},
      {"sort", filter_sort},
      {"unique", filter_unique},
      {"abs", filter_abs},
  };
  return table;
}

}  // namespace

Value apply_filter(Evaluator& evaluator, std::string_view name, const Value& input, const Arguments& arguments) {
  const auto found = filters().find(name);
  if (found == filters().end()) fail("the filter '" + std::string(name) + "' is not supported");
  return found->second({evaluator, input, arguments});
}

bool apply_test(std::string_view name, const Value& input, const Arguments& arguments) {
  const auto other = [&]() -> const Value& {
    if (arguments.positional.empty()) fail("the test '" + std::string(name) + "' needs a value");
    return arguments.positional[0];
  };
  if (name == "defined") return !input.is_undefined();
  if (name == "undefined") return input.is_undefined();
  if (name == "none") return input.is_none();
  if (name == "string") return input.as_text() != nullptr;
  if (name == "mapping") return input.as_dict() != nullptr;
  if (name == "iterable" || name == "sequence") return input.as_list() || input.as_text() || input.as_dict();
  if (name == "number") return input.is_number() || input.as_bool();
  if (name == "integer") return input.is_integer();
  if (name == "float") return input.is_number() && !input.is_integer();
  if (name == "boolean") return input.as_bool() != nullptr;
  if (name == "true") return input.as_bool() && *input.as_bool();
  if (name == "false") return input.as_bool() && !*input.as_bool();
  if (name == "callable") return input.as_function() != nullptr;
  if (name == "odd") return input.integer() % 2 != 0;
  if (name == "even") return input.integer() % 2 == 0;
  // The least whole number has no quotient by -1, which divides all.
  if (name == "divisibleby") {
    const int64_t divisor = other().integer();
    return divisor == -1 || (divisor != 0 && input.integer() % divisor == 0);
  }
  if (name == "equalto" || name == "eq" || name == "sameas") return input.equals(other());
  if (name == "ne") return !input.equals(other());
  if (name == "lt") return input.compare(other()) < 0;
  if (name == "gt") return input.compare(other()) > 0;
  if (name == "le") return input.compare(other()) <= 0;
  if (name == "ge") return input.compare(other()) >= 0;
  if (name == "in") {
    const List items = items_of(other());
    return std::any_of(items.begin(), items.end(), [&](const Value& own) { return own.equals(input); });
  }
  fail("the test '" + std::string(name) + "' is not supported");
}

}  // namespace mneme::engine::jinja
