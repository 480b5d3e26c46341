#include "engine/tokenizer/chat_template.h"

#include <algorithm>
#include <cctype>

#include "engine/gguf/gguf_file.h"
#include "engine/tokenizer/chat_families.h"
#include "engine/tokenizer/jinja/template.h"
#include "engine/tokenizer/vocabulary.h"

namespace mneme::engine {

namespace {

using jinja::Text;
using jinja::Value;

// The mark of a message's bytes; neighbours differ, none is 0.
char mark_of(size_t index) {
  return static_cast<char>(1 + index % 120);
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\n\r\f\v") == std::string_view::npos;
}

class JinjaChatTemplate final : public ChatTemplate {
 public:
  JinjaChatTemplate(jinja::Template program, Source source, std::string origin)
      : program_(std::move(program)), source_(std::move(source)), origin_(std::move(origin)) {}

  Result<std::vector<TokenId>> encode(const std::vector<ChatMessage>& messages, bool generation_prompt,
                                      const Tokenizer& tokenizer) const override {
    MNEME_ASSIGN_OR_RETURN(const Text text, render_all(messages, generation_prompt));
    std::vector<TokenId> ids;
    encode_text(text, true, tokenizer, ids);
    return ids;
  }

  Result<Frame> frame(std::string_view system, const Tokenizer& tokenizer) const override;

  Result<std::string> render(const std::vector<ChatMessage>& messages, bool generation_prompt) const override {
    MNEME_ASSIGN_OR_RETURN(const Text text, render_all(messages, generation_prompt));
    return std::string(text.bytes());
  }

  std::string_view origin() const override { return origin_; }

 private:
  // Renders, with the system message moved into the first user message where the template does not take it.
  Result<Text> render_all(const std::vector<ChatMessage>& messages, bool generation_prompt) const;
  Result<Text> render_messages(const std::vector<ChatMessage>& messages, std::vector<Text> contents,
                               bool generation_prompt) const;
  Thinking thinking_behind(std::string_view generation_prompt) const;
  // Appends the ids; `start`: the text begins the prompt, so BOS may be due. Otherwise it continues other text.
  void encode_text(const Text& text, bool start, const Tokenizer& tokenizer, std::vector<TokenId>& ids) const;

