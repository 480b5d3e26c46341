// A parsed HTML page (gumbo) in an arena with a budget: pages made to exhaust time, memory or the stack end the parse.
// Ownership: nodes live as long as the tree and point into `html`, which the caller keeps.
// Threads: one thread each.
#pragma once

#include <gumbo.h>

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/status.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

class HtmlTree {
 public:
  // Errors: kResource when time or memory run out.
  static Result<HtmlTree> parse(const ReadContext& context, std::string_view name, std::string_view html);

  HtmlTree(HtmlTree&&) noexcept;
  ~HtmlTree();
  const GumboNode* root() const { return root_; }

 private:
  struct Arena;
  explicit HtmlTree(std::unique_ptr<Arena> arena);

  std::unique_ptr<Arena> arena_;
  const GumboNode* root_ = nullptr;
};

// Value of an attribute; "" when absent.
std::string_view attribute(const GumboNode* element, const char* name);

}  // namespace mneme::readers
