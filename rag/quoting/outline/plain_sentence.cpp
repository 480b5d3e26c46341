#include "rag/quoting/outline/plain_sentence.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "rag/quoting/outline/source_lines.h"

namespace mneme::rag {

namespace {

constexpr size_t kLongestEmphasis = 80;  // bytes

bool is_alnum(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A letter or digit of a script that parts words by spaces, beginning at i or ending before i. Where it does not (signs
// of three bytes and more), marks of emphasis stand between the letters.
bool begins_letter(std::string_view sentence, size_t i) {
  return i < sentence.size() && (is_alnum(sentence[i]) || (static_cast<unsigned char>(sentence[i]) & 0xE0) == 0xC0);
}
bool ends_letter(std::string_view sentence, size_t i) {
  const auto at = [&](size_t back) { return i < back ? '\0' : sentence[i - back]; };
  return is_alnum(at(1)) || (static_cast<unsigned char>(at(2)) & 0xE0) == 0xC0;
}

// "Nutzer*innen", "a*b": a star of the text.
bool is_within_word(std::string_view sentence, size_t i) {
  return ends_letter(sentence, i) && begins_letter(sentence, i + 1);
}

// A lone star between spaces is a multiplication.
bool is_emphasis(std::string_view sentence, size_t i) {
  if (is_within_word(sentence, i)) return false;
  return i == 0 || i + 1 >= sentence.size() || sentence[i + 1] == sentence[i] || sentence[i - 1] == sentence[i] ||
         !is_space(sentence[i + 1]) || !is_space(sentence[i - 1]);
}

// "_emphasised words_" at `i`: the place of the closing mark; 0 for the underscores of names (`_private`, `__init__`).
size_t emphasis_end(std::string_view sentence, size_t i) {
  const auto is_word = [](char c) { return is_alnum(c) || static_cast<unsigned char>(c) >= 0x80; };
  const bool at_word = i == 0 || (!is_word(sentence[i - 1]) && sentence[i - 1] != '_');
  if (!at_word || i + 1 >= sentence.size() || !is_word(sentence[i + 1])) return 0;
  size_t close = sentence.find('_', i + 1);
  // "_hello_cargo_" is one word emphasised.
  const size_t space = std::min(sentence.find_first_of(" \n\t", i), sentence.size());
  while (close < space && close + 1 < space && is_word(sentence[close + 1])) {
    close = sentence.find('_', close + 1);
    if (close >= space) return 0;
  }
  if (close == std::string_view::npos || close - i > kLongestEmphasis || !is_word(sentence[close - 1])) return 0;
  const bool ends_word = close + 1 == sentence.size() || (!is_word(sentence[close + 1]) && sentence[close + 1] != '_');
  return ends_word ? close : 0;
}

// What stands for other words than its own letters: where it ends, and what a reader reads of it.
struct Markup {
  size_t end = 0;
  std::string text;
};

// At "[text](target)", "[text][target]" or "![alt](target)": its text, of a picture none; nothing for other brackets.
std::optional<Markup> link_at(std::string_view sentence, size_t at) {
  const bool image = sentence[at] == '!';
  const size_t open = at + (image ? 1 : 0);
  if (open >= sentence.size() || sentence[open] != '[') return std::nullopt;
  const size_t close = sentence.find(']', open);
  if (close == std::string_view::npos || close + 1 >= sentence.size()) return std::nullopt;
  const char opens = sentence[close + 1];
  if (opens != '(' && opens != '[') return std::nullopt;
  const size_t end = sentence.find(opens == '(' ? ')' : ']', close + 2);
  if (end == std::string_view::npos) return std::nullopt;
  return Markup{end + 1, std::string(image ? std::string_view{} : sentence.substr(open + 1, close - open - 1))};
}

// At "[[note|words]]" or "![[picture.jpg]]", as wikis and notes have them: the words, else the note without the place
// in it; of what is shown in its place nothing. No list of lists, no test of a shell.
std::optional<Markup> wiki_link_at(std::string_view sentence, size_t at) {
  constexpr size_t kLongestLink = 160;
  const bool shown = sentence[at] == '!';
  const std::string_view rest = sentence.substr(at + (shown ? 1 : 0), kLongestLink);
  const size_t close = rest.find("]]");
  if (!rest.starts_with("[[") || close == std::string_view::npos) return std::nullopt;
  std::string_view inside = rest.substr(2, close - 2);
  const bool begins_name = !inside.empty() && inside.front() != ' ' && inside.front() != '#' && inside.front() != '^';
  if (!begins_name || inside.find_first_of("[]\n,") != std::string_view::npos) return std::nullopt;
  const size_t bar = inside.rfind('|');
  inside = bar == std::string_view::npos ? inside.substr(0, inside.find('#')) : inside.substr(bar + 1);
  return Markup{at + (shown ? 1 : 0) + close + 2, std::string(shown ? std::string_view{} : inside)};
}

// "==marked words==" at its opening or closing mark.
bool is_highlight(std::string_view sentence, size_t at) {
  if (!sentence.substr(at).starts_with("==") || sentence.substr(at).starts_with("===")) return false;
  if (at > 0 && sentence[at - 1] == '=') return false;
  const auto is_word = [](char c) { return is_alnum(c) || static_cast<unsigned char>(c) >= 0x80; };
  const bool opens = at + 2 < sentence.size() && is_word(sentence[at + 2]) && (at == 0 || !is_word(sentence[at - 1]));
  const bool closes =
      at > 0 && !is_space(sentence[at - 1]) && (at + 2 == sentence.size() || !is_word(sentence[at + 2]));
  const size_t other = opens    ? sentence.find("==", at + 2)
                       : closes ? sentence.rfind("==", at - 1)
                                : std::string_view::npos;
  return other != std::string_view::npos;
}

// Without the name of a block that Obsidian puts behind it: " ^a1b2".
std::string_view without_block_name(std::string_view sentence) {
  const size_t at = sentence.rfind(" ^");
  if (at == std::string_view::npos || at == 0 || at + 2 == sentence.size()) return sentence;
  const std::string_view name = sentence.substr(at + 2);
  const bool is_name = std::all_of(name.begin(), name.end(), [](char c) { return is_alnum(c) || c == '-'; });
  return is_name ? sentence.substr(0, at) : sentence;
}

// At ":pep:`8`" or ":func:`open <builtins.open>`" of reStructuredText: the kind of paper with its number, the text of
// others without what it leads to; nothing elsewhere.
std::optional<Markup> role_at(std::string_view sentence, size_t at) {
  constexpr std::string_view kName = "abcdefghijklmnopqrstuvwxyz:+-";
  const size_t open = sentence.find_first_not_of(kName, at);
  if (open == std::string_view::npos || open < at + 3 || sentence[open] != '`' || sentence[open - 1] != ':') return {};
  const size_t close = sentence.find('`', open + 1);
  if (close == std::string_view::npos) return {};
  const std::string_view name = sentence.substr(at + 1, open - at - 2);
  std::string_view text = sentence.substr(open + 1, close - open - 1);
  if (const size_t target = text.find(" <"); target != std::string_view::npos) text = text.substr(0, target);
  const std::string_view paper = name == "pep" ? "PEP " : name == "rfc" ? "RFC " : "";
  const bool is_number = text.find_first_not_of("0123456789") == std::string_view::npos;
  return Markup{close + 1, std::string(is_number ? paper : "") + std::string(text)};
}

// "<!-- ... -->", or attributes as in "price{: .term}", at `at`: the place behind it; 0: neither.
size_t unseen_end(std::string_view sentence, size_t at) {
  const bool comment = sentence.substr(at).starts_with("<!--");
  if (!comment && !sentence.substr(at).starts_with("{:")) return 0;
  const std::string_view mark = comment ? "-->" : "}";
  const size_t close = sentence.find(mark, at);
  if (close == std::string_view::npos) return comment ? sentence.size() : 0;
  return close + mark.size();
}

// Of a picture whose caption was cut into sentences: "](a.png)" at the end, "![" at the beginning. The end of it; 0:
// nothing of that.
size_t rest_of_link(std::string_view sentence, size_t at, int n_open) {
  const std::string_view rest = sentence.substr(at);
  if (at == 0 && rest.starts_with("![") && !link_at(sentence, at).has_value()) return at + 2;
  if (n_open > 0 || !rest.starts_with("](")) return 0;
  const size_t close = rest.find(')');
  return at + (close == std::string_view::npos ? rest.size() : close + 1);
}

// The end of a tag of HTML that says how the text looks, at `at`; 0: "<name>" says something itself.
size_t tag_end(std::string_view sentence, size_t at) {
  constexpr std::string_view kTags[] = {"div", "span", "p",    "br",     "em", "strong",
                                        "sup", "sub",  "cite", "figure", "img"};
  std::string_view rest = sentence.substr(at);
  if (!rest.starts_with('<')) return 0;
  const size_t first = rest.starts_with("</") ? 2 : 1;
  const size_t last = rest.find_first_of(" />", first);
  const size_t close = rest.find('>', first);
  if (last == std::string_view::npos || close == std::string_view::npos) return 0;
  const std::string_view name = rest.substr(first, last - first);
  return std::find(std::begin(kTags), std::end(kTags), name) == std::end(kTags) ? 0 : at + close + 1;
}

// What a backslash takes the meaning from: punctuation of ASCII.
bool is_escapable(char c) {
  return c > ' ' && c < 0x7f && !is_alnum(c) && c != '|';
}

// Bytes of the "> " before a further line of a quotation; 0: none.
size_t quotation_mark(std::string_view line) {
  const size_t at = std::min(line.find_first_not_of(' '), line.size());
  return line.substr(at).starts_with("> ") ? at + 2 : 0;
}

// Reads a sentence from its beginning to its end and writes what a reader reads of it.
class PlainWriter {
 public:
  PlainWriter(std::string_view sentence, TextForm form) : sentence_(sentence), form_(form) {}

  std::string write() && {
    while (at_ < sentence_.size()) take_one();
    return std::move(plain_);
  }

 private:
  void take_one() {
    if (take_escaped() || take_underscore() || take_space() || pass_unseen()) return;
    if (take_markup(role_at_colon()) || take_link() || pass_highlight()) return;
    const char c = sentence_[at_];
    open_ += c == '[' ? 1 : c == ']' && open_ > 0 ? -1 : 0;
    const bool emphasis = (c == '*' || c == '`') && is_emphasis(sentence_, at_);
    if (!emphasis) put(sentence_.substr(at_, 1));
    ++at_;
  }

  // "\\*" is no mark of anything; the backslash is the document's, too.
  bool take_escaped() {
    if (sentence_[at_] != '\\' || at_ + 1 == sentence_.size() || !is_escapable(sentence_[at_ + 1])) return false;
    put(sentence_.substr(at_, 2));
    at_ += 2;
    return true;
  }

  // One that opens or closes emphasis; others are letters of a name.
  bool take_underscore() {
    if (sentence_[at_] != '_') return false;
    const bool closes = emphasis_end_ > 0 && at_ == emphasis_end_;
    if (emphasis_end_ == 0) {
      emphasis_end_ = emphasis_end(sentence_, at_);
      if (emphasis_end_ == 0) return false;
    } else if (closes) {
      emphasis_end_ = 0;
    } else {
      return false;
    }
    ++at_;
    return true;
  }

  // Behind the end of a line, the marks that its further lines begin with as well.
  bool take_space() {
    if (!is_space(sentence_[at_])) return false;
    gap_ = true;
    const std::string_view next = sentence_[at_] == '\n' ? sentence_.substr(at_ + 1) : std::string_view();
    at_ += 1 + (form_ == TextForm::kSource ? comment_mark(next) : quotation_mark(next));
    return true;
  }

  bool pass_unseen() {
    const size_t end =
        std::max({unseen_end(sentence_, at_), tag_end(sentence_, at_), rest_of_link(sentence_, at_, open_)});
    if (end == 0) return false;
    at_ = end;
    return true;
  }

  std::optional<Markup> role_at_colon() const { return sentence_[at_] == ':' ? role_at(sentence_, at_) : std::nullopt; }

  bool take_link() {
    const char c = sentence_[at_];
    if (c != '[' && c != '!') return false;
    const bool may_be_wiki = form_ != TextForm::kSource;
    if (!(may_be_wiki && take_markup(wiki_link_at(sentence_, at_))) && !take_markup(link_at(sentence_, at_)))
      return false;
    open_ = 0;
    return true;
  }

  bool pass_highlight() {
    if (form_ == TextForm::kSource || sentence_[at_] != '=' || !is_highlight(sentence_, at_)) return false;
    at_ += 2;
    return true;
  }

  bool take_markup(const std::optional<Markup>& markup) {
    if (!markup.has_value()) return false;
    put(markup->text);
    at_ = markup->end;
    return true;
  }

  // Spaces before it become one.
  void put(std::string_view piece) {
    if (piece.empty()) return;
    if (gap_ && !plain_.empty()) plain_.push_back(' ');
    gap_ = false;
    plain_ += piece;
  }

  const std::string_view sentence_;
  const TextForm form_;
  std::string plain_;
  size_t at_ = 0;
  size_t emphasis_end_ = 0;  // the underscore that closes the emphasis here; 0: none is open
  int open_ = 0;             // brackets
  bool gap_ = false;
};

}  // namespace

std::string plain_sentence(std::string_view sentence, TextForm form) {
  if (form == TextForm::kSource && sentence.ends_with("*/")) sentence.remove_suffix(2);
  sentence.remove_prefix(std::min(sentence.find_first_not_of(" \t\r\n#>|"), sentence.size()));
  for (const std::string_view mark : {"- ", "* ", "+ "}) {
    if (sentence.starts_with(mark)) sentence.remove_prefix(mark.size());
  }
  if (form != TextForm::kSource) sentence = without_block_name(sentence);
  std::string plain = PlainWriter(sentence, form).write();
  while (plain.ends_with('|') || plain.ends_with(' ')) plain.pop_back();
  if (plain.ends_with("\")") && plain.find('(') == std::string::npos)
    plain.resize(plain.size() - 2);  // a caption's end
  return plain;
}

std::string with_plain_roles(std::string_view text) {
  std::string plain;
  size_t done = 0;
  for (size_t at = text.find(':'); at != std::string_view::npos; at = text.find(':', at + 1)) {
    const std::optional<Markup> role = role_at(text, at);
    if (!role.has_value()) continue;
    plain.append(text.substr(done, at - done)).append(role->text);
    done = role->end;
    at = done - 1;
  }
  return plain.append(text.substr(done));
}

std::string plain_code(std::string_view code) {
  std::string plain = unindented(code);
  return plain.find('\n') == std::string::npos ? plain : "```\n" + plain + "\n```";
}

}  // namespace mneme::rag
