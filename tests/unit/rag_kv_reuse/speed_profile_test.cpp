#include "rag/kv_reuse/speed_profile.h"

#include <gtest/gtest.h>

#include "engine/fusion/fuser.h"
#include "tests/unit/rag_kv_reuse/kv_bed.h"

namespace mneme::rag {
namespace {

using engine::KvLevel;

TEST(SpeedProfile, ComesBackFromJson) {
  SpeedProfile profile{.step_ms = 1.5, .row_ms = 0.25, .key_ms = 3e-5};
  profile.decode_bytes_per_s[2] = 7e8;
  profile.root_bytes_per_s["/a \"b\""] = 1e9;
  const auto parsed = SpeedProfile::parse(profile.to_json());
  ASSERT_TRUE(parsed.ok()) << parsed.status().message();
  EXPECT_EQ(parsed->row_ms, profile.row_ms);
  EXPECT_EQ(parsed->key_ms, profile.key_ms);
  EXPECT_EQ(parsed->decode_bytes_per_s, profile.decode_bytes_per_s);
  EXPECT_EQ(parsed->root_bytes_per_s, profile.root_bytes_per_s);
}

TEST(SpeedProfile, RubbishIsRefusedOrIgnored) {
  EXPECT_FALSE(SpeedProfile::parse("").ok());
  EXPECT_FALSE(SpeedProfile::parse("[1]").ok());
  const auto odd =
      SpeedProfile::parse(R"({"row_ms":-3,"key_ms":"x","decode_bytes_per_s":[1e9,"y"],"root_bytes_per_s":7})");
  ASSERT_TRUE(odd.ok());
  EXPECT_FALSE(odd->measured());
  EXPECT_EQ(odd->decode_bytes_per_s[0], 1e9);
  EXPECT_TRUE(odd->root_bytes_per_s.empty());
}

TEST(SpeedProfile, WhatIsNotKnownIsGuessedSlow) {
  const SpeedProfile unknown;
  EXPECT_GT(unknown.decode_ms(KvLevel::kMedium, 1e6), 0);
  EXPECT_GT(unknown.load_ms("nowhere", 1e6), 0);
}

TEST(SpeedProfile, IsMeasuredAndKept) {
  KvBed bed;
  ASSERT_TRUE(bed.library->speed().prepare(never_cancelled()).ok());
  const SpeedProfile measured = bed.library->speed().profile();
  EXPECT_TRUE(measured.measured());
  EXPECT_GE(measured.key_ms, 0);
  bed.open_library();
  EXPECT_EQ(bed.library->speed().profile().row_ms, measured.row_ms) << "another program finds it in the catalogue";
}

TEST(SpeedBook, LearnsFromWhatAnswersTook) {
  KvBed bed;
  SpeedBook& book = bed.library->speed();
  ASSERT_TRUE(book.prepare(never_cancelled()).ok());
  const SpeedProfile before = book.profile();
  engine::FuseReport report;
  report.row_layers = 4 * 100;
  report.key_layers = 4 * 100 * 50;
  report.decode_ms = 10;
  report.beside_ms = 10;  // on two threads
  report.bytes_decoded = 10'000'000;
  const double predicted = before.compute_ms(100, 100 * 50);
  report.total_ms = 3 * predicted + 5;
  for (int i = 0; i < 30; ++i) book.learn(report, KvLevel::kMedium, 4, 2);
  const double learnt = book.profile().compute_ms(100, 100 * 50);
  EXPECT_NEAR(learnt, report.total_ms - 5, 0.05 * learnt);
  EXPECT_NEAR(book.profile().decode_bytes_per_s[2], 1e9, 1e6);
  book.learn_root("kv", 5e8);
  book.learn_root("kv", 0);
  EXPECT_EQ(book.profile().root_bytes_per_s.at("kv"), 5e8);
}

}  // namespace
}  // namespace mneme::rag
