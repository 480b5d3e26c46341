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

}  // namespace

struct PreTokenizer::Pattern {
  struct Deleter {
    void operator()(pcre2_code* code) const { pcre2_code_free(code); }
  };
  std::unique_ptr<pcre2_code, Deleter> code;

  // Splits text[begin, end) and appends the ends of the pieces.
  void split(std::string_view text, size_t begin, size_t end, pcre2_match_data* match, pcre2_match_context* context,
             std::vector<uint32_t>& ends) const;
};

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
                       "\" is not one this program knows; it knows " + pre_tokenizer_names() + ".");
  }
  std::unique_ptr<PreTokenizer> result(new PreTokenizer);
  result->whole_words_first_ = rule->whole_words_first;
  for (const char* pattern : rule->patterns) {
    int error = 0;
    PCRE2_SIZE offset = 0;
    pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern), PCRE2_ZERO_TERMINATED,
                                     PCRE2_UTF | PCRE2_UCP | PCRE2_NO_AUTO_CAPTURE, &error, &offset, nullptr);
    if (code == nullptr) {
      return Status(StatusCode::kInternal, "the pattern of pre-tokenizer \"" + std::string(name) +
                                               "\" does not compile at offset " + std::to_string(offset) + ".");
    }
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);  // without JIT support matching is only slower
    result->patterns_.push_back(Pattern{decltype(Pattern::code)(code)});
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
