// SentencePiece models ("llama": BPE type, "t5": unigram), run by libsentencepiece on a model rebuilt from the GGUF
// vocabulary: the ModelProto is written in protobuf wire format by hand, since the library does not ship its headers.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/tokenizer/vocabulary.h"

namespace mneme::engine {

// kCorruption when the library refuses the vocabulary.
Result<std::unique_ptr<Tokenizer>> make_sentencepiece_tokenizer(Vocabulary vocabulary);

}  // namespace mneme::engine
