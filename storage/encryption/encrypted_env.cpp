#include "storage/encryption/encrypted_env.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "storage/encryption/encrypted_header.h"
#include "storage/encryption/encrypted_sqlite.h"
#include "storage/encryption/file_cipher.h"
#include "storage/encryption/home_key.h"
#include "storage/env/temporary_file.h"

namespace mneme::storage {
namespace {

class EncryptedReadable final : public ReadableFile {
 public:
  EncryptedReadable(std::string path, std::unique_ptr<ReadableFile> below, FileMode mode,
                    std::unique_ptr<FileCipher> cipher)
      : path_(std::move(path)), below_(std::move(below)), mode_(mode), cipher_(std::move(cipher)) {}

  uint64_t size() const override { return below_->size() - kEncryptedHeaderBytes; }

  Status read_at(uint64_t offset, MutableByteSpan out) const override {
    // Also where the offset is no place in a file at all, and behind the header would be one before it.
    if (offset > size() || out.size() > size() - offset)
      return corruption(path_ + " ends before the data it should hold");
    if (mode_ == FileMode::kBlocks) return read_blocks(offset, out);
    MNEME_RETURN_IF_ERROR(below_->read_at(kEncryptedHeaderBytes + offset, out));
    return cipher_->decrypt(offset, out);
  }

 private:
  Status read_blocks(uint64_t offset, MutableByteSpan out) const {
    const uint64_t begin = offset - offset % FileCipher::kBlockBytes;
    const uint64_t end = offset + out.size();
    const uint64_t wanted = (end - begin + FileCipher::kBlockBytes - 1) / FileCipher::kBlockBytes;
    std::vector<std::byte> blocks(wanted * FileCipher::kBlockBytes);
    MNEME_RETURN_IF_ERROR(below_->read_at(kEncryptedHeaderBytes + begin, blocks));
    MNEME_RETURN_IF_ERROR(cipher_->decrypt(begin, blocks));
    std::copy_n(blocks.begin() + static_cast<std::ptrdiff_t>(offset - begin), out.size(), out.begin());
    return {};
  }

  std::string path_;
  std::unique_ptr<ReadableFile> below_;
  FileMode mode_;
  std::unique_ptr<FileCipher> cipher_;
};

class EncryptedWritable final : public WritableFile {
 public:
  EncryptedWritable(std::unique_ptr<WritableFile> below, std::unique_ptr<FileCipher> cipher)
      : below_(std::move(below)), cipher_(std::move(cipher)) {}

  Status append(ByteSpan bytes) override {
    while (!bytes.empty()) {
      const ByteSpan piece = bytes.first(std::min(bytes.size(), kPieceBytes));
      piece_.assign(piece.begin(), piece.end());
      MNEME_RETURN_IF_ERROR(cipher_->encrypt(written_, piece_));
      written_ += piece.size();  // also where it cannot be written: no part of the key stream is used twice
      MNEME_RETURN_IF_ERROR(below_->append(piece_));
      bytes = bytes.subspan(piece.size());
    }
    return {};
  }
  Status sync() override { return below_->sync(); }
  Status close() override { return below_->close(); }

 private:
  static constexpr size_t kPieceBytes = 256 << 10;
  std::unique_ptr<WritableFile> below_;
  std::unique_ptr<FileCipher> cipher_;
  std::vector<std::byte> piece_;
  uint64_t written_ = 0;
};

// A file nothing was written to yet.
class EmptyReadable final : public ReadableFile {
 public:
  explicit EmptyReadable(std::string path) : path_(std::move(path)) {}
  uint64_t size() const override { return 0; }
  Status read_at(uint64_t, MutableByteSpan out) const override {
    return out.empty() ? Status() : corruption(path_ + " is empty; remove it");
  }

 private:
  std::string path_;
};

bool is_left_plain(std::string_view name) {
  static constexpr std::array<std::string_view, 3> kNames = {kHomeKeyName, "config.toml", "window.json"};
  static constexpr std::array<std::string_view, 4> kEndings = {".lock", ".gguf", ".kvprofile", ".clustering"};
  return std::ranges::find(kNames, name) != kNames.end() ||
         std::ranges::any_of(kEndings, [&](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace

Result<std::unique_ptr<EncryptedEnv>> EncryptedEnv::make(FileEnv& below, std::shared_ptr<const Secret> home_key,
                                                         std::vector<std::string> folders) {
  for (std::string& folder : folders) {
    while (folder.ends_with('/')) folder.pop_back();
  }
  std::unique_ptr<EncryptedEnv> env(new EncryptedEnv(below, home_key, std::move(folders)));
  MNEME_ASSIGN_OR_RETURN(env->layer_, make_encrypted_layer(below.sqlite_vfs(), std::move(home_key)));
  return env;
}

bool EncryptedEnv::encrypts(const std::string& path) const {
  const bool below = std::ranges::any_of(folders_, [&](const std::string& folder) {
    return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
  });
  if (!below) return false;
  // While a file is written it goes by another name.
  const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  return !is_left_plain(name.substr(0, name.find(kTemporaryMark)));
}

Result<std::unique_ptr<ReadableFile>> EncryptedEnv::open_readable(const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, below_.open_readable(path));
  if (!encrypts(path)) return file;
  if (file->size() == 0) return std::unique_ptr<ReadableFile>(std::make_unique<EmptyReadable>(path));
  std::vector<std::byte> head(std::min(file->size(), kEncryptedHeaderBytes));
  MNEME_RETURN_IF_ERROR(file->read_at(0, head));
  MNEME_ASSIGN_OR_RETURN(const EncryptedHeader header, parse_header(head, *home_key_, path));
  MNEME_ASSIGN_OR_RETURN(auto cipher, FileCipher::make(*home_key_, header.mode, header.number));
  return std::unique_ptr<ReadableFile>(
      std::make_unique<EncryptedReadable>(path, std::move(file), header.mode, std::move(cipher)));
}

Result<std::unique_ptr<WritableFile>> EncryptedEnv::create(const std::string& path) {
  if (!encrypts(path)) return below_.create(path);
  MNEME_ASSIGN_OR_RETURN(const EncryptedHeader header, new_encrypted_header(FileMode::kStream));
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::byte> head, header_bytes(header, *home_key_));
  MNEME_ASSIGN_OR_RETURN(auto cipher, FileCipher::make(*home_key_, header.mode, header.number));
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, below_.create(path));
  MNEME_RETURN_IF_ERROR(file->append(head));
  return std::unique_ptr<WritableFile>(std::make_unique<EncryptedWritable>(std::move(file), std::move(cipher)));
}

Result<FileStat> EncryptedEnv::stat(const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(FileStat stat, below_.stat(path));
  if (stat.kind == FileKind::kFile && encrypts(path))
    stat.size_bytes -= std::min(stat.size_bytes, kEncryptedHeaderBytes);
  return stat;
}

}  // namespace mneme::storage