  jinja::Template program_;
  Source source_;
  std::string origin_;
};

Result<Text> JinjaChatTemplate::render_messages(const std::vector<ChatMessage>& messages, std::vector<Text> contents,
                                                bool generation_prompt) const {
  jinja::List list;
  std::string needed;  // marks that must show: a template may shorten old answers, but not lose what it was told
  for (size_t i = 0; i < messages.size(); ++i) {
    const std::string& role = messages[i].role;
    if (role != "system" && role != "user" && role != "assistant") {
      return usage_error("a message's role is \"" + role + "\"; it must be system, user or assistant.");
    }
    if (role != "assistant" && !is_blank(messages[i].content)) needed += mark_of(i);
    jinja::Dict message;
    message.set(Text("role"), Value(Text(role)));
    message.set(Text("content"), Value(std::move(contents[i])));
    list.emplace_back(std::move(message));
  }
  jinja::Dict globals;
  globals.set(Text("messages"), Value(std::move(list)));
  globals.set(Text("add_generation_prompt"), Value(generation_prompt));
  globals.set(Text("bos_token"), Value(Text(source_.bos)));
  globals.set(Text("eos_token"), Value(Text(source_.eos)));
  globals.set(Text("tools"), Value(jinja::None{}));
  globals.set(Text("documents"), Value(jinja::None{}));
  globals.set(Text("enable_thinking"), Value(false));
  globals.set(Text("thinking_budget"), Value(int64_t{0}));
  MNEME_ASSIGN_OR_RETURN(Text text, program_.render(globals));
  for (const char mark : needed) {
    if (text.marks().find(mark) == std::string_view::npos) {
      return unsupported("the model's chat template leaves out a " + messages[mark - 1].role +
                         " message; use another model, or the model without its template (--raw).");
    }
  }
  return text;
}

Result<Text> JinjaChatTemplate::render_all(const std::vector<ChatMessage>& messages, bool generation_prompt) const {
  std::vector<Text> contents;
  contents.reserve(messages.size());
  for (size_t i = 0; i < messages.size(); ++i) contents.emplace_back(messages[i].content, mark_of(i));
  auto text = render_messages(messages, contents, generation_prompt);
  if (text.ok() || messages.size() < 2 || messages[0].role != "system" || messages[1].role != "user") return text;
  // Gemma, Mistral and others know no system role: the system prompt then opens the first user message.
  contents[0].append("\n\n");
  contents[0].append(contents[1]);
  contents.erase(contents.begin() + 1);
  std::vector<ChatMessage> folded(messages.begin() + 1, messages.end());
  return render_messages(folded, std::move(contents), generation_prompt);
}

void JinjaChatTemplate::encode_text(const Text& text, bool start, const Tokenizer& tokenizer,
                                    std::vector<TokenId>& ids) const {
  size_t plain = 0;    // start of text not yet encoded
  bool alone = start;  // whether that text stands alone: at the start or behind a special token
  const auto flush = [&](size_t end) {
    if (end == plain) return;
    const std::string_view piece = text.bytes().substr(plain, end - plain);
    const std::vector<TokenId> own = alone ? tokenizer.encode(piece) : tokenizer.encode_continuation(piece);
    ids.insert(ids.end(), own.begin(), own.end());
  };
  for (size_t at = 0; at < text.size();) {
    TokenId id = kNoToken;
    const size_t length = text.marks()[at] == 0 ? tokenizer.match_special(text.bytes().substr(at), id) : 0;
    // All of the token's text must be the template's.
    const bool own = length > 0 && text.marks().substr(at, length).find_first_not_of('\0') == std::string_view::npos;
    if (!own) {
      ++at;
      continue;
    }
    flush(at);
    ids.push_back(id);
    at += length;
    while (source_.strip_after_markers && at < text.size() && text.marks()[at] == 0 &&
           std::isspace(static_cast<unsigned char>(text.bytes()[at]))) {
      ++at;
    }
    plain = at;
    alone = true;
  }
  flush(text.size());
  if (start && tokenizer.add_bos() && (ids.empty() || ids[0] != tokenizer.bos()))
    ids.insert(ids.begin(), tokenizer.bos());
}

Result<ChatTemplate::Frame> JinjaChatTemplate::frame(std::string_view system, const Tokenizer& tokenizer) const {
  // The user's content is one letter; its mark says where it went.
  std::vector<ChatMessage> messages;
  if (!system.empty()) messages.push_back({"system", std::string(system)});
  messages.push_back({"user", "x"});
  const char mark = mark_of(messages.size() - 1);
  MNEME_ASSIGN_OR_RETURN(const Text text, render_all(messages, true));
  const size_t at = text.marks().find(mark);
  if (at == std::string_view::npos || text.marks().find(mark, at + 1) != std::string_view::npos) {
    return unsupported(
        "the model's chat template does not write a user's message exactly once; use another model, or "
        "the model without its template (--raw).");
  }
  Frame frame;
  encode_text(text.slice(0, at), true, tokenizer, frame.before);
  encode_text(text.slice(at + 1), false, tokenizer, frame.after);
  frame.thinking = thinking_behind(text.bytes().substr(at + 1));
  return frame;
}

Thinking JinjaChatTemplate::thinking_behind(std::string_view generation_prompt) const {
  const size_t end = generation_prompt.find_last_not_of(" \t\n\r\f\v") + 1;
  const std::string_view written = generation_prompt.substr(0, end);
  for (const ThoughtMarkers& markers : kThoughtMarkers) {
    if (written.ends_with(markers.open)) return Thinking::kBegun;
    if (written.ends_with(markers.close)) return Thinking::kUnlikely;
  }
  const auto is_named = [&](const ThoughtMarkers& markers) {
    return source_.text.find(markers.close) != std::string::npos;
  };
  return std::any_of(kThoughtMarkers.begin(), kThoughtMarkers.end(), is_named) ? Thinking::kLikely
                                                                               : Thinking::kUnlikely;
}

// A template is taken when it renders a plain exchange.
Status probe(const ChatTemplate& chat) {
  MNEME_RETURN_IF_ERROR(chat.render({{"system", "Be brief."}, {"user", "Hello?"}}, true).status());
  MNEME_ASSIGN_OR_RETURN(const std::string several,
                         chat.render({{"user", "Hello?"}, {"assistant", "42."}, {"user", "Who?"}}, true));
  if (several.find("42.") == std::string::npos) return unsupported("the chat template loses earlier answers");
  return {};
}

Result<std::unique_ptr<ChatTemplate>> open_with(const std::string& program, const ChatTemplate::Source& source,
                                                std::string origin) {
  MNEME_ASSIGN_OR_RETURN(jinja::Template parsed, jinja::Template::parse(program));
  auto chat = std::make_unique<JinjaChatTemplate>(std::move(parsed), source, std::move(origin));
  MNEME_RETURN_IF_ERROR(probe(*chat));
  return std::unique_ptr<ChatTemplate>(std::move(chat));
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

}  // namespace

Result<std::unique_ptr<ChatTemplate>> ChatTemplate::make(const Source& source) {
  const ChatFamily* family = find_chat_family(source.text);
  if (family != nullptr && family->instead)
    return open_with(std::string(family->source), source, "fallback: " + std::string(family->name));
  auto own = open_with(source.text, source, "gguf");
  if (own.ok()) return own;
  if (family == nullptr) return own.status();
  return open_with(std::string(family->source), source, "fallback: " + std::string(family->name));
}

Result<std::unique_ptr<ChatTemplate>> ChatTemplate::open(const gguf::GgufFile& file) {
  MNEME_ASSIGN_OR_RETURN(const Vocabulary vocabulary, Vocabulary::read(file));
  if (vocabulary.chat_template.empty()) return not_found(file.name() + " has no chat template; it is used as it is.");
  Source source;
  source.text = vocabulary.chat_template;
  if (vocabulary.bos != kNoToken) source.bos = vocabulary.tokens[vocabulary.bos];
  if (vocabulary.eos != kNoToken) source.eos = vocabulary.tokens[vocabulary.eos];
  // Phi-3's own tokenizer drops white space behind its markers; the file format has no field for that.
  const std::string name = lower(file.text("general.name").value_or(""));
  source.strip_after_markers = name.find("phi-3") != std::string::npos || name.find("phi3") != std::string::npos ||
                               name.find("phi 3") != std::string::npos;
  auto chat = make(source);
  if (!chat.ok()) return chat.status().with_context(file.name() + ": ");
  return chat;
}

}  // namespace mneme::engine
