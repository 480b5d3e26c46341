// Encrypted files: what is written comes back, nothing of it stands on the disk, and what is damaged or another's is
// told.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>

#include "encrypted_disk.h"
#include "storage/catalogue/catalogue.h"
#include "storage/encryption/encrypted_header.h"
#include "storage/encryption/file_cipher.h"
#include "storage/encryption/home_key.h"
#include "storage/encryption/wal_places.h"
#include "storage/home.h"

namespace mneme::storage {
namespace {

using Bytes = std::vector<std::byte>;

Bytes random_bytes(size_t n, uint32_t seed) {
  std::mt19937 random(seed);
  Bytes bytes(n);
  for (std::byte& byte : bytes) byte = std::byte(random() & 0xff);
  return bytes;
}

std::shared_ptr<const Secret> some_key(char fill) {
  return std::make_shared<Secret>(std::string(32, fill));
}

std::unique_ptr<FileCipher> cipher_of(FileMode mode, char key, uint8_t number) {
  FileNumber file{};
  file.fill(std::byte{number});
  return std::move(FileCipher::make(*some_key(key), mode, file)).value();
}

class CipherTest : public ::testing::TestWithParam<FileMode> {};
INSTANTIATE_TEST_SUITE_P(Modes, CipherTest, ::testing::Values(FileMode::kStream, FileMode::kBlocks),
                         [](const auto& info) { return info.param == FileMode::kStream ? "Stream" : "Blocks"; });

TEST_P(CipherTest, EveryPieceIsTheSamePieceOfTheWhole) {
  const auto cipher = cipher_of(GetParam(), 'k', 1);
  const size_t step = GetParam() == FileMode::kBlocks ? FileCipher::kBlockBytes : 1;
  const Bytes plain = random_bytes(3 * FileCipher::kUnitBytes, 7);
  Bytes whole = plain;
  ASSERT_TRUE(cipher->encrypt(0, whole).ok());
  EXPECT_NE(whole, plain);
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    const size_t begin = random() % (plain.size() / step) * step;
    const size_t n = (random() % ((plain.size() - begin) / step) + 1) * step;
    const auto at = static_cast<std::ptrdiff_t>(begin);
    Bytes piece(plain.begin() + at, plain.begin() + at + static_cast<std::ptrdiff_t>(n));
    ASSERT_TRUE(cipher->encrypt(begin, piece).ok());
    ASSERT_TRUE(std::equal(piece.begin(), piece.end(), whole.begin() + at)) << begin << " " << n;
    ASSERT_TRUE(cipher->decrypt(begin, piece).ok());
    ASSERT_TRUE(std::equal(piece.begin(), piece.end(), plain.begin() + at)) << begin << " " << n;
  }
}

TEST_P(CipherTest, KeyFileAndPlaceAllCount) {
  const Bytes plain(64, std::byte{'a'});
  const auto encrypted = [&](char key, uint8_t number, uint64_t position) {
    Bytes bytes = plain;
    EXPECT_TRUE(cipher_of(GetParam(), key, number)->encrypt(position, bytes).ok());
    return bytes;
  };
  const Bytes one = encrypted('k', 1, 0);
  EXPECT_EQ(one, encrypted('k', 1, 0));
  EXPECT_NE(one, encrypted('l', 1, 0));
  EXPECT_NE(one, encrypted('k', 2, 0));
  EXPECT_NE(one, encrypted('k', 1, 64));
  EXPECT_NE(one, encrypted('k', 1, uint64_t{1} << 40));
  // Equal blocks of one file differ, too.
  EXPECT_FALSE(std::equal(one.begin(), one.begin() + 16, one.begin() + 16));
}

std::string hex(ByteSpan bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    for (const int shift : {4, 0}) text += "0123456789abcdef"[std::to_integer<int>(byte) >> shift & 15];
  }
  return text;
}

