// A home with a small random model and its KV library, for the tests of stored KV: what a prompt answers with these
// caches, with those, and with none.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/language_model.h"
#include "rag/kv_reuse/fusing_prefiller.h"
#include "rag/kv_reuse/kv_background.h"
#include "rag/kv_reuse/kv_library.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/file_env.h"
#include "tests/support/loaded_model.h"
#include "tests/support/process_folder.h"
#include "tests/support/random_gguf.h"

namespace mneme::rag {

class KvHomeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = test::process_folder() + "/kv-home";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ + "/models");  // as opening a home makes it
    mneme::testing::RandomModel shape;
    shape.n_layers = 3;
    shape.vocab_size = 320;
    shape.vocabulary = true;
    const std::string path = mneme::testing::write_temporary(mneme::testing::random_gguf(shape), "kv-home.gguf");
    const engine::ModelOptions options{.device = {.device = "cpu", .n_threads = 2}, .context_tokens = 0};
    auto opened = engine::LanguageModel::open(path, options);
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    model_ = std::move(opened).value();
    storage::CatalogueOptions catalogue_options;
    catalogue_options.path = folder_ + "/catalog.db";
    auto catalogue = storage::Catalogue::open(catalogue_options);
    ASSERT_TRUE(catalogue.ok()) << catalogue.status().message();
    catalogue_ = std::move(catalogue).value();
    library_ = open_library();
    for (const int n_tokens : {40, 1, 25}) {
      ChunkTokens chunk;
      for (int i = 0; i < n_tokens; ++i) chunk.ids.push_back(3 + (i * 37 + n_tokens * 101) % 300);
      chunk.text_hash = xxh3_128(as_bytes("text " + std::to_string(n_tokens)));
      chunks_.push_back(chunk);
    }
  }
  void TearDown() override {
    library_.reset();
    std::filesystem::remove_all(folder_);
  }

  std::unique_ptr<KvLibrary> open_library(storage::FileEnv& env = storage::FileEnv::posix()) {
    auto library = KvLibrary::open(*model_, *catalogue_, env, folder_ + "/kv", folder_ + "/models");
    EXPECT_TRUE(library.ok()) << library.status().message();
    return std::move(library).value();
  }

  void store_all(engine::KvLevel level = engine::KvLevel::kExact) {
    for (const ChunkTokens& chunk : chunks_) {
      const Status status = library_->compute(chunk, level, never_cancelled());
      ASSERT_TRUE(status.ok()) << status.message();
    }
  }

  std::vector<std::string> files() const {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ + "/kv")) {
      if (entry.path().extension() == ".kv") paths.push_back(entry.path().string());
    }
    return paths;
  }

  struct Answer {
    std::vector<float> logits;
    PrefillReport report;
  };
  // Reuses what is stored of the chunks and computes the rest. behind: computes what is missing, else nothing does.
  Answer answer(KvLibrary& library, const std::string& level = "exact", KvBackground* behind = nullptr) {
    Prompt prompt;
    prompt.prefix.assign(library.prefix().begin(), library.prefix().end());
    for (size_t i = 0; i < chunks_.size(); ++i) {
      prompt.plan.segments.push_back({chunks_[i].ids, static_cast<int>(i), false});
      prompt.text_hashes.push_back(chunks_[i].text_hash);
      prompt.chunk_tokens += static_cast<int>(chunks_[i].ids.size());
    }
    prompt.plan.segments.push_back({{7, 8, 9, 10}, -1, true});
    prompt.n_passages = static_cast<int>(chunks_.size());
    PrefillOptions options;
    options.kv_level = level;
    KvBackground background(library, *catalogue_);
    FusingPrefiller prefiller(library, behind != nullptr ? *behind : background, {.repairs = false});
    auto sequence = model_->new_sequence(300);
    EXPECT_TRUE(sequence.ok());
    auto report = prefiller.prefill(*model_, **sequence, prompt, options, never_cancelled());
    background.cancel();  // what is written behind the answer is not what is tested here
    EXPECT_TRUE(report.ok()) << report.status().message();
    if (!report.ok()) return {};
    return {{(*sequence)->logits().begin(), (*sequence)->logits().end()}, *std::move(report)};
  }

  // What the prompt answers where the files `spoil` works on are not there at all.
  static void expect_same(const std::vector<float>& got, const std::vector<float>& expected) {
    ASSERT_EQ(got.size(), expected.size());
    double square = 0;
    for (const float value : expected) square += static_cast<double>(value) * value;
    const double size = std::sqrt(square / static_cast<double>(expected.size()));
    for (size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], 1e-3 * size) << i;
  }

  std::string folder_;
  std::unique_ptr<engine::LanguageModel> model_;
  std::unique_ptr<storage::Catalogue> catalogue_;
  std::unique_ptr<KvLibrary> library_;
  std::vector<ChunkTokens> chunks_;
};

}  // namespace mneme::rag
