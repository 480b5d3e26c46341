// A parsed template: the interpreter's border. Errors become Status here.
// Threads: immutable; render may run concurrently.
#pragma once

#include <memory>
#include <string_view>

#include "base/status.h"
#include "engine/tokenizer/jinja/evaluator.h"

namespace mneme::engine::jinja {

class Template {
 public:
  static constexpr size_t kMaxSourceBytes = 1 << 20;

  // kUnsupported for what the interpreter does not know, with the line; kResource for a source over kMaxSourceBytes.
  static Result<Template> parse(std::string_view source);

  // kUsage when the template itself refuses (raise_exception), kUnsupported when it does what the interpreter does not
  // know, also when a limit is reached.
  Result<Text> render(const Dict& globals, const Limits& limits = {}) const;

 private:
  explicit Template(std::shared_ptr<const Block> block) : block_(std::move(block)) {}
  std::shared_ptr<const Block> block_;
};

}  // namespace mneme::engine::jinja
