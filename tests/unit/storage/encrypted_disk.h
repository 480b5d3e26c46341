// A disk in memory, plain or with everything below /home encrypted on it, for tests that run on both.
#pragma once

#include <memory>

#include "storage/encryption/encrypted_env.h"
#include "storage/encryption/home_key.h"
#include "storage/env/memory_env.h"

namespace mneme::storage {

enum class DiskKind { kPlain, kEncrypted };

inline std::string name_of(DiskKind kind) {
  return kind == DiskKind::kPlain ? "Plain" : "Encrypted";
}

class TestDisk {
 public:
  explicit TestDisk(DiskKind kind) : below_(&plan_) {
    if (kind == DiskKind::kPlain) return;
    static const std::shared_ptr<const Secret> key = std::make_shared<Secret>("thirty-two bytes that are a key.");
    encrypted_ = std::move(EncryptedEnv::make(below_, key, {"/home"})).value();
  }

  FaultPlan& plan() { return plan_; }
  MemoryEnv& below() { return below_; }
  FileEnv& env() { return encrypted_ != nullptr ? static_cast<FileEnv&>(*encrypted_) : below_; }

 private:
  FaultPlan plan_;
  MemoryEnv below_;
  std::unique_ptr<EncryptedEnv> encrypted_;
};

}  // namespace mneme::storage
