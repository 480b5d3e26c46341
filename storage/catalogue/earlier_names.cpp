#include "storage/catalogue/earlier_names.h"

#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "storage/catalogue/catalogue_state.h"

namespace mneme::storage {
namespace {

using nlohmann::json;

constexpr std::string_view kPrefix = "moved.";

bool holds(const PathRange& range, const std::string& path) {
  if (path == range.exact || (path >= range.low && path < range.high)) return true;
  return !range.members.empty() && path.starts_with(range.members);
}

// By key. What is no list of moves is passed over.
using Moves = std::map<std::string, std::vector<MovedFile>>;

std::vector<MovedFile> moves_of(std::string_view text) {
  std::vector<MovedFile> moves;
  const json list = json::parse(text, nullptr, false);
  if (!list.is_array()) return moves;
  for (const json& one : list) {
    if (one.is_array() && one.size() == 2 && one[0].is_string() && one[1].is_string()) {
      moves.emplace_back(one[0].get<std::string>(), one[1].get<std::string>());
    }
  }
  return moves;
}

Result<Moves> read_moves(Database& database) {
  MNEME_ASSIGN_OR_RETURN(Statement list,
                         database.prepare("SELECT key, json FROM settings WHERE key>='moved.' AND key<'moved/'"));
  Moves moves;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, list.step());
    if (!row) return moves;
    moves.emplace(list.string(0), moves_of(list.text(1)));
  }
}

// The range's names, and all that led to them.
std::set<std::string> names_leading_to(const Moves& moves, const PathRange& range) {
  std::multimap<std::string_view, const std::string*> from_of;
  std::vector<const std::string*> to_follow;
  std::set<std::string> names;
  const auto meet = [&](const std::string& from) {
    if (names.insert(from).second) to_follow.push_back(&from);
  };
  for (const auto& [key, list] : moves) {
    for (const MovedFile& move : list) from_of.emplace(move.second, &move.first);
  }
  for (const auto& [key, list] : moves) {
    for (const MovedFile& move : list) {
      if (holds(range, move.second)) meet(move.first);
    }
  }
  while (!to_follow.empty()) {
    const std::string* const name = to_follow.back();
    to_follow.pop_back();
    const auto [first, last] = from_of.equal_range(*name);
    for (auto it = first; it != last; ++it) meet(*it->second);
  }
  return names;
}

}  // namespace

std::pair<std::string, std::string> setting_of_moves(std::span<const MovedFile> moves) {
  json list = json::array();
  for (const MovedFile& move : moves) {
    if (utf8::valid(move.first) && utf8::valid(move.second)) list.push_back({move.first, move.second});
  }
  if (list.empty()) return {};
  std::string text = list.dump();
  std::string key = std::string(kPrefix) + xxh3_128(as_bytes(text)).hex();
  return {std::move(key), std::move(text)};
}

Result<std::set<std::string>> earlier_names(Database& database, const PathRange& range) {
  MNEME_ASSIGN_OR_RETURN(const Moves moves, read_moves(database));
  std::set<std::string> names = names_leading_to(moves, range);
  MNEME_ASSIGN_OR_RETURN(Statement find, database.prepare("SELECT 1 FROM documents WHERE path=?1 LIMIT 1"));
  for (auto name = names.begin(); name != names.end();) {
    MNEME_ASSIGN_OR_RETURN(const bool is_another, find.bind(*name).step());
    find.reset();
    name = is_another || holds(range, *name) ? names.erase(name) : std::next(name);
  }
  return names;
}

Result<bool> moves_name(Database& database, const PathRange& range) {
  MNEME_ASSIGN_OR_RETURN(const Moves moves, read_moves(database));
  for (const auto& [key, list] : moves) {
    for (const MovedFile& move : list) {
      if (holds(range, move.first) || holds(range, move.second)) return true;
    }
  }
  return false;
}

Status forget_moves(Database& database, const PathRange& range) {
  MNEME_ASSIGN_OR_RETURN(Moves moves, read_moves(database));
  const std::set<std::string> leading = names_leading_to(moves, range);
  for (auto& [key, list] : moves) {
    const size_t goes = std::erase_if(list, [&](const MovedFile& move) {
      return leading.contains(move.first) || holds(range, move.first) || holds(range, move.second);
    });
    if (goes == 0) continue;
    MNEME_ASSIGN_OR_RETURN(Statement remove, database.prepare("DELETE FROM settings WHERE key=?1"));
    MNEME_RETURN_IF_ERROR(remove.bind(key).run());
    const auto [new_key, text] = setting_of_moves(list);
    if (new_key.empty()) continue;
    MNEME_ASSIGN_OR_RETURN(Statement put,
                           database.prepare("INSERT OR REPLACE INTO settings(key, json) VALUES(?1, ?2)"));
    MNEME_RETURN_IF_ERROR(put.bind(new_key, text).run());
  }
  return {};
}

}  // namespace mneme::storage
