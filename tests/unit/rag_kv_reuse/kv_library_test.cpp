// What a stored chunk is found by: everything that decides its numbers, and nothing else.
#include "rag/kv_reuse/kv_library.h"

#include <set>

#include "engine/codec/codec_list.h"
#include "rag/kv_reuse/kv_key.h"
#include "tests/unit/rag_kv_reuse/kv_home.h"

namespace mneme::rag {
namespace {

using engine::TokenId;

TEST(KvKey, EverythingThatDecidesTheNumbersIsInTheKey) {
  const engine::KvShape shape{2, 2, 16};
  const auto exact = engine::make_exact_codec(shape);
  const auto bf16 = engine::make_exact_codec(shape, engine::NumberFormat::kBf16);
  const auto uniform = engine::make_uniform_codec(shape, 8);
  // Of the weights, their types, RoPE and the tokenizer: tests/unit/engine/language_model_test.cpp.
  const Hash128 model = xxh3_128(as_bytes("model")), other_model = xxh3_128(as_bytes("other model"));
  const Hash128 calibration = xxh3_128(as_bytes("calibration"));
  const std::vector<TokenId> prefix{1, 2, 3}, other_prefix{1, 2, 4}, longer_prefix{1, 2, 3, 4};
  const std::vector<TokenId> chunk{4, 5, 6}, other_chunk{4, 5, 7}, shorter_chunk{5, 6};
  std::set<std::string> keys;
  int n_keys = 0;
  const auto add = [&](const Hash128& m, const std::vector<TokenId>& p, const std::vector<TokenId>& c,
                       const engine::KvCodec& codec, const Hash128& made_with) {
    keys.insert(kv_key(m, p, c, codec, made_with).hex());
    ++n_keys;
  };
  add(model, prefix, chunk, *exact, calibration);
  add(other_model, prefix, chunk, *exact, calibration);
  add(model, other_prefix, chunk, *exact, calibration);
  add(model, longer_prefix, shorter_chunk, *exact, calibration);  // the same ids, parted elsewhere
  add(model, prefix, other_chunk, *exact, calibration);
  add(model, prefix, chunk, *bf16, calibration);
  add(model, prefix, chunk, *uniform, calibration);
  add(model, prefix, chunk, *exact, Hash128{});
  EXPECT_EQ(keys.size(), static_cast<size_t>(n_keys));
  EXPECT_TRUE(keys.contains(kv_key(model, prefix, chunk, *exact, calibration).hex())) << "the same again";
}

class KvLibraryTest : public KvHomeTest {};

TEST_F(KvLibraryTest, IdenticalChunksAreStoredOnce) {
  store_all();
  ASSERT_EQ(files().size(), 3u);
  const std::vector<ChunkTokens> once = chunks_;
  for (ChunkTokens chunk : once) {
    chunk.text_hash = xxh3_128(as_bytes("another document with the same words"));
    EXPECT_TRUE(library_->contains(chunk, engine::KvLevel::kExact));
    chunks_.push_back(chunk);
  }
  EXPECT_EQ(answer(*library_).report.cache.hits, 6);
  EXPECT_EQ(files().size(), 3u);
}

TEST_F(KvLibraryTest, LevelsLieSideBySide) {
  store_all(engine::KvLevel::kExact);
  EXPECT_FALSE(library_->contains(chunks_[0], engine::KvLevel::kHigh));
  store_all(engine::KvLevel::kHigh);
  EXPECT_EQ(files().size(), 6u);
  EXPECT_EQ(answer(*library_, "high").report.cache.hits, 3);
  EXPECT_EQ(answer(*library_, "exact").report.cache.hits, 3);
}

// Calibrating a large model takes minutes: Ctrl-C does not wait for them.
TEST_F(KvLibraryTest, CalibratingStopsWhenItIsCancelled) {
  CancelToken cancel;
  cancel.cancel();
  const engine::KvLevel level = engine::KvLevel::kMedium;
  EXPECT_EQ(library_->codec(level, cancel).status().code(), StatusCode::kCancelled);
  EXPECT_EQ(library_->compute(chunks_[0], level, cancel).code(), StatusCode::kCancelled);
  EXPECT_EQ(library_->gate(level, cancel).status().code(), StatusCode::kCancelled);
  EXPECT_EQ(library_->calibration(level), Hash128{}) << "nothing was calibrated";
  EXPECT_TRUE(library_->codec(level).ok()) << "the next one begins anew";
}

}  // namespace
}  // namespace mneme::rag
