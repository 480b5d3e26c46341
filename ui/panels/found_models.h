// The part of the page of models that shows what other programs have put on this machine.
#pragma once

#include "ui/panels/panel.h"

namespace mneme::ui {

// Looks once; draws nothing where there is nothing that is not among the models already.
void draw_found_models(PanelContext& c);

}  // namespace mneme::ui
