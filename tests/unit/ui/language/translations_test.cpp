// Every translation against the messages that the source uses: none is missing, none is left over, and each keeps what
// must stay the same.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/utf8.h"
#include "tests/support/checkout/checkout.h"
#include "ui/language/languages.h"
#include "ui/language/po_file.h"

namespace mneme::ui {
namespace {

namespace fs = std::filesystem;

using Name = std::pair<std::string, std::string>;  // context, English text

// Which arguments of a function are its texts; -1: it has none of this kind.
struct Marker {
  int context = -1;
  int english = 0;
  int plural = -1;
};
const std::map<std::string, Marker, std::less<>> kMarkers = {
    {"tr", {}}, {"tr_noop", {}}, {"tr_c", {0, 1, -1}}, {"tr_noop_c", {0, 1, -1}}, {"tr_n", {-1, 0, 1}}};

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The messages of C++ source, as xgettext finds them: literals that are given to one of kMarkers.
class Extractor {
 public:
  explicit Extractor(std::string text) : text_(std::move(text)) {}

  std::map<Name, std::string> messages() {  // to the plural, if they have one
    while (at_ < text_.size()) {
      if (skip_comment() || skip_literal()) continue;
      if (!is_name(text_[at_])) {
        ++at_;
        continue;
      }
      const size_t begin = at_;
      while (at_ < text_.size() && is_name(text_[at_])) ++at_;
      const auto marker = kMarkers.find(std::string_view(text_).substr(begin, at_ - begin));
      if (marker != kMarkers.end() && at_ < text_.size() && text_[at_] == '(') take(marker->second);
    }
    return std::move(messages_);
  }

 private:
  bool skip_comment() {
    if (text_.compare(at_, 2, "//") != 0) return false;
    at_ = std::min(text_.find('\n', at_), text_.size());
    return true;
  }

  bool skip_literal() {
    const char quote = text_[at_];
    if (quote != '"' && quote != '\'') return false;
    if (quote == '\'' && at_ > 0 && is_name(text_[at_ - 1])) return ++at_ > 0;  // 1'000
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) at_ += text_[at_] == '\\' ? 1 : 0;
    ++at_;
    return true;
  }

