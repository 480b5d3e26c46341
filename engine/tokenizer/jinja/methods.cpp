#include "engine/tokenizer/jinja/methods.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "engine/tokenizer/jinja/meter.h"

namespace mneme::engine::jinja {

namespace {

using TextMethod = Value (*)(const Text&, const Arguments&);

std::string_view optional_text(const Arguments& arguments, size_t position) {
  const Value* value = arguments.get(position);
  return value && !value->is_none() ? value->text().bytes() : std::string_view();
}

const Text& required_text(const Arguments& arguments, size_t position) {
  const Value* value = arguments.get(position);
  if (value == nullptr) fail("a method of a text was called with too few values");
  return value->text();
}

Value strip(const Text& text, const Arguments& arguments, bool left, bool right) {
  return text.strip(optional_text(arguments, 0), left, right);
}

// Python's split: by white space (runs count once, ends dropped) or by a separator.
Value split(const Text& text, const Arguments& arguments) {
  const std::string_view separator = optional_text(arguments, 0);
  const Value* limit = arguments.get(1, "maxsplit");
  int64_t left = limit ? limit->integer() : -1;
  List parts;
  if (separator.empty()) {
    constexpr std::string_view kSpace = " \t\n\r\f\v";
    size_t begin = text.bytes().find_first_not_of(kSpace);
    while (begin != std::string_view::npos) {
      const size_t end = left == 0 ? text.bytes().find_last_not_of(kSpace) + 1
                                   : std::min(text.bytes().find_first_of(kSpace, begin), text.size());
      parts.emplace_back(text.slice(begin, end - begin));
      begin = left == 0 ? std::string_view::npos : text.bytes().find_first_not_of(kSpace, end);
      --left;
    }
    return parts;
  }
  size_t begin = 0;
  for (size_t at = text.find(separator); at != std::string_view::npos && left != 0;
       at = text.find(separator, begin), --left) {
    parts.emplace_back(text.slice(begin, at - begin));
    begin = at + separator.size();
  }
  parts.emplace_back(text.slice(begin));
  return parts;
}

Value rsplit(const Text& text, const Arguments& arguments) {
  const std::string_view separator = optional_text(arguments, 0);
  const Value* limit = arguments.get(1, "maxsplit");
  if (separator.empty()) fail("rsplit without a separator is not supported");
  Meter::looked_at(text.size() * separator.size());  // what rfind takes at most
  int64_t left = limit ? limit->integer() : -1;
  List parts;
  size_t end = text.size();
  while (left-- != 0 && end >= separator.size()) {
    const size_t at = text.bytes().rfind(separator, end - separator.size());
    if (at == std::string_view::npos) break;
    parts.emplace_back(text.slice(at + separator.size(), end - at - separator.size()));
    end = at;
  }
  parts.emplace_back(text.slice(0, end));
  std::reverse(parts.begin(), parts.end());
  return parts;
}

Value splitlines(const Text& text, const Arguments&) {
  List lines;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.bytes().find_first_of("\r\n", begin), text.size());
    lines.emplace_back(text.slice(begin, end - begin));
    begin = end + (text.bytes().substr(end).starts_with("\r\n") ? 2 : 1);
  }
  return lines;
}

bool matches_end(const Text& text, const Value& what, bool start) {
  if (const List* list = what.as_list()) {
    return std::any_of(list->begin(), list->end(), [&](const Value& own) { return matches_end(text, own, start); });
  }
  Meter::looked_at(what.text().size());
  return start ? text.bytes().starts_with(what.text().bytes()) : text.bytes().ends_with(what.text().bytes());
}

Value matches(const Text& text, const Arguments& arguments, bool start) {
  if (arguments.positional.empty()) fail("startswith and endswith need a text");
  return Value(matches_end(text, arguments.positional[0], start));
}

Value replace(const Text& text, const Arguments& arguments) {
  const Text& from = required_text(arguments, 0);
  const Text& to = required_text(arguments, 1);
  const Value* limit = arguments.get(2, "count");
  if (from.empty()) fail("replace of an empty text");
  Text result = text.replace(from.bytes(), to, limit ? limit->integer() : -1);
  return result;
}

Value join(const Text& text, const Arguments& arguments) {
  if (arguments.positional.empty()) fail("join needs a list");
  Text result;
  bool first = true;
  for (const Value& item : items_of(arguments.positional[0])) {
    if (!first) result.append(text);
    first = false;
    result.append(item.text());
  }
  return result;
}

const std::map<std::string_view, TextMethod>& text_methods() {
  using A = Arguments;
  static const std::map<std::string_view, TextMethod> table = {
      {"strip", [](const Text& t, const A& a) { return strip(t, a, true, true); }},
      {"lstrip", [](const Text& t, const A& a) { return strip(t, a, true, false); }},
      {"rstrip", [](const Text& t, const A& a) { return strip(t, a, false, true); }},
      {"split", split},
      {"rsplit", rsplit},
      {"splitlines", splitlines},
      {"replace", replace},
      {"join", join},
      {"startswith", [](const Text& t, const A& a) { return matches(t, a, true); }},
      {"endswith", [](const Text& t, const A& a) { return matches(t, a, false); }},
      {"upper", [](const Text& t, const A&) { return Value(t.map_ascii(std::toupper)); }},
      {"lower", [](const Text& t, const A&) { return Value(t.map_ascii(std::tolower)); }},
      {"find",
       [](const Text& t, const A& a) {
         const size_t at = t.find(required_text(a, 0).bytes());
         return Value(at == std::string_view::npos ? int64_t{-1} : static_cast<int64_t>(at));
       }},
  };
  return table;
}

