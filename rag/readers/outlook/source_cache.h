// Any place of a source, by pieces of which the last used are kept. Internal to rag/readers. Ownership: borrows
// context, name and source. Threads: one thread each.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>

#include "base/status.h"
#include "rag/readers/byte_source.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

class SourceCache {
 public:
  SourceCache(ReadContext& context, const std::string& name, ByteSource& source)
      : context_(&context), name_(&name), source_(&source) {}

  uint64_t size() const { return source_->size(); }
  // As many of the bytes as the source has. Errors: those of ReadContext::fetch().
  Result<std::string> read(uint64_t at, size_t size);

 private:
  struct Piece {
    uint64_t number = 0;
    std::string bytes;
  };

  Result<const std::string*> piece(uint64_t number);

  ReadContext* context_;
  const std::string* name_;
  ByteSource* source_;
  std::list<Piece> pieces_;  // the last used first
  std::unordered_map<uint64_t, std::list<Piece>::iterator> known_;
};

}  // namespace mneme::readers
