// mneme tokenize: token ids of a text, as one JSON array.
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/context.h"
#include "app/session.h"
#include "app/text_input.h"
#include "engine/gguf/gguf_file.h"
#include "engine/tokenizer/tokenizer.h"

namespace mneme::app {
namespace {

constexpr uint64_t kMaxTextBytes = uint64_t{256} << 20;

struct TokenizeArguments {
  std::vector<std::string> words;
  std::optional<std::string> file;
  bool bos = false;
};

Result<std::string> text_to_tokenize(const TokenizeArguments& arguments) {
  if (arguments.file) {
    if (!arguments.words.empty()) return usage_error("TEXT and --file cannot both be given; choose one.");
    return read_text_file(*arguments.file, kMaxTextBytes);
  }
  if (arguments.words.empty()) return usage_error("there is nothing to tokenize; give TEXT or --file FILE.");
  std::string text;
  for (const std::string& word : arguments.words) text += (text.empty() ? "" : " ") + word;
  if (text == "-") return read_standard_input(kMaxTextBytes);
  return text;
}

Result<ExitCode> run_tokenize(Context& context, const TokenizeArguments& arguments) {
  MNEME_ASSIGN_OR_RETURN(const std::string text, text_to_tokenize(arguments));
  MNEME_ASSIGN_OR_RETURN(const std::string path, model_path(context));
  MNEME_ASSIGN_OR_RETURN(const gguf::GgufFile file, gguf::GgufFile::open(path));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::Tokenizer> tokenizer, engine::Tokenizer::open(file));
  std::vector<engine::TokenId> ids;
  if (arguments.bos && tokenizer->bos() != engine::kNoToken) ids.push_back(tokenizer->bos());
  const std::vector<engine::TokenId> encoded = tokenizer->encode(text);
  ids.insert(ids.end(), encoded.begin(), encoded.end());
  context.output.print_json(ids);
  return ExitCode::kDone;
}

}  // namespace

void add_tokenize(Command root) {
  auto arguments = std::make_shared<TokenizeArguments>();
  Command command = root.subcommand("tokenize", "Token ids of a text, as the model sees it");
  command.words("TEXT", arguments->words, "The text; - reads standard input", Presence::kOptional);
  command.option("--file F", arguments->file, "Read the text from F");
  command.flag("--bos", arguments->bos, "Begin with the model's beginning-of-sequence token");
  command.action([arguments](Context& context) { return run_tokenize(context, *arguments); });
}

}  // namespace mneme::app
