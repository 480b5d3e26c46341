// Translations as GNU gettext keeps them (PO files), read without gettext: one binary, no files to install.
// [GNU gettext manual, "The Format of PO Files"]. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace mneme::ui {

struct PoMessage {
  std::string context;               // msgctxt; empty: none
  std::string id;                    // msgid, the English text; empty: the header
  std::string plural_id;             // msgid_plural; empty: none
  std::vector<std::string> strings;  // msgstr, or msgstr[0], msgstr[1], ...
  bool fuzzy = false;                // to be looked at by a translator, and not to be shown
};

// All messages of a file in their order, the header among them; comments and obsolete messages ("#~") are passed over.
// kCorruption, with the line, for what is no PO file, no UTF-8, or longer than any catalogue is.
Result<std::vector<PoMessage>> parse_po(std::string_view text);

}  // namespace mneme::ui
