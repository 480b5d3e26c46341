// What can be done with a collection, wherever it stands. Threads: the window's thread.
#pragma once

#include "ui/panels/panel.h"

namespace mneme::ui {

// The menu of the item just drawn.
void collection_menu(PanelContext& context, const CollectionRow& row);
// Asks in the library whether it is to be removed.
void begin_removing(PanelContext& context, const CollectionRow& row);
// That question, below the button just drawn; `asked` opens it.
void removing_popup(PanelContext& context, const CollectionRow& row, bool asked);

}  // namespace mneme::ui
