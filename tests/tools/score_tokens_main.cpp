// Teacher-forced scores, for comparing with other programs. One line of standard input per text:
//   score_tokens MODEL [CONTEXT]   "prompt ids | ids that follow": log probabilities of all tokens before each of those
//                                  that follow, as one JSON array of objects {"id": logprob}
//   score_tokens MODEL exact       the same by the fp64 reference of the tests, keys and values in fp64 as well
//   score_tokens MODEL embed       "ids": the vector of an encoder, as a JSON array
//   score_tokens MODEL embed-text  the same of the line as a text
//   score_tokens MODEL rank        "question | passage | passage": scores of a cross-encoder, as a JSON array
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "engine/encoder.h"
#include "engine/gguf/gguf_file.h"
#include "engine/language_model.h"
#include "engine/transformer/sampler.h"
#include "tests/support/reference_model.h"

namespace {

using namespace mneme;          // NOLINT: a tool
using namespace mneme::engine;  // NOLINT

int fail(const Status& status) {
  std::fprintf(stderr, "%s\n", status.message().c_str());
  return 1;
}

void print_logprobs(std::span<const float> logits) {
  const char* separator = "{";
  for (const TokenLogprob& entry : top_logprobs(logits, static_cast<int>(logits.size()))) {
    std::printf("%s\"%d\":%.8f", separator, entry.id, static_cast<double>(entry.logprob));
    separator = ",";
  }
  std::printf("}");
}

struct Line {
  std::vector<TokenId> prompt;
  std::vector<TokenId> following;
};

Line parse(const std::string& text) {
  Line line;
  std::istringstream words(text);
  std::vector<TokenId>* part = &line.prompt;
  for (std::string word; words >> word;) {
    if (word == "|") {
      part = &line.following;
    } else {
      part->push_back(std::atoi(word.c_str()));
    }
  }
  return line;
}

Status score_line(LanguageModel& model, const Line& line) {
  MNEME_ASSIGN_OR_RETURN(auto sequence,
                         model.new_sequence(static_cast<int>(line.prompt.size() + line.following.size()) + 1));
  MNEME_RETURN_IF_ERROR(sequence->append(line.prompt));
  std::printf("[");
  for (size_t i = 0; i < line.following.size(); ++i) {
    if (i > 0) std::printf(",");
    print_logprobs(sequence->logits());
    MNEME_RETURN_IF_ERROR(sequence->append(std::span(line.following).subspan(i, 1)));
  }
  std::printf("]\n");
  return {};
}

void score_exactly(const mneme::testing::ReferenceModel& model, const Line& line) {
  std::vector<int> ids(line.prompt.begin(), line.prompt.end());
  ids.insert(ids.end(), line.following.begin(), line.following.end());
  const std::vector<mneme::testing::Vector> all = model.all_logits(ids);
  std::printf("[");
  for (size_t i = 0; i < line.following.size(); ++i) {
    const mneme::testing::Vector& exact = all[line.prompt.size() - 1 + i];
    const std::vector<float> logits(exact.begin(), exact.end());
    if (i > 0) std::printf(",");
    print_logprobs(logits);
  }
  std::printf("]\n");
}

int score_lines_exactly(const std::string& path) {
  const auto file = gguf::GgufFile::open(path);
  if (!file.ok()) return fail(file.status());
  const mneme::testing::ReferenceModel model(*file, false);
  for (std::string text; std::getline(std::cin, text);) score_exactly(model, parse(text));
  return 0;
}

template <typename Number>
void print_numbers(const std::vector<Number>& numbers) {
  for (size_t i = 0; i < numbers.size(); ++i)
    std::printf("%s%.7g", i == 0 ? "[" : ",", static_cast<double>(numbers[i]));
  std::printf("]\n");
}

Result<std::vector<float>> embed_ids(Encoder& encoder, const std::string& line) {
  std::istringstream words(line);
  std::vector<TokenId> ids;
  for (TokenId id = 0; words >> id;) ids.push_back(id);
  return encoder.embed_ids({&ids, 1});
}

Result<std::vector<double>> rank_line(Encoder& encoder, std::string_view line) {
  std::vector<std::string_view> parts;
  for (size_t end = line.find(" | "); end != std::string_view::npos; end = line.find(" | ")) {
    parts.push_back(line.substr(0, end));
    line.remove_prefix(end + 3);
  }
  parts.push_back(line);
  return encoder.rank(parts[0], std::span(parts).subspan(1));
}

// Lines for an encoder: "embed", "embed-text" or "rank".
int encode_lines(const std::string& path, const std::string& what, const ModelOptions& options) {
  auto encoder = Encoder::open(path, options);
  if (!encoder.ok()) return fail(encoder.status());
  for (std::string line; std::getline(std::cin, line);) {
    if (what == "rank") {
      const auto scores = rank_line(**encoder, line);
      if (!scores.ok()) return fail(scores.status());
      print_numbers(*scores);
      continue;
    }
    const std::string_view text = line;
    const auto vector = what == "embed" ? embed_ids(**encoder, line) : (*encoder)->embed({&text, 1});
    if (!vector.ok()) return fail(vector.status());
    print_numbers(*vector);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  ModelOptions options{.device = {.device = "cpu"}};
  if (argc < 2) return fail(usage_error("usage: score_tokens MODEL [CONTEXT | exact | embed | embed-text | rank]"));
  const std::string what = argc > 2 ? argv[2] : "";
  if (what == "embed" || what == "embed-text" || what == "rank") return encode_lines(argv[1], what, options);
  if (what == "exact") return score_lines_exactly(argv[1]);
  if (argc > 2) options.context_tokens = std::atoi(argv[2]);
  auto model = LanguageModel::open(argv[1], options);
  if (!model.ok()) return fail(model.status());
  for (std::string line; std::getline(std::cin, line);) {
    if (const Status status = score_line(**model, parse(line)); !status.ok()) return fail(status);
  }
  return 0;
}
