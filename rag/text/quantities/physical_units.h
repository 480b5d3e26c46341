// Quantities that are told in units of their own: how heavy, hot, fast, loud, wide or large something is. English and
// German; areas and degrees in the languages whose facts have them. Threads: pure functions.
#pragma once

#include <string_view>

namespace mneme::rag {

// What asked_unit() (asked/quantity.h) is where such a quantity is asked for.
constexpr std::string_view kMass = "#kg";
constexpr std::string_view kHeat = "#°";
constexpr std::string_view kSpeed = "#/s";
constexpr std::string_view kLoudness = "#dB";
constexpr std::string_view kTorque = "#Nm";
constexpr std::string_view kExtent = "#m";
constexpr std::string_view kSize = "#B";  // of anything: bytes, square metres, people

// Empty where none is asked for.
std::string_view asked_physical(std::string_view question);
bool is_physical(std::string_view unit);
// "Size", "Gewicht": what such a quantity is called.
bool is_physical_name(std::string_view folded);
// From 0 to 1: whether a number stands before a unit of that quantity (1), or beside its name.
double physical_cue(std::string_view sentence, std::string_view unit);
// "Temperature" where that is asked for (kHeat): what answers says it by its unit.
bool is_quantity_word(std::string_view unit, std::string_view folded);

}  // namespace mneme::rag
