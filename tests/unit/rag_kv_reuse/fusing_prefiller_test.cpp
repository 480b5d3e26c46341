// Answers from stored KV whatever happens to the store: what is stale, damaged, gone or cannot be written costs time,
// never an answer.
#include "rag/kv_reuse/fusing_prefiller.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "rag/kv_reuse/speed_profile.h"
#include "tests/unit/rag_kv_reuse/kv_bed.h"

namespace mneme::rag {
namespace {

using engine::KvLevel;

std::vector<std::string> stored_files(const KvBed& bed) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(bed.home.kv_folder())) {
    if (entry.path().extension() == ".kv") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void expect_full_logits(const KvBed& bed, const engine::Sequence& sequence, const Prompt& prompt) {
  EXPECT_LT(relative_difference(sequence.logits(), bed.full_logits(prompt)), 1e-3);
  EXPECT_EQ(sequence.n_tokens(), prompt.n_tokens());
}

void wait_for_background(KvBed& bed) {
  while (bed.background->pending() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

TEST(FusingPrefiller, RatioOneOverStoredChunksIsTheFullPrefill) {
  KvBed bed;
  bed.store({0, 1, 2});
  const Prompt prompt = bed.prompt({2, 0, 1});
  const auto sequence = bed.sequence();
  const auto report = bed.fuse(*sequence, prompt, exact_options(1.0));
  ASSERT_TRUE(report.ok()) << report.status().message();
  expect_full_logits(bed, *sequence, prompt);
  EXPECT_EQ(report->cache.hits, 3);
  EXPECT_EQ(report->cache.recompute_ratio, 1.0);
}

// Those of the files that are read come from the files, whose first layers stay unread.
TEST(FusingPrefiller, FirstLayersInFullAreNotRead) {
  KvBed bed;
  bed.store({0, 1, 2});
  const int n_layers = bed.model->config().n_layers;
  const Prompt prompt = bed.prompt({2, 0, 1});
  PrefillOptions options = exact_options(0.3);
  options.full_layers = n_layers;
  const auto sequence = bed.sequence();
  const auto all = bed.fuse(*sequence, prompt, options);
  ASSERT_TRUE(all.ok()) << all.status().message();
  expect_full_logits(bed, *sequence, prompt);
  EXPECT_EQ(all->cache.bytes_read, 0);
  EXPECT_EQ(all->cache.full_layers, n_layers);
  sequence->truncate(0);
  options.full_layers = 0;
  const auto none = bed.fuse(*sequence, prompt, options);
  ASSERT_TRUE(none.ok()) << none.status().message();
  EXPECT_EQ(none->cache.full_layers, 0);
  sequence->truncate(0);
  options.full_layers = 1;
  const auto one = bed.fuse(*sequence, prompt, options);
  ASSERT_TRUE(one.ok()) << one.status().message();
  EXPECT_EQ(one->cache.full_layers, 1);
  EXPECT_LT(one->cache.bytes_read, none->cache.bytes_read);
  EXPECT_GT(one->cache.recompute_ratio, none->cache.recompute_ratio);
  for (const PassageForm& form : one->cache.passages) EXPECT_EQ(form.layers[0], n_layers - 1);
  // The files have all layers as before.
  sequence->truncate(0);
  const auto again = bed.fuse(*sequence, prompt, exact_options(0.3));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->cache.bytes_read, none->cache.bytes_read);
}

// Nothing is computed of what is only reused, whatever is asked for.
TEST(FusingPrefiller, ReuseComputesNoFirstLayers) {
  KvBed bed;
  bed.store({0, 1});
  PrefillOptions options = exact_options();
  options.full_layers = 1;
  const auto sequence = bed.sequence();
  const auto report = bed.fuse(*sequence, bed.prompt({1, 0}), options, {.repairs = false});
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(report->cache.full_layers, 0);
  EXPECT_EQ(report->cache.recompute_ratio, 0.0);
}

// As if a row took a tenth of a millisecond and a disk gave so many bytes in 20 of them.
void plant_speed(KvBed& bed, int64_t bytes) {
  SpeedProfile speed{.step_ms = 0.1, .row_ms = 0.1, .key_ms = 0.0};
  speed.decode_bytes_per_s.fill(1e12);
  speed.root_bytes_per_s[bed.home.kv_folder()] = static_cast<double>(bytes) / 0.02;
  bed.background.reset();
  bed.library.reset();  // saves its own
  const std::string key = "model." + bed.model->identity().hex() + ".speed." + bed.model->backend().description();
  ASSERT_TRUE(bed.catalogue->put_setting(key, speed.to_json()).ok());
  bed.open_library();
}

// Chosen by the profile, told in the report.
TEST(FusingPrefiller, TheControllerComputesFirstLayersBesideASlowDisk) {
  KvBed bed;
  bed.store({40, 41});
  const Prompt prompt = bed.prompt({41, 40});
  const auto sequence = bed.sequence();
  const auto all_read = bed.fuse(*sequence, prompt, exact_options(0.15));
  ASSERT_TRUE(all_read.ok()) << all_read.status().message();
  const int64_t bytes = all_read->cache.bytes_read;
  plant_speed(bed, bytes);
  sequence->truncate(0);
  const auto report = bed.fuse(*sequence, prompt, exact_options());
  ASSERT_TRUE(report.ok()) << report.status().message();
  ASSERT_TRUE(report->cache.plan.has_value());
  EXPECT_EQ(report->cache.full_layers, 1);
  EXPECT_EQ(report->cache.plan->full_layers, 1);
  EXPECT_EQ(report->cache.plan->n_computed(), 0);
  EXPECT_LT(report->cache.bytes_read, bytes);
  plant_speed(bed, bytes);
  sequence->truncate(0);
  const auto refused = bed.fuse(*sequence, prompt, exact_options(), {.computes_first_layers = false});
  ASSERT_TRUE(refused.ok());
  EXPECT_EQ(refused->cache.full_layers, 0);
}

TEST(FusingPrefiller, WhatIsNotStoredIsComputedAndStoredBehind) {
  KvBed bed;
  const Prompt prompt = bed.prompt({0, 1});
  const auto sequence = bed.sequence();
  const auto first = bed.fuse(*sequence, prompt, exact_options(0.15));
  ASSERT_TRUE(first.ok()) << first.status().message();
  expect_full_logits(bed, *sequence, prompt);
  EXPECT_EQ(first->cache.hits, 0);
  EXPECT_EQ(first->cache.recompute_ratio, 1.0);
  wait_for_background(bed);
  const auto second = bed.fuse(*sequence, prompt, exact_options(0.15));
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(second->cache.hits, 2);
  EXPECT_LT(second->cache.recompute_ratio, 0.25);
}

TEST(FusingPrefiller, WhatIsNotToBeStoredIsOnlyComputed) {
  KvBed bed;
  const Prompt prompt = bed.prompt({0, 1});
  PrefillOptions options = exact_options(0.15);
  options.not_stored = {KvBed::text_hash(0)};
  const auto sequence = bed.sequence();
  ASSERT_TRUE(bed.fuse(*sequence, prompt, options).ok());
  expect_full_logits(bed, *sequence, prompt);
  wait_for_background(bed);
  EXPECT_FALSE(bed.library->contains(KvBed::chunk(0), KvLevel::kExact));
  EXPECT_TRUE(bed.library->contains(KvBed::chunk(1), KvLevel::kExact));
  // What is there already is used as ever.
  bed.store({0});
  const auto later = bed.fuse(*sequence, prompt, options);
  ASSERT_TRUE(later.ok());
  EXPECT_EQ(later->cache.hits, 2);
}

TEST(FusingPrefiller, WhatIsStoredBehindAnAnswerIsCleanNeverBlended) {
  KvBed bed;
  bed.store({0});
  const auto sequence = bed.sequence();
  ASSERT_TRUE(bed.fuse(*sequence, bed.prompt({0, 1}), exact_options(0.15)).ok());
  wait_for_background(bed);
  const auto written = bed.library->find(KvBed::chunk(1), KvLevel::kExact);
  ASSERT_TRUE(written.ok());
  std::vector<std::byte> behind_answer;
  ASSERT_TRUE((*written)->read_layer(2, behind_answer).ok());
  KvBed clean;
  clean.store({1});
  const auto alone = clean.library->find(KvBed::chunk(1), KvLevel::kExact);
  ASSERT_TRUE(alone.ok());
  std::vector<std::byte> expected;
  ASSERT_TRUE((*alone)->read_layer(2, expected).ok());
  EXPECT_EQ(behind_answer, expected);
}

TEST(FusingPrefiller, DamagedFilesAreRecomputedSaidAndRemoved) {
  KvBed bed;
  bed.store({0, 1});
  const std::vector<std::string> files = stored_files(bed);
  ASSERT_EQ(files.size(), 2u);
  const auto size = std::filesystem::file_size(files.front());
  {
    std::fstream file(files.front(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(size) - 100);
    file.write("damage damage damage", 20);
  }
  const Prompt prompt = bed.prompt({0, 1});
  const auto sequence = bed.sequence();
  const auto report = bed.fuse(*sequence, prompt, exact_options(1.0));
  ASSERT_TRUE(report.ok()) << report.status().message();
  expect_full_logits(bed, *sequence, prompt);
  EXPECT_EQ(report->cache.hits, 1);
  EXPECT_EQ(report->failed_caches.size(), 1u);
  wait_for_background(bed);
  const auto again = bed.fuse(*sequence, prompt, exact_options(1.0));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->cache.hits, 2) << "it was stored anew";
}

TEST(FusingPrefiller, TruncatedFilesAreMisses) {
  KvBed bed;
  bed.store({0, 1});
  for (const std::string& file : stored_files(bed)) {
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  }
  const Prompt prompt = bed.prompt({0, 1});
  const auto sequence = bed.sequence();
  const auto report = bed.fuse(*sequence, prompt, exact_options(0.15));
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(report->cache.hits, 0);
  expect_full_logits(bed, *sequence, prompt);
}

TEST(FusingPrefiller, CachesOfAnotherModelAreNotUsed) {
  KvBed first(1);
  first.store({0});
  KvBed second(2);
  std::filesystem::copy(first.home.kv_folder(), second.home.kv_folder(),
                        std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
  second.open_library();
  const Prompt prompt = second.prompt({0});
  const auto sequence = second.sequence();
  const auto report = second.fuse(*sequence, prompt, exact_options(0.15));
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->cache.hits, 0);
  expect_full_logits(second, *sequence, prompt);
}

TEST(FusingPrefiller, FilesThatVanishDuringTheAnswerAreReadOn) {
  KvBed bed;
  bed.store({0, 1, 2});
  const Prompt prompt = bed.prompt({0, 1, 2});
  const auto sequence = bed.sequence();
  FusingOptions fusing;
  bool evicted = false;
  // Called while layers come in: another process evicts everything.
  fusing.bandwidth = [&](double) {
    if (!std::exchange(evicted, true)) {
      for (const std::string& file : stored_files(bed)) std::filesystem::remove(file);
    }
    return 1e9;
  };
  const auto report = bed.fuse(*sequence, prompt, exact_options(1.0), std::move(fusing));
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_TRUE(evicted);
  expect_full_logits(bed, *sequence, prompt);
}

TEST(FusingPrefiller, EvictionByTheQuotaDuringAnAnswerLeavesWhatItReads) {
  KvBed bed;
  bed.store({0, 1, 2, 3});
  const Prompt prompt = bed.prompt({0, 1, 2});
  const auto sequence = bed.sequence();
  FusingOptions fusing;
  bool evicted = false;
  // Called while layers come in: room is made for something else.
  fusing.bandwidth = [&](double) {
    if (!std::exchange(evicted, true)) {
      bed.library->store().set_quota(1);
      EXPECT_TRUE(bed.library->store().enforce_quota().ok());
    }
    return 1e9;
  };
  const auto report = bed.fuse(*sequence, prompt, exact_options(1.0), std::move(fusing));
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_TRUE(evicted);
  EXPECT_EQ(report->cache.hits, 3);
  expect_full_logits(bed, *sequence, prompt);
  EXPECT_FALSE(bed.library->contains(KvBed::chunk(3), KvLevel::kExact)) << "nobody was reading this one";
  EXPECT_TRUE(bed.library->contains(KvBed::chunk(1), KvLevel::kExact));
}

TEST(FusingPrefiller, CancelsAtAnyLayerAndLeavesTheSequenceUsable) {
  KvBed bed;
  bed.store({0, 1, 2});
  const Prompt prompt = bed.prompt({0, 1, 2});
  const auto sequence = bed.sequence();
  for (const int reads : {0, 1, 4, 9}) {
    CancelToken cancel;
    int n = 0;
    FusingOptions fusing;
    fusing.bandwidth = [&](double) {
      if (n++ >= reads) cancel.cancel();
      return 1e8;
    };
    const auto report = bed.fuse(*sequence, prompt, exact_options(0.5), std::move(fusing), cancel);
    ASSERT_EQ(report.status().code(), StatusCode::kCancelled) << reads;
  }
  ASSERT_TRUE(bed.fuse(*sequence, prompt, exact_options(1.0)).ok());
  expect_full_logits(bed, *sequence, prompt);
}

TEST(FusingPrefiller, NoRoomForWritingBackCostsNoAnswer) {
  KvBed bed;
  bed.library->store().set_quota(100);
  const Prompt prompt = bed.prompt({0, 1});
  const auto sequence = bed.sequence();
  const auto report = bed.fuse(*sequence, prompt, exact_options(0.15));
  ASSERT_TRUE(report.ok()) << report.status().message();
  expect_full_logits(bed, *sequence, prompt);
  wait_for_background(bed);
  EXPECT_EQ(bed.background->last_failure().code(), StatusCode::kNoSpace);
  EXPECT_TRUE(stored_files(bed).empty());
}

TEST(FusingPrefiller, ChunksOfDifferentLevelsMix) {
  KvBed bed;
  bed.store({0}, KvLevel::kExact);
  bed.store({1}, KvLevel::kMedium);
  const Prompt prompt = bed.prompt({0, 1});
  const auto sequence = bed.sequence();
  PrefillOptions options;
  options.kv_level = "medium";
  options.recompute_ratio = 0.15;
  const auto medium = bed.fuse(*sequence, prompt, options);
  ASSERT_TRUE(medium.ok()) << medium.status().message();
  EXPECT_EQ(medium->cache.hits, 2) << "a finer level than asked for will do";
  options.recompute_ratio = 1.0;
  ASSERT_TRUE(bed.fuse(*sequence, prompt, options).ok());
  expect_full_logits(bed, *sequence, prompt);
  const auto exact = bed.fuse(*sequence, prompt, exact_options(0.15));
  ASSERT_TRUE(exact.ok());
  EXPECT_EQ(exact->cache.hits, 1) << "a coarser one will not";
}

TEST(FusingPrefiller, RepeatedAndSingleTokenPassages) {
  KvBed bed;
  Prompt prompt = bed.prompt({1, 1, 0});
  prompt.plan.segments[5].ids = {7};
  prompt.chunk_tokens = 2 * 25 + 1;
  bed.store({1});
  ASSERT_TRUE(bed.library->compute({{7}, {}}, KvLevel::kExact, never_cancelled()).ok());
  const auto sequence = bed.sequence();
  const auto report = bed.fuse(*sequence, prompt, exact_options(1.0));
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(report->cache.hits, 3);
  expect_full_logits(bed, *sequence, prompt);
}

TEST(FusingPrefiller, TheControllerSaysWhatItChose) {
  KvBed bed;
  bed.store({0, 1, 2});
  ASSERT_TRUE(bed.library->speed().prepare(never_cancelled()).ok());
  const auto sequence = bed.sequence();
  const auto chosen = bed.fuse(*sequence, bed.prompt({0, 1, 2}), exact_options());
  ASSERT_TRUE(chosen.ok()) << chosen.status().message();
  ASSERT_TRUE(chosen->cache.plan);
  EXPECT_GE(chosen->cache.plan->ratio, 0.15);
  EXPECT_EQ(chosen->cache.hits, 3 - chosen->cache.plan->n_computed());
  const auto fixed = bed.fuse(*sequence, bed.prompt({0, 1, 2}), exact_options(0.2));
  ASSERT_TRUE(fixed.ok());
  EXPECT_FALSE(fixed->cache.plan);
}

int layers_at(const PrefillReport& report, KvLevel level) {
  int n = 0;
  for (const PassageForm& form : report.cache.passages) n += form.layers[static_cast<size_t>(level)];
  return n;
}

TEST(FusingPrefiller, EveryWantedLevelIsStored) {
  KvBed bed;
  KvStoreSettings settings;
  settings.levels = {KvLevel::kExact, KvLevel::kLow};
  bed.open_library(storage::FileEnv::posix(), settings);
  bed.store({0}, KvLevel::kMedium);
  for (const KvLevel level : {KvLevel::kExact, KvLevel::kMedium, KvLevel::kLow}) {
    EXPECT_TRUE(bed.library->contains(KvBed::chunk(0), level));
  }
  EXPECT_FALSE(bed.library->contains(KvBed::chunk(0), KvLevel::kHigh));
  EXPECT_TRUE(bed.library->complete(KvBed::chunk(0), KvLevel::kMedium));
  EXPECT_FALSE(bed.library->complete(KvBed::chunk(0), KvLevel::kHigh));
}

TEST(FusingPrefiller, ADistantGoalBringsTheFinestLevel) {
  KvBed bed;
  bed.store({0, 1, 2}, KvLevel::kExact);
  bed.store({0, 1, 2}, KvLevel::kLow);
  bed.library->store().throughput().add(1'000'000'000, 1.0);
  const auto sequence = bed.sequence();
  FusingOptions fusing;
  fusing.seconds_left = 100.0;
  PrefillOptions options = exact_options();
  options.kv_level = "low";
  const auto report = bed.fuse(*sequence, bed.prompt({0, 1, 2}), options, std::move(fusing));
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(report->cache.hits, 3);
  EXPECT_EQ(layers_at(*report, KvLevel::kExact), 3 * bed.model->config().n_layers);
  EXPECT_EQ(layers_at(*report, KvLevel::kLow), 0);
  ASSERT_TRUE(report->cache.plan);
}

TEST(FusingPrefiller, ANearGoalOnSlowStorageTakesCoarserLevels) {
  KvBed bed;
  bed.store({0, 1, 2}, KvLevel::kExact);
  bed.store({0, 1, 2}, KvLevel::kLow);
  const auto bytes_at = [&](KvLevel level) {
    double bytes = 0.0;
    for (const int passage : {0, 1, 2}) {
      bytes += static_cast<double>((*bed.library->find(KvBed::chunk(passage), level))->header().file_bytes);
    }
    return bytes;
  };
  // Everything exact would take twice the goal.
  const double rate = bytes_at(KvLevel::kExact) / 0.6;
  bed.library->store().throughput().add(static_cast<uint64_t>(rate), 1.0);
  const auto sequence = bed.sequence();
  FusingOptions fusing;
  fusing.seconds_left = 0.3;
  fusing.bandwidth = [rate](double) { return rate; };
  const auto report = bed.fuse(*sequence, bed.prompt({0, 1, 2}), exact_options(0.15), std::move(fusing));
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(report->cache.hits, 3);
  EXPECT_GT(layers_at(*report, KvLevel::kLow), 0);
  EXPECT_LT(static_cast<double>(report->cache.bytes_read), 0.75 * bytes_at(KvLevel::kExact));
  EXPECT_EQ(sequence->n_tokens(), bed.prompt({0, 1, 2}).n_tokens());
}

TEST(FusingPrefiller, ADamagedLevelGoesAndTheOthersStay) {
  KvBed bed;
  bed.store({0, 1}, KvLevel::kExact);
  const std::vector<std::string> exact = stored_files(bed);
  bed.store({0, 1}, KvLevel::kLow);
  for (const std::string& path : exact) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-40, std::ios::end);
    file.write("damage damage", 13);
  }
  bed.library->store().throughput().add(1'000'000'000, 1.0);
  const Prompt prompt = bed.prompt({0, 1});
  const auto sequence = bed.sequence();
  FusingOptions fusing;
  fusing.seconds_left = 100.0;
  const auto report = bed.fuse(*sequence, prompt, exact_options(1.0), std::move(fusing));
  ASSERT_TRUE(report.ok()) << report.status().message();
  expect_full_logits(bed, *sequence, prompt);
  EXPECT_EQ(report->cache.hits, 0);
  EXPECT_EQ(report->failed_caches.size(), 2u);
  for (const PassageForm& form : report->cache.passages) EXPECT_EQ(form.source, PassageForm::Source::kText);
  EXPECT_TRUE(bed.library->contains(KvBed::chunk(0), KvLevel::kLow));
  wait_for_background(bed);
  EXPECT_TRUE(bed.library->contains(KvBed::chunk(0), KvLevel::kExact)) << "it was stored anew";
}

TEST(FusingPrefiller, UnknownNamesAreRefused) {
  KvBed bed;
  const auto sequence = bed.sequence();
  PrefillOptions options = exact_options(0.15);
  options.selector = "clairvoyant";
  EXPECT_EQ(bed.fuse(*sequence, bed.prompt({0}), options).status().code(), StatusCode::kUsage);
  options = exact_options(0.15);
  options.kv_level = "perfect";
  EXPECT_EQ(bed.fuse(*sequence, bed.prompt({0}), options).status().code(), StatusCode::kUsage);
}

}  // namespace
}  // namespace mneme::rag