// Made by an implementation of the format's description in Python that agrees with vector 10 of IEEE 1619: files of
// today are read tomorrow.
TEST(CipherFormatTest, IsWhatItsDescriptionSays) {
  constexpr uint64_t kFar = 4096 * (uint64_t{1} << 20) + 32;
  const auto encrypted = [](FileMode mode, uint64_t position) {
    Bytes bytes(32, std::byte{'a'});
    EXPECT_TRUE(cipher_of(mode, 'k', 1)->encrypt(position, bytes).ok());
    return hex(bytes);
  };
  EXPECT_EQ(encrypted(FileMode::kStream, 0), "8ce57b0bef016dc27cdd5f635783081bce55fd7e46357eeddb2cfb06c001d470");
  EXPECT_EQ(encrypted(FileMode::kStream, kFar), "0b2f5b7a811edcb560c808c12357688eee77da24fd91f1d9c33c0e4353bd1593");
  EXPECT_EQ(encrypted(FileMode::kBlocks, 0), "feebe15c98271b2110b0257967759eecaf4605368667daf9db241453b63d595c");
  EXPECT_EQ(encrypted(FileMode::kBlocks, kFar), "526f7a59f893fa319a3719726fb9f29089ab5c760d4b2d65654a06c19ba99edc");
  EncryptedHeader header{FileMode::kBlocks, {}};
  header.number.fill(std::byte{1});
  EXPECT_EQ(hex(ByteSpan(*header_bytes(header, *some_key('k'))).first(64)),
            hex(as_bytes("mneme encrypted\n\x01\x02")) + std::string(28, '0') +
                std::string("01010101010101010101010101010101") + "f4cead559a9f1fe65c004bed50ccaa6f");
}

