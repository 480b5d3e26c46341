#include "ui/widgets/markdown.h"

#include <algorithm>
#include <functional>

#include <md4c.h>

#include "base/ascii.h"
#include "ui/widgets/markdown_builder.h"

namespace mneme::ui {
namespace {

// What md4c (0.4.8) is told to call back with: some nestings of links and images it takes apart so wrongly that a piece
// begins or ends outside the text that it was given. Nothing of such a parse is used.
struct Parse {
  MarkdownBuilder builder;
  std::string_view whole;

  bool holds(std::string_view piece) const {
    const std::less_equal<const char*> up_to;  // of pointers into different objects as well
    return up_to(whole.data(), piece.data()) && up_to(piece.data(), whole.data() + whole.size()) &&
           piece.size() <= static_cast<size_t>(whole.data() + whole.size() - piece.data());
  }
  // Indentation and line ends of code are md4c's own few characters; of breaks and zero bytes nothing is read.
  bool may_be_read(MD_TEXTTYPE type, std::string_view piece) const {
    constexpr size_t kOwnCharacters = 16;
    if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR || type == MD_TEXT_NULLCHAR || holds(piece)) return true;
    return (type == MD_TEXT_CODE || type == MD_TEXT_LATEXMATH) && piece.size() <= kOwnCharacters;
  }

  // "$349.99, discount $-50": amounts, no maths. By Pandoc's rule no space stands within the signs of maths and no
  // digit behind them; md4c takes any two.
  bool are_amounts(std::string_view piece) const {
    if (piece.empty() || !holds(piece)) return false;
    const size_t end = place_of(piece) + piece.size();
    const bool closes = stands_at(end, '$');
    const bool before_digit = closes && end + 1 < whole.size() && is_digit(whole[end + 1]);
    return (opens_with_dollar(piece) && is_space(piece.front())) || (closes && is_space(piece.back())) || before_digit;
  }
  // Of a piece that the text holds.
  std::string with_dollars(std::string_view piece) const {
    std::string text(opens_with_dollar(piece) ? "$" : "");
    return text.append(piece).append(stands_at(place_of(piece) + piece.size(), '$') ? "$" : "");
  }

 private:
  size_t place_of(std::string_view piece) const { return static_cast<size_t>(piece.data() - whole.data()); }
  bool stands_at(size_t place, char sign) const { return place < whole.size() && whole[place] == sign; }
  bool opens_with_dollar(std::string_view piece) const {
    return place_of(piece) > 0 && stands_at(place_of(piece) - 1, '$');
  }
};

// The numbers that lines of a text begin with as items of a list do, outside of code.
std::vector<std::string> written_numbers(std::string_view text) {
  constexpr size_t kMostDigits = 9;  // of a list item, says CommonMark
  std::vector<std::string> numbers;
  bool in_code = false;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    line.remove_prefix(std::min(line.find_first_not_of(" \t>"), line.size()));
    if (line.starts_with("```") || line.starts_with("~~~")) in_code = !in_code;
    const size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
    if (in_code || digits == 0 || digits > kMostDigits || digits == line.size()) continue;
    const bool ends = digits + 1 == line.size() || line[digits + 1] == ' ' || line[digits + 1] == '\t';
    if ((line[digits] == '.' || line[digits] == ')') && ends) numbers.emplace_back(line.substr(0, digits));
  }
  return numbers;
}

// Markdown counts on from a list's first number; who quotes step 2 and step 8 means what stands there. Where it is not
// clear which number is which item's, they stay counted.
void number_as_written(std::vector<MarkdownBlock>& blocks, std::string_view text) {
  std::vector<MarkdownBlock*> items;
  for (MarkdownBlock& block : blocks) {
    if (block.marker.ends_with('.')) items.push_back(&block);
  }
  if (items.empty()) return;
  const std::vector<std::string> numbers = written_numbers(text);
  if (numbers.size() != items.size()) return;
  for (size_t i = 0; i < items.size(); ++i) items[i]->marker = numbers[i] + ".";
}

std::vector<MarkdownBlock> as_plain_text(std::string_view text) {
  std::vector<MarkdownBlock> blocks(1);
  blocks.front().inlines.emplace_back().text = printable(text);
  return blocks;
}

}  // namespace

std::vector<MarkdownBlock> parse_markdown(std::string_view text) {
  Parse parse{.builder = {}, .whole = text};
  MD_PARSER parser{};
  parser.flags = MD_DIALECT_GITHUB | MD_FLAG_NOHTML | MD_FLAG_LATEXMATHSPANS | MD_FLAG_NOINDENTEDCODEBLOCKS;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
    static_cast<Parse*>(self)->builder.enter_block(type, detail);
    return 0;
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) {
    static_cast<Parse*>(self)->builder.leave_block(type);
    return 0;
  };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) {
    static_cast<Parse*>(self)->builder.enter_span(type, detail);
    return 0;
  };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* self) {
    static_cast<Parse*>(self)->builder.leave_span(type);
    return 0;
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* chars, MD_SIZE size, void* self) {
    Parse& parse = *static_cast<Parse*>(self);
    const std::string_view piece(chars, size);
    if (!parse.may_be_read(type, piece)) return 1;
    if (type == MD_TEXT_LATEXMATH && parse.are_amounts(piece)) {
      parse.builder.text(MD_TEXT_NORMAL, parse.with_dollars(piece));
    } else {
      parse.builder.text(type, piece);
    }
    return 0;
  };
  if (md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &parse) != 0) return as_plain_text(text);
  std::vector<MarkdownBlock> blocks = parse.builder.take();
  number_as_written(blocks, text);
  return blocks;
}

}  // namespace mneme::ui
