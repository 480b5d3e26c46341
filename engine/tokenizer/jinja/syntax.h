// The syntax tree of a template. Owned by its Template; immutable after parsing.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/tokenizer/jinja/value.h"

namespace mneme::engine::jinja {

struct Expression;
using ExpressionPtr = std::unique_ptr<const Expression>;

enum class ExpressionKind {
  kLiteral,      // literal
  kName,         // text
  kList,         // operands
  kDict,         // operands: key, value, key, value ...
  kAttribute,    // operands[0] . text
  kItem,         // operands[0] [ operands[1] ]
  kSlice,        // operands[0] [ operands[1] : operands[2] : operands[3] ], null where left out
  kCall,         // operands[0] ( operands[1..], named )
  kFilter,       // operands[0] | text ( operands[1..], named )
  kTest,         // operands[0] is text ( operands[1..] )
  kUnary,        // text: "not", "-", "+"
  kBinary,       // text: the operator
  kConditional,  // operands[1] if operands[0] else operands[2] (null: undefined)
};

struct Expression {
  ExpressionKind kind = ExpressionKind::kLiteral;
  int line = 0;
  std::string text;
  Value literal;
  std::vector<ExpressionPtr> operands;
  std::vector<std::pair<std::string, ExpressionPtr>> named;
};

struct Statement;
using Block = std::vector<std::unique_ptr<const Statement>>;

enum class StatementKind {
  kText,      // text
  kPrint,     // expressions[0]
  kIf,        // expressions[i] guards blocks[i]; one block more: else
  kFor,       // names in expressions[0] if expressions[1] (may be null): blocks[0], else blocks[1]
  kSet,       // names = expressions[0]; or names[0].names[1] = ... for an attribute (attribute set)
  kSetBlock,  // names[0] = what blocks[0] renders
  kMacro,     // text: its name; names: parameters, expressions: defaults (null: none); blocks[0]
  kBlock,     // blocks[0], as it stands
  kBreak,
  kContinue,
};

struct Statement {
  StatementKind kind = StatementKind::kText;
  int line = 0;
  std::string text;
  bool attribute = false;
  std::vector<std::string> names;
  std::vector<ExpressionPtr> expressions;
  std::vector<Block> blocks;
};

}  // namespace mneme::engine::jinja
