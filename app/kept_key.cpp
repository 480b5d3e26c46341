#include "app/kept_key.h"

#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "base/bytes.h"
#include "base/hash.h"

namespace mneme::app {
namespace {

constexpr const char* kType = "user";

// <keyutils.h> has these; a library for three system calls would be one more to install.
constexpr uint32_t kPossessorAll = 0x3f000000;
constexpr uint32_t kUserViewReadSearch = 0x000b0000;

std::string name_of(const std::string& home) {
  return "mneme:" + xxh3_128(as_bytes(home)).hex();
}

// The kernel's number of the key; negative: there is none.
long find(const std::string& home) {
  return ::syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, kType, name_of(home).c_str(), 0);
}

}  // namespace

// It gets into the user's keyring, in the place of one kept before, only when its life is limited: a process that is
// killed takes what is in its own with it.
Status keep_key(const std::string& home, const storage::Secret& key, std::chrono::seconds how_long) {
  const long number = ::syscall(SYS_add_key, kType, name_of(home).c_str(), key.bytes().data(), key.bytes().size(),
                                KEY_SPEC_PROCESS_KEYRING);
  const bool kept = number >= 0 &&
                    ::syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, number, static_cast<unsigned>(how_long.count())) == 0 &&
                    ::syscall(SYS_keyctl, KEYCTL_SETPERM, number, kPossessorAll | kUserViewReadSearch) == 0 &&
                    ::syscall(SYS_keyctl, KEYCTL_LINK, number, KEY_SPEC_USER_KEYRING) == 0;
  if (kept) return {};
  const Status why = errno_error("keep a key in", "the kernel's keyring", errno);
  return unsupported(why.message() + "; give --passphrase-file FILE instead.");
}

std::shared_ptr<const storage::Secret> kept_key(const std::string& home) {
  const long number = find(home);
  if (number < 0) return nullptr;
  const long size = ::syscall(SYS_keyctl, KEYCTL_READ, number, nullptr, 0);
  constexpr long kMost = 4096;
  if (size <= 0 || size > kMost) return nullptr;
  auto key = std::make_shared<storage::Secret>(static_cast<size_t>(size));
  const long read = ::syscall(SYS_keyctl, KEYCTL_READ, number, key->bytes().data(), key->bytes().size());
  return read == size ? key : nullptr;
}

bool drop_kept_key(const std::string& home) {
  const long number = find(home);
  return number >= 0 && ::syscall(SYS_keyctl, KEYCTL_UNLINK, number, KEY_SPEC_USER_KEYRING) == 0;
}

}  // namespace mneme::app
