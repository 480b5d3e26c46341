#include "rag/readers/office/office_math.h"

#include <array>
#include <cstdint>
#include <string_view>

#include "base/ascii.h"
#include "base/utf8.h"
#include "rag/readers/office/word_text.h"
#include "rag/readers/office/zip_package.h"
#include "rag/readers/raised_text.h"

namespace mneme::readers {
namespace {

// Letters and digits alone need no brackets as a part of something larger.
bool is_simple(std::string_view term) {
  for (size_t i = 0; i < term.size();) {
    const char32_t c = utf8::next(term, i);
    const bool sign = c < 0x80 && !is_letter(static_cast<char>(c)) && !is_digit(static_cast<char>(c));
    if ((sign && c != '.' && c != ',') || c == 0x2212) return false;
  }
  return true;
}

std::string bracketed(const std::string& term) {
  return is_simple(term) ? term : "(" + term + ")";
}

std::string sign_of(const pugi::xml_node& node, const char* properties, const char* name, std::string_view usual) {
  const pugi::xml_node sign = child_named(child_named(node, properties), name);
  return std::string(sign ? attribute_named(sign, "val") : usual);
}

// The letters of formulas have signs of their own, slanted or bold, which nobody searches for.
char32_t greek_letter(uint32_t place) {
  constexpr std::array<char32_t, 6> kVariants = {0x3f5, 0x3d1, 0x3f0, 0x3d5, 0x3f1, 0x3d6};
  if (place == 17) return 0x3f4;
  if (place < 25) return 0x391 + place;
  if (place == 25) return 0x2207;  // nabla
  if (place < 51) return 0x3b1 + place - 26;
  return place == 51 ? 0x2202 : kVariants[place - 52];
}

char32_t plain_letter(char32_t c) {
  constexpr uint32_t kLetters = 0x1d400;
  constexpr uint32_t kGreek = 0x1d6a8;
  constexpr uint32_t kDigits = 0x1d7ce;
  if (c == 0x210e) return U'h';
  if (c < kLetters || c > 0x1d7ff) return c;
  if (c >= kDigits) return U'0' + (c - kDigits) % 10;
  if (c >= kGreek + 5 * 58) return c;  // digammas
  if (c >= kGreek) return greek_letter((c - kGreek) % 58);
  if (c >= kLetters + 13 * 52) return c == 0x1d6a4 ? U'i' : U'j';
  const uint32_t place = (c - kLetters) % 52;
  return place < 26 ? U'A' + place : U'a' + place - 26;
}

std::string plain_letters(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size();) utf8::append(plain, plain_letter(utf8::next(text, i)));
  return plain;
}

class MathWriter {
 public:
  std::string text_of(const pugi::xml_node& node, int depth_left) {
    std::string text;
    if (depth_left <= 0) return text;
    bool behind_fraction = false;
    for (const pugi::xml_node child : node.children()) {
      const size_t begin = text.size();
      take(child, depth_left - 1, text);
      // What a fraction is multiplied by does not belong to its denominator.
      if (behind_fraction && begin < text.size() && is_simple(text.substr(begin, 1))) text.insert(begin, " ");
      behind_fraction = local_name(child) == "f";
    }
    return text;
  }

 private:
  std::string part(const pugi::xml_node& node, const char* name, int depth_left) {
    return text_of(child_named(node, name), depth_left);
  }

  void take(const pugi::xml_node& node, int depth_left, std::string& text) {
    const std::string_view name = local_name(node);
    if (name == "t") {
      text += plain_letters(node.child_value());
    } else if (name == "f") {
      take_fraction(node, depth_left, text);
    } else if (name == "sSup" || name == "sSub" || name == "sSubSup" || name == "nary") {
      take_scripts(node, name == "nary", depth_left, text);
    } else if (name == "rad") {
      const std::string degree = part(node, "deg", depth_left);
      append_root(degree, part(node, "e", depth_left), text);
    } else if (name == "d") {
      text += sign_of(node, "dPr", "begChr", "(");
      take_row(node, depth_left, text);
      text += sign_of(node, "dPr", "endChr", ")");
    } else if (!name.ends_with("Pr") && !is_unseen_in_word(name)) {
      text += text_of(node, depth_left);
    }
  }

  void take_fraction(const pugi::xml_node& node, int depth_left, std::string& text) {
    const std::string fraction =
        bracketed(part(node, "num", depth_left)) + "/" + bracketed(part(node, "den", depth_left));
    // "2 1/2" is not 21/2.
    if (!text.empty() && is_digit(text.back())) text += ' ';
    text += fraction;
  }

  void take_scripts(const pugi::xml_node& node, bool is_sum, int depth_left, std::string& text) {
    const std::string body = part(node, "e", depth_left);
    text += is_sum ? sign_of(node, "naryPr", "chr", "\u222b") : body;
    const std::string below = part(node, "sub", depth_left);
    if (!below.empty()) text.append("_").append(bracketed(below));
    const std::string above = part(node, "sup", depth_left);
    if (is_sum && !above.empty()) text.append("^").append(bracketed(above));
    if (!is_sum) append_raised(text, above);
    if (is_sum) text.append(" ").append(body);
  }

  static void append_root(const std::string& degree, const std::string& of, std::string& text) {
    std::string sign;
    if (!degree.empty()) append_raised(sign, degree);
    text.append(sign).append("\u221a").append(bracketed(of));
  }

  // What brackets hold, the parts divided by a stroke.
  void take_row(const pugi::xml_node& node, int depth_left, std::string& text) {
    bool first = true;
    for (const pugi::xml_node child : node.children()) {
      if (local_name(child) != "e") continue;
      if (!first) text += sign_of(node, "dPr", "sepChr", "|");
      text += text_of(child, depth_left);
      first = false;
    }
  }
};

}  // namespace

std::string math_text(const pugi::xml_node& formula, int depth_left) {
  return MathWriter().text_of(formula, depth_left);
}

}  // namespace mneme::readers
