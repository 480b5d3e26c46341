#include "storage/encryption/home_key.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "storage/encryption/encrypted_header.h"
#include "storage/encryption/gcrypt.h"
#include "storage/env/sealed_file.h"

namespace mneme::storage {
namespace {

constexpr size_t kKeyBytes = 32;
constexpr size_t kTagBytes = 16;
constexpr std::array<char, 16> kMagic = {'m', 'n', 'e', 'm', 'e', ' ', 'h', 'o', 'm', 'e', ' ', 'k', 'e', 'y', '\n', 0};
constexpr uint32_t kVersion = 1;
constexpr uint32_t kMostMemoryKib = 4u << 20;
constexpr uint32_t kMostPasses = 1000;
constexpr uint32_t kMostLanes = 64;

// As it lies in the file; everything before `wrapped` is authenticated with it.
struct KeyFile {
  std::array<char, 16> magic = kMagic;
  uint32_t version = kVersion;
  uint32_t memory_kib = 0;
  uint32_t passes = 0;
  uint32_t lanes = 0;
  std::array<std::byte, 16> salt{};
  std::array<std::byte, 12> nonce{};
  uint32_t unused = 0;
  std::array<std::byte, kKeyBytes> wrapped{};
  std::array<std::byte, kTagBytes> tag{};
};
static_assert(sizeof(KeyFile) == 112 && std::is_trivially_copyable_v<KeyFile>);

ByteSpan authenticated(const KeyFile& file) {
  return ByteSpan(reinterpret_cast<const std::byte*>(&file), offsetof(KeyFile, wrapped));
}

struct CloseDerivation {
  void operator()(gcry_kdf_hd_t handle) const { gcry_kdf_close(handle); }
};

Result<Secret> derive(const KeyFile& file, ByteSpan passphrase) {
  const std::array<unsigned long, 4> cost = {kKeyBytes, file.passes, file.memory_kib, file.lanes};
  gcry_kdf_hd_t raw = nullptr;
  MNEME_RETURN_IF_ERROR(
      gcrypt_status(gcry_kdf_open(&raw, GCRY_KDF_ARGON2, GCRY_KDF_ARGON2ID, cost.data(), cost.size(), passphrase.data(),
                                  passphrase.size(), file.salt.data(), file.salt.size(), nullptr, 0, nullptr, 0),
                    "derive a key from the passphrase"));
  const std::unique_ptr<std::remove_pointer_t<gcry_kdf_hd_t>, CloseDerivation> handle(raw);
  Secret key(kKeyBytes);
  MNEME_RETURN_IF_ERROR(gcrypt_status(gcry_kdf_compute(raw, nullptr), "derive a key from the passphrase"));
  MNEME_RETURN_IF_ERROR(
      gcrypt_status(gcry_kdf_final(raw, kKeyBytes, key.bytes().data()), "derive a key from the passphrase"));
  return key;
}

Result<CipherHandle> open_wrapping(const KeyFile& file, ByteSpan passphrase) {
  MNEME_RETURN_IF_ERROR(start_gcrypt());
  MNEME_ASSIGN_OR_RETURN(const Secret wrapping, derive(file, passphrase));
  MNEME_ASSIGN_OR_RETURN(CipherHandle cipher, open_cipher(GCRY_CIPHER_AES256, GCRY_CIPHER_MODE_GCM, wrapping.bytes()));
  MNEME_RETURN_IF_ERROR(
      gcrypt_status(gcry_cipher_setiv(cipher.get(), file.nonce.data(), file.nonce.size()), "wrap a key"));
  const ByteSpan before = authenticated(file);
  MNEME_RETURN_IF_ERROR(
      gcrypt_status(gcry_cipher_authenticate(cipher.get(), before.data(), before.size()), "wrap a key"));
  return cipher;
}

Result<KeyFile> read_key_file(FileEnv& env, const std::string& path) {
  const Result<std::vector<std::byte>> bytes = read_sealed(env, path, 4096);
  if (!bytes.ok() && bytes.status().code() != StatusCode::kCorruption) return bytes.status();
  KeyFile file;
  if (!bytes.ok() || bytes->size() != sizeof file || std::memcmp(bytes->data(), kMagic.data(), kMagic.size()) != 0) {
    return corruption(path +
                      " is damaged, or no key of an encrypted home; put it back from a copy: without it nothing "
                      "in the home can be read");
  }
  std::memcpy(&file, bytes->data(), sizeof file);
  const bool in_reach = file.memory_kib <= kMostMemoryKib && file.passes <= kMostPasses && file.lanes <= kMostLanes;
  if (file.version != kVersion || !in_reach) {
    return unsupported(path + " was written by a newer version of mneme; use that version");
  }
  return file;
}

Status wrong_passphrase(const std::string& path) {
  return usage_error("this is not the passphrase of " + path + "; try again.");
}

}  // namespace

Result<std::shared_ptr<const Secret>> new_home_key() {
  auto key = std::make_shared<Secret>(kKeyBytes);
  MNEME_RETURN_IF_ERROR(fill_randomly(key->bytes()));
  return std::shared_ptr<const Secret>(std::move(key));
}

Status write_home_key(FileEnv& env, const std::string& path, const Secret& key, ByteSpan passphrase,
                      const PassphraseCost& cost) {
  if (passphrase.empty()) return usage_error("a passphrase must have at least one character");
  KeyFile file;
  file.memory_kib = cost.memory_kib;
  file.passes = cost.passes;
  file.lanes = cost.lanes;
  MNEME_RETURN_IF_ERROR(fill_randomly(file.salt));
  MNEME_RETURN_IF_ERROR(fill_randomly(file.nonce));
  MNEME_ASSIGN_OR_RETURN(const CipherHandle cipher, open_wrapping(file, passphrase));
  MNEME_RETURN_IF_ERROR(gcrypt_status(
      gcry_cipher_encrypt(cipher.get(), file.wrapped.data(), kKeyBytes, key.bytes().data(), kKeyBytes), "wrap a key"));
  MNEME_RETURN_IF_ERROR(gcrypt_status(gcry_cipher_gettag(cipher.get(), file.tag.data(), kTagBytes), "wrap a key"));
  const auto* begin = reinterpret_cast<const std::byte*>(&file);
  return write_sealed(env, path, std::vector<std::byte>(begin, begin + sizeof file));
}

Result<std::shared_ptr<const Secret>> open_home_key(FileEnv& env, const std::string& path, ByteSpan passphrase) {
  MNEME_ASSIGN_OR_RETURN(const KeyFile file, read_key_file(env, path));
  if (passphrase.empty()) return wrong_passphrase(path);
  MNEME_ASSIGN_OR_RETURN(const CipherHandle cipher, open_wrapping(file, passphrase));
  auto key = std::make_shared<Secret>(kKeyBytes);
  MNEME_RETURN_IF_ERROR(
      gcrypt_status(gcry_cipher_decrypt(cipher.get(), key->bytes().data(), kKeyBytes, file.wrapped.data(), kKeyBytes),
                    "unwrap a key"));
  if (gcry_cipher_checktag(cipher.get(), file.tag.data(), kTagBytes) != 0) {
    return wrong_passphrase(path);
  }
  return std::shared_ptr<const Secret>(std::move(key));
}

bool fits(FileEnv& env, const std::string& catalogue, const Secret& key) {
  const Result<std::unique_ptr<ReadableFile>> file = env.open_readable(catalogue);
  std::vector<std::byte> head(kEncryptedHeaderBytes);
  if (!file.ok() || (*file)->size() < head.size() || !(*file)->read_at(0, head).ok()) return false;
  return parse_header(head, key, catalogue).ok();
}

}  // namespace mneme::storage
