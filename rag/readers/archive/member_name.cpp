#include "rag/readers/archive/member_name.h"

#include <archive_entry.h>

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "base/utf8.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

// Letters of names by script, the file's ending left out: it is ASCII whatever the name is.
struct NameLetters {
  size_t ascii = 0;
  size_t latin = 0;  // with accents
  size_t cyrillic = 0;
  size_t other = 0;    // characters beyond ASCII that are none of these
  bool mixed = false;  // a word of two scripts, or with a capital behind a small letter, as only wrong guesses have
};

bool is_accented_latin(char32_t c) {
  return c >= 0xc0 && c <= 0x24f && c != 0xd7 && c != 0xf7;
}

void count_letters(std::string_view name, NameLetters& letters) {
  enum class Kind { kNone, kAscii, kLatin, kSmallCyrillic, kCapitalCyrillic };
  Kind before = Kind::kNone;
  for (size_t offset = 0; offset < name.size();) {
    const char32_t c = utf8::next(name, offset);
    Kind kind = Kind::kNone;
    if (c < 0x80) {
      if (is_letter(static_cast<char>(c))) kind = Kind::kAscii;
      letters.ascii += kind == Kind::kAscii;
    } else if (is_accented_latin(c)) {
      kind = Kind::kLatin;
      ++letters.latin;
    } else if (c >= 0x400 && c < 0x460) {
      kind = c >= 0x430 ? Kind::kSmallCyrillic : Kind::kCapitalCyrillic;
      ++letters.cyrillic;
      const bool in_latin = before == Kind::kAscii || before == Kind::kLatin;
      letters.mixed = letters.mixed || in_latin || (before == Kind::kSmallCyrillic && kind == Kind::kCapitalCyrillic);
    } else {
      ++letters.other;
    }
    const bool behind_cyrillic = before == Kind::kSmallCyrillic || before == Kind::kCapitalCyrillic;
    letters.mixed = letters.mixed || (behind_cyrillic && (kind == Kind::kAscii || kind == Kind::kLatin));
    before = kind;
  }
}

// Of the folders and the file of a path whose names tell something; others are in whatever language.
NameLetters letters_of(std::string_view path) {
  const size_t dot = path.rfind('.');
  const size_t slash = path.rfind('/');
  if (dot != std::string_view::npos && (slash == std::string_view::npos || dot > slash)) path = path.substr(0, dot);
  NameLetters letters;
  while (!path.empty()) {
    const std::string_view name = path.substr(0, path.find('/'));
    const bool tells = std::any_of(name.begin(), name.end(), [](char c) { return (c & 0x80) != 0; });
    if (tells) count_letters(name, letters);
    path.remove_prefix(std::min(name.size() + 1, path.size()));
  }
  return letters;
}

// Words of a Western language: among their letters those with accents are few.
bool is_western(const NameLetters& letters) {
  return letters.other == 0 && letters.cyrillic == 0 && letters.ascii >= letters.latin;
}

bool is_russian(const NameLetters& letters) {
  return letters.other == 0 && letters.latin == 0 && letters.cyrillic > 0 && !letters.mixed;
}

std::optional<std::string> name_in(std::string_view bytes, std::string_view encoding,
                                   bool (*is_plausible)(const NameLetters&)) {
  auto name = convert_from(bytes, encoding);
  if (!name.ok() || !is_plausible(letters_of(*name))) return std::nullopt;
  return std::move(*name);
}

}  // namespace

Utf8NamesScope::Utf8NamesScope() {
  for (const char* name : {"C.UTF-8", "C.utf8", "en_US.UTF-8"}) {
    utf8_ = newlocale(LC_CTYPE_MASK, name, locale_t{});
    if (utf8_ == locale_t{}) continue;
    before_ = uselocale(utf8_);
    return;
  }
}

Utf8NamesScope::~Utf8NamesScope() {
  if (utf8_ == locale_t{}) return;
  uselocale(before_);
  freelocale(utf8_);
}

std::string member_path(archive_entry* entry) {
  // As the archive has it, or made UTF-8 where the archive says of what; the other call refuses what it cannot convert.
  const char* path = archive_entry_pathname(entry);
  if (path == nullptr) path = archive_entry_pathname_utf8(entry);
  return path == nullptr ? std::string() : path_of_unknown_encoding(path);
}

std::string path_of_unknown_encoding(std::string_view bytes) {
  if (utf8::valid(bytes)) return std::string(bytes);
  if (auto name = name_in(bytes, "ibm-437", is_western)) return std::move(*name);
  if (auto name = name_in(bytes, "windows-1252", is_western)) return std::move(*name);
  if (auto name = name_in(bytes, "ibm-866", is_russian)) return std::move(*name);
  auto detected = decode_text(std::string(bytes));
  if (detected.ok() && detected->text.find("\xef\xbf\xbd") == std::string::npos) return std::move(detected->text);
  auto dos = convert_from(bytes, "ibm-437");
  return dos.ok() ? std::move(*dos) : utf8::sanitise(bytes);
}

}  // namespace mneme::readers
