// The values of the template language: undefined, none, booleans, integers, floats, texts, lists, mappings, functions.
// Lists and mappings are shared by reference, as in Python. Threads: one interpreter owns its values.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/status.h"
#include "engine/tokenizer/jinja/text.h"

namespace mneme::engine::jinja {

// What stops a rendering. Thrown inside the interpreter only; Template turns it into a Status at its border.
struct Error {
  StatusCode code = StatusCode::kUnsupported;
  std::string message;
};
[[noreturn]] void fail(std::string message);

class Value;
class Evaluator;

struct Undefined {};
struct None {};
using List = std::vector<Value>;

// In order of insertion; templates' mappings are small.
struct Dict {
  std::vector<std::pair<Text, Value>> items;
  bool is_namespace = false;  // attributes may be set
  const Value* find(std::string_view key) const;
  void set(const Text& key, Value value);
};

struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> named;
  // The argument at a position or by name; null when not given.
  const Value* get(size_t position, std::string_view name = {}) const;
};

using Function = std::function<Value(Evaluator&, const Arguments&)>;

class Value {
 public:
  // The list or mapping would nest deeper than kMaxDepth: those throw Error, so that whoever walks a value, or frees
  // it, needs no more of the stack than that.
  static constexpr int kMaxDepth = 64;

  Value() = default;  // undefined
  Value(None) : data_(None{}) {}
  Value(bool value) : data_(value) {}
  Value(int64_t value) : data_(value) {}
  Value(double value) : data_(value) {}
  Value(Text text);
  Value(List list);
  Value(Dict dict);
  explicit Value(Function function);
  Value(Function function, const Value& holds);  // which keeps a value, as a method keeps its object
  static Value text(std::string_view bytes) { return Value(Text(bytes)); }

  bool is_undefined() const { return std::holds_alternative<Undefined>(data_); }
  bool is_none() const { return std::holds_alternative<None>(data_); }
  bool is_integer() const { return std::holds_alternative<int64_t>(data_); }
  bool is_number() const { return is_integer() || std::holds_alternative<double>(data_); }

  // Null when the value is of another kind.
  const bool* as_bool() const { return std::get_if<bool>(&data_); }
  const Text* as_text() const { return get<std::shared_ptr<const Text>>(); }
  List* as_list() const { return get<std::shared_ptr<List>>(); }
  Dict* as_dict() const { return get<std::shared_ptr<Dict>>(); }
  const Function* as_function() const { return get<std::shared_ptr<const Function>>(); }

  // Of the kind asked for, or fails saying what was expected. Booleans count as integers.
  int64_t integer() const;
  double number() const;
  const Text& text() const;

  bool truthy() const;
  std::string_view kind() const;  // for messages
  Text print() const;             // as {{ value }} shows it
  Text json(int indent, int depth = 0) const;
  bool equals(const Value& other, int depth = 0) const;
  // < 0, 0, > 0; fails for kinds that have no order.
  int compare(const Value& other) const;

 private:
  template <typename Pointer>
  typename Pointer::element_type* get() const {
    const Pointer* pointer = std::get_if<Pointer>(&data_);
    return pointer ? pointer->get() : nullptr;
  }
  Text represent(int depth) const;  // as inside a printed list

  void nest_over(const Value& inner);

  std::variant<Undefined, None, bool, int64_t, double, std::shared_ptr<const Text>, std::shared_ptr<List>,
               std::shared_ptr<Dict>, std::shared_ptr<const Function>>
      data_;
  int depth_ = 0;  // of lists, mappings and functions within one another; a namespace begins anew
};

}  // namespace mneme::engine::jinja