TEST(CipherBlocksTest, ABlockDependsOnItselfAlone) {
  const auto cipher = cipher_of(FileMode::kBlocks, 'k', 1);
  const Bytes plain = random_bytes(256, 1);
  Bytes before = plain;
  Bytes after = plain;
  after[100] ^= std::byte{1};
  ASSERT_TRUE(cipher->encrypt(0, before).ok());
  ASSERT_TRUE(cipher->encrypt(0, after).ok());
  for (size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(before[i] == after[i], i / 16 != 100 / 16) << i;
}

TEST(CipherBlocksTest, AHoleStaysZeros) {
  const auto cipher = cipher_of(FileMode::kBlocks, 'k', 1);
  Bytes bytes(64);
  std::fill(bytes.begin() + 16, bytes.begin() + 32, std::byte{9});
  ASSERT_TRUE(cipher->decrypt(0, bytes).ok());
  EXPECT_TRUE(std::all_of(bytes.begin(), bytes.begin() + 16, [](std::byte byte) { return byte == std::byte{0}; }));
  EXPECT_TRUE(std::all_of(bytes.begin() + 32, bytes.end(), [](std::byte byte) { return byte == std::byte{0}; }));
}

Bytes log_head(uint32_t page_bytes) {
  Bytes head(32);
  const uint32_t magic = 0x377f0683;
  for (size_t i = 0; i < 4; ++i) {
    head[i] = std::byte(magic >> (24 - 8 * i));
    head[8 + i] = std::byte(page_bytes >> (24 - 8 * i));
  }
  return head;
}

WalPlaces places_of_log(uint32_t page_bytes) {
  const std::optional<WalPlaces> places = WalPlaces::from_head(log_head(page_bytes));
  if (!places) throw std::runtime_error("no places for pages of " + std::to_string(page_bytes));
  return *places;
}

// A frame's head takes 32 bytes instead of 24, all else its size, for every size of pages that SQLite has.
TEST(WalPlacesTest, FramesAreWhereTheFormatPutsThem) {
  for (uint32_t page_bytes = 512; page_bytes <= 65536; page_bytes *= 2) {
    const WalPlaces places = places_of_log(page_bytes);
    const int64_t page = page_bytes;
    for (const int64_t frame : {0, 1, 2, 7}) {
      const std::vector<WalPlaces::Piece> parts = places.pieces(32 + frame * (24 + page), 24 + page);
      ASSERT_EQ(parts.size(), 2u) << page_bytes;
      EXPECT_EQ(parts[0].at, 32 + frame * (32 + page)) << page_bytes;
      EXPECT_EQ(parts[0].size, 24) << page_bytes;
      EXPECT_EQ(parts[0].padding, 8) << page_bytes;
      EXPECT_EQ(parts[1].at, parts[0].at + 32) << page_bytes;
      EXPECT_EQ(parts[1].size, page) << page_bytes;
      EXPECT_EQ(parts[1].padding, 0) << page_bytes;
    }
  }
}

TEST(WalPlacesTest, PartsShareNoBlockAndSizesGoBothWays) {
  const WalPlaces places = places_of_log(512);
  constexpr int64_t kFrame = 24 + 512;
  int64_t end = 0;
  for (const WalPlaces::Piece& piece : places.pieces(0, 32 + 5 * kFrame)) {
    EXPECT_EQ(piece.at % 16, 0);
    EXPECT_EQ(piece.at, end);
    end = piece.at + piece.size + piece.padding;
    EXPECT_EQ(end % 16, 0);
  }
  for (int64_t size = 0; size <= 32 + 3 * kFrame; ++size) {
    EXPECT_EQ(places.log_size(places.encrypted_size(size)), size) << size;
    if (size > 0) {
      EXPECT_LE(places.encrypted_size(size - 1), places.encrypted_size(size));
    }
  }
}

TEST(WalPlacesTest, ByteByByteIsWhatTheWholeIs) {
  const WalPlaces places = places_of_log(512);
  std::vector<int64_t> whole;
  for (const WalPlaces::Piece& piece : places.pieces(0, 2000)) {
    for (int64_t i = 0; i < piece.size; ++i) whole.push_back(piece.at + i);
  }
  ASSERT_EQ(whole.size(), 2000u);
  for (int64_t i = 0; i < 2000; ++i) EXPECT_EQ(places.pieces(i, 1).front().at, whole[static_cast<size_t>(i)]);
}

TEST(WalPlacesTest, WhatIsNoHeadHasNoPlaces) {
  EXPECT_FALSE(WalPlaces::from_head(Bytes(32)).has_value());
  EXPECT_FALSE(WalPlaces::from_head(Bytes(8)).has_value());
  EXPECT_FALSE(WalPlaces::from_head(log_head(500)).has_value());
  EXPECT_FALSE(WalPlaces::from_head(log_head(1 << 17)).has_value());
}

Bytes raw_file(TestDisk& disk, const std::string& path) {
  return *read_whole(disk.below(), path, 1 << 24);
}

class EncryptedEnvTest : public ::testing::Test {
 protected:
  Bytes raw(const std::string& path) { return raw_file(disk_, path); }
  Status write(const std::string& path, const Bytes& bytes) { return write_atomically(disk_.env(), path, bytes); }
  void SetUp() override { ASSERT_TRUE(disk_.env().make_directories("/home/kv").ok()); }

  TestDisk disk_{DiskKind::kEncrypted};
};

TEST_F(EncryptedEnvTest, WhatIsWrittenComesBackAtEveryPlace) {
  for (const size_t size : {0, 1, 15, 16, 17, 4095, 4096, 4097, 300'001}) {
    const Bytes bytes = random_bytes(size, static_cast<uint32_t>(size));
    ASSERT_TRUE(write("/home/kv/a", bytes).ok());
    EXPECT_EQ(*read_whole(disk_.env(), "/home/kv/a", 1 << 20), bytes);
    EXPECT_EQ(disk_.env().stat("/home/kv/a")->size_bytes, size);
    const auto file = disk_.env().open_readable("/home/kv/a");
    ASSERT_TRUE(file.ok());
    EXPECT_EQ((*file)->descriptor(), -1);
    for (size_t at = 0; at < size; at = at * 3 + 1) {
      Bytes piece(std::min<size_t>(size - at, 1000));
      ASSERT_TRUE((*file)->read_at(at, piece).ok());
      EXPECT_TRUE(std::equal(piece.begin(), piece.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at)));
    }
    Bytes beyond(1);
    EXPECT_EQ((*file)->read_at(size, beyond).code(), StatusCode::kCorruption);
    // Counted on from the header, this would come out before it.
    EXPECT_EQ((*file)->read_at(UINT64_MAX - 100, beyond).code(), StatusCode::kCorruption);
  }
}

TEST_F(EncryptedEnvTest, NothingOfItStandsOnTheDisk) {
  const std::string secret = "the quincunx lies under the xylophone; ";
  Bytes bytes;
  for (int i = 0; i < 1000; ++i) bytes.insert(bytes.end(), as_bytes(secret).begin(), as_bytes(secret).end());
  ASSERT_TRUE(write("/home/a", bytes).ok());
  ASSERT_TRUE(write("/home/b", bytes).ok());
  const Bytes one = raw("/home/a");
  const Bytes other = raw("/home/b");
  EXPECT_EQ(as_text(one).find("quincunx"), std::string_view::npos);
  EXPECT_EQ(as_text(one).find("xylophone"), std::string_view::npos);
  // The same contents twice do not look the same.
  EXPECT_FALSE(std::equal(one.begin() + 4096, one.end(), other.begin() + 4096));
}

TEST_F(EncryptedEnvTest, OtherFoldersModelsAndLocksStayAsTheyAre) {
  const Bytes bytes = random_bytes(100, 1);
  ASSERT_TRUE(disk_.env().make_directories("/homestead").ok());
  for (const std::string path :
       {"/homestead/a", "/home/llama.gguf", "/home/ab.kvprofile", "/home/config.toml", "/home/window.json"}) {
    EXPECT_FALSE(disk_.env().encrypts(path)) << path;
    ASSERT_TRUE(write(path, bytes).ok());
    EXPECT_EQ(raw(path), bytes) << path;
    EXPECT_EQ(*read_whole(disk_.env(), path, 1000), bytes);
  }
  EXPECT_FALSE(disk_.env().encrypts("/home/indexing.lock"));
  EXPECT_TRUE(disk_.env().encrypts("/home/catalog.db"));
  EXPECT_TRUE(disk_.env().encrypts("/home/kv/ab/cd.kv"));
}

TEST_F(EncryptedEnvTest, AFolderMayBeTheRoot) {
  const auto env = std::move(EncryptedEnv::make(disk_.below(), some_key('k'), {"/"})).value();
  EXPECT_TRUE(env->encrypts("/ab/cd.kv"));
}

// A program that goes on after a full disk must not use a part of the key stream for other bytes.
TEST_F(EncryptedEnvTest, WhatCouldNotBeWrittenIsNotEncryptedAgainWithTheSameKeyStream) {
  const Bytes same(64, std::byte{'a'});
  auto file = disk_.env().create("/home/a");
  ASSERT_TRUE(file.ok());
  disk_.plan().arm(FaultKind::kNoSpace, 0);
  ASSERT_FALSE((*file)->append(same).ok());
  disk_.plan().clear();
  ASSERT_TRUE((*file)->append(same).ok());
  ASSERT_TRUE((*file)->close().ok());
  // It stands where the first piece would, encrypted for the place behind it.
  const Bytes read = *read_whole(disk_.env(), "/home/a", 1000);
  EXPECT_EQ(read.size(), same.size());
  EXPECT_NE(read, same);
}

TEST_F(EncryptedEnvTest, AForeignOrDamagedFileIsTold) {
  ASSERT_TRUE(write_atomically(disk_.below(), "/home/plain", random_bytes(5000, 1)).ok());
  Result<Bytes> read = read_whole(disk_.env(), "/home/plain", 1 << 20);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.status().code(), StatusCode::kCorruption);
  EXPECT_NE(read.status().message().find("/home/plain is not encrypted"), std::string::npos) << read.status().message();

  ASSERT_TRUE(write("/home/a", random_bytes(5000, 2)).ok());
  const Bytes sound = raw("/home/a");
  for (const size_t at : {0, 5, 16, 17, 20, 32, 47, 48, 63}) {
    Bytes damaged = sound;
    damaged[at] ^= std::byte{4};
    ASSERT_TRUE(write_atomically(disk_.below(), "/home/a", damaged).ok());
    EXPECT_FALSE(read_whole(disk_.env(), "/home/a", 1 << 20).ok()) << at;
  }
  for (const size_t size : {1, 63, 64, 4095}) {
    ASSERT_TRUE(write_atomically(disk_.below(), "/home/a", ByteSpan(sound).first(size)).ok());
    EXPECT_EQ(read_whole(disk_.env(), "/home/a", 1 << 20).status().code(), StatusCode::kCorruption) << size;
  }
}

