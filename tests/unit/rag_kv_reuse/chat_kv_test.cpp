// Chats: what is kept of a turn is used by the next one, in the same program and after a restart, and is never mistaken
// for a passage's own KV.
#include "rag/kv_reuse/chat_kv.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "engine/engine_queue.h"
#include "rag/kv_reuse/chat_kv_files.h"
#include "tests/unit/rag_kv_reuse/kv_bed.h"

namespace mneme::rag {
namespace {

using engine::KvLevel;
using engine::TokenId;

std::vector<TokenId> joined(std::vector<TokenId> a, const std::vector<TokenId>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

class ChatKvTest : public ::testing::Test {
 protected:
  ChatKvTest() { bed_.store({0, 1, 2, 3}); }

  PrefillOptions options(ChatKv& chat, double ratio) const {
    PrefillOptions options = exact_options(ratio);
    options.chat = &chat;
    return options;
  }
  void remember(ChatKv& chat, engine::Sequence& sequence, const Prompt& prompt, const std::vector<TokenId>& turn) {
    const Status status = chat.remember(*bed_.library, sequence, prompt, turn, KvLevel::kExact);
    ASSERT_TRUE(status.ok()) << status.message();
  }

  KvBed bed_;
  const std::vector<TokenId> first_turn_ = KvBed::ids(21, 50);
  const std::vector<TokenId> second_turn_ = KvBed::ids(17, 51);
};

TEST_F(ChatKvTest, TheSamePassagesAreCarriedOver) {
  ChatKv chat(1);
  const auto sequence = bed_.sequence(true);
  const Prompt opening = bed_.prompt({0, 1});
  ASSERT_TRUE(bed_.fuse(*sequence, opening, options(chat, 1.0)).ok());
  remember(chat, *sequence, opening, first_turn_);
  const Prompt next = bed_.prompt({0, 1}, first_turn_);
  const auto report = bed_.fuse(*sequence, next, options(chat, 0.15));
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(report->cache.carried, 2);
  EXPECT_EQ(report->cache.hits, 2);
  EXPECT_EQ(report->cache.bytes_read, 0);
  EXPECT_EQ(report->cache.recompute_ratio, 0.0);
  // The opening was computed in full, so this is exact.
  EXPECT_LT(relative_difference(sequence->logits(), bed_.full_logits(next)), 1e-3);
}

TEST_F(ChatKvTest, OtherPassagesLeaveTheHistoryReusable) {
  ChatKv chat(1);
  const auto sequence = bed_.sequence(true);
  const Prompt opening = bed_.prompt({0, 1});
  ASSERT_TRUE(bed_.fuse(*sequence, opening, options(chat, 1.0)).ok());
  remember(chat, *sequence, opening, first_turn_);
  const Prompt next = bed_.prompt({0, 2, 3}, first_turn_);
  const auto report = bed_.fuse(*sequence, next, options(chat, 0.15));
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(report->cache.carried, 1);
  EXPECT_EQ(report->cache.hits, 3);
  EXPECT_EQ(report->cache.history_tokens, static_cast<int>(first_turn_.size()));
  EXPECT_LT(report->cache.recompute_ratio, 0.25);
  EXPECT_EQ(sequence->n_tokens(), next.n_tokens());
  // Repaired in full it is the full prefill, history included.
  ASSERT_TRUE(bed_.fuse(*sequence, bed_.prompt({3}), exact_options(1.0)).ok());
  ChatKv again(1);
  ASSERT_TRUE(bed_.fuse(*sequence, next, options(again, 1.0)).ok());
  EXPECT_LT(relative_difference(sequence->logits(), bed_.full_logits(next)), 1e-3);
}

// Earlier turns are computed with the first layers as all else; behind all layers nothing is left of what was kept.
TEST_F(ChatKvTest, FirstLayersInFullAreThoseOfTheHistoryToo) {
  ChatKv chat(1);
  const auto sequence = bed_.sequence(true);
  const Prompt opening = bed_.prompt({0, 1});
  ASSERT_TRUE(bed_.fuse(*sequence, opening, options(chat, 1.0)).ok());
  remember(chat, *sequence, opening, first_turn_);
  const Prompt next = bed_.prompt({2, 3}, first_turn_);
  PrefillOptions all = options(chat, 0.15);
  all.full_layers = bed_.model->config().n_layers;
  const auto report = bed_.fuse(*sequence, next, all);
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(report->cache.history_tokens, static_cast<int>(first_turn_.size()));
  EXPECT_EQ(report->cache.recompute_ratio, 1.0);
  EXPECT_LT(relative_difference(sequence->logits(), bed_.full_logits(next)), 1e-3);
}

TEST_F(ChatKvTest, ResumingIsALoad) {
  const Prompt opening = bed_.prompt({0, 1});
  {
    ChatKv chat(7);
    const auto sequence = bed_.sequence(true);
    ASSERT_TRUE(bed_.fuse(*sequence, opening, options(chat, 1.0)).ok());
    remember(chat, *sequence, opening, first_turn_);
    ASSERT_TRUE(chat.store_all(*bed_.library, *sequence, KvLevel::kExact).ok());
  }
  bed_.open_library();
  const Prompt next = bed_.prompt({0, 1}, first_turn_);
  for (const int64_t id : {7, 8}) {
    ChatKv chat(id);
    const auto sequence = bed_.sequence(true);
    const auto report = bed_.fuse(*sequence, next, options(chat, 0.15));
    ASSERT_TRUE(report.ok()) << report.status().message();
    EXPECT_EQ(report->cache.carried, id == 7 ? 2 : 0) << "another chat does not find it";
    EXPECT_EQ(report->cache.history_tokens, id == 7 ? static_cast<int>(first_turn_.size()) : 0);
    if (id != 7) continue;
    EXPECT_EQ(report->cache.recompute_ratio, 0.0);
    EXPECT_GT(report->cache.bytes_read, 0);
    EXPECT_LT(relative_difference(sequence->logits(), bed_.full_logits(next)), 5e-3);
  }
}

// The model may be computing passages behind the answer meanwhile, and its backend takes one thread at a time.
TEST_F(ChatKvTest, IsReadOutOfTheSequenceInATurn) {
  ChatKv chat(7);
  const auto sequence = bed_.sequence(true);
  const Prompt opening = bed_.prompt({0, 1});
  ASSERT_TRUE(bed_.fuse(*sequence, opening, options(chat, 1.0)).ok());
  remember(chat, *sequence, opening, first_turn_);
  engine::EngineQueue& queue = bed_.model->queue();
  std::atomic<bool> done = false;
  Status status;
  std::thread leaving;
  {
    const engine::EngineQueue::Turn turn = queue.enter(engine::Priority::kBackground);
    leaving = std::thread([&] {
      status = chat.store_all(*bed_.library, *sequence, KvLevel::kExact);
      done = true;
    });
    while (!done && queue.n_waiting(engine::Priority::kInteractive) == 0) std::this_thread::yield();
    EXPECT_FALSE(done);
  }
  leaving.join();
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST_F(ChatKvTest, ThreeTurnsAndALaterBeginning) {
  ChatKv chat(1);
  const auto sequence = bed_.sequence(true);
  const Prompt opening = bed_.prompt({0});
  ASSERT_TRUE(bed_.fuse(*sequence, opening, options(chat, 1.0)).ok());
  remember(chat, *sequence, opening, first_turn_);
  const Prompt second = bed_.prompt({0}, first_turn_);
  ASSERT_TRUE(bed_.fuse(*sequence, second, options(chat, 1.0)).ok());
  remember(chat, *sequence, second, second_turn_);
  const std::vector<TokenId> both = joined(first_turn_, second_turn_);
  const auto all = chat.history(*bed_.library, both, KvLevel::kExact);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->n_tokens, static_cast<int>(both.size()));
  // The first turn no longer fits into the prompt: the second is found where it stands.
  const auto later = chat.history(*bed_.library, second_turn_, KvLevel::kExact);
  ASSERT_TRUE(later);
  EXPECT_EQ(later->n_tokens, static_cast<int>(second_turn_.size()));
  const auto width = all->keys.front().size() / both.size();
  EXPECT_TRUE(std::equal(later->keys.front().begin(), later->keys.front().end(),
                         all->keys.front().begin() + static_cast<std::ptrdiff_t>(first_turn_.size() * width),
                         [](f16 a, f16 b) { return to_f32(a) == to_f32(b); }));
  EXPECT_FALSE(chat.history(*bed_.library, KvBed::ids(30, 77), KvLevel::kExact));
}

TEST_F(ChatKvTest, NothingOfAChatIsFoundAsAPassage) {
  const Prompt opening = bed_.prompt({0, 1});
  ChatKv chat(3);
  const auto sequence = bed_.sequence(true);
  ASSERT_TRUE(bed_.fuse(*sequence, opening, options(chat, 0.3)).ok());
  remember(chat, *sequence, opening, first_turn_);
  ASSERT_TRUE(chat.store_all(*bed_.library, *sequence, KvLevel::kExact).ok());
  EXPECT_FALSE(bed_.library->contains({first_turn_, {}}, KvLevel::kExact));
  int of_chat = 0;
  ASSERT_TRUE(bed_.library->store()
                  .for_each([&](const storage::ChunkFileInfo& info, uint64_t) {
                    of_chat += info.text_hash == ChatKv::text_hash(3) ? 1 : 0;
                    return true;
                  })
                  .ok());
  EXPECT_EQ(of_chat, 2);
}

// Of a hundred thousand caches none is opened for it: a damaged one, which would be taken as well, stays.
TEST_F(ChatKvTest, AChatsFilesAreErasedByTheirNames) {
  const auto files_of = [&](int64_t chat) {
    std::vector<std::string> keys;
    const auto add = [&](const storage::ChunkFileInfo& info, uint64_t) {
      if (info.text_hash == ChatKv::text_hash(chat)) keys.push_back(info.key.hex());
      return true;
    };
    EXPECT_TRUE(bed_.library->store().for_each(add).ok());
    return keys;
  };
  const auto write_by_an_older_program = [&](int64_t chat) {
    storage::ChunkFileInfo info;
    info.key = xxh3_128(as_bytes("chat of an older program " + std::to_string(chat)));
    info.text_hash = ChatKv::text_hash(chat);
    info.token_ids = {1, 2, 3};
    const std::vector<std::byte> layer(100);
    ASSERT_TRUE(bed_.library->put(info, std::vector<ByteSpan>{layer}).ok());
  };
  const auto write = [&](int64_t id) {
    ChatKv chat(id);
    const auto sequence = bed_.sequence(true);
    const Prompt opening = bed_.prompt({0, 1});
    ASSERT_TRUE(bed_.fuse(*sequence, opening, options(chat, 1.0)).ok());
    remember(chat, *sequence, opening, first_turn_);
    ASSERT_TRUE(chat.store_all(*bed_.library, *sequence, KvLevel::kExact).ok());
  };
  const auto erase = [&](int64_t chat) {
    const Status erased = erase_chat_kv(*bed_.catalogue, bed_.library->store(), chat);
    EXPECT_TRUE(erased.ok()) << erased.message();
  };
  const auto kept = bed_.catalogue->create_chat("kept", "{}");
  ASSERT_TRUE(kept.ok());
  const int64_t other = static_cast<int64_t>(*kept);
  for (const int64_t chat : {other, int64_t{77}, int64_t{78}}) write(chat);
  write_by_an_older_program(77);
  write_by_an_older_program(other);
  erase(77);
  EXPECT_TRUE(files_of(77).empty());
  EXPECT_EQ(files_of(other).size(), 2u) << "what an older program wrote of it is found by nobody";
  const auto passage = bed_.library->key_of(KvBed::chunk(3), KvLevel::kExact);
  ASSERT_TRUE(passage.ok());
  const std::string file = bed_.home.kv_folder() + "/" + passage->hex().substr(0, 2) + "/" + passage->hex() + ".kv";
  std::filesystem::resize_file(file, 20);
  erase(78);
  EXPECT_TRUE(files_of(78).empty());
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_EQ(files_of(other).size(), 2u);
  erase(other);
  EXPECT_TRUE(files_of(other).empty());
}

TEST_F(ChatKvTest, AFullStoreCostsTheChatNothingButTime) {
  bed_.library->store().set_quota(10);
  ChatKv chat(1);
  const auto sequence = bed_.sequence(true);
  const Prompt opening = bed_.prompt({0});
  ASSERT_TRUE(bed_.fuse(*sequence, opening, options(chat, 1.0)).ok());
  EXPECT_EQ(chat.remember(*bed_.library, *sequence, opening, first_turn_, KvLevel::kExact).code(),
            StatusCode::kNoSpace);
  const Prompt next = bed_.prompt({1}, first_turn_);
  const auto report = bed_.fuse(*sequence, next, options(chat, 0.15));
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->cache.history_tokens, static_cast<int>(first_turn_.size())) << "memory has it still";
}

TEST_F(ChatKvTest, PassagesThatAreLeftOutAreNotStoredWithTheChat) {
  for (const bool leaves_out : {false, true}) {
    ChatKv chat(leaves_out ? 2 : 1);
    const auto sequence = bed_.sequence(true);
    const Prompt opening = bed_.prompt({0, 1});
    ASSERT_TRUE(bed_.fuse(*sequence, opening, options(chat, 1.0)).ok());
    remember(chat, *sequence, opening, first_turn_);
    const auto tokens = sequence->tokens();
    const std::vector<TokenId> context(tokens.begin() + static_cast<std::ptrdiff_t>(opening.prefix.size()),
                                       tokens.begin() + opening.n_before_history());
    if (leaves_out) chat.leave_out_passages();
    ASSERT_TRUE(chat.store_all(*bed_.library, *sequence, KvLevel::kExact).ok());
    EXPECT_EQ(chat.context(*bed_.library, context, KvLevel::kExact) == nullptr, leaves_out);
    EXPECT_TRUE(chat.history(*bed_.library, first_turn_, KvLevel::kExact));
  }
}

}  // namespace
}  // namespace mneme::rag
