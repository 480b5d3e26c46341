// libFuzzer target: bytes as a GGUF file, through parser, config and identity. Nothing may crash, hang or allocate far
// beyond the input.
#include <cstddef>
#include <cstdint>

#include "base/bytes.h"
#include "engine/gguf/gguf_file.h"
#include "engine/model/config_reader.h"
#include "engine/model/model_identity.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const mneme::ByteSpan bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto file = mneme::gguf::GgufFile::parse(bytes, "fuzz.gguf");
  if (!file.ok()) return 0;
  const auto config = mneme::engine::read_model_config(*file);
  if (config.ok()) (void)mneme::engine::model_identity(*file, *config);
  return 0;
}
