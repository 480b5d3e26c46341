// Built-in templates for families of chat models: what is used where a file's own template does what this program's
// interpreter does not know. Written in the same language and run by the same interpreter.
#pragma once

#include <string_view>

namespace mneme::engine {

struct ChatFamily {
  std::string_view name;      // "chatml"
  std::string_view evidence;  // a template of this family holds this text
  std::string_view source;
  bool instead = false;  // of the file's own template, which lets the model write more than its answer
};

// The family a template's source shows, or null.
const ChatFamily* find_chat_family(std::string_view template_source);

}  // namespace mneme::engine
