// The codec of a chunk whose layers come in several stored forms, each with a codec of its own: the last byte of a
// payload says which. Only for payloads on their way from the store to the engine; nothing is stored like this.
// Ownership: borrows the forms' codecs. Threads: immutable.
#pragma once

#include <memory>
#include <vector>

#include "engine/codec/codec.h"

namespace mneme::rag {

// At least one codec, all of one shape, at most 255.
std::unique_ptr<engine::KvCodec> make_forms_codec(std::vector<const engine::KvCodec*> forms);

// Marks a payload as encoded by forms[form].
void mark_form(size_t form, std::vector<std::byte>& payload);

}  // namespace mneme::rag
