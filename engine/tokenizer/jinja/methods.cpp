#include "engine/tokenizer/jinja/methods.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace mneme::engine::jinja {

namespace {

using TextMethod = Value (*)(Evaluator&, const Text&, const Arguments&);

std::string_view optional_text(const Arguments& arguments, size_t position) {
  const Value* value = arguments.get(position);
  return value && !value->is_none() ? value->text().bytes() : std::string_view();
}

const Text& required_text(const Arguments& arguments, size_t position) {
  const Value* value = arguments.get(position);
  if (value == nullptr) fail("a method of a text was called with too few values");
  return value->text();
}

Value strip(Evaluator& evaluator, const Text& text, const Arguments& arguments, bool left, bool right) {
  evaluator.charge(static_cast<int64_t>(text.size()));
  return text.strip(optional_text(arguments, 0), left, right);
}

// Python's split: by white space (runs count once, ends dropped) or by a separator.
Value split(Evaluator& evaluator, const Text& text, const Arguments& arguments) {
  evaluator.charge(static_cast<int64_t>(text.size()));
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
  for (size_t at = text.bytes().find(separator); at != std::string_view::npos && left != 0;
       at = text.bytes().find(separator, begin), --left) {
    evaluator.charge(static_cast<int64_t>(sizeof(Value)));
    parts.emplace_back(text.slice(begin, at - begin));
    begin = at + separator.size();
  }
  parts.emplace_back(text.slice(begin));
  return parts;
}

Value rsplit(Evaluator& evaluator, const Text& text, const Arguments& arguments) {
  evaluator.charge(static_cast<int64_t>(text.size()));
  const std::string_view separator = optional_text(arguments, 0);
  const Value* limit = arguments.get(1, "maxsplit");
  if (separator.empty()) fail("rsplit without a separator is not supported");
  int64_t left = limit ? limit->integer() : -1;
  List parts;
  size_t end = text.size();
  while (left-- != 0 && end >= separator.size()) {
    const size_t at = text.bytes().rfind(separator, end - separator.size());
    if (at == std::string_view::npos) break;
    evaluator.charge(static_cast<int64_t>(sizeof(Value)));
    parts.emplace_back(text.slice(at + separator.size(), end - at - separator.size()));
    end = at;
  }
  parts.emplace_back(text.slice(0, end));
  std::reverse(parts.begin(), parts.end());
  return parts;
}

Value splitlines(Evaluator& evaluator, const Text& text, const Arguments&) {
  evaluator.charge(static_cast<int64_t>(text.size()));
  List lines;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.bytes().find_first_of("\r\n", begin), text.size());
    evaluator.charge(static_cast<int64_t>(sizeof(Value)));
    lines.emplace_back(text.slice(begin, end - begin));
    begin = end + (text.bytes().substr(end).starts_with("\r\n") ? 2 : 1);
  }
  return lines;
}

bool matches_end(const Text& text, const Value& what, bool start) {
  if (const List* list = what.as_list()) {
    return std::any_of(list->begin(), list->end(), [&](const Value& own) { return matches_end(text, own, start); });
  }
  return start ? text.bytes().starts_with(what.text().bytes()) : text.bytes().ends_with(what.text().bytes());
}

Value matches(const Text& text, const Arguments& arguments, bool start) {
  if (arguments.positional.empty()) fail("startswith and endswith need a text");
  return Value(matches_end(text, arguments.positional[0], start));
}

Value replace(Evaluator& evaluator, const Text& text, const Arguments& arguments) {
  const Text& from = required_text(arguments, 0);
  const Text& to = required_text(arguments, 1);
  const Value* limit = arguments.get(2, "count");
  if (from.empty()) fail("replace of an empty text");
  Text result = text.replace(from.bytes(), to, limit ? limit->integer() : -1);
  evaluator.charge(static_cast<int64_t>(text.size() + result.size()));
  return result;
}