TEST_F(EncryptedEnvTest, AnotherKeyDoesNotOpenIt) {
  ASSERT_TRUE(write("/home/a", random_bytes(50, 1)).ok());
  const auto other = std::move(EncryptedEnv::make(disk_.below(), some_key('o'), {"/home"})).value();
  const Result<Bytes> read = read_whole(*other, "/home/a", 1000);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.status().message().find("of another home"), std::string::npos) << read.status().message();
}

TEST_F(EncryptedEnvTest, NoWordOfACatalogueStandsOnTheDisk) {
  {
    auto catalogue = Catalogue::open({.path = "/home/catalog.db", .env = &disk_.env()});
    ASSERT_TRUE(catalogue.ok()) << catalogue.status().message();
    const auto chat = (*catalogue)->create_chat("talk of the quincunx");
    for (int i = 0; i < 50; ++i) {
      ASSERT_TRUE((*catalogue)->append_message({.chat = *chat, .role = "user", .text = "where is the quincunx"}).ok());
    }
    for (const std::string name : {"/home/catalog.db", "/home/catalog.db-wal"}) {
      const Bytes bytes = raw(name);
      EXPECT_EQ(as_text(bytes).find("quincunx"), std::string_view::npos) << name;
      EXPECT_EQ(as_text(bytes).find("CREATE TABLE"), std::string_view::npos) << name;
      EXPECT_EQ(as_text(bytes).find("SQLite format"), std::string_view::npos) << name;
    }
  }
  EXPECT_EQ(as_text(raw("/home/catalog.db")).find("quincunx"), std::string_view::npos);
  // Who reads the file by itself (a repair) has its bytes, wherever they begin.
  const Bytes whole = *read_whole(disk_.env(), "/home/catalog.db", 1 << 24);
  EXPECT_TRUE(as_text(whole).starts_with("SQLite format"));
  const auto file = disk_.env().open_readable("/home/catalog.db");
  ASSERT_TRUE(file.ok());
  for (const size_t at : {size_t{0}, size_t{1}, size_t{100}, size_t{4095}, size_t{4097}, whole.size() - 17}) {
    for (const size_t n : {size_t{1}, size_t{16}, size_t{5000}}) {
      Bytes piece(std::min(n, whole.size() - at));
      ASSERT_TRUE((*file)->read_at(at, piece).ok());
      EXPECT_TRUE(std::equal(piece.begin(), piece.end(), whole.begin() + static_cast<std::ptrdiff_t>(at))) << at;
    }
  }
  auto again = Catalogue::open({.path = "/home/catalog.db", .env = &disk_.env()});
  ASSERT_TRUE(again.ok()) << again.status().message();
  EXPECT_EQ((*again)->list_chats()->size(), 1u);
  EXPECT_TRUE((*again)->check(false)->problems.empty());
}

