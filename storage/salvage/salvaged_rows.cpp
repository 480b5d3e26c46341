#include "storage/salvage/salvaged_rows.h"

#include <algorithm>
#include <string>

#include "base/hash.h"
#include "base/wall_clock.h"
#include "storage/catalogue/catalogue_state.h"
#include "storage/salvage/damaged_schema.h"
#include "storage/salvage/salvaged_tables.h"

namespace mneme::storage {
namespace {

constexpr std::string_view kSequences = "sqlite_sequence";
constexpr std::string_view kNamesOfCollections = "sqlite_autoindex_collections_1";
constexpr std::string_view kPathsOfDocuments = "sqlite_autoindex_documents_1";
constexpr std::string_view kMessagesOfChats = "messages_by_chat";

// Puts rows of one table.
class RowWriter {
 public:
  RowWriter(Database& target, const SalvagedTable& table) : target_(target), table_(table) {}

  Status put(const SalvagedRow& row) {
    const size_t n = row.values.size();
    if (!statement_ || n != n_columns_) {
      MNEME_ASSIGN_OR_RETURN(Statement insert, target_.prepare_once(insert_sql(table_, n)));
      statement_.emplace(std::move(insert));
      n_columns_ = n;
    }
    for (size_t i = 0; i < n; ++i) bind(static_cast<int>(i) + 1, table_.columns[i].kind, row, row.values[i]);
    return statement_->run();
  }

 private:
  void bind(int at, ColumnKind kind, const SalvagedRow& row, const RecordValue& value) {
    using Kind = RecordValue::Kind;
    if (kind == ColumnKind::kRowid) {
      statement_->bind_one(at, row.rowid);
    } else if (value.kind == Kind::kText) {
      statement_->bind_one(at, as_text(value.bytes));
    } else if (value.kind == Kind::kBlob) {
      statement_->bind_one(at, value.bytes);
    } else if (value.kind == Kind::kInteger) {
      statement_->bind_one(at, value.integer);
    } else {
      statement_->bind_null(at);
    }
  }

  Database& target_;
  const SalvagedTable& table_;
  std::optional<Statement> statement_;
  size_t n_columns_ = 0;
};

class RowCopier {
 public:
  RowCopier(DamagedFile& file, TreeReader& reader, Database& target, const CancelToken& cancel)
      : file_(file), reader_(reader), target_(target), cancel_(cancel) {}

  Result<SalvagedRows> copy() {
    MNEME_ASSIGN_OR_RETURN(schema_, read_schema(file_, reader_));
    MNEME_RETURN_IF_ERROR(walk_tables());
    MNEME_RETURN_IF_ERROR(walk_other_trees());
    MNEME_RETURN_IF_ERROR(collect_strays());
    return std::move(rows_);
  }

 private:
  Status go_on() const { return cancel_.cancelled() ? cancelled() : Status(); }

  Status walk_tables() {
    for (const SalvagedTable& table : salvaged_tables()) {
      TreeLosses& losses = rows_.losses[table.name];
      const DamagedTree* const tree = schema_.find(table.name);
      bool is_known = tree != nullptr;
      if (is_known && file_.first_page_is_lost()) {
        MNEME_ASSIGN_OR_RETURN(is_known, begins_table(tree->root, table));
      }
      if (!is_known) {
        losses.ranges.push_back({});
        continue;
      }
      RowWriter writer(target_, table);
      MNEME_RETURN_IF_ERROR(reader_.walk(tree->root, table.leaves, losses, [&](const SalvagedRow& row) -> Status {
        MNEME_RETURN_IF_ERROR(go_on());
        if (fits(table, row)) return writer.put(row);
        losses.ranges.push_back({row.rowid, row.rowid});
        return {};
      }));
    }
    return {};
  }

  // Whether the tree holds rows of this table, as its first ones look: where the list of tables is doubtful, another's
  // must not be taken for it.
  Result<bool> begins_table(uint32_t root, const SalvagedTable& table) {
    std::vector<std::byte> bytes;
    for (int depth = 0; depth < kMaxTreeDepth; ++depth) {
      MNEME_ASSIGN_OR_RETURN(const bool sound, file_.read(root, bytes));
      if (!sound) return true;  // nobody can tell; walking it loses nothing
      const std::optional<BtreePage> page = parse_btree_page(bytes, file_.usable_bytes(), 0);
      if (!page || is_of_table(page->kind) != is_of_table(table.leaves)) return false;
      if (is_leaf(page->kind)) return all_fit(*page, table);
      root = page->cells.empty() ? page->right_child : page->cells.front().left_child;
    }
    return false;
  }

  static bool all_fit(const BtreePage& page, const SalvagedTable& table) {
    return std::all_of(page.cells.begin(), page.cells.end(), [&](const BtreeCell& cell) {
      if (cell.overflow != 0) return true;  // not all of it is here
      auto values = parse_record(cell.local);
      return values && fits(table, {.rowid = cell.rowid, .values = std::move(*values)});
    });
  }

