// Outlook's stores of mail (pst, ost): every message, appointment, task, contact and note in them is read as one that
// was saved as a file is (reader_msg.cpp), with one of them in memory at a time. What was deleted is not looked for.
#include <string>
#include <vector>

#include "rag/readers/format_list.h"
#include "rag/readers/outlook/outlook_message.h"
#include "rag/readers/outlook/pst_file.h"
#include "rag/readers/outlook/pst_folders.h"
#include "rag/readers/outlook/pst_object.h"

namespace mneme::readers {
namespace {

// What Outlook keeps for itself among what people see: forms, rules, settings.
bool is_for_people(const PstObject& item) {
  const std::string kind = item.text(MapiProperty::kMessageClass);
  return !kind.starts_with("IPM.Configuration") && !kind.starts_with("IPM.Microsoft.") &&
         !kind.starts_with("IPM.Rule") && !kind.starts_with("IPC.");
}

class StoreReader {
 public:
  StoreReader(ReadContext& context, const std::string& name, PstFile& file)
      : context_(context), name_(name), file_(file), names_(named_properties_of(file)) {}

  Status read() {
    for (const PstFolder& folder : folders_of(file_)) {
      for (const PstNode& item : folder.items) {
        MNEME_RETURN_IF_ERROR(file_.stopped());
        MNEME_RETURN_IF_ERROR(context_.check(name_));
        MNEME_RETURN_IF_ERROR(read_item(folder, item));
      }
    }
    MNEME_RETURN_IF_ERROR(file_.stopped());
    return what_is_missing();
  }

 private:
  // An item keeps its number for as long as it lies in the store, whatever else is deleted.
  Status read_item(const PstFolder& folder, const PstNode& node) {
    const std::string number = "item " + std::to_string(node.id >> 5);
    const std::string label = folder.path.empty() ? number : safe_label(folder.path) + "/" + number;
    MNEME_RETURN_IF_ERROR(context_.charge_member(name_));
    return context_.read_member(label, [&]() -> Status {
      const uint64_t damaged = file_.n_damaged();
      const PstObject item(file_, names_, node);
      if (!is_for_people(item)) return {};
      Status status = read_outlook_item(context_, label, item);
      MNEME_RETURN_IF_ERROR(file_.stopped());
      if (status.code() != StatusCode::kUnsupported || file_.n_damaged() == damaged) return status;
      return corruption(label + " is damaged and could not be read.");
    });
  }

  Status what_is_missing() const {
    const std::string who = printable(name_);
    if (file_.is_cut_off()) {
      return corruption(who + " is cut off; what could be read of it was. Copy it anew where the whole file is.");
    }
    if (file_.n_damaged() == 0) return {};
    return corruption(who + " is damaged; what could be read of it was. Outlook's scanpst may repair it.");
  }

  ReadContext& context_;
  const std::string& name_;
  PstFile& file_;
  const NamedProperties names_;
};

}  // namespace

Status read_pst(ReadContext& context, const std::string& name, ByteSource& source) {
  if (context.depth() >= context.limits().container_depth) {
    return resource_error(printable(name) + ": containers are nested too deep; it was left out.");
  }
  context.begin_container(source.size());
  MNEME_ASSIGN_OR_RETURN(PstFile file, PstFile::open(context, name, source));
  return StoreReader(context, name, file).read();
}

}  // namespace mneme::readers
