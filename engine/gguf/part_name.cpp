#include "engine/gguf/part_name.h"

#include <charconv>
#include <cstdio>

namespace mneme::gguf {

namespace {

constexpr std::string_view kExtension = ".gguf";
constexpr std::string_view kOf = "-of-";
constexpr size_t kDigits = 5;

// Takes "00003" off the end; 0 where something else stands there.
int take_number(std::string_view& text) {
  if (text.size() < kDigits) return 0;
  const std::string_view digits = text.substr(text.size() - kDigits);
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number < 0) return 0;
  text.remove_suffix(kDigits);
  return number;
}

bool take(std::string_view& text, std::string_view ending) {
  if (!text.ends_with(ending)) return false;
  text.remove_suffix(ending.size());
  return true;
}

}  // namespace

std::optional<PartName> part_name(std::string_view path) {
  PartName name;
  if (!take(path, kExtension)) return std::nullopt;
  name.n_parts = take_number(path);
  if (!take(path, kOf)) return std::nullopt;
  name.number = take_number(path);
  if (!take(path, "-") || name.number < 1 || name.number > name.n_parts) return std::nullopt;
  name.stem = path;
  return name;
}

std::string part_path(const PartName& name, int number) {
  char ending[40];
  std::snprintf(ending, sizeof ending, "-%05d-of-%05d.gguf", number, name.n_parts);
  return name.stem + ending;
}

}  // namespace mneme::gguf