// The power went while it was begun: nothing was promised yet. What is longer had pages.
TEST_F(EncryptedEnvTest, ACatalogueThatIsNoMoreThanABeginningIsANewOne) {
  for (const size_t size : {0, 1, 4095, 4096, 4097, 8192}) {
    ASSERT_TRUE(write_atomically(disk_.below(), "/home/catalog.db", Bytes(size)).ok());
    const auto opened = Catalogue::open({.path = "/home/catalog.db", .env = &disk_.env()});
    EXPECT_EQ(opened.ok(), size <= 4096) << size << ": " << opened.status().message();
  }
}

TEST_F(EncryptedEnvTest, APlainCatalogueIsRefused) {
  ASSERT_TRUE(Catalogue::open({.path = "/home/catalog.db", .env = &disk_.below()}).ok());
  const auto opened = Catalogue::open({.path = "/home/catalog.db", .env = &disk_.env()});
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.status().code(), StatusCode::kCorruption) << opened.status().message();
}

TEST(HomeKeyTest, OnlyItsPassphraseOpensIt) {
  MemoryEnv env;
  ASSERT_TRUE(env.make_directories("/home").ok());
  const PassphraseCost cheap{.memory_kib = 8, .passes = 1, .lanes = 1};
  const auto key = new_home_key();
  ASSERT_TRUE(key.ok());
  ASSERT_TRUE(write_home_key(env, "/home/home.key", **key, as_bytes("correct horse"), cheap).ok());
  const auto opened = open_home_key(env, "/home/home.key", as_bytes("correct horse"));
  ASSERT_TRUE(opened.ok()) << opened.status().message();
  EXPECT_TRUE(std::ranges::equal((*opened)->bytes(), (*key)->bytes()));
  for (const std::string_view wrong : {"", "correct hors", "correct horse ", "Correct horse"}) {
    EXPECT_EQ(open_home_key(env, "/home/home.key", as_bytes(wrong)).status().code(), StatusCode::kUsage) << wrong;
  }
  // Another passphrase for the same key.
  ASSERT_TRUE(write_home_key(env, "/home/home.key", **key, as_bytes("new"), cheap).ok());
  EXPECT_FALSE(open_home_key(env, "/home/home.key", as_bytes("correct horse")).ok());
  EXPECT_TRUE(std::ranges::equal((*open_home_key(env, "/home/home.key", as_bytes("new")))->bytes(), (*key)->bytes()));
}

