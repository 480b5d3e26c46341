#include "rag/readers/outlook/pst_folders.h"

#include <algorithm>
#include <map>
#include <utility>

#include "rag/readers/document_builder.h"
#include "rag/readers/office/little_endian.h"
#include "rag/readers/outlook/pst_object.h"

namespace mneme::readers {
namespace {

constexpr PstNodeId kStore = 0x21;
constexpr PstNodeId kRootFolder = 0x122;
constexpr int kDeepestFolder = 50;

// Of all nodes of the file those that are folders and items, by the folder they are in.
struct Shelves {
  std::map<PstNodeId, PstNode> folders;
  std::map<PstNodeId, std::vector<PstNodeId>> folders_in;
  std::map<PstNodeId, std::vector<PstNode>> items_in;
};

Shelves shelves_of(PstFile& file) {
  Shelves shelves;
  file.each_node([&](const PstNode& node) {
    if (kind_of(node.id) == PstNodeKind::kFolder && shelves.folders.emplace(node.id, node).second) {
      if (node.parent != node.id) shelves.folders_in[node.parent].push_back(node.id);
    } else if (kind_of(node.id) == PstNodeKind::kMessage) {
      shelves.items_in[node.parent].push_back(node);
    }
  });
  return shelves;
}

class FolderWalk {
 public:
  FolderWalk(PstFile& file, Shelves shelves) : file_(file), shelves_(std::move(shelves)) {}

  std::vector<PstFolder> walk() {
    for (const PstNodeId top : top_folders()) take(top, "", 0);
    const bool damaged = file_.n_damaged() > 0 || file_.is_cut_off();
    if (found_.empty() || damaged) take_lost();
    return std::move(found_);
  }

 private:
  // What lies beside them are searches, views and settings. The store says which it is; one that is kept offline does
  // not, but names it, below the mailbox or the public folders.
  std::vector<PstNodeId> top_folders() {
    constexpr size_t kNumberAt = 20;
    if (const auto store = file_.find_node(kStore)) {
      const std::string entry = PstObject(file_, names_, *store).bytes(MapiProperty::kTopFolder);
      const PstNodeId top = u32_at(entry, kNumberAt);
      if (shelves_.folders.contains(top)) return {top};
    }
    std::vector<PstNodeId> tops;
    for (const PstNodeId below : folders_in(kRootFolder)) {
      for (const PstNodeId id : folders_in(below)) {
        if (name_of(id) == "IPM_SUBTREE") tops.push_back(id);
      }
    }
    return tops.empty() ? std::vector<PstNodeId>{kRootFolder} : tops;
  }

  std::vector<PstNodeId> folders_in(PstNodeId folder) const {
    const auto within = shelves_.folders_in.find(folder);
    return within == shelves_.folders_in.end() ? std::vector<PstNodeId>() : within->second;
  }

  void take(PstNodeId folder, const std::string& path, int depth) {
    add(folder, path);
    const auto within = shelves_.folders_in.find(folder);
    if (within == shelves_.folders_in.end() || depth >= kDeepestFolder) return;
    // Taken out: no folder is met twice, whatever circles the file has.
    const std::vector<PstNodeId> folders = std::move(within->second);
    shelves_.folders_in.erase(within);
    for (const PstNodeId id : folders) take(id, path.empty() ? name_of(id) : path + "/" + name_of(id), depth + 1);
  }

  void add(PstNodeId folder, const std::string& path) {
    const auto items = shelves_.items_in.find(folder);
    if (items == shelves_.items_in.end()) return;
    found_.push_back({.path = path, .items = std::move(items->second)});
    shelves_.items_in.erase(items);
  }

  // What is in no folder that is left, or in none that is seen where none is.
  void take_lost() {
    const bool all = found_.empty();
    for (auto& [folder, items] : shelves_.items_in) {
      const bool is_there = shelves_.folders.contains(folder);
      if (is_there && !all) continue;
      found_.push_back({.path = is_there ? name_of(folder) : "lost folder", .items = std::move(items)});
    }
  }

  std::string name_of(PstNodeId id) {
    std::string name = clean_text(PstObject(file_, names_, shelves_.folders[id]).text(MapiProperty::kName));
    std::replace(name.begin(), name.end(), '/', '_');
    return name.empty() ? "folder " + std::to_string(id >> 5) : name;
  }

  PstFile& file_;
  const NamedProperties names_;  // folders have none
  Shelves shelves_;
  std::vector<PstFolder> found_;
};

}  // namespace

std::vector<PstFolder> folders_of(PstFile& file) {
  return FolderWalk(file, shelves_of(file)).walk();
}

}  // namespace mneme::readers
