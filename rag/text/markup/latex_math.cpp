#include "rag/text/markup/latex_math.h"

#include <array>
#include <utility>

#include "base/ascii.h"

namespace mneme::rag {
namespace {

using Sign = std::pair<std::string_view, std::string_view>;

constexpr std::array kSigns = {
    Sign{"alpha", "α"},
    Sign{"beta", "β"},
    Sign{"gamma", "γ"},
    Sign{"delta", "δ"},
    Sign{"epsilon", "ε"},
    Sign{"varepsilon", "ε"},
    Sign{"zeta", "ζ"},
    Sign{"eta", "η"},
    Sign{"theta", "θ"},
    Sign{"iota", "ι"},
    Sign{"kappa", "κ"},
    Sign{"lambda", "λ"},
    Sign{"mu", "μ"},
    Sign{"nu", "ν"},
    Sign{"xi", "ξ"},
    Sign{"pi", "π"},
    Sign{"rho", "ρ"},
    Sign{"sigma", "σ"},
    Sign{"tau", "τ"},
    Sign{"upsilon", "υ"},
    Sign{"phi", "φ"},
    Sign{"varphi", "φ"},
    Sign{"chi", "χ"},
    Sign{"psi", "ψ"},
    Sign{"omega", "ω"},
    Sign{"Gamma", "Γ"},
    Sign{"Delta", "Δ"},
    Sign{"Theta", "Θ"},
    Sign{"Lambda", "Λ"},
    Sign{"Xi", "Ξ"},
    Sign{"Pi", "Π"},
    Sign{"Sigma", "Σ"},
    Sign{"Phi", "Φ"},
    Sign{"Psi", "Ψ"},
    Sign{"Omega", "Ω"},
    Sign{"times", "×"},
    Sign{"cdot", "·"},
    Sign{"div", "÷"},
    Sign{"pm", "±"},
    Sign{"mp", "∓"},
    Sign{"leq", "≤"},
    Sign{"le", "≤"},
    Sign{"geq", "≥"},
    Sign{"ge", "≥"},
    Sign{"neq", "≠"},
    Sign{"ne", "≠"},
    Sign{"approx", "≈"},
    Sign{"equiv", "≡"},
    Sign{"sim", "∼"},
    Sign{"propto", "∝"},
    Sign{"infty", "∞"},
    Sign{"partial", "∂"},
    Sign{"nabla", "∇"},
    Sign{"sum", "∑"},
    Sign{"prod", "∏"},
    Sign{"int", "∫"},
    Sign{"in", "∈"},
    Sign{"notin", "∉"},
    Sign{"subset", "⊂"},
    Sign{"subseteq", "⊆"},
    Sign{"cup", "∪"},
    Sign{"cap", "∩"},
    Sign{"emptyset", "∅"},
    Sign{"forall", "∀"},
    Sign{"exists", "∃"},
    Sign{"neg", "¬"},
    Sign{"land", "∧"},
    Sign{"lor", "∨"},
    Sign{"to", "→"},
    Sign{"rightarrow", "→"},
    Sign{"leftarrow", "←"},
    Sign{"Rightarrow", "⇒"},
    Sign{"Leftrightarrow", "⇔"},
    Sign{"mapsto", "↦"},
    Sign{"ldots", "…"},
    Sign{"cdots", "⋯"},
    Sign{"dots", "…"},
    Sign{"quad", "  "},
    Sign{"qquad", "    "},
    Sign{"degree", "°"},
    Sign{"circ", "∘"},
    Sign{"oplus", "⊕"},
    Sign{"otimes", "⊗"},
    Sign{"langle", "⟨"},
    Sign{"rangle", "⟩"},
    Sign{"ell", "ℓ"},
    Sign{"hbar", "ħ"},
    Sign{"left", ""},
    Sign{"right", ""},
    Sign{"displaystyle", ""},
    Sign{"textstyle", ""},
    Sign{"limits", ""},
    Sign{"nonumber", ""},
    Sign{"notag", ""},
    Sign{"big", ""},
    Sign{"Big", ""},
    Sign{"bigg", ""},
    Sign{"Bigg", ""},
    Sign{"bigl", ""},
    Sign{"bigr", ""},
    Sign{"Bigl", ""},
    Sign{"Bigr", ""},
    Sign{"prime", "′"},
    Sign{"ast", "∗"},
    Sign{"star", "⋆"},
    Sign{"mid", "|"},
    Sign{"vert", "|"},
    Sign{"lvert", "|"},
    Sign{"rvert", "|"},
    Sign{"Vert", "‖"},
    Sign{"lVert", "‖"},
    Sign{"rVert", "‖"},
    Sign{"parallel", "∥"},
    Sign{"perp", "⊥"},
    Sign{"ll", "≪"},
    Sign{"gg", "≫"},
    Sign{"simeq", "≃"},
    Sign{"cong", "≅"},
    Sign{"setminus", "∖"},
    Sign{"supset", "⊃"},
    Sign{"supseteq", "⊇"},
    Sign{"wedge", "∧"},
    Sign{"vee", "∨"},
    Sign{"implies", "⇒"},
    Sign{"iff", "⇔"},
    Sign{"longrightarrow", "→"},
    Sign{"gets", "←"},
    Sign{"uparrow", "↑"},
    Sign{"downarrow", "↓"},
    Sign{"vdots", "⋮"},
    Sign{"ddots", "⋱"},
    Sign{"lfloor", "⌊"},
    Sign{"rfloor", "⌋"},
    Sign{"lceil", "⌈"},
    Sign{"rceil", "⌉"},
    Sign{"colon", ":"},
    Sign{"lbrace", "{"},
    Sign{"rbrace", "}"},
    Sign{"mathbb{R}", "ℝ"},
    Sign{"top", "⊤"},
};

constexpr std::array kRaised = {Sign{"0", "⁰"}, Sign{"1", "¹"}, Sign{"2", "²"}, Sign{"3", "³"}, Sign{"4", "⁴"},
                                Sign{"5", "⁵"}, Sign{"6", "⁶"}, Sign{"7", "⁷"}, Sign{"8", "⁸"}, Sign{"9", "⁹"},
                                Sign{"+", "⁺"}, Sign{"-", "⁻"}, Sign{"=", "⁼"}, Sign{"(", "⁽"}, Sign{")", "⁾"},
                                Sign{"n", "ⁿ"}, Sign{"i", "ⁱ"}};
constexpr std::array kLowered = {Sign{"0", "₀"}, Sign{"1", "₁"}, Sign{"2", "₂"}, Sign{"3", "₃"}, Sign{"4", "₄"},
                                 Sign{"5", "₅"}, Sign{"6", "₆"}, Sign{"7", "₇"}, Sign{"8", "₈"}, Sign{"9", "₉"},
                                 Sign{"+", "₊"}, Sign{"-", "₋"}, Sign{"=", "₌"}, Sign{"(", "₍"}, Sign{")", "₎"},
                                 Sign{"i", "ᵢ"}, Sign{"j", "ⱼ"}, Sign{"n", "ₙ"}, Sign{"m", "ₘ"}, Sign{"k", "ₖ"},
                                 Sign{"t", "ₜ"}, Sign{"x", "ₓ"}, Sign{"a", "ₐ"}, Sign{"e", "ₑ"}, Sign{"o", "ₒ"}};
constexpr int kDeepest = 16;  // braces within braces

template <size_t N>
const std::string_view* find(const std::array<Sign, N>& table, std::string_view name) {
  for (const Sign& sign : table) {
    if (sign.first == name) return &sign.second;
  }
  return nullptr;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::string all(int depth) {
    std::string out;
    while (at_ < text_.size() && !(text_[at_] == '}' && depth > 0)) out += next(depth);
    return out;
  }

 private:
  // The next thing: a group, a command, a character with what is raised or lowered after it.
  std::string next(int depth) {
    const char c = text_[at_];
    if (c == '{' && depth < kDeepest) return group(depth);
    if (c == '\\') return command(depth);
    ++at_;
    if ((c == '^' || c == '_') && at_ < text_.size()) return script(c == '^', depth);
    if (c == '{' || c == '}' || c == '$' || c == '&') return "";
    return std::string(1, c);
  }

  std::string group(int depth) {
    ++at_;
    std::string inside = all(depth + 1);
    if (at_ < text_.size()) ++at_;  // '}'
    return inside;
  }

  std::string argument(int depth) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? next(depth) : "";
  }