TEST(HomeKeyTest, EveryDamagedByteIsFound) {
  MemoryEnv env;
  ASSERT_TRUE(env.make_directories("/home").ok());
  const PassphraseCost cheap{.memory_kib = 8, .passes = 1, .lanes = 1};
  ASSERT_TRUE(write_home_key(env, "/k", **new_home_key(), as_bytes("p"), cheap).ok());
  const Bytes sound = *read_whole(env, "/k", 1000);
  for (size_t at = 0; at < sound.size(); ++at) {
    Bytes damaged = sound;
    damaged[at] ^= std::byte{1};
    ASSERT_TRUE(write_atomically(env, "/k", damaged).ok());
    const Status why = open_home_key(env, "/k", as_bytes("p")).status();
    EXPECT_EQ(why.code(), StatusCode::kCorruption) << at;
    EXPECT_NE(why.message().find("put it back from a copy"), std::string::npos) << at << ": " << why.message();
  }
}

// Of two homes each has a key that opens it alone.
TEST(HomeKeyTest, AKeyFitsTheCatalogueItEncryptedAlone) {
  TestDisk disk(DiskKind::kEncrypted);
  ASSERT_TRUE(disk.env().make_directories("/home").ok());
  const auto other = std::move(EncryptedEnv::make(disk.below(), some_key('o'), {"/home"})).value();
  ASSERT_TRUE(Catalogue::open({.path = "/home/catalog.db", .env = other.get()}).ok());
  EXPECT_TRUE(fits(disk.below(), "/home/catalog.db", *some_key('o')));
  EXPECT_FALSE(fits(disk.below(), "/home/catalog.db", *some_key('p')));
  EXPECT_FALSE(fits(disk.below(), "/home/absent.db", *some_key('o')));
  const Bytes whole = raw_file(disk, "/home/catalog.db");
  for (const size_t size : {size_t{0}, size_t{4095}, size_t{4096}}) {  // a database is begun with its header
    ASSERT_TRUE(write_atomically(disk.below(), "/home/cut.db", ByteSpan(whole).first(size)).ok());
    EXPECT_EQ(fits(disk.below(), "/home/cut.db", *some_key('o')), size == 4096) << size;
  }
  ASSERT_TRUE(write_atomically(disk.below(), "/home/plain.db", random_bytes(8192, 1)).ok());
  EXPECT_FALSE(fits(disk.below(), "/home/plain.db", *some_key('o')));
}

// As a copy of the string's place shows: nothing else writes there while it is not released.
TEST(SecretTest, WhatIsWipedIsOverwritten) {
  std::string text(100, 'x');
  const char* const place = text.data();
  wipe(text);
  EXPECT_TRUE(text.empty());
  EXPECT_EQ(text.data(), place);
  EXPECT_EQ(std::string(place, 100), std::string(100, '\0'));
}

TEST(HomeKeyTest, WhatAsksForTooMuchMemoryIsRefused) {
  MemoryEnv env;
  const PassphraseCost cheap{.memory_kib = 8, .passes = 1, .lanes = 1};
  ASSERT_TRUE(write_home_key(env, "/k", **new_home_key(), as_bytes("p"), cheap).ok());
  Bytes bytes = *read_whole(env, "/k", 1000);
  constexpr size_t kMemoryAt = 20;
  std::fill_n(bytes.begin() + kMemoryAt, 4, std::byte{0xff});
  bytes.resize(bytes.size() - 16);
  const Hash128 sum = xxh3_128(bytes);
  const ByteSpan seal = std::as_bytes(std::span(&sum, 1));
  bytes.insert(bytes.end(), seal.begin(), seal.end());
  ASSERT_TRUE(write_atomically(env, "/k", bytes).ok());
  EXPECT_EQ(open_home_key(env, "/k", as_bytes("p")).status().code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace mneme::storage
