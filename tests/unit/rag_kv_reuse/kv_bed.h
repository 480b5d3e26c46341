// A small random model with a vocabulary, a catalogue and a KV store in a temporary folder: what the tests of this
// folder stand on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/language_model.h"
#include "rag/kv_reuse/fusing_prefiller.h"
#include "rag/kv_reuse/kv_background.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/prompt/prompt_builder.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/file_env.h"
#include "storage/home.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {

class KvBed {
 public:
  explicit KvBed(uint64_t seed = 1, storage::FileEnv& env = storage::FileEnv::posix(), const char* family = "llama") {
    mneme::testing::RandomModel shape;
    shape.architecture = family;
    shape.n_layers = 4;
    shape.context = 4096;  // room for the quality gate in tokens of one letter
    shape.vocab_size = 320;
    shape.vocabulary = true;
    shape.seed = seed;
    const std::string path = folder_.write("model.gguf", bytes_of(mneme::testing::random_gguf(shape)));
    engine::ModelOptions options;
    options.device = {.device = "cpu", .n_threads = 2};
    auto opened = engine::LanguageModel::open(path, options);
    EXPECT_TRUE(opened.ok()) << opened.status().message();
    model = std::move(opened).value();
    auto made = storage::open_home(storage::FileEnv::posix(), folder_ / "home");
    EXPECT_TRUE(made.ok()) << made.status().message();
    home = std::move(made).value();
    storage::CatalogueOptions catalogue_options;
    catalogue_options.path = home.catalogue();
    auto opened_catalogue = storage::Catalogue::open(catalogue_options);
    EXPECT_TRUE(opened_catalogue.ok()) << opened_catalogue.status().message();
    catalogue = std::move(opened_catalogue).value();
    open_library(env);
  }

  void open_library(storage::FileEnv& env = storage::FileEnv::posix(), const KvStoreSettings& settings = {}) {
    background.reset();
    library.reset();
    auto opened = KvLibrary::open(*model, *catalogue, env, home.kv_folder(), home.models_folder(), settings);
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    library = std::move(opened).value();
    library->store().set_quota(uint64_t{1} << 30);
    background = std::make_unique<KvBackground>(*library, *catalogue);
  }

  static std::vector<engine::TokenId> ids(int n, uint64_t seed) {
    Random random(seed);
    std::vector<engine::TokenId> ids(static_cast<size_t>(n));
    for (engine::TokenId& id : ids) id = static_cast<engine::TokenId>(3 + random.below(300));
    return ids;
  }

  // [label][passage]... [history] [question]; passages by their number.
  Prompt prompt(const std::vector<int>& passages, const std::vector<engine::TokenId>& history = {}) const {
    Prompt prompt;
    prompt.prefix.assign(library->prefix().begin(), library->prefix().end());
    for (const int passage : passages) {
      prompt.plan.segments.push_back({ids(3, 900 + static_cast<uint64_t>(prompt.n_passages)), -1, false});
      prompt.plan.segments.push_back({passage_ids(passage), prompt.n_passages++, false});
      prompt.text_hashes.push_back(text_hash(passage));
      prompt.chunk_tokens += static_cast<int>(passage_ids(passage).size());
    }
    if (!history.empty()) {
      prompt.history_segment = static_cast<int>(prompt.plan.segments.size());
      prompt.plan.segments.push_back({history, -1, false});
    }
    prompt.plan.segments.push_back({ids(9, 999), -1, true});
    return prompt;
  }
  static std::vector<engine::TokenId> passage_ids(int passage) {
    return ids(20 + 5 * passage, static_cast<uint64_t>(100 + passage));
  }
  static Hash128 text_hash(int passage) { return xxh3_128(as_bytes("passage " + std::to_string(passage))); }
  static ChunkTokens chunk(int passage) { return {passage_ids(passage), text_hash(passage)}; }

  void store(const std::vector<int>& passages, engine::KvLevel level = engine::KvLevel::kExact) {
    for (const int passage : passages) {
      const Status status = library->compute(chunk(passage), level, never_cancelled());
      ASSERT_TRUE(status.ok()) << status.message();
    }
  }

  std::unique_ptr<engine::Sequence> sequence(bool unrotated = false) const {
    auto made = model->new_sequence(900, unrotated);
    EXPECT_TRUE(made.ok());
    return std::move(made).value();
  }

  std::vector<float> full_logits(const Prompt& prompt) const {
    const auto plain = sequence();
    EXPECT_TRUE(plain->append(prompt.all_ids()).ok());
    return {plain->logits().begin(), plain->logits().end()};
  }

  // Through the prefiller.
  Result<PrefillReport> fuse(engine::Sequence& sequence, const Prompt& prompt, const PrefillOptions& options,
                             FusingOptions fusing = {}, const CancelToken& cancel = never_cancelled()) {
    return FusingPrefiller(*library, *background, std::move(fusing)).prefill(*model, sequence, prompt, options, cancel);
  }

  std::unique_ptr<engine::LanguageModel> model;
  std::unique_ptr<storage::Catalogue> catalogue;
  std::unique_ptr<KvLibrary> library;
  std::unique_ptr<KvBackground> background;
  storage::Home home;

 private:
  static std::string bytes_of(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  TemporaryFolder folder_;
};

inline PrefillOptions exact_options(std::optional<double> ratio = std::nullopt) {
  PrefillOptions options;
  options.kv_level = "exact";
  options.recompute_ratio = ratio;
  return options;
}

// Largest difference over the standard deviation of the second.
inline double relative_difference(std::span<const float> got, std::span<const float> expected) {
  EXPECT_EQ(got.size(), expected.size());
  return mneme::testing::relative_error(got.data(), std::vector<double>(expected.begin(), expected.end()));
}

}  // namespace mneme::rag