  void skip_space() {
    while (at_ < text_.size() && (std::isspace(static_cast<unsigned char>(text_[at_])) != 0 || skip_comment()))
      if (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  // Literals side by side are one.
  std::string literal() {
    std::string joined;
    for (skip_space(); at_ < text_.size() && text_[at_] == '"'; skip_space()) {
      const size_t begin = at_;
      skip_literal();
      joined += text_.substr(begin + 1, at_ - begin - 2);
    }
    for (size_t slash = joined.find('\\'); slash != joined.npos; slash = joined.find('\\', slash + 1))
      joined.erase(slash, 1);
    return joined;
  }

  void take(const Marker& marker) {
    ++at_;
    std::vector<std::string> arguments;
    while (arguments.size() < 2) {
      skip_space();
      if (at_ >= text_.size() || text_[at_] != '"') break;
      arguments.push_back(literal());
      if (at_ >= text_.size() || text_[at_] != ',') break;
      ++at_;
    }
    const auto argument = [&](int index) {
      return index >= 0 && static_cast<size_t>(index) < arguments.size() ? arguments[static_cast<size_t>(index)] : "";
    };
    const std::string english = argument(marker.english);
    if (!english.empty()) messages_[{argument(marker.context), english}] = argument(marker.plural);
  }

  const std::string text_;
  size_t at_ = 0;
  std::map<Name, std::string> messages_;
};

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

const std::map<Name, std::string>& messages_of_source() {
  static const std::map<Name, std::string> all = [] {
    std::map<Name, std::string> messages;
    for (const auto& entry : fs::recursive_directory_iterator(checkout::path("ui"))) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cpp" && extension != ".h") continue;
      for (auto& [name, plural] : Extractor(text_of(entry.path())).messages()) {
        const auto [at, is_new] = messages.emplace(name, plural);
        EXPECT_TRUE(is_new || at->second == plural) << "once with a plural, once without: " << name.second;
      }
    }
    return messages;
  }();
  return all;
}

std::multiset<std::string> placeholders(const std::string& text) {
  std::multiset<std::string> found;
  for (size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    if (at + 2 < text.size() && text[at + 2] == '}') found.insert(text.substr(at, 3));
  }
  return found;
}

enum class End { kNone, kStop, kColon, kEllipsis };
End end_of(const std::string& text) {
  for (const char* stop : {".", "。", "।"}) {
    if (text.ends_with(stop)) return End::kStop;
  }
  for (const char* colon : {":", "："}) {
    if (text.ends_with(colon)) return End::kColon;
  }
  return text.ends_with("…") ? End::kEllipsis : End::kNone;
}

size_t count_of(const std::string& text, const std::string& sought) {
  size_t n = 0;
  for (size_t at = text.find(sought); at != text.npos; at = text.find(sought, at + sought.size())) ++n;
  return n;
}

TEST(TranslationsTest, TheMessagesOfTheSourceAreFound) {
  const auto found = Extractor(R"x(  // tr("in a comment")
    f(tr("a \"b\" " "c"), tr_c("key", "Shift"), tr_n("{0} x", "{0} xs", n), tr(name), "tr(\"d\")");
  constexpr T k = {tr_noop("e"), 1'000, tr_noop_c("g", "h")};)x")
                         .messages();
  const std::map<Name, std::string> expected = {
      {{"", "a \"b\" c"}, ""}, {{"key", "Shift"}, ""}, {{"", "{0} x"}, "{0} xs"}, {{"", "e"}, ""}, {{"g", "h"}, ""}};
  EXPECT_EQ(found, expected);
  EXPECT_GT(messages_of_source().size(), 400u);
}

class TranslationTest : public testing::TestWithParam<std::string> {
 protected:
  TranslationTest() : language_(*find_language(GetParam())) {
    const Result<std::vector<PoMessage>> messages = parse_po(language_.po);
    EXPECT_TRUE(messages.ok()) << messages.status().message();
    if (messages.ok()) messages_ = *messages;
    for (const PoMessage& message : messages_) {
      const bool is_new = by_name_.emplace(Name{message.context, message.id}, &message).second;
      EXPECT_TRUE(is_new) << "twice: " << message.id;
    }
  }

  const std::string& header() { return messages_.front().strings.front(); }
  std::string key(const std::string& english) {
    const auto found = by_name_.find({"key", english});
    return found == by_name_.end() ? english : found->second->strings.front();
  }

  // A form that stands for one number alone may say it in words.
  bool says_its_number(size_t form) {
    int numbers = 0;
    for (uint64_t n = 0; n <= 200; ++n) numbers += language_.plural.form(n) == form ? 1 : 0;
    return numbers == 1;
  }

  const WindowLanguage& language_;
  std::vector<PoMessage> messages_;
  std::map<Name, const PoMessage*> by_name_;
};

TEST_P(TranslationTest, IsCompleteAndHasNothingTooMuch) {
  for (const auto& [name, plural] : messages_of_source()) {
    const auto found = by_name_.find(name);
    ASSERT_NE(found, by_name_.end()) << "missing: [" << name.first << "] " << name.second;
    EXPECT_EQ(found->second->plural_id, plural) << name.second;
    EXPECT_FALSE(found->second->fuzzy) << name.second;
    for (const std::string& text : found->second->strings) EXPECT_FALSE(text.empty()) << name.second;
  }
  for (const auto& [name, message] : by_name_) {
    const bool is_said = name.second.empty() || messages_of_source().contains(name);
    EXPECT_TRUE(is_said) << "nothing says: [" << name.first << "] " << name.second;
  }
}

TEST_P(TranslationTest, HasThePluralsOfItsLanguage) {
  ASSERT_TRUE(messages_.front().id.empty());
  EXPECT_NE(header().find("Plural-Forms: " + std::string(language_.plural.header) + "\n"), std::string::npos);
  EXPECT_NE(header().find("Language: " + std::string(language_.code) + "\n"), std::string::npos);
  EXPECT_NE(header().find("charset=UTF-8"), std::string::npos);
  for (const PoMessage& message : messages_) {
    EXPECT_EQ(message.strings.size(), message.plural_id.empty() ? 1 : language_.plural.n_forms) << message.id;
  }
  for (uint64_t n = 0; n <= 1000; ++n) EXPECT_LT(language_.plural.form(n), language_.plural.n_forms);
}

TEST_P(TranslationTest, KeepsPlaceholdersEndsAndSpaces) {
  for (const PoMessage& message : messages_) {
    if (message.id.empty()) continue;
    for (size_t i = 0; i < message.strings.size(); ++i) {
      const std::string& text = message.strings[i];
      std::multiset<std::string> wanted = placeholders(message.id);
      if (!message.plural_id.empty() && says_its_number(i) && !placeholders(text).contains("{0}")) wanted.erase("{0}");
      EXPECT_EQ(placeholders(text), wanted) << message.id << "\n" << text;
      const bool is_short = message.context == "key" || message.context == "date";  // "Page préc.", "30. 11."
      EXPECT_TRUE(is_short || end_of(text) == end_of(message.id)) << message.id << "\n" << text;
      EXPECT_EQ(text.front() == ' ', message.id.front() == ' ') << message.id;
      EXPECT_EQ(text.back() == ' ', message.id.back() == ' ') << message.id;
      EXPECT_EQ(text.find("###"), text.npos) << message.id;
      EXPECT_EQ(text.find('\n'), text.npos) << message.id;
    }
  }
}

// "Answer again (Ctrl+R)" names the same keys as the list of keys does.
TEST_P(TranslationTest, CallsKeysTheSameEverywhere) {
  for (const PoMessage& message : messages_) {
    if (message.context == "key" || message.id.empty()) continue;
    for (const char* modifier : {"Ctrl", "Shift"}) {
      const size_t wanted = count_of(message.id, std::string(modifier) + "+");
      EXPECT_EQ(count_of(message.strings.front(), key(modifier) + "+"), wanted) << message.id;
    }
    EXPECT_EQ(count_of(message.strings.front(), "(" + key("Esc") + ")"), count_of(message.id, "(Esc)")) << message.id;
  }
}

std::vector<std::string> all_codes() {
  std::vector<std::string> codes;
  for (const WindowLanguage& language : window_languages()) codes.emplace_back(language.code);
  return codes;
}

INSTANTIATE_TEST_SUITE_P(Languages, TranslationTest, testing::ValuesIn(all_codes()),
                         [](const auto& param) { return param.param; });

// What lies in the folder is offered, and the other way round.
TEST(TranslationsTest, EveryFileIsOffered) {
  std::set<std::string> files;
  for (const auto& entry : fs::directory_iterator(checkout::path("ui/language/po"))) {
    if (entry.path().extension() == ".po") files.insert(entry.path().stem().string());
  }
  const std::vector<std::string> codes = all_codes();
  EXPECT_EQ(files, std::set<std::string>(codes.begin(), codes.end()));
}

// Numbers whose form is known, by language.
TEST(PluralRulesTest, NumbersTakeTheForms) {
  const auto forms = [](const PluralRule& rule, std::initializer_list<uint64_t> numbers) {
    std::vector<size_t> list;
    for (const uint64_t n : numbers) list.push_back(rule.form(n));
    return list;
  };
  EXPECT_EQ(forms(plural::kNone, {0, 1, 2}), (std::vector<size_t>{0, 0, 0}));
  EXPECT_EQ(forms(plural::kOne, {0, 1, 2}), (std::vector<size_t>{1, 0, 1}));
  EXPECT_EQ(forms(plural::kUpToOne, {0, 1, 2}), (std::vector<size_t>{0, 0, 1}));
  EXPECT_EQ(forms(plural::kPolish, {0, 1, 2, 5, 12, 21, 22, 112, 122}),
            (std::vector<size_t>{2, 0, 1, 2, 2, 2, 1, 2, 1}));
  EXPECT_EQ(forms(plural::kCzech, {0, 1, 2, 4, 5, 22}), (std::vector<size_t>{2, 0, 1, 1, 2, 2}));
  EXPECT_EQ(forms(plural::kRussian, {0, 1, 2, 5, 11, 12, 21, 22, 111}),
            (std::vector<size_t>{2, 0, 1, 2, 2, 2, 0, 1, 2}));
  EXPECT_EQ(forms(plural::kRomanian, {0, 1, 2, 19, 20, 100, 101, 119, 120}),
            (std::vector<size_t>{1, 0, 1, 1, 2, 2, 1, 1, 2}));
  EXPECT_EQ(forms(plural::kArabic, {0, 1, 2, 3, 10, 11, 99, 100, 103, 111, 200}),
            (std::vector<size_t>{0, 1, 2, 3, 3, 4, 4, 5, 3, 4, 5}));
}

}  // namespace
}  // namespace mneme::ui
