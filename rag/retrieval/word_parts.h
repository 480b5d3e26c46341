// A German compound that no passage has, in the words it is made of: "Wollprogramm" is told of by "Wolle" under
// "Programme". Threads: those of the catalogue.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

// Both words as passages write them, with a space between; empty where passages have no two that make it up.
Result<std::string> parts_of_compound(storage::Catalogue& catalogue, std::string_view folded);

}  // namespace mneme::rag
