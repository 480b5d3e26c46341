#include "rag/readers/roff/mdoc_words.h"

#include <algorithm>
#include <array>

namespace mneme::readers {
namespace {

// Macros that enclose what follows on their line, or, in pairs, what follows until the other.
struct Enclosure {
  std::string_view line;   // "Op": to the end of the line
  std::string_view open;   // "Oo" ...
  std::string_view close;  // ... "Oc"
  std::string_view left;
  std::string_view right;
};
constexpr std::array kEnclosures = {
    Enclosure{"Op", "Oo", "Oc", "[", "]"}, Enclosure{"Bq", "Bo", "Bc", "[", "]"},
    Enclosure{"Pq", "Po", "Pc", "(", ")"}, Enclosure{"Brq", "Bro", "Brc", "{", "}"},
    Enclosure{"Aq", "Ao", "Ac", "<", ">"}, Enclosure{"Dq", "Do", "Dc", "“", "”"},
    Enclosure{"Sq", "So", "Sc", "‘", "’"}, Enclosure{"Qq", "Qo", "Qc", "\"", "\""},
    Enclosure{"Ql", "", "", "‘", "’"},     Enclosure{"", "Xo", "Xc", "", ""},
};

// Macros that only dress their words; what they print without any.
struct Dress {
  std::string_view macro;
  std::string_view alone;
};
constexpr std::array kDresses = {
    Dress{"Ar", "file ..."}, Dress{"Cm", ""},          Dress{"Ic", ""},       Dress{"Li", ""},
    Dress{"Pa", "~"},        Dress{"Sy", ""},          Dress{"Em", ""},       Dress{"Ev", ""},
    Dress{"Dv", ""},         Dress{"Er", ""},          Dress{"Va", ""},       Dress{"Vt", ""},
    Dress{"Fa", ""},         Dress{"Ft", ""},          Dress{"Cd", ""},       Dress{"Ad", ""},
    Dress{"An", ""},         Dress{"Ms", ""},          Dress{"Tn", ""},       Dress{"No", ""},
    Dress{"Lk", ""},         Dress{"Mt", ""},          Dress{"Sx", ""},       Dress{"Lb", ""},
    Dress{"St", ""},         Dress{"Nd", ""},          Dress{"Fc", ""},       Dress{"Fo", ""},
    Dress{"Xc", ""},         Dress{"Bx", "BSD"},       Dress{"Nx", "NetBSD"}, Dress{"Fx", "FreeBSD"},
    Dress{"Ox", "OpenBSD"},  Dress{"Dx", "DragonFly"}, Dress{"Ux", "UNIX"},   Dress{"At", "AT&T UNIX"},
    Dress{"Bsx", "BSD/OS"},  Dress{"Rv", ""},          Dress{"Ex", ""},       Dress{"%A", ""},
    Dress{"%B", ""},         Dress{"%D", ""},          Dress{"%I", ""},       Dress{"%J", ""},
    Dress{"%N", ""},         Dress{"%O", ""},          Dress{"%P", ""},       Dress{"%Q", ""},
    Dress{"%R", ""},         Dress{"%T", ""},          Dress{"%U", ""},       Dress{"%V", ""},
    Dress{"%C", ""},         Dress{"Ta", ""},
};
constexpr std::array<std::string_view, 7> kOthers = {"Nm", "Fl", "Xr", "Fn", "In", "Ns", "Ap"};

template <typename Table, typename Key>
const auto* find_in(const Table& table, Key key) {
  const auto found = std::find_if(table.begin(), table.end(), key);
  return found != table.end() ? &*found : nullptr;
}
const Dress* dress_of(std::string_view macro) {
  return find_in(kDresses, [&](const Dress& dress) { return dress.macro == macro; });
}

bool is_closing(std::string_view word) {
  return word.size() == 1 && std::string_view(".,;:!?)]").find(word[0]) != std::string_view::npos;
}
bool is_opening(std::string_view word) {
  return word == "(" || word == "[";
}

}  // namespace

bool MdocWords::knows(std::string_view macro) {
  if (macro.empty()) return false;
  if (dress_of(macro) != nullptr || std::find(kOthers.begin(), kOthers.end(), macro) != kOthers.end()) return true;
  return find_in(kEnclosures,
                 [&](const Enclosure& e) { return macro == e.line || macro == e.open || macro == e.close; }) != nullptr;
}

std::string MdocWords::line(std::string_view macro, const std::vector<std::string>& words) {
  std::vector<std::string> all = {std::string(macro)};
  all.insert(all.end(), words.begin(), words.end());
  return this->words(all);
}

std::string MdocWords::words(const std::vector<std::string>& words) {
  out_.clear();
  no_space_ = true;
  write(words, 0);
  return std::move(out_);
}

void MdocWords::append(std::string& text, std::string_view words) {
  if (words.empty()) return;
  const bool closes = is_closing(words.substr(0, 1)) && (words.size() == 1 || words[1] == ' ');
  const bool opened = !text.empty() && (text.back() == '[' || text.back() == '(');
  if (!text.empty() && !closes && !opened && words != "]") text += ' ';
  text += words;
}

void MdocWords::put(std::string_view word) {
  if (word.empty()) return;
  if (!no_space_ && !is_closing(word)) out_ += ' ';
  out_ += word;
  no_space_ = is_opening(word);
}

void MdocWords::put_closing(std::string_view sign) {
  out_ += sign;
  no_space_ = false;
}

// Enclosures to the end of the line nest: they close in turn, before signs that end the sentence.
void MdocWords::write(const std::vector<std::string>& words, size_t first) {
  std::vector<std::string_view> open;
  size_t end = words.size();
  while (end > first && is_closing(words[end - 1])) --end;
  for (size_t at = first; at < end;) {
    const std::string_view word = words[at];
    const auto* const enclosure = find_in(kEnclosures, [&](const Enclosure& e) {
      return !word.empty() && (word == e.line || word == e.open || word == e.close);
    });
    if (enclosure == nullptr) {
      at = knows(word) ? take_macro(word, words, at + 1) : (put(word), at + 1);
      continue;
    }
    ++at;
    if (word == enclosure->close) {
      put_closing(enclosure->right);
      continue;
    }
    put(enclosure->left);
    no_space_ = true;
    if (word == enclosure->line) open.push_back(enclosure->right);
  }
  for (; !open.empty(); open.pop_back()) put_closing(open.back());
  for (; end < words.size(); ++end) put(words[end]);
}

// Returns the first word that is not its own.
size_t MdocWords::take_macro(std::string_view macro, const std::vector<std::string>& words, size_t next) {
  const auto is_own = [&](size_t at) { return at < words.size() && !knows(words[at]) && !is_closing(words[at]); };
  if (macro == "Ns" || macro == "Ap") {
    if (macro == "Ap") out_ += '\'';
    no_space_ = true;
    return next;
  }
  if (macro == "Fl") {
    if (!is_own(next)) put("-");
    for (; is_own(next); ++next) put("-" + words[next]);
    return next;
  }
  if (macro == "Nm") {
    if (!is_own(next)) put(name_);
    if (is_own(next) && name_.empty()) name_ = words[next];
  } else if (macro == "Xr" && is_own(next)) {
    put(is_own(next + 1) ? words[next] + "(" + words[next + 1] + ")" : words[next]);
    return next + (is_own(next + 1) ? 2 : 1);
  } else if (macro == "Fn" && is_own(next)) {
    std::string call = words[next++] + "(";
    for (bool is_first = true; is_own(next); is_first = false) call += (is_first ? "" : ", ") + words[next++];
    put(call + ")");
    return next;
  } else if (macro == "In" && is_own(next)) {
    put("<" + words[next] + ">");
    return next + 1;
  }
  if (const Dress* dress = dress_of(macro); dress != nullptr && !is_own(next)) put(dress->alone);
  for (; is_own(next); ++next) put(words[next]);
  return next;
}

}  // namespace mneme::readers
