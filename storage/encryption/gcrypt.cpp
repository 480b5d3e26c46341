#include "storage/encryption/gcrypt.h"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <string>

namespace mneme::storage {
namespace {

struct CloseDigest {
  void operator()(gcry_md_hd_t handle) const { gcry_md_close(handle); }
};

}  // namespace

// Locked memory is left out: it is 32 KiB for the whole library, and running out of it would end the program.
Status start_gcrypt() {
  static const bool started = [] {
    if (gcry_check_version(GCRYPT_VERSION) == nullptr) return false;
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    return true;
  }();
  if (started) return {};
  return unsupported("libgcrypt is older than " GCRYPT_VERSION ", with which mneme was built; install that version");
}

Status gcrypt_status(gcry_error_t error, std::string_view what) {
  if (error == 0) return {};
  const StatusCode code = gcry_err_code(error) == GPG_ERR_ENOMEM ? StatusCode::kResource : StatusCode::kUnsupported;
  return {code, "libgcrypt cannot " + std::string(what) + ": " + gcry_strerror(error)};
}

Result<CipherHandle> open_cipher(int algorithm, int mode, ByteSpan key) {
  MNEME_RETURN_IF_ERROR(start_gcrypt());
  gcry_cipher_hd_t raw = nullptr;
  MNEME_RETURN_IF_ERROR(gcrypt_status(gcry_cipher_open(&raw, algorithm, mode, 0), "open a cipher"));
  CipherHandle handle(raw);
  MNEME_RETURN_IF_ERROR(gcrypt_status(gcry_cipher_setkey(raw, key.data(), key.size()), "take a key"));
  return handle;
}

Status hmac_sha512(ByteSpan key, std::string_view purpose, ByteSpan message, MutableByteSpan out) {
  MNEME_RETURN_IF_ERROR(start_gcrypt());
  gcry_md_hd_t raw = nullptr;
  MNEME_RETURN_IF_ERROR(gcrypt_status(gcry_md_open(&raw, GCRY_MD_SHA512, GCRY_MD_FLAG_HMAC), "open a digest"));
  const std::unique_ptr<std::remove_pointer_t<gcry_md_hd_t>, CloseDigest> handle(raw);
  MNEME_RETURN_IF_ERROR(gcrypt_status(gcry_md_setkey(raw, key.data(), key.size()), "take a key"));
  gcry_md_write(raw, purpose.data(), purpose.size());
  gcry_md_write(raw, message.data(), message.size());
  const auto* digest = reinterpret_cast<const std::byte*>(gcry_md_read(raw, GCRY_MD_SHA512));
  std::copy_n(digest, out.size(), out.begin());
  return {};
}

Status fill_randomly(MutableByteSpan out) {
  while (!out.empty()) {
    const ssize_t n = ::getrandom(out.data(), out.size(), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno_error("take random bytes from", "the system", errno);
    out = out.subspan(static_cast<size_t>(n));
  }
  return {};
}

}  // namespace mneme::storage
