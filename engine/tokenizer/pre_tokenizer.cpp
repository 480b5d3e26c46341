#include "engine/tokenizer/pre_tokenizer.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <cassert>

#include "engine/tokenizer/pre_tokenizer_patterns.h"

namespace mneme::engine {

namespace {

constexpr uint32_t kMatchLimit = 50'000'000;  // steps of one match; beyond it the rest of the text is one piece

struct MatchDeleter {
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};
struct ContextDeleter {
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};

size_t character_length(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

// Ends pieces of `text`, of which one is open at `piece`, before every third character of text[begin, end), counted
// from its end. Appends the ends, counted from `origin`; gives the start of the piece that is open then.
size_t split_in_threes(std::string_view text, size_t piece, size_t begin, size_t end, size_t origin,
                       std::vector<uint32_t>& ends) {
  size_t n_left = 0;
  for (size_t at = begin; at < end; at += character_length(text[at])) ++n_left;
  for (size_t at = begin; at < end; at += character_length(text[at]), --n_left) {
    if (n_left % 3 != 0 || at == piece) continue;
    ends.push_back(static_cast<uint32_t>(origin + at));
    piece = at;
  }
  return piece;
}

}  // namespace

struct PreTokenizer::Pattern {
  struct Deleter {
    void operator()(pcre2_code* code) const { pcre2_code_free(code); }
  };
  std::unique_ptr<pcre2_code, Deleter> code;

  // kInternal, with the name of the rule, for what is no pattern.
  static Result<Pattern> compile(const char* pattern, std::string_view name);

  bool in_threes = false;  // splits within what the pattern matches instead of around it

  // Splits text[begin, end) and appends the ends of the pieces.
  void split(std::string_view text, size_t begin, size_t end, pcre2_match_data* match, pcre2_match_context* context,
             std::vector<uint32_t>& ends) const;
};

Result<PreTokenizer::Pattern> PreTokenizer::Pattern::compile(const char* pattern, std::string_view name) {
  int error = 0;
  PCRE2_SIZE offset = 0;
  pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern), PCRE2_ZERO_TERMINATED,
                                   PCRE2_UTF | PCRE2_UCP | PCRE2_NO_AUTO_CAPTURE, &error, &offset, nullptr);
  if (code == nullptr) {
    return Status(StatusCode::kInternal, "the pattern of pre-tokenizer \"" + std::string(name) +
                                             "\" does not compile at offset " + std::to_string(offset) + ".");
  }
  pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);  // without JIT support matching is only slower
  Pattern compiled;
  compiled.code.reset(code);
  return compiled;
}

void PreTokenizer::Pattern::split(std::string_view text, size_t begin, size_t end, pcre2_match_data* match,
                                  pcre2_match_context* context, std::vector<uint32_t>& ends) const {
  // The piece is the whole subject: lookaheads must not see its neighbours.
  const auto* subject = reinterpret_cast<PCRE2_SPTR>(text.data() + begin);
  const size_t length = end - begin;
  const PCRE2_SIZE* offsets = pcre2_get_ovector_pointer(match);
  size_t piece = 0;   // start of the piece that is open
  size_t search = 0;  // where the next match may start
  while (search < length) {
    int found = pcre2_match(code.get(), subject, length, search, PCRE2_NO_UTF_CHECK, match, context);
    if (found == PCRE2_ERROR_JIT_STACKLIMIT) {
      found = pcre2_match(code.get(), subject, length, search, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, match, context);
    }
    if (found < 0) break;  // no match, or over the limit: what is left is one piece
    if (in_threes) {
      piece = split_in_threes(text.substr(begin, length), piece, offsets[0], offsets[1], begin, ends);
      search = offsets[1];
      continue;
    }
    if (offsets[0] > piece) ends.push_back(static_cast<uint32_t>(begin + offsets[0]));
    if (offsets[1] > offsets[0]) ends.push_back(static_cast<uint32_t>(begin + offsets[1]));
    piece = offsets[1];
    search = offsets[1] > offsets[0] ? offsets[1] : offsets[1] + character_length(text[begin + offsets[1]]);
  }
  if (piece < length) ends.push_back(static_cast<uint32_t>(end));
}

PreTokenizer::PreTokenizer() = default;
PreTokenizer::~PreTokenizer() = default;

Result<std::unique_ptr<PreTokenizer>> PreTokenizer::open(std::string_view name) {
  const PreTokenizerRule* rule = find_pre_tokenizer_rule(name.empty() ? "default" : name);
  if (rule == nullptr) {
    return unsupported("the model's pre-tokenizer \"" + std::string(name) +
                       "\" is not one this program knows, so its tokens would be wrong; a newer mneme may know it "
                       "(docs/models.md says which there are)");
  }
  std::unique_ptr<PreTokenizer> result(new PreTokenizer);
  result->whole_words_first_ = rule->whole_words_first;
  for (const char* pattern : rule->patterns) {
    MNEME_ASSIGN_OR_RETURN(Pattern compiled, Pattern::compile(pattern, name));
    result->patterns_.push_back(std::move(compiled));
  }
  if (rule->digits_in_threes) {
    MNEME_ASSIGN_OR_RETURN(Pattern digits, Pattern::compile("\\d+", name));
    digits.in_threes = true;
    result->patterns_.push_back(std::move(digits));
  }
  return result;
}

void PreTokenizer::split(std::string_view text, std::vector<uint32_t>& ends) const {
  assert(text.size() <= UINT32_MAX);
  ends.clear();
  if (text.empty()) return;
  std::unique_ptr<pcre2_match_data, MatchDeleter> match(pcre2_match_data_create(4, nullptr));
  std::unique_ptr<pcre2_match_context, ContextDeleter> context(pcre2_match_context_create(nullptr));
  pcre2_set_match_limit(context.get(), kMatchLimit);
  ends.push_back(static_cast<uint32_t>(text.size()));
  std::vector<uint32_t> before;
  for (const Pattern& pattern : patterns_) {
    before.swap(ends);
    ends.clear();
    size_t begin = 0;
    for (const uint32_t end : before) {
      pattern.split(text, begin, end, match.get(), context.get(), ends);
      begin = end;
    }
  }
}

}  // namespace mneme::engine
