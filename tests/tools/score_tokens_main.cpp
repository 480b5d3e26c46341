// Teacher-forced scores, for comparing with other programs. One line of standard input per text:
//   score_tokens MODEL [CONTEXT]          "prompt ids | ids that follow": log probabilities of all tokens before each
//   of
//                                         the ids that follow, as one JSON array of objects {"id": logprob}
//   score_tokens MODEL embed              "ids": the vector of an encoder, as a JSON array
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "engine/encoder.h"
#include "engine/language_model.h"
#include "engine/transformer/sampler.h"

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
    std::printf("%s\"%d\":%.6f", separator, entry.id, static_cast<double>(entry.logprob));
    separator = ",";
  }
  std::printf("}");
}

Status score_line(LanguageModel& model, const std::string& line) {
  std::vector<TokenId> parts[2];
  std::istringstream words(line);
  int part = 0;
  for (std::string word; words >> word;) {
    if (word == "|") {
      part = 1;
    } else {
      parts[part].push_back(std::atoi(word.c_str()));
    }
  }
  MNEME_ASSIGN_OR_RETURN(auto sequence, model.new_sequence(static_cast<int>(parts[0].size() + parts[1].size()) + 1));
  MNEME_RETURN_IF_ERROR(sequence->append(parts[0]));
  std::printf("[");
  for (size_t i = 0; i < parts[1].size(); ++i) {
    if (i > 0) std::printf(",");
    print_logprobs(sequence->logits());
    MNEME_RETURN_IF_ERROR(sequence->append(std::span(parts[1]).subspan(i, 1)));
  }
  std::printf("]\n");
  return {};
}

int embed_lines(const std::string& path, const ModelOptions& options) {
  auto encoder = Encoder::open(path, options);
  if (!encoder.ok()) return fail(encoder.status());
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::vector<TokenId> ids;
    for (TokenId id = 0; words >> id;) ids.push_back(id);
    const auto vector = (*encoder)->embed_ids({&ids, 1});
    if (!vector.ok()) return fail(vector.status());
    for (size_t i = 0; i < vector->size(); ++i)
      std::printf("%s%.7g", i == 0 ? "[" : ",", static_cast<double>((*vector)[i]));
    std::printf("]\n");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  ModelOptions options{.device = {.device = "cpu"}};
  if (argc < 2) return fail(usage_error("usage: score_tokens MODEL [CONTEXT | embed]"));
  if (argc > 2 && std::string(argv[2]) == "embed") return embed_lines(argv[1], options);
  if (argc > 2) options.context_tokens = std::atoi(argv[2]);
  auto model = LanguageModel::open(argv[1], options);
  if (!model.ok()) return fail(model.status());
  for (std::string line; std::getline(std::cin, line);) {
    if (const Status status = score_line(**model, line); !status.ok()) return fail(status);
  }
  return 0;
}
