#include "rag/readers/markup/html_math.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "base/trim.h"
#include "base/utf8.h"
#include "rag/readers/markup/html_elements.h"
#include "rag/readers/markup/html_tree.h"
#include "rag/readers/raised_text.h"
#include "rag/text/markup/latex_math.h"

namespace mneme::readers {
namespace {

constexpr int kDeepestFormula = 60;
constexpr std::string_view kRoot = "\xe2\x88\x9a";

// Gumbo does not know the names of MathML but for a few.
std::string name_of(const GumboNode* element) {
  GumboStringPiece name = element->v.element.original_tag;
  gumbo_tag_from_original_text(&name);
  std::string_view text(name.data == nullptr ? "" : name.data, name.data == nullptr ? 0 : name.length);
  text.remove_prefix(std::min(text.rfind(':') + 1, text.size()));  // of a prefix
  return lower_ascii(text);
}

// Letters and digits alone need no brackets as a part of something larger.
std::string bracketed(const std::string& term) {
  const auto is_sign = [](char c) { return (c & 0x80) == 0 && !is_letter(c) && !is_digit(c) && c != '.' && c != ','; };
  const bool has_signs = std::any_of(term.begin(), term.end(), is_sign);
  const bool has_minus = term.find("\xe2\x88\x92") != std::string::npos;
  return has_signs || has_minus ? "(" + term + ")" : term;
}

class MathmlWriter {
 public:
  void write(const GumboNode* node, int depth, std::string& text) {
    if (depth > kDeepestFormula) return;
    if (node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_CDATA) {
      append_words(trimmed(node->v.text.text), text);
      return;
    }
    if (node->type != GUMBO_NODE_ELEMENT) return;
    const std::string name = name_of(node);
    if (name.starts_with("annotation")) return;  // the same in another language
    if (name == "mfrac") {
      write_fraction(node, depth, text);
    } else if (name == "msqrt") {
      text.append(kRoot).append(bracketed(text_below(node, depth)));
    } else if (name == "mroot") {
      std::string root;
      append_raised(root, part(node, 1, depth));
      text.append(root).append(kRoot).append(bracketed(part(node, 0, depth)));
    } else if (name == "msup" || name == "msub" || name == "msubsup" || name.starts_with("munder") || name == "mover") {
      write_scripts(node, name, depth, text);
    } else {
      write_below(node, depth, text);
      if (name == "mtd" || name == "mtr") text += ' ';
    }
  }

 private:
  static std::vector<const GumboNode*> elements_of(const GumboNode* node) {
    std::vector<const GumboNode*> elements;
    for_children(node, [&](const GumboNode* child) {
      if (child->type == GUMBO_NODE_ELEMENT) elements.push_back(child);
    });
    return elements;
  }

  // White space in a text is one space; signs that nobody sees (applied, times) are none.
  static void append_words(std::string_view words, std::string& text) {
    for (size_t i = 0; i < words.size();) {
      const char32_t c = utf8::next(words, i);
      if (c >= 0x2061 && c <= 0x2064) continue;
      utf8::append(text, c == '\n' || c == '\t' ? U' ' : c);
    }
  }

  void write_below(const GumboNode* node, int depth, std::string& text) {
    for_children(node, [&](const GumboNode* child) { write(child, depth + 1, text); });
  }
  std::string text_below(const GumboNode* node, int depth) {
    std::string text;
    write_below(node, depth, text);
    return text;
  }
  std::string part(const GumboNode* node, size_t index, int depth) {
    const std::vector<const GumboNode*> elements = elements_of(node);
    std::string text;
    if (index < elements.size()) write(elements[index], depth + 1, text);
    return text;
  }

  void write_fraction(const GumboNode* node, int depth, std::string& text) {
    if (!text.empty() && is_digit(text.back())) text += ' ';  // "2 1/2" is not 21/2
    text.append(bracketed(part(node, 0, depth))).append("/").append(bracketed(part(node, 1, depth)));
  }

  void write_scripts(const GumboNode* node, const std::string& name, int depth, std::string& text) {
    const bool has_both = name == "msubsup" || name == "munderover";
    const bool is_above = name == "msup" || name == "mover";
    text += part(node, 0, depth);
    if (!is_above) {
      if (const std::string below = part(node, 1, depth); !below.empty()) text.append("_").append(bracketed(below));
    }
    if (is_above || has_both) {
      const std::string above = part(node, has_both ? 2 : 1, depth);
      is_above ? append_raised(text, above) : static_cast<void>(text.append("^").append(bracketed(above)));
    }
    if (has_both) text += ' ';  // what is summed up
  }
};

bool is_drawn_beside(const GumboNode* picture) {
  return attribute(picture, "class").find("mwe-math-fallback") != std::string_view::npos;  // <math> says the same
}

// "$x^2$", "\(x^2\)", "{\displaystyle x^2}".
std::string_view without_marks(std::string_view latex) {
  latex = trimmed(latex);
  constexpr std::string_view kDisplay = "{\\displaystyle ";
  for (const auto& [open, close] : {std::pair<std::string_view, std::string_view>{"$$", "$$"},
                                    {"$", "$"},
                                    {"\\(", "\\)"},
                                    {"\\[", "\\]"},
                                    {kDisplay, "}"}}) {
    if (latex.size() >= open.size() + close.size() && latex.starts_with(open) && latex.ends_with(close))
      return trimmed(latex.substr(open.size(), latex.size() - open.size() - close.size()));
  }
  return latex;
}

}  // namespace

std::string mathml_text(const GumboNode* math) {
  std::string text;
  MathmlWriter().write(math, 0, text);
  return text;
}

std::string shown_formula(const GumboNode* element) {
  if (element->v.element.tag == GUMBO_TAG_SCRIPT) {
    if (!attribute(element, "type").starts_with("math/tex")) return {};
    std::string latex;
    for_children(element, [&](const GumboNode* child) {
      if (child->type == GUMBO_NODE_TEXT || child->type == GUMBO_NODE_CDATA) latex += child->v.text.text;
    });
    return rag::latex_math_text(trimmed(latex));
  }
  if (element->v.element.tag != GUMBO_TAG_IMG || is_drawn_beside(element)) return {};
  const std::string_view alt = trimmed(attribute(element, "alt"));
  const std::string names = lower_ascii(attribute(element, "class"));
  const bool is_named = names == "math" || names == "tex" || names == "latex" || names.starts_with("formula") ||
                        names.starts_with("mwe-math");
  const std::string_view latex = without_marks(alt);
  return is_named || (latex.size() < alt.size() && alt.size() > 2) ? rag::latex_math_text(latex) : std::string();
}

}  // namespace mneme::readers
