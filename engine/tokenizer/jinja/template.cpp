#include "engine/tokenizer/jinja/template.h"

#include <new>

#include "engine/tokenizer/jinja/parser.h"

namespace mneme::engine::jinja {

Result<Template> Template::parse(std::string_view source) {
  if (source.size() > kMaxSourceBytes) return resource_error("the chat template is longer than a megabyte");
  try {
    return Template(std::make_shared<const Block>(jinja::parse(tokenise(source))));
  } catch (const Error& error) {
    return Status(error.code, "the chat template cannot be used: " + error.message);
  }
}

Result<Text> Template::render(const Dict& globals, const Limits& limits) const {
  try {
    return Evaluator(globals, limits).render(*block_);
  } catch (const Error& error) {
    return Status(error.code, "the chat template cannot be used: " + error.message);
  } catch (const std::bad_alloc&) {
    return resource_error("the chat template needs more memory than there is");
  }
}

}  // namespace mneme::engine::jinja