  // All of them, so that their pages are not taken for strays.
  Status walk_other_trees() {
    for (const auto& [name, tree] : schema_.trees) {
      if (rows_.losses.contains(name)) continue;
      TreeLosses losses;
      MNEME_RETURN_IF_ERROR(reader_.walk(tree.root, tree.leaves, losses, [&](const SalvagedRow& row) -> Status {
        MNEME_RETURN_IF_ERROR(go_on());
        return use(tree.name, row);
      }));
      if (name == kPathsOfDocuments) rows_.knows_all_documents = !losses.any();
      if (name == kMessagesOfChats) rows_.knows_all_messages = !losses.any();
    }
    return {};
  }

  // An index ends with the number of the row.
  Status use(std::string_view tree, const SalvagedRow& row) {
    using Kind = RecordValue::Kind;
    if (row.values.size() < 2 || row.values.back().kind != Kind::kInteger) return {};
    const int64_t number = row.values.back().integer;
    if (tree == kPathsOfDocuments) rows_.known_documents.push_back(number);
    if (tree == kMessagesOfChats) rows_.known_messages.push_back(number);
    const RecordValue& name = row.values.front();
    if (name.kind != Kind::kText) return {};
    if (tree == kNamesOfCollections) return put_collection(number, as_text(name.bytes));
    return tree == kSequences ? put_sequence(as_text(name.bytes), number) : Status();
  }

  // Its revision must be none that an index file was made from.
  Status put_collection(int64_t id, std::string_view name) {
    MNEME_ASSIGN_OR_RETURN(
        Statement put,
        target_.prepare("INSERT OR IGNORE INTO collections(id, name, revision, created_ms) VALUES(?1, ?2, ?3, ?3)"));
    return put.bind(id, name, now_ms()).run();
  }

  // Numbers that were given away are not given again.
  Status put_sequence(std::string_view table, int64_t number) {
    MNEME_ASSIGN_OR_RETURN(Statement known, target_.prepare("SELECT 1 FROM sqlite_sequence WHERE name=?1"));
    MNEME_ASSIGN_OR_RETURN(const bool is_known, known.bind(table).step());
    known.reset();
    MNEME_ASSIGN_OR_RETURN(Statement put,
                           target_.prepare(is_known ? "UPDATE sqlite_sequence SET seq=max(seq, ?2) WHERE name=?1"
                                                    : "INSERT INTO sqlite_sequence(name, seq) VALUES(?1, ?2)"));
    return put.bind(table, number).run();
  }

  Status collect_strays() {
    for (const SalvagedTable& table : salvaged_tables()) {
      if (!rows_.lost_some_of(table.name)) continue;
      RowWriter writer(target_, table);
      MNEME_RETURN_IF_ERROR(reader_.for_each_stray(table.leaves, [&](const SalvagedRow& row) -> Status {
        MNEME_RETURN_IF_ERROR(go_on());
        MNEME_ASSIGN_OR_RETURN(const bool belongs, is_of(table, row));
        return belongs ? writer.put(row) : Status();
      }));
    }
    return {};
  }

  Result<bool> is_of(const SalvagedTable& table, const SalvagedRow& row) {
    if (!fits(table, row)) return false;
    if (table.leaves == PageKind::kTableLeaf && !rows_.losses[table.name].may_have_held(row.rowid)) return false;
    // Texts of passages and of documents look the same; those of passages can be told by their hash.
    if (table.name == "chunk_texts") return is_text_of_chunk(row);
    return table.name != "document_texts" || !rows_.lost_some_of("chunk_texts");
  }

  Result<bool> is_text_of_chunk(const SalvagedRow& row) {
    MNEME_ASSIGN_OR_RETURN(Statement find, target_.prepare("SELECT text_hash FROM chunks WHERE id=?1"));
    MNEME_ASSIGN_OR_RETURN(const bool found, find.bind(row.rowid).step());
    return found && hash_from_blob(find.blob(0)) == xxh3_128(row.values[1].bytes);
  }

  DamagedFile& file_;
  TreeReader& reader_;
  Database& target_;
  const CancelToken& cancel_;
  DamagedSchema schema_;
  SalvagedRows rows_;
};

}  // namespace

bool SalvagedRows::lost_some_of(std::string_view table) const {
  const auto found = losses.find(table);
  return found != losses.end() && found->second.any();
}

Result<SalvagedRows> copy_rows(DamagedFile& file, Database& target, const CancelToken& cancel) {
  MNEME_ASSIGN_OR_RETURN(TreeReader reader, TreeReader::over(file));
  return RowCopier(file, reader, target, cancel).copy();
}

Result<std::vector<std::string_view>> damaged_parts(DamagedFile& file) {
  MNEME_ASSIGN_OR_RETURN(TreeReader reader, TreeReader::over(file));
  MNEME_ASSIGN_OR_RETURN(const DamagedSchema schema, read_schema(file, reader));
  std::vector<std::string_view> parts;
  const auto add = [&](std::string_view part) {
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
  };
  if (!schema.is_whole) add(part_of_tree("sqlite_schema", "sqlite_schema"));
  for (const auto& [name, tree] : schema.trees) {
    TreeLosses losses;
    MNEME_RETURN_IF_ERROR(reader.walk(tree.root, tree.leaves, losses, [](const SalvagedRow&) { return Status(); }));
    if (losses.any()) add(part_of_tree(name, tree.table));
  }
  return parts;
}

}  // namespace mneme::storage
