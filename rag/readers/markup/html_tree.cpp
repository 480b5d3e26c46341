#include "rag/readers/markup/html_tree.h"

#include <csetjmp>
#include <cstdlib>
#include <vector>

namespace mneme::readers {

// Gumbo asks no questions when memory is refused, and frees its tree by recursion. Here it gets memory from blocks that
// are freed as a whole, and leaves by longjmp when the budget is gone: between setjmp() and longjmp() there are only
// its C frames, which own nothing but arena memory.
struct HtmlTree::Arena {
  static constexpr size_t kBlockBytes = size_t{256} << 10;
  static constexpr int kAllocationsPerCheck = 4096;

  const ReadContext* context = nullptr;
  std::string_view name;
  std::vector<std::unique_ptr<std::byte[]>> blocks;
  std::byte* free_begin = nullptr;
  size_t free_bytes = 0;
  uint64_t budget = 0;
  int allocations = 0;
  std::jmp_buf out_of_budget;

  static void* allocate(void* self, size_t size) { return static_cast<Arena*>(self)->take(size); }
  static void deallocate(void*, void*) {}

  void* take(size_t size) {
    size = (size + 15) & ~size_t{15};
    if (++allocations % kAllocationsPerCheck == 0 && !context->check(name).ok()) std::longjmp(out_of_budget, 1);
    if (size > free_bytes && !grow(size)) std::longjmp(out_of_budget, 2);
    void* memory = free_begin;
    free_begin += size;
    free_bytes -= size;
    return memory;
  }

  bool grow(size_t size) {
    const size_t bytes = std::max(size, kBlockBytes);
    if (bytes > budget) return false;
    std::unique_ptr<std::byte[]> block(new (std::nothrow) std::byte[bytes]);
    if (!block) return false;
    budget -= bytes;
    free_begin = block.get();
    free_bytes = bytes;
    blocks.push_back(std::move(block));
    return true;
  }

  // Nothing with a destructor may live in this frame.
  const GumboOutput* run(const char* html, size_t size, int* stopped) {
    GumboOptions options = kGumboDefaultOptions;
    options.allocator = allocate;
    options.deallocator = deallocate;
    options.userdata = this;
    options.max_errors = 0;
    const int jumped = setjmp(out_of_budget);
    if (jumped != 0) {
      *stopped = jumped;
      return nullptr;
    }
    return gumbo_parse_with_options(&options, html, size);
  }
};

HtmlTree::HtmlTree(std::unique_ptr<Arena> arena) : arena_(std::move(arena)) {}
HtmlTree::HtmlTree(HtmlTree&&) noexcept = default;
HtmlTree::~HtmlTree() = default;

Result<HtmlTree> HtmlTree::parse(const ReadContext& context, std::string_view name, std::string_view html) {
  auto arena = std::make_unique<Arena>();
  arena->context = &context;
  arena->name = name;
  // A tree takes about ten times its text; tiny elements in great number take more.
  arena->budget = std::min<uint64_t>(context.limits().memory_bytes / 2, (uint64_t{32} << 20) + 60 * html.size());
  int stopped = 0;
  const GumboOutput* output = arena->run(html.data(), html.size(), &stopped);
  if (output == nullptr) {
    MNEME_RETURN_IF_ERROR(context.check(name));
    return resource_error(printable(name) + " needs too much memory to parse as HTML; it was left out.");
  }
  HtmlTree tree(std::move(arena));
  tree.root_ = output->root;
  return tree;
}

std::string_view attribute(const GumboNode* element, const char* name) {
  if (element->type != GUMBO_NODE_ELEMENT) return {};
  const GumboAttribute* found = gumbo_get_attribute(&element->v.element.attributes, name);
  return found ? std::string_view(found->value) : std::string_view();
}

}  // namespace mneme::readers
