#include "engine/tokenizer/jinja/evaluator.h"

#include <string>
#include <utility>

#include "engine/tokenizer/jinja/methods.h"

namespace mneme::engine::jinja {

// One level more of statements and expressions within one another, while it lives.
class Evaluator::Nested {
 public:
  explicit Nested(Evaluator& evaluator) : evaluator_(evaluator) {
    evaluator_.step();
    if (++evaluator_.nesting_ > evaluator_.limits_.max_nesting) fail("the template is nested too deeply");
  }
  ~Nested() { --evaluator_.nesting_; }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;

 private:
  Evaluator& evaluator_;
};

Evaluator::Evaluator(const Dict& globals, const Limits& limits) : limits_(limits), meter_(limits.max_bytes) {
  scopes_.emplace_back();
  for (const auto& [name, value] : globals.items) scopes_[0].emplace_back(std::string(name.bytes()), value);
  for (auto& [name, function] : builtin_functions()) scopes_[0].emplace_back(name, Value(function));
  scopes_.emplace_back();  // the template's own names
  frame_ = 1;
}

Evaluator::~Evaluator() {
  // A namespace may hold itself; emptied, it is freed.
  for (const Value& value : namespaces_) value.as_dict()->items.clear();
}

Text Evaluator::render(const Block& block) {
  Text out;
  run(block, out);
  return out;
}

void Evaluator::step() {
  if (++n_steps_ > limits_.max_steps) fail("the template takes too many steps");
}

void Evaluator::print(const Text& text, Text& out) {
  if (out.size() + text.size() > limits_.max_output_bytes) fail("the template's output is too long");
  out.append(text);
}

const Value* Evaluator::find(std::string_view name) const {
  for (size_t i = scopes_.size(); i-- > 0;) {
    if (i != 0 && i != 1 && i < frame_) continue;
    Meter::looked_at(scopes_[i].size() * 16);
    for (auto it = scopes_[i].rbegin(); it != scopes_[i].rend(); ++it) {
      if (it->first == name) return &it->second;
    }
  }
  return nullptr;
}

void Evaluator::set_local(std::string_view name, Value value) {
  Meter::looked_at(scopes_.back().size() * 16);
  for (auto& [own, old] : scopes_.back()) {
    if (own == name) {
      old = std::move(value);
      return;
    }
  }
  scopes_.back().emplace_back(std::string(name), std::move(value));
}

Evaluator::Flow Evaluator::run(const Block& block, Text& out) {
  for (const auto& statement : block) {
    const Flow flow = run(*statement, out);
    if (flow != Flow::kNormal) return flow;
  }
  return Flow::kNormal;
}

Evaluator::Flow Evaluator::run(const Statement& statement, Text& out) {
  const Nested nested(*this);
  return execute(statement, out);
}

Value Evaluator::evaluate(const Expression& expression) {
  const Nested nested(*this);
  return compute(expression);
}

Evaluator::Flow Evaluator::execute(const Statement& statement, Text& out) {
  switch (statement.kind) {
    case StatementKind::kText: print(Text(statement.text), out); return Flow::kNormal;
    case StatementKind::kPrint: print(evaluate(*statement.expressions[0]).print(), out); return Flow::kNormal;
    case StatementKind::kIf: return run_if(statement, out);
    case StatementKind::kFor: return run_for(statement, out);
    case StatementKind::kSet:
    case StatementKind::kSetBlock: run_set(statement, out); return Flow::kNormal;
    case StatementKind::kMacro: define_macro(statement); return Flow::kNormal;
    case StatementKind::kBlock: return run(statement.blocks[0], out);
    case StatementKind::kBreak: return Flow::kBreak;
    case StatementKind::kContinue: return Flow::kContinue;
  }
  return Flow::kNormal;
}

Evaluator::Flow Evaluator::run_if(const Statement& statement, Text& out) {
  for (size_t i = 0; i < statement.expressions.size(); ++i) {
    if (evaluate(*statement.expressions[i]).truthy()) return run(statement.blocks[i], out);
  }
  return statement.blocks.size() > statement.expressions.size() ? run(statement.blocks.back(), out) : Flow::kNormal;
}

Evaluator::Flow Evaluator::run_for(const Statement& statement, Text& out) {
  List items = items_of(evaluate(*statement.expressions[0]));
  scopes_.emplace_back();
  if (statement.expressions[1]) {
    List kept;
    for (const Value& item : items) {
      step();
      assign(statement.names, item);
      if (evaluate(*statement.expressions[1]).truthy()) kept.push_back(item);
    }
    items = std::move(kept);
  }
  Flow flow = Flow::kNormal;
  const auto count = static_cast<int64_t>(items.size());
  for (int64_t i = 0; i < count && flow != Flow::kBreak; ++i) {
    step();
    scopes_.back().clear();  // what the body sets lasts one turn
    Dict loop;
    loop.set(Text("index"), Value(i + 1));
    loop.set(Text("index0"), Value(i));
    loop.set(Text("revindex"), Value(count - i));
    loop.set(Text("revindex0"), Value(count - i - 1));
    loop.set(Text("first"), Value(i == 0));
    loop.set(Text("last"), Value(i == count - 1));
    loop.set(Text("length"), Value(count));
    if (i > 0) loop.set(Text("previtem"), items[i - 1]);
    if (i + 1 < count) loop.set(Text("nextitem"), items[i + 1]);
    set_local("loop", Value(std::move(loop)));
    assign(statement.names, items[i]);
    flow = run(statement.blocks[0], out);
  }
  scopes_.pop_back();
  if (count == 0 && statement.blocks.size() > 1) return run(statement.blocks[1], out);
  return Flow::kNormal;
}

void Evaluator::assign(const std::vector<std::string>& names, const Value& value) {
  if (names.size() == 1) return set_local(names[0], value);
  const List* parts = value.as_list();
  if (parts == nullptr || parts->size() != names.size()) {
    fail("a list of " + std::to_string(names.size()) + " values was expected for " + names[0] + ", ...");
  }
  const List copy = *parts;
  for (size_t i = 0; i < names.size(); ++i) set_local(names[i], copy[i]);
}

void Evaluator::run_set(const Statement& statement, Text&) {
  if (statement.kind == StatementKind::kSetBlock) {
    Text text;
    scopes_.emplace_back();
    run(statement.blocks[0], text);
    scopes_.pop_back();
    return set_local(statement.names[0], Value(std::move(text)));
  }
  Value value = evaluate(*statement.expressions[0]);
  if (!statement.attribute) return assign(statement.names, value);
  const Value* target = find(statement.names[0]);
  Dict* names = target ? target->as_dict() : nullptr;
  if (names == nullptr || !names->is_namespace) fail("'" + statement.names[0] + "' is not a namespace");
  names->set(Text(statement.names[1]), std::move(value));
}

void Evaluator::define_macro(const Statement& statement) {
  set_local(statement.text, Value(Function([&statement](Evaluator& self, const Arguments& arguments) {
              return self.call_macro(statement, arguments);
            })));
}

Value Evaluator::call_macro(const Statement& macro, const Arguments& arguments) {
  if (++depth_ > limits_.max_depth) fail("macro '" + macro.text + "' calls itself too deeply");
  Scope scope;
  for (size_t i = 0; i < macro.names.size(); ++i) {
    const Value* given = arguments.get(i, macro.names[i]);
    Value value = given ? *given : macro.expressions[i] ? evaluate(*macro.expressions[i]) : Value();
    scope.emplace_back(macro.names[i], std::move(value));
  }
  const size_t outer = frame_;
  frame_ = scopes_.size();
  scopes_.push_back(std::move(scope));
  Text out;
  run(macro.blocks[0], out);
  scopes_.pop_back();
  frame_ = outer;
  --depth_;
  return Value(std::move(out));
}

}  // namespace mneme::engine::jinja
