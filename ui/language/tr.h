// What the window says, in the language it is used in: tr("Add a folder…"). English texts are the names of messages; a
// whole sentence is one message, filled in by filled(), never put together of halves. What tr() is given is a literal,
// so that the messages can be found in the source (tr_noop() marks one that is translated where it is used).
//
// A language changes between two calls. Texts are never freed, so those of the one before stay valid.
// Threads: any; use_language() too.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace mneme::ui {

struct WindowLanguage;

// The one of this code from now on; empty, or none that is offered: English. Read when first asked for.
void use_language(std::string_view code);
// Null: English.
const WindowLanguage* used_language();

const char* tr(const char* english);
// Where one English text is said in several ways elsewhere: `context` tells them apart.
const char* tr_c(const char* context, const char* english);
// For `n` of something, which {0} stands for in both.
const char* tr_n(const char* one, const char* many, int64_t n);

constexpr const char* tr_noop(const char* english) {
  return english;
}
constexpr const char* tr_noop_c(const char* /*context*/, const char* english) {
  return english;
}

// The English text of one that tr() has just given; any other as it is. For Dear ImGui's ids: what is pressed stays the
// same in every language, and two buttons that are called alike in one stay two.
const char* english_of(const char* text);

// {0}, {1}, ... once, literally: what is filled in is not looked at again.
std::string fill_in(std::string_view pattern, std::initializer_list<std::string_view> values);
template <typename... Values>
std::string filled(std::string_view pattern, const Values&... values) {
  return fill_in(pattern, {std::string_view(values)...});
}

}  // namespace mneme::ui
