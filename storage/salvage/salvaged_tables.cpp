#include "storage/salvage/salvaged_tables.h"

#include <algorithm>
#include <array>

namespace mneme::storage {
namespace {

using enum ColumnKind;

constexpr SalvagedColumn kCollections[] = {
    {"id", kRowid}, {"name", kText}, {"revision", kInteger}, {"created_ms", kInteger}};
constexpr SalvagedColumn kRoots[] = {{"collection", kInteger}, {"path", kText}};
constexpr SalvagedColumn kDocuments[] = {{"id", kRowid},           {"collection", kInteger}, {"path", kText},
                                         {"title", kText},         {"author", kText},        {"date", kText},
                                         {"format", kText},        {"notes", kText},         {"size_bytes", kInteger},
                                         {"mtime_ns", kInteger},   {"content_hash", kBlob},  {"n_chunks", kInteger},
                                         {"text_bytes", kInteger}, {"n_tokens", kInteger},   {"indexed_ms", kInteger},
                                         {"names", kText},         {"changed_ns", kInteger}};
constexpr SalvagedColumn kDocumentTexts[] = {{"document", kRowid}, {"text", kText}};
constexpr SalvagedColumn kFailures[] = {{"collection", kInteger}, {"path", kText},  {"size_bytes", kInteger},
                                        {"mtime_ns", kInteger},   {"error", kText}, {"failed_ms", kInteger}};
constexpr SalvagedColumn kChunks[] = {{"id", kRowid},
                                      {"document", kInteger},
                                      {"ordinal", kInteger},
                                      {"uid", kInteger},
                                      {"byte_begin", kInteger},
                                      {"byte_end", kInteger},
                                      {"line_begin", kInteger},
                                      {"line_end", kInteger},
                                      {"page", kInteger},
                                      {"n_tokens", kInteger},
                                      {"heading_path", kText},
                                      {"text_hash", kBlob},
                                      {"same_as", kIntegerOrNull},
                                      {"page_marks", kText}};
constexpr SalvagedColumn kChunkTexts[] = {{"chunk", kRowid}, {"text", kText}};
constexpr SalvagedColumn kEmbedders[] = {{"id", kRowid}, {"name", kText}, {"dimensions", kInteger}};
constexpr SalvagedColumn kEmbeddings[] = {{"chunk", kInteger}, {"embedder", kInteger}, {"vector", kBlob}};
constexpr SalvagedColumn kSettings[] = {{"key", kText}, {"json", kText}};
constexpr SalvagedColumn kModels[] = {{"name", kText},          {"path", kText},          {"kind", kText},
                                      {"is_default", kInteger}, {"size_bytes", kInteger}, {"content_hash", kText},
                                      {"profile_json", kText}};
constexpr SalvagedColumn kChats[] = {
    {"id", kRowid}, {"title", kText}, {"settings_json", kText}, {"created_ms", kInteger}, {"updated_ms", kInteger}};
constexpr SalvagedColumn kMessages[] = {{"id", kRowid},  {"chat", kInteger},      {"role", kText},
                                        {"text", kText}, {"details_json", kText}, {"created_ms", kInteger}};
constexpr SalvagedColumn kJobs[] = {{"id", kRowid},
                                    {"kind", kText},
                                    {"key", kText},
                                    {"payload_json", kText},
                                    {"priority", kInteger},
                                    {"failed", kInteger},
                                    {"lease_until_ms", kInteger},
                                    {"attempts", kInteger},
                                    {"error", kText}};
constexpr SalvagedColumn kCounters[] = {{"name", kText}, {"value", kInteger}};

constexpr PageKind kNumbered = PageKind::kTableLeaf;
constexpr PageKind kUnnumbered = PageKind::kIndexLeaf;

constexpr std::string_view kDocumentsPart = "documents";
constexpr std::string_view kChatsPart = "chats";

constexpr SalvagedTable kTables[] = {
    {"collections", "collections", kNumbered, kCollections, 4},
    {"roots", "folders", kUnnumbered, kRoots, 2},
    {"documents", kDocumentsPart, kNumbered, kDocuments, 15},
    {"document_texts", kDocumentsPart, kNumbered, kDocumentTexts, 2},
    {"failures", kDocumentsPart, kUnnumbered, kFailures, 6},
    {"chunks", kDocumentsPart, kNumbered, kChunks, 12},
    {"chunk_texts", kDocumentsPart, kNumbered, kChunkTexts, 2},
    {"embedders", "vectors", kNumbered, kEmbedders, 3},
    {"embeddings", "vectors", kUnnumbered, kEmbeddings, 3},
    {"settings", "settings", kUnnumbered, kSettings, 2},
    {"models", "models", kUnnumbered, kModels, 7},
    {"chats", kChatsPart, kNumbered, kChats, 5},
    {"messages", kChatsPart, kNumbered, kMessages, 6},
    {"jobs", "waiting work", kNumbered, kJobs, 9},
    {"counters", "counters", kUnnumbered, kCounters, 2},
};

bool holds(ColumnKind kind, const RecordValue& value) {
  using Kind = RecordValue::Kind;
  switch (kind) {
    case kRowid: return value.kind == Kind::kNull;
    case kInteger: return value.kind == Kind::kInteger;
    case kIntegerOrNull: return value.kind == Kind::kInteger || value.kind == Kind::kNull;
    case kText: return value.kind == Kind::kText;
    case kBlob: return value.kind == Kind::kBlob;
  }
  return false;
}

}  // namespace

std::span<const SalvagedTable> salvaged_tables() {
  return kTables;
}

std::string_view part_of_tree(std::string_view tree, std::string_view table) {
  if (tree.starts_with("lexical")) return "the index of words";
  for (const SalvagedTable& one : kTables) {
    if (one.name == table) return one.part;
  }
  return "the list of tables";
}

bool fits(const SalvagedTable& table, const SalvagedRow& row) {
  const size_t n = row.values.size();
  if (n < table.n_first_columns || n > table.columns.size()) return false;
  return std::equal(row.values.begin(), row.values.end(), table.columns.begin(),
                    [](const RecordValue& value, const SalvagedColumn& column) { return holds(column.kind, value); });
}

std::string insert_sql(const SalvagedTable& table, size_t n_columns) {
  std::string columns;
  std::string places;
  for (size_t i = 0; i < n_columns; ++i) {
    columns += (i > 0 ? ", " : "") + std::string(table.columns[i].name);
    places += (i > 0 ? ", ?" : "?") + std::to_string(i + 1);
  }
  return "INSERT OR IGNORE INTO " + std::string(table.name) + "(" + columns + ") VALUES(" + places + ")";
}

}  // namespace mneme::storage
