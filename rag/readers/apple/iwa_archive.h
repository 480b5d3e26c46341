// The archives in which Pages, Numbers and Keynote keep their documents since 2013 (IWA): pieces packed by Snappy
// without sums, in them messages of Protocol Buffers, each with a number that says what it is. Described by nobody who
// makes them; after Sean Patrick O'Brien's notes on the format ("iWorkFileFormat"). Internal to rag/readers. Threads:
// pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace mneme::readers {

// Of damaged or cut bytes what can be unpacked, at most `most_bytes`.
std::string unpacked_iwa(std::string_view packed, uint64_t most_bytes);

// A block of Snappy; "" where it is damaged, or says that it is larger than `most_bytes`.
std::string unpacked_snappy(std::string_view packed, uint64_t most_bytes);

// The messages of an unpacked archive with the numbers of their types.
void each_iwa_message(std::string_view archive,
                      const std::function<void(uint64_t type, std::string_view message)>& visit);

// The fields of a message of Protocol Buffers: numbers as such, texts and messages as bytes.
struct ProtoField {
  uint32_t number = 0;
  uint64_t value = 0;
  std::string_view bytes;
};
void each_field(std::string_view message, const std::function<void(const ProtoField& field)>& visit);

}  // namespace mneme::readers
