// Messages that Outlook saved (msg).
#include <string>

#include "rag/readers/office/compound_readers.h"
#include "rag/readers/outlook/msg_object.h"
#include "rag/readers/outlook/outlook_message.h"

namespace mneme::readers {

Status read_message(ReadContext& context, const std::string& name, const CompoundFile& file) {
  const NamedProperties names = named_properties_of(file);
  const MsgObject message(file, names, CompoundFile::kTop, MsgObject::Kind::kFile);
  return read_outlook_item(context, name, message);
}

}  // namespace mneme::readers
