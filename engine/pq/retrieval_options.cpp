#include "engine/pq/retrieval_options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "engine/pq/code_limits.h"

namespace mneme::engine {
namespace {

constexpr int kMinBudgetTokens = 64;
constexpr int kMinWindow = 16;
// Sinks and window are at most these parts of the budget: the rest of a small one is worth more where it is chosen.
constexpr int kSinkPart = 8;
constexpr int kWindowPart = 32;
constexpr int kMaxCount = 1 << 24;
constexpr int kMaxSharedLayers = 1024;
constexpr int kMaxSinks = 4096;
constexpr double kMostRerank = 16;
constexpr int kMaxIterations = 100;

constexpr std::array<std::pair<std::string_view, AttentionKind>, 3> kKinds = {
    {{"full", AttentionKind::kFull}, {"pq", AttentionKind::kPq}, {"auto", AttentionKind::kAuto}}};
constexpr std::array<std::pair<std::string_view, RetrievalMethod>, 7> kMethods = {
    {{"pq", RetrievalMethod::kPq},
     {"exact", RetrievalMethod::kExact},
     {"window", RetrievalMethod::kSinkWindow},
     {"h2o", RetrievalMethod::kH2o},
     {"sparq", RetrievalMethod::kSparq},
     {"quest", RetrievalMethod::kQuest},
     {"infllm", RetrievalMethod::kInfLlm}}};

template <typename T, size_t kN>
Result<T> find_name(const std::array<std::pair<std::string_view, T>, kN>& names, std::string_view text,
                    const std::string& what) {
  std::string known;
  for (const auto& [name, value] : names) {
    if (name == text) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  return usage_error("there is no " + what + " " + std::string(text) + "; choose one of " + known);
}

template <typename T, size_t kN>
std::string_view name_of(const std::array<std::pair<std::string_view, T>, kN>& names, T wanted) {
  for (const auto& [name, value] : names) {
    if (value == wanted) return name;
  }
  return "";
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// A whole number from 1 to most.
std::optional<int> count_up_to(std::string_view text, int most) {
  const auto value = number(text);
  if (!value || *value < 1 || *value > most || *value != std::floor(*value)) return std::nullopt;
  return static_cast<int>(*value);
}

std::optional<double> number_or_fraction(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return number(text);
  const auto above = number(text.substr(0, slash));
  const auto below = number(text.substr(slash + 1));
  if (!above || !below || *below == 0) return std::nullopt;
  return *above / *below;
}

// One of the words behind a method; false: there is none such.
bool set_variant_word(std::string_view word, RetrievalOptions& options) {
  if (word == "cut") {
    options.tail = false;
    return true;
  }
  if (word == "even") {
    options.split_heads = false;
    return true;
  }
  if (word == "codes") {
    options.rerank = 0;
    return true;
  }
  if (word == "centre") {
    options.by_spread = false;
    return true;
  }
  if (constexpr std::string_view kRerank = "rerank"; word.starts_with(kRerank)) {
    const auto times = number(word.substr(kRerank.size()));
    if (!times || *times < 1 || *times > kMostRerank) return false;
    options.rerank = *times;
    return true;
  }
  if (word == "max") return options.combine_max = true;
  struct Count {
    std::string_view name;
    int* value;
    int most;
  };
  for (const Count& count :
       {Count{"share", &options.shared_layers, kMaxSharedLayers}, Count{"window", &options.window, kMaxCount},
        Count{"sinks", &options.n_sinks, kMaxSinks}, Count{"iterations", &options.iterations, kMaxIterations}}) {
    if (!word.starts_with(count.name)) continue;
    const auto value = count_up_to(word.substr(count.name.size()), count.most);
    if (value) *count.value = *value;
    return value.has_value();
  }
  return false;
}

}  // namespace

Result<RetrievalBudget> parse_retrieval_budget(std::string_view text) {
  RetrievalBudget budget;
  if (text.empty()) return budget;
  constexpr std::string_view kMass = "mass:";
  const bool is_mass = text.starts_with(kMass);
  const auto value = is_mass ? number(text.substr(kMass.size())) : number_or_fraction(text);
  if (is_mass && value && *value > 0 && *value < 1) {
    budget.mass = *value;
    budget.share = 1;
    return budget;
  }
  if (!is_mass && value && *value > 0 && *value <= 1) {
    budget.share = *value;
    return budget;
  }
  if (!is_mass && value && *value >= kMinBudgetTokens && *value <= kMaxCount && *value == std::floor(*value)) {
    budget.tokens = static_cast<int>(*value);
    return budget;
  }
  return usage_error("a budget of " + std::string(text) +
                     " makes no sense; give a share above 0 and up to 1 (0.1 or 1/10), at least " +
                     std::to_string(kMinBudgetTokens) + " tokens (4096), or a mass below 1 (mass:0.95)");
}

Result<AttentionKind> parse_attention_kind(std::string_view text) {
  return find_name(kKinds, text, "kind of attention");
}
Result<RetrievalMethod> parse_retrieval_method(std::string_view text) {
  return find_name(kMethods, text, "retrieval method");
}
Status parse_retrieval_variant(std::string_view text, RetrievalOptions& options) {
  const auto not_known = [&] {
    return usage_error("a variant " + std::string(text) +
                       " of retrieval is not known; give a method alone, or as in pq:4x8, pq+cut, pq+window64 "
                       "or pq:2x6+share2");
  };
  const size_t plus = std::min(text.find('+'), text.size());
  const size_t colon = std::min(text.substr(0, plus).find(':'), plus);
  MNEME_ASSIGN_OR_RETURN(options.method, parse_retrieval_method(text.substr(0, colon)));
  if (colon < plus) {
    const std::string_view shape = text.substr(colon + 1, plus - colon - 1);
    const size_t times = std::min(shape.find('x'), shape.size());
    const auto parts = count_up_to(shape.substr(0, times), kMaxKeyParts);
    const auto bits = count_up_to(shape.substr(std::min(times + 1, shape.size())), kMaxKeyCodeBits);
    if (!parts || !bits) return not_known();
    options.n_parts = *parts;
    options.n_bits = *bits;
  }
  for (std::string_view rest = text.substr(plus); !rest.empty();) {
    rest.remove_prefix(1);
    const std::string_view word = rest.substr(0, rest.find('+'));
    rest.remove_prefix(word.size());
    if (!set_variant_word(word, options)) return not_known();
  }
  return {};
}

std::string_view attention_kind_name(AttentionKind kind) {
  return name_of(kKinds, kind);
}
std::string_view retrieval_method_name(RetrievalMethod method) {
  return name_of(kMethods, method);
}

Status check_retrieval_options(const RetrievalOptions& options, int head_dim) {
  const RetrievalBudget& budget = options.budget;
  if (budget.tokens < 0 || (budget.tokens == 0 && !(budget.share > 0 && budget.share <= 1)))
    return usage_error("the budget of retrieval must be a share above 0 and up to 1, or a count of tokens");
  if (!(budget.mass >= 0 && budget.mass < 1)) return usage_error("the mass of a retrieval budget must be below 1");
  if (options.n_sinks < 0 || options.window < kMinWindow)
    return usage_error("retrieval needs a window of at least " + std::to_string(kMinWindow) + " tokens");
  if (options.n_bits < 1 || options.n_bits > kMaxKeyCodeBits)
    return usage_error("codes of " + std::to_string(options.n_bits) + " bits are not possible; give 1 to " +
                       std::to_string(kMaxKeyCodeBits) + " with --pq-b");
  if (options.n_parts < 1 || options.n_parts > kMaxKeyParts || head_dim % options.n_parts != 0)
    return usage_error("keys of " + std::to_string(head_dim) + " dimensions cannot be cut into " +
                       std::to_string(options.n_parts) + " equal parts; give --pq-m a divisor of " +
                       std::to_string(head_dim) + " that is at most " + std::to_string(kMaxKeyParts));
  if (options.rerank != 0 && !(options.rerank >= 1 && options.rerank <= kMostRerank))
    return usage_error("retrieval chooses among 1 to 16 times as many tokens as it attends to");
  if (options.shared_layers < 1)
    return usage_error("retrieval is shared by at least 1 layer, which is none but itself");
  return {};
}

bool same_index(const RetrievalOptions& a, const RetrievalOptions& b) {
  // What H2O has dropped under one budget is gone for the next.
  return a.method == b.method && a.method != RetrievalMethod::kH2o && a.n_parts == b.n_parts && a.n_bits == b.n_bits &&
         a.iterations == b.iterations && a.training_keys == b.training_keys && a.seed == b.seed &&
         a.n_sinks == b.n_sinks && a.combine_max == b.combine_max && a.sparq_dims == b.sparq_dims && a.tail == b.tail &&
         a.by_spread == b.by_spread;
}

bool ranks_by_cells(const RetrievalOptions& options) {
  return options.method == RetrievalMethod::kPq && options.n_parts == 2 && options.n_bits <= 6;
}

StepBudget step_budget(const RetrievalOptions& options, int n_tokens) {
  const RetrievalBudget& budget = options.budget;
  const double wanted = budget.tokens > 0 ? budget.tokens : std::ceil(budget.share * n_tokens);
  const int total = static_cast<int>(std::min<double>(wanted, n_tokens));
  StepBudget step;
  step.sinks = std::min(options.n_sinks, std::max(0, total / kSinkPart));
  int window = std::min(options.window, std::max(kMinWindow, total / kWindowPart));
  if (options.method == RetrievalMethod::kSinkWindow) window = std::max(kMinWindow, total - step.sinks);
  step.window_begin = std::max(step.sinks, n_tokens - window);
  step.retrieved = std::max(0, total - step.sinks - (n_tokens - step.window_begin));
  const int candidates = step.window_begin - step.sinks;
  const bool mass_decides = budget.mass > 0 && candidates > std::max(0, budget.floor_tokens);
  const bool is_short = options.kind == AttentionKind::kAuto && n_tokens <= options.min_tokens;
  step.everything = is_short || candidates <= 0 || (step.retrieved >= candidates && !mass_decides);
  return step;
}

StepBudget step_budget(const RetrievalOptions& options, int n_tokens, int n_known) {
  StepBudget step = step_budget(options, n_tokens);
  const int begin = std::min(step.window_begin, n_known);
  if (step.everything || begin <= step.sinks) return {};
  step.retrieved = std::clamp(step.retrieved - (step.window_begin - begin), 0, begin - step.sinks);
  step.window_begin = begin;
  return step;
}

}  // namespace mneme::engine
