// Runs a template's syntax tree. Steps, what they make and look at, and depth are bounded, so that no template hangs
// the program or takes its memory or its stack.
// Threads: one object per rendering.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/tokenizer/jinja/meter.h"
#include "engine/tokenizer/jinja/syntax.h"
#include "engine/tokenizer/jinja/value.h"

namespace mneme::engine::jinja {

struct Limits {
  int64_t max_steps = 1'000'000;           // statements and expressions evaluated
  int64_t max_bytes = int64_t{128} << 20;  // of texts and lists made on the way; what is looked at counts, too
  size_t max_output_bytes = size_t{32} << 20;
  int max_depth = 64;      // of macro calls
  int max_nesting = 1000;  // of statements and expressions within one another, those of called macros included
};

class Evaluator {
 public:
  Evaluator(const Dict& globals, const Limits& limits);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  // Throws Error.
  Text render(const Block& block);

  // For filters and functions.
  Value call(const Value& function, const Arguments& arguments);             // fails when it is none
  void keep_namespace(const Value& value) { namespaces_.push_back(value); }  // to be emptied at the end

 private:
  enum class Flow { kNormal, kBreak, kContinue };
  using Scope = std::vector<std::pair<std::string, Value>>;

  Flow run(const Block& block, Text& out);
  Flow run(const Statement& statement, Text& out);
  Flow run_if(const Statement& statement, Text& out);
  Flow run_for(const Statement& statement, Text& out);
  void run_set(const Statement& statement, Text& out);
  void define_macro(const Statement& statement);
  Value call_macro(const Statement& macro, const Arguments& arguments);
  void assign(const std::vector<std::string>& names, const Value& value);

  Value evaluate(const Expression& expression);
  Value evaluate_name(const Expression& expression);
  Value evaluate_attribute(const Expression& expression);
  Value evaluate_item(const Expression& expression);
  Value evaluate_slice(const Expression& expression);
  Value evaluate_call(const Expression& expression);
  Value evaluate_unary(const Expression& expression);
  Value evaluate_binary(const Expression& expression);
  Arguments evaluate_arguments(const Expression& expression);  // operands from 1 on, and the named ones
  Value add(const Value& left, const Value& right);

  void set_local(std::string_view name, Value value);
  const Value* find(std::string_view name) const;
  Flow execute(const Statement& statement, Text& out);
  Value compute(const Expression& expression);
  void step();
  void print(const Text& text, Text& out);

  class Nested;

  const Limits limits_;
  Meter meter_;  // before all values
  int64_t n_steps_ = 0;
  int depth_ = 0;
  int nesting_ = 0;
  std::vector<Scope> scopes_;  // innermost last; the first holds the globals
  std::vector<Value> namespaces_;
  size_t frame_ = 0;  // scopes between the first and this one belong to callers and are not seen
};

// What a loop may run over, as a list: lists, keys of mappings, characters of texts. Fails for others.
List items_of(const Value& value);

}  // namespace mneme::engine::jinja
