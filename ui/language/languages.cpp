#include "ui/language/languages.h"

#include <algorithm>
#include <array>

#include "ui/language/po_texts.h"

namespace mneme::ui {
namespace {

const WindowLanguage kLanguages[] = {
    {"cs", "Čeština", assets::po_cs, plural::kCzech, "\u00a0", ","},
    {"da", "Dansk", assets::po_da, plural::kOne, ".", ","},
    {"de", "Deutsch", assets::po_de, plural::kOne, ".", ","},
    {"es", "Español", assets::po_es, plural::kOne, ".", ",", 5},
    {"fr", "Français", assets::po_fr, plural::kUpToOne, "\u00a0", ","},
    {"it", "Italiano", assets::po_it, plural::kOne, ".", ","},
    {"hu", "Magyar", assets::po_hu, plural::kNone, "\u00a0", ",", 5},
    {"nl", "Nederlands", assets::po_nl, plural::kOne, ".", ","},
    {"nb", "Norsk bokmål", assets::po_nb, plural::kOne, "\u00a0", ","},
    {"pl", "Polski", assets::po_pl, plural::kPolish, "\u00a0", ",", 5},
    {"pt", "Português", assets::po_pt, plural::kUpToOne, ".", ","},
    {"ro", "Română", assets::po_ro, plural::kRomanian, ".", ","},
    {"fi", "Suomi", assets::po_fi, plural::kOne, "\u00a0", ","},
    {"sv", "Svenska", assets::po_sv, plural::kOne, "\u00a0", ","},
    {"tr", "Türkçe", assets::po_tr, plural::kNone, ".", ","},
    {"ru", "Русский", assets::po_ru, plural::kRussian, "\u00a0", ","},
    {"uk", "Українська", assets::po_uk, plural::kRussian, "\u00a0", ","},
    {"ar", "العربية", assets::po_ar, plural::kArabic, ",", "."},
    {"ja", "日本語", assets::po_ja, plural::kNone, ",", "."},
    {"zh_CN", "简体中文", assets::po_zh_CN, plural::kNone, ",", "."},
    {"ko", "한국어", assets::po_ko, plural::kNone, ",", "."},
};

// Names under which systems know a language that has another one here.
struct Alias {
  std::string_view from, to;
};
constexpr Alias kAliases[] = {{"no", "nb"}, {"nn", "nb"}, {"zh", "zh_CN"}, {"zh_SG", "zh_CN"}};

// "de_AT.UTF-8@euro" -> "de_AT".
std::string_view without_codeset(std::string_view locale) {
  return locale.substr(0, locale.find_first_of(".@"));
}

bool is_no_language(std::string_view locale) {
  const std::string_view name = without_codeset(locale);
  return name.empty() || name == "C" || name == "POSIX";
}

std::string_view offered(std::string_view name) {
  for (const Alias& alias : kAliases) {
    if (name == alias.from) name = alias.to;
  }
  const WindowLanguage* language = find_language(name);
  return language == nullptr ? std::string_view() : language->code;
}

// Of one locale: what is offered of it; `known` is false where there is nothing, and the next is to be tried.
std::string_view language_of(std::string_view locale, bool& known) {
  const std::string_view name = without_codeset(locale);
  const std::string_view language = name.substr(0, name.find('_'));
  known = true;
  if (language == "en" || is_no_language(locale)) return {};
  if (const std::string_view whole = offered(name); !whole.empty()) return whole;
  // Of Chinese the script goes with the country.
  const std::string_view any = language == "zh" && name != language ? std::string_view() : offered(language);
  known = !any.empty();
  return any;
}

}  // namespace

std::span<const WindowLanguage> window_languages() {
  return kLanguages;
}

const WindowLanguage* find_language(std::string_view code) {
  const auto found = std::find_if(std::begin(kLanguages), std::end(kLanguages),
                                  [&](const WindowLanguage& language) { return language.code == code; });
  return found == std::end(kLanguages) ? nullptr : found;
}

std::string language_of_environment(const std::function<const char*(const char* name)>& variable) {
  std::string_view locale;
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = variable(name);
    if (value == nullptr || *value == '\0') continue;
    locale = value;
    break;
  }
  if (is_no_language(locale)) return {};  // whatever LANGUAGE says
  const char* list = variable("LANGUAGE");
  bool known = false;
  for (std::string_view rest = list == nullptr ? "" : list; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    if (one.empty()) continue;
    const std::string_view language = language_of(one, known);
    if (known) return std::string(language);
  }
  return std::string(language_of(locale, known));
}

}  // namespace mneme::ui
