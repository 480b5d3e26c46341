#include "engine/tokenizer/pre_tokenizer_patterns.h"

namespace mneme::engine {

namespace {

// Written from the pre_tokenizer sections of the models' published tokenizer.json files. The contractions of English
// come first in most of them; \s+(?!\S) leaves the last space of a run to the word that follows.
#define MNEME_GPT2 R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"
#define MNEME_CONTRACTIONS R"((?i:'s|'t|'re|'ve|'m|'ll|'d))"
#define MNEME_TAIL R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"
#define MNEME_SLASH_TAIL R"( ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"
#define MNEME_LETTERS R"([^\r\n\p{L}\p{N}]?\p{L}+)"
#define MNEME_UPPER R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])"
#define MNEME_LOWER R"([\p{Ll}\p{Lm}\p{Lo}\p{M}])"
#define MNEME_LEAD R"([^\r\n\p{L}\p{N}]?)"

constexpr const char* kGpt2[] = {MNEME_GPT2};
constexpr const char* kLlama3[] = {MNEME_CONTRACTIONS "|" MNEME_LETTERS R"(|\p{N}{1,3}|)" MNEME_TAIL};
constexpr const char* kQwen2[] = {MNEME_CONTRACTIONS "|" MNEME_LETTERS R"(|\p{N}|)" MNEME_TAIL};
// Letters with their marks.
constexpr const char* kQwen35[] = {
    MNEME_CONTRACTIONS
    R"(|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};
constexpr const char* kDigitsThenGpt2[] = {R"(\p{N})", MNEME_GPT2};
constexpr const char* kFalcon[] = {R"([\p{P}\$\+<=>\^~\|`]+)", MNEME_GPT2, R"([0-9][0-9][0-9])"};
// The published list of letters is the cased ones of Unicode, spelled out.
constexpr const char* kDeepseekLlm[] = {R"([\r\n])", R"(\s?[\p{Lu}\p{Ll}\p{Lt}]+)", R"(\s?[!-/:-~！-／：-～‘-‟　-。]+)",
                                        R"(\s+$)",   R"([一-龥ࠀ-一가-퟿]+)", R"(\p{N}+)"};
constexpr const char* kDeepseekCoder[] = {R"([\r\n])", R"(\s?\p{L}+)", R"(\s?\p{P}+)", R"([一-龥ࠀ-一가-퟿]+)",
                                          R"(\p{N})"};
constexpr const char* kDeepseekV3[] = {
    R"(\p{N}{1,3})", R"([一-龥぀-ゟ゠-ヿ]+)",
    R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};
constexpr const char* kGpt4o[] = {MNEME_LEAD MNEME_UPPER "*" MNEME_LOWER "+" MNEME_CONTRACTIONS
                                                         "?|" MNEME_LEAD MNEME_UPPER "+" MNEME_LOWER
                                                         "*" MNEME_CONTRACTIONS R"(?|\p{N}{1,3}|)" MNEME_SLASH_TAIL};
// As kGpt4o, but for Han, whose runs stand alone.
#define MNEME_NOT_HAN R"((?:(?!\p{sc:Han}))"
constexpr const char* kKimi[] = {R"(\p{sc:Han}+|)" MNEME_LEAD MNEME_NOT_HAN MNEME_UPPER ")*" MNEME_NOT_HAN MNEME_LOWER
                                 ")+" MNEME_CONTRACTIONS "?|" MNEME_LEAD MNEME_NOT_HAN MNEME_UPPER
                                 ")+" MNEME_NOT_HAN MNEME_LOWER ")*" MNEME_CONTRACTIONS R"(?|\p{N}{1,3}|)" MNEME_TAIL};
constexpr const char* kTekken[] = {MNEME_LEAD MNEME_UPPER "*" MNEME_LOWER "+|" MNEME_LEAD MNEME_UPPER "+" MNEME_LOWER
                                                          R"(*|\p{N}|)" MNEME_SLASH_TAIL};
constexpr const char* kBloom[] = {R"( ?[^(\s|.,!?…。，、।۔،)]+)"};
constexpr const char* kViking[] = {R"( ?[^(\s|.,!?…。，、।۔،)]+)", R"(\p{N})"};
constexpr const char* kBailing[] = {
    R"('(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)"};
constexpr const char* kSeedCoder[] = {MNEME_CONTRACTIONS "|" MNEME_LETTERS
                                                         R"(|\p{N}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+)"};
// Published with a lookahead as second pattern, "(?=(\d{3})+(?!\d))", which takes time by the square of a run.
constexpr const char* kSuperBpe[] = {R"(\p{N}+)"};
constexpr const char* kLines[] = {R"(\n+)"};

#undef MNEME_GPT2
#undef MNEME_CONTRACTIONS
#undef MNEME_TAIL
#undef MNEME_SLASH_TAIL
#undef MNEME_LETTERS
#undef MNEME_UPPER
#undef MNEME_LOWER
#undef MNEME_LEAD
#undef MNEME_NOT_HAN

constexpr PreTokenizerRule kRules[] = {
    {"default", kGpt2},
    {"gpt-2", kGpt2},
    {"mpt", kGpt2},
    {"olmo", kGpt2},
    {"jais", kGpt2},
    {"phi-2", kGpt2},
    {"gigachat", kGpt2},
    {"trillion", kGpt2},
    {"granite-docling", kGpt2},
    {"roberta-bpe", kGpt2},
    {"jina-v1-en", kGpt2},
    {"jina-v2-code", kGpt2},
    {"jina-v2-de", kGpt2},
    {"jina-v2-es", kGpt2},
    {"modern-bert", kGpt2},
    {"a.x-4.0", kGpt2},
    {"exaone4", kGpt2},
    {"mellum", kGpt2},
    {"jina-de", kGpt2},
    {"jina-es", kGpt2},
    {"llama3", kLlama3, true},
    {"llama-v3", kLlama3, true},
    {"llama-bpe", kLlama3, true},
    {"falcon3", kLlama3, true},
    {"falcon-h1", kLlama3, true},
    {"pixtral", kLlama3, true},
    {"midm-2.0", kLlama3, true},
    {"lfm2", kLlama3, true},
    {"jina-v5-nano", kLlama3, true},
    {"dbrx", kLlama3},
    {"smaug-bpe", kLlama3},
    {"chatglm-bpe", kLlama3},
    {"glm4", kLlama3},
    {"qwen2", kQwen2},
    {"qwen35", kQwen35},
    {"deepseek-r1-qwen", kQwen2},
    {"stablelm2", kQwen2},
    {"hunyuan", kQwen2},
    {"megrez", kQwen2},
    {"kormo", kQwen2},
    {"f2llmv2", kQwen2},
    {"starcoder", kDigitsThenGpt2},
    {"refact", kDigitsThenGpt2},
    {"command-r", kDigitsThenGpt2},
    {"smollm", kDigitsThenGpt2},
    {"codeshell", kDigitsThenGpt2},
    {"exaone", kDigitsThenGpt2},
    {"minerva-7b", kDigitsThenGpt2},
    {"falcon", kFalcon},
    {"deepseek-llm", kDeepseekLlm},
    {"deepseek-coder", kDeepseekCoder},
    {"deepseek-v3", kDeepseekV3},
    {"hunyuan-dense", kDeepseekV3},
    {"joyai-llm", kDeepseekV3},
    {"gpt-4o", kGpt4o},
    {"llama4", kGpt4o},
    {"kanana2", kGpt4o},
    {"talkie", kGpt4o},
    {"minimax-m2", kGpt4o},
    {"kimi-k2", kKimi},
    {"tekken", kTekken, true},
    {"bloom", kBloom},
    {"gpt3-finnish", kBloom},
    {"poro-chat", kBloom},
    {"viking", kViking},
    {"bailingmoe", kBailing},
    {"bailingmoe2", kBailing},
    {"llada-moe", kBailing},
    {"seed-coder", kSeedCoder},
    {"superbpe", kSuperBpe, false, true},
    {"gemma4", kLines},
};

}  // namespace

const PreTokenizerRule* find_pre_tokenizer_rule(std::string_view name) {
  for (const PreTokenizerRule& rule : kRules) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

std::string pre_tokenizer_names() {
  std::string names;
  for (const PreTokenizerRule& rule : kRules) {
    if (!names.empty()) names += ", ";
    names += rule.name;
  }
  return names;
}

}  // namespace mneme::engine