  std::string script(bool raised, int depth) {
    const std::string inside = argument(depth);
    if (raised && inside == "∘") return "°";
    std::string moved;
    for (const char c : inside) {
      const std::string_view one(&c, 1);
      const std::string_view* sign = raised ? find(kRaised, one) : find(kLowered, one);
      if (sign == nullptr) {
        const bool short_enough = inside.size() == 1;
        return (raised ? "^" : "_") + (short_enough ? inside : "(" + inside + ")");
      }
      moved += *sign;
    }
    return moved;
  }

  static std::string bracketed(const std::string& text) {
    for (const char c : text) {
      if (c == ' ' || c == '+' || c == '-') return "(" + text + ")";
    }
    return text;
  }

  std::string command(int depth) {
    const size_t begin = ++at_;
    while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
    if (at_ == begin) {  // \, \; \{ and the like
      if (at_ >= text_.size()) return "";
      const char c = text_[at_++];
      return c == ',' || c == ';' || c == '!' || c == ' ' || c == '\\' ? " " : std::string(1, c);
    }
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name == "frac" || name == "tfrac" || name == "dfrac") {
      const std::string above = bracketed(argument(depth));
      return above + "/" + bracketed(argument(depth));
    }
    // Places, and the names of what encloses: nothing to read.
    if (name == "begin" || name == "end" || name == "label" || name == "vspace" || name == "hspace") {
      argument(depth);
      return "";
    }
    if (name == "sqrt") return "√" + bracketed(argument(depth));
    if (const std::string_view* sign = find(kSigns, name)) return std::string(*sign);
    // \text{..}, \mathrm{..} and others that only dress their argument; \sin, \log and others are their own name.
    if (at_ < text_.size() && text_[at_] == '{') return argument(depth);
    return std::string(name);
  }

  const std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::string latex_math_text(std::string_view latex) {
  return Reader(latex).all(0);
}

}  // namespace mneme::rag
