// libgcrypt's calls with owners and Status, and its one-time start. Nothing here is a method of our own: AES, HMAC,
// GCM and Argon2id are the library's. Threads: all functions may be called from any thread.
#pragma once

#include <gcrypt.h>

#include <memory>
#include <string_view>
#include <type_traits>

#include "base/bytes.h"
#include "base/status.h"

namespace mneme::storage {

// Once per process; the functions below do it, calls of the library's own have to be preceded by it. kUnsupported for a
// library older than the one this was built with.
Status start_gcrypt();

struct CloseCipher {
  void operator()(gcry_cipher_hd_t handle) const { gcry_cipher_close(handle); }
};
using CipherHandle = std::unique_ptr<std::remove_pointer_t<gcry_cipher_hd_t>, CloseCipher>;

// A cipher with its key. kResource without memory, kUnsupported where the library lacks it (FIPS mode).
Result<CipherHandle> open_cipher(int algorithm, int mode, ByteSpan key);

// HMAC-SHA-512 (64 bytes into `out`) of the parts, one after the other.
Status hmac_sha512(ByteSpan key, std::string_view purpose, ByteSpan message, MutableByteSpan out);

// From the system's generator.
Status fill_randomly(MutableByteSpan out);

// What the library said, as a Status; ok for its zero.
Status gcrypt_status(gcry_error_t error, std::string_view what);

}  // namespace mneme::storage
