#include "rag/readers/roff/roff_characters.h"

#include <array>
#include <charconv>
#include <optional>

#include "base/utf8.h"
#include "rag/readers/accents.h"

namespace mneme::readers {
namespace {

struct Named {
  std::string_view name;
  std::string_view text;
};

constexpr std::array kNamed = {
    Named{"em", "—"},  Named{"en", "–"},   Named{"hy", "-"},   Named{"bu", "•"},  Named{"aq", "'"},  Named{"dq", "\""},
    Named{"lq", "“"},  Named{"rq", "”"},   Named{"oq", "‘"},   Named{"cq", "’"},  Named{"Bq", "„"},  Named{"bq", "‚"},
    Named{"Fo", "«"},  Named{"Fc", "»"},   Named{"fo", "‹"},   Named{"fc", "›"},  Named{"ha", "^"},  Named{"ti", "~"},
    Named{"rs", "\\"}, Named{"sl", "/"},   Named{"at", "@"},   Named{"sh", "#"},  Named{"ba", "|"},  Named{"br", "|"},
    Named{"or", "|"},  Named{"bv", "|"},   Named{"bb", "¦"},   Named{"ul", "_"},  Named{"ru", "_"},  Named{"ga", "`"},
    Named{"aa", "´"},  Named{"Do", "$"},   Named{"lB", "["},   Named{"rB", "]"},  Named{"lC", "{"},  Named{"rC", "}"},
    Named{"la", "⟨"},  Named{"ra", "⟩"},   Named{"mu", "×"},   Named{"tmu", "×"}, Named{"di", "÷"},  Named{"tdi", "÷"},
    Named{"+-", "±"},  Named{"t+-", "±"},  Named{"pl", "+"},   Named{"mi", "−"},  Named{"eq", "="},  Named{"<=", "≤"},
    Named{">=", "≥"},  Named{"!=", "≠"},   Named{"==", "≡"},   Named{"~=", "≅"},  Named{"~~", "≈"},  Named{"ap", "∼"},
    Named{"**", "∗"},  Named{"pc", "·"},   Named{"md", "⋅"},   Named{"if", "∞"},  Named{"sr", "√"},  Named{"->", "→"},
    Named{"<-", "←"},  Named{"<>", "↔"},   Named{"ua", "↑"},   Named{"da", "↓"},  Named{"rA", "⇒"},  Named{"lA", "⇐"},
    Named{"hA", "⇔"},  Named{"no", "¬"},   Named{"tno", "¬"},  Named{"AN", "∧"},  Named{"OR", "∨"},  Named{"fa", "∀"},
    Named{"te", "∃"},  Named{"mo", "∈"},   Named{"nm", "∉"},   Named{"sb", "⊂"},  Named{"sp", "⊃"},  Named{"ca", "∩"},
    Named{"cu", "∪"},  Named{"es", "∅"},   Named{"pd", "∂"},   Named{"gr", "∇"},  Named{"is", "∫"},  Named{"de", "°"},
    Named{"sc", "§"},  Named{"ps", "¶"},   Named{"dg", "†"},   Named{"dd", "‡"},  Named{"co", "©"},  Named{"rg", "®"},
    Named{"tm", "™"},  Named{"Eu", "€"},   Named{"eu", "€"},   Named{"Po", "£"},  Named{"Ye", "¥"},  Named{"ct", "¢"},
    Named{"Cs", "¤"},  Named{"12", "½"},   Named{"14", "¼"},   Named{"34", "¾"},  Named{"S1", "¹"},  Named{"S2", "²"},
    Named{"S3", "³"},  Named{"r!", "¡"},   Named{"r?", "¿"},   Named{"Of", "ª"},  Named{"Om", "º"},  Named{"fm", "′"},
    Named{"sd", "″"},  Named{"mc", "µ"},   Named{"%0", "‰"},   Named{"ci", "○"},  Named{"sq", "□"},  Named{"OK", "✓"},
    Named{"lh", "☜"},  Named{"rh", "☞"},   Named{"ss", "ß"},   Named{"AE", "Æ"},  Named{"ae", "æ"},  Named{"OE", "Œ"},
    Named{"oe", "œ"},  Named{"/O", "Ø"},   Named{"/o", "ø"},   Named{"/L", "Ł"},  Named{"/l", "ł"},  Named{"-D", "Ð"},
    Named{"Sd", "ð"},  Named{"TP", "Þ"},   Named{"Tp", "þ"},   Named{".i", "ı"},  Named{"ff", "ff"}, Named{"fi", "fi"},
    Named{"fl", "fl"}, Named{"Fi", "ffi"}, Named{"Fl", "ffl"}, Named{"*a", "α"},  Named{"*b", "β"},  Named{"*g", "γ"},
    Named{"*d", "δ"},  Named{"*e", "ε"},   Named{"*z", "ζ"},   Named{"*y", "η"},  Named{"*h", "θ"},  Named{"*i", "ι"},
    Named{"*k", "κ"},  Named{"*l", "λ"},   Named{"*m", "μ"},   Named{"*n", "ν"},  Named{"*c", "ξ"},  Named{"*p", "π"},
    Named{"*r", "ρ"},  Named{"*s", "σ"},   Named{"*t", "τ"},   Named{"*u", "υ"},  Named{"*f", "φ"},  Named{"*x", "χ"},
    Named{"*q", "ψ"},  Named{"*w", "ω"},   Named{"*D", "Δ"},   Named{"*S", "Σ"},  Named{"*W", "Ω"},  Named{"*P", "Π"},
};

// What stands in front of a letter for a mark on it.
struct Accent {
  char sign;
  char32_t mark;
};
constexpr std::array kAccents = {
    Accent{'\'', 0x301}, Accent{'`', 0x300}, Accent{'^', 0x302}, Accent{'~', 0x303}, Accent{':', 0x308},
    Accent{',', 0x327},  Accent{'o', 0x30a}, Accent{'v', 0x30c}, Accent{'-', 0x304}, Accent{'.', 0x307},
};

// "u2014", "u0065_0301", "char233".
std::string by_number(std::string_view name) {
  const bool is_unicode = name.starts_with('u');
  if (!is_unicode && !name.starts_with("char")) return {};
  std::string text;
  for (std::string_view rest = name.substr(is_unicode ? 1 : 4); !rest.empty();) {
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number, is_unicode ? 16 : 10);
    const bool is_character = number >= 0x20 && number < 0x110000 && (number < 0xd800 || number > 0xdfff);
    if (error != std::errc() || !is_character) return {};
    utf8::append(text, number);
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    if (!rest.empty() && rest.front() != '_') return {};
    if (!rest.empty()) rest.remove_prefix(1);
  }
  return text;
}

}  // namespace

std::string roff_character(std::string_view name) {
  for (const Named& named : kNamed)
    if (named.name == name) return std::string(named.text);
  if (name.size() == 2) {
    for (const Accent& accent : kAccents)
      if (accent.sign == name[0]) return with_accent(name.substr(1), accent.mark);
  }
  return by_number(name);
}

}  // namespace mneme::readers
