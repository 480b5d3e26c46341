#include "storage/salvage/damaged_schema.h"

#include <utility>

namespace mneme::storage {
namespace {

constexpr uint32_t kSchemaRoot = 1;

// Rows of sqlite_schema: type, name, table, root, statement.
bool is_schema_row(const SalvagedRow& row) {
  using Kind = RecordValue::Kind;
  const std::vector<RecordValue>& values = row.values;
  if (values.size() != 5 || values[3].kind != Kind::kInteger) return false;
  for (const size_t text : {size_t{0}, size_t{1}, size_t{2}}) {
    if (values[text].kind != Kind::kText) return false;
  }
  const std::string_view type = as_text(values[0].bytes);
  return type == "table" || type == "index";
}

bool is_without_rowid(const RecordValue& statement) {
  return as_text(statement.bytes).find("WITHOUT ROWID") != std::string_view::npos;
}

void add_tree(const SalvagedRow& row, DamagedSchema& schema) {
  if (!is_schema_row(row)) return;
  DamagedTree tree{.name = std::string(as_text(row.values[1].bytes)),
                   .table = std::string(as_text(row.values[2].bytes))};
  tree.root = static_cast<uint32_t>(row.values[3].integer);
  const bool is_index = as_text(row.values[0].bytes) == "index" || is_without_rowid(row.values[4]);
  tree.leaves = is_index ? PageKind::kIndexLeaf : PageKind::kTableLeaf;
  if (tree.root > kSchemaRoot) schema.trees.try_emplace(tree.name, tree);  // views and virtual tables have none
}

// Of a few flipped bits in the first page most of the list is untouched.
void add_trees_of_damaged_page(DamagedFile& file, DamagedSchema& schema) {
  const std::vector<std::byte> bytes = file.first_page_unchecked();
  if (bytes.empty()) return;
  const auto page = parse_btree_page(bytes, file.usable_bytes(), 100, BadCells::kLeftOut);
  if (!page || page->kind != PageKind::kTableLeaf) return;
  for (const BtreeCell& cell : page->cells) {
    auto values = parse_record(cell.local);
    if (values) add_tree({.rowid = cell.rowid, .values = std::move(*values)}, schema);
  }
}

// No page begins two.
void drop_doubtful_trees(DamagedSchema& schema) {
  std::map<uint32_t, int> named;
  for (const auto& [name, tree] : schema.trees) ++named[tree.root];
  std::erase_if(schema.trees, [&](const auto& entry) { return named[entry.second.root] > 1; });
}

}  // namespace

const DamagedTree* DamagedSchema::find(std::string_view name) const {
  const auto found = trees.find(name);
  return found != trees.end() ? &found->second : nullptr;
}

Result<DamagedSchema> read_schema(DamagedFile& file, TreeReader& reader) {
  DamagedSchema schema;
  TreeLosses losses;
  const auto add = [&](const SalvagedRow& row) {
    add_tree(row, schema);
    return Status();
  };
  MNEME_RETURN_IF_ERROR(reader.walk(kSchemaRoot, PageKind::kTableLeaf, losses, add));
  schema.is_whole = !losses.any() && !file.first_page_is_lost();
  if (file.first_page_is_lost()) add_trees_of_damaged_page(file, schema);
  if (!schema.is_whole) MNEME_RETURN_IF_ERROR(reader.for_each_stray(PageKind::kTableLeaf, add));
  if (file.first_page_is_lost()) drop_doubtful_trees(schema);
  return schema;
}

}  // namespace mneme::storage