Value dict_method(const Value& object, std::string_view name) {
  if (name == "get") {
    return Value(Function([object](Evaluator&, const Arguments& arguments) {
                   const Value* key = arguments.get(0);
                   const Value* found = key && key->as_text() ? object.as_dict()->find(key->text().bytes()) : nullptr;
                   const Value* otherwise = arguments.get(1);
                   return found ? *found : otherwise ? *otherwise : Value(None{});
                 }),
                 object);
  }
  if (name != "items" && name != "keys" && name != "values") return {};
  return Value(Function([object, kind = name[0]](Evaluator&, const Arguments&) {
                 List list;
                 for (const auto& [key, value] : object.as_dict()->items) {
                   list.push_back(kind == 'k' ? Value(key) : kind == 'v' ? value : Value(List{Value(key), value}));
                 }
                 return Value(std::move(list));
               }),
               object);
}

Value list_method(const Value& object, std::string_view name) {
  if (name == "append") {
    return Value(Function([object](Evaluator&, const Arguments& arguments) {
                   if (arguments.positional.empty()) fail("append needs a value");
                   const Value& value = arguments.positional[0];
                   // Values are copied in as they are; a list inside itself would never be freed.
                   if (value.as_list() || value.as_dict() || value.as_function())
                     fail("append of a list, mapping or function");
                   Meter::made(sizeof(Value));
                   object.as_list()->push_back(value);
                   return Value(None{});
                 }),
                 object);
  }
  if (name == "index" || name == "count") {
    return Value(Function([object, index = name == "index"](Evaluator&, const Arguments& arguments) {
                   if (arguments.positional.empty()) fail("index and count need a value");
                   int64_t count = 0;
                   const List& list = *object.as_list();
                   for (size_t i = 0; i < list.size(); ++i) {
                     if (!list[i].equals(arguments.positional[0])) continue;
                     if (index) return Value(static_cast<int64_t>(i));
                     ++count;
                   }
                   if (index) fail("the value is not in the list");
                   return Value(count);
                 }),
                 object);
  }
  return {};
}

Value make_dict(const Arguments& arguments, bool is_namespace) {
  Dict dict;
  if (!arguments.positional.empty() && arguments.positional[0].as_dict()) dict = *arguments.positional[0].as_dict();
  dict.is_namespace = is_namespace;
  for (const auto& [name, value] : arguments.named) dict.set(Text(name), value);
  return Value(std::move(dict));
}

Value range(Evaluator&, const Arguments& arguments) {
  if (arguments.positional.empty()) fail("range needs a number");
  const bool two = arguments.positional.size() > 1;
  const int64_t begin = two ? arguments.positional[0].integer() : 0;
  const int64_t end = arguments.positional[two].integer();
  const int64_t stride = arguments.positional.size() > 2 ? arguments.positional[2].integer() : 1;
  constexpr int64_t kLongest = 1 << 20;
  constexpr int64_t kFarthest = int64_t{1} << 40;
  if (stride == 0 || std::min(begin, end) < -kFarthest || std::max(begin, end) > kFarthest) {
    fail("range with those bounds");
  }
  List list;
  for (int64_t i = begin; stride > 0 ? i < end : i > end; i += stride) {
    if (static_cast<int64_t>(list.size()) >= kLongest) fail("range is too long");
    list.emplace_back(i);
    if (stride > 2 * kFarthest || stride < -2 * kFarthest) break;
  }
  return Value(std::move(list));
}

}  // namespace

Value find_method(const Value& object, std::string_view name) {
  if (object.as_dict()) return dict_method(object, name);
  if (object.as_list()) return list_method(object, name);
  if (!object.as_text()) return {};
  const auto found = text_methods().find(name);
  if (found == text_methods().end()) return {};
  return Value(Function([object, method = found->second](Evaluator&, const Arguments& arguments) {
                 return method(object.text(), arguments);
               }),
               object);
}

std::vector<std::pair<std::string, Function>> builtin_functions() {
  return {
      {"namespace",
       [](Evaluator& evaluator, const Arguments& arguments) {
         Value value = make_dict(arguments, true);
         evaluator.keep_namespace(value);
         return value;
       }},
      {"dict", [](Evaluator&, const Arguments& arguments) { return make_dict(arguments, false); }},
      {"range", range},
      {"raise_exception",
       [](Evaluator&, const Arguments& arguments) -> Value {
         const std::string reason(arguments.positional.empty() ? "" : arguments.positional[0].print().bytes());
         throw Error{StatusCode::kUsage, reason};
       }},
  };
}

}  // namespace mneme::engine::jinja
