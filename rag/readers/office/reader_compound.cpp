// Compound files (compound_file.h): which reader each of them is for.
#include <string>
#include <utility>

#include "rag/readers/format_list.h"
#include "rag/readers/office/compound_kind.h"
#include "rag/readers/office/compound_readers.h"

namespace mneme::readers {

Status read_compound(ReadContext& context, Input input) {
  const std::string bytes = std::move(input.bytes);
  const CompoundFile compound(bytes);
  switch (compound_kind(compound)) {
    case CompoundKind::kWord: return read_word(context, input.name, compound);
    case CompoundKind::kExcel: return read_workbook(context, input.name, compound);
    case CompoundKind::kPowerPoint: return read_slides(context, input.name, compound);
    case CompoundKind::kMessage: return read_message(context, input.name, compound);
    case CompoundKind::kOther: break;
  }
  return unsupported(printable(input.name) + ": " + why_compound_file_is_refused(compound, bytes));
}

}  // namespace mneme::readers