Value join(Evaluator& evaluator, const Text& text, const Arguments& arguments) {
  if (arguments.positional.empty()) fail("join needs a list");
  Text result;
  bool first = true;
  for (const Value& item : items_of(arguments.positional[0])) {
    if (!first) result.append(text);
    first = false;
    result.append(item.text());
  }
  evaluator.charge(static_cast<int64_t>(result.size()));
  return result;
}

const std::map<std::string_view, TextMethod>& text_methods() {
  using E = Evaluator;
  using A = Arguments;
  static const std::map<std::string_view, TextMethod> table = {
      {"strip", [](E& e, const Text& t, const A& a) { return strip(e, t, a, true, true); }},
      {"lstrip", [](E& e, const Text& t, const A& a) { return strip(e, t, a, true, false); }},
      {"rstrip", [](E& e, const Text& t, const A& a) { return strip(e, t, a, false, true); }},
      {"split", split},
      {"rsplit", rsplit},
      {"splitlines", splitlines},
      {"replace", replace},
      {"join", join},
      {"startswith", [](E&, const Text& t, const A& a) { return matches(t, a, true); }},
      {"endswith", [](E&, const Text& t, const A& a) { return matches(t, a, false); }},
      {"upper", [](E&, const Text& t, const A&) { return Value(t.map_ascii(std::toupper)); }},
      {"lower", [](E&, const Text& t, const A&) { return Value(t.map_ascii(std::tolower)); }},
      {"find",
       [](E&, const Text& t, const A& a) {
         const size_t at = t.bytes().find(required_text(a, 0).bytes());
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
    }));
  }
  if (name != "items" && name != "keys" && name != "values") return {};
  return Value(Function([object, kind = name[0]](Evaluator& evaluator, const Arguments&) {
    List list;
    for (const auto& [key, value] : object.as_dict()->items) {
      evaluator.charge(static_cast<int64_t>(sizeof(Value)));
      list.push_back(kind == 'k' ? Value(key) : kind == 'v' ? value : Value(List{Value(key), value}));
    }
    return Value(std::move(list));
  }));
}

Value list_method(const Value& object, std::string_view name) {
  if (name == "append") {
    return Value(Function([object](Evaluator& evaluator, const Arguments& arguments) {
      if (arguments.positional.empty()) fail("append needs a value");
      evaluator.charge(static_cast<int64_t>(sizeof(Value)));
      // Values are copied in as they are; a list inside itself would never be freed.
      if (arguments.positional[0].as_list() || arguments.positional[0].as_dict()) fail("append of a list or mapping");
      object.as_list()->push_back(arguments.positional[0]);
      return Value(None{});
    }));
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
    }));
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

Value range(Evaluator& evaluator, const Arguments& arguments) {
  if (arguments.positional.empty()) fail("range needs a number");
  const bool two = arguments.positional.size() > 1;
  const int64_t begin = two ? arguments.positional[0].integer() : 0;
  const int64_t end = arguments.positional[two].integer();
  const int64_t stride = arguments.positional.size() > 2 ? arguments.positional[2].integer() : 1;
  constexpr int64_t kLongest = 1 << 20;
  if (stride == 0 || std::max(std::abs(begin), std::abs(end)) > (int64_t{1} << 40)) fail("range with those bounds");
  List list;
  for (int64_t i = begin; stride > 0 ? i < end : i > end; i += stride) {
    if (static_cast<int64_t>(list.size()) >= kLongest) fail("range is too long");
    list.emplace_back(i);
    if (std::abs(stride) > (int64_t{1} << 41)) break;
  }
  evaluator.charge(static_cast<int64_t>(list.size() * sizeof(Value)));
  return Value(std::move(list));
}

}  // namespace

Value find_method(const Value& object, std::string_view name) {
  if (object.as_dict()) return dict_method(object, name);
  if (object.as_list()) return list_method(object, name);
  if (!object.as_text()) return {};
  const auto found = text_methods().find(name);
  if (found == text_methods().end()) return {};
  return Value(Function([object, method = found->second](Evaluator& evaluator, const Arguments& arguments) {
    return method(evaluator, object.text(), arguments);
  }));
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
