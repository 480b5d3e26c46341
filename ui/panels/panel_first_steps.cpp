// Where there is no answer yet: what can be asked, and what there is to do before.
#include <algorithm>

#include <imgui.h>

#include "ui/language/figures.h"
#include "ui/panels/message_parts.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

int64_t documents_of(const Snapshot& snapshot) {
  int64_t documents = 0;
  for (const CollectionRow& row : snapshot.library.collections) documents += row.documents;
  return documents;
}

// What there is to do while nothing is indexed.
void offer_documents(PanelContext& c) {
  if (primary_button(tr("Add a folder…"), c.theme)) c.hooks.choose_folder();
  if (c.snapshot.samples_folder.empty()) return;
  ImGui::SameLine();
  if (plain_button(tr("Try the sample documents"))) c.post(AddFolder{c.snapshot.samples_folder, "samples"});
}

// Whether the sample documents are among those that are asked.
bool samples_are_asked(const PanelContext& c) {
  const std::string& asked = c.snapshot.settings.collection;
  const auto& rows = c.snapshot.library.collections;
  return !c.snapshot.samples_folder.empty() && std::any_of(rows.begin(), rows.end(), [&](const CollectionRow& row) {
    const bool holds = std::find(row.roots.begin(), row.roots.end(), c.snapshot.samples_folder) != row.roots.end();
    return holds && row.documents > 0 && (asked.empty() || asked == row.name);
  });
}

// Who tries the samples does not know yet what is in them.
void offer_questions(PanelContext& c) {
  ImGui::Dummy(ImVec2(0, c.px(8)));
  label(tr("The sample documents can tell, for example:"), c.fonts.small, c.theme.muted);
  for (const char* question : {"How do I descale the kettle?", "How many rooms does Hotel Meridian have?",
                               "What is the deposit of the workshop?"}) {  // as the samples, in English
    if (plain_button(question)) c.post(AskQuestion{question});
  }
}

}  // namespace

bool nothing_to_ask(const PanelContext& c) {
  return c.snapshot.library.loaded && documents_of(c.snapshot) == 0;
}

const CollectionRow* asked_with_failed(const PanelContext& c) {
  const std::string& asked = c.snapshot.settings.collection;
  for (const CollectionRow& row : c.snapshot.library.collections) {
    if (row.failed > 0 && (asked.empty() || asked == row.name)) return &row;
  }
  return nullptr;
}

void show_failed(PanelContext& c, const CollectionRow& row) {
  c.post(ShowCollection{row.name});
  c.window.failed_open = true;
  go_to(c, Page::kLibrary);
}

void draw_nothing_to_ask(PanelContext& c, float width) {
  const auto& rows = c.snapshot.library.collections;
  const CollectionRow* const failed = asked_with_failed(c);
  ImGui::Dummy(ImVec2(0, c.px(8)));
  wrapped(failed != nullptr ? tr("None of the files in your folders could be read yet.")
          : !rows.empty()   ? tr("Your folders hold nothing that mneme reads. Add another one, then ask again.")
                            : tr("Nothing is indexed yet. Add a folder, then ask again."),
          c.fonts.regular, c.theme.muted, width);
  if (failed == nullptr) {
    offer_documents(c);
  } else if (primary_button(tr("See why"), c.theme)) {
    show_failed(c, *failed);
  }
  ImGui::Dummy(ImVec2(0, c.px(4)));
}

void draw_empty_conversation(PanelContext& c, float left, float width) {
  ImGui::SetCursorPos(ImVec2(left, std::max(c.px(24), ImGui::GetWindowHeight() * 0.28f)));
  ImGui::BeginGroup();
  const int64_t documents = documents_of(c.snapshot);
  if (!c.snapshot.library.loaded) {
    label(tr("What would you like to know?"), c.fonts.title, c.theme.text);
  } else if (documents > 0) {
    label(tr("What would you like to know?"), c.fonts.title, c.theme.text);
    wrapped(filled(tr_n("Ask about your {0} document. Every answer names its sources.",
                        "Ask about your {0} documents. Every answer names its sources.", documents),
                   number_text(documents)),
            c.fonts.regular, c.theme.muted, width);
    if (samples_are_asked(c)) offer_questions(c);
  } else {
    label(tr("Ask your documents"), c.fonts.title, c.theme.text);
    wrapped(tr("Add a folder; mneme reads it on this machine, and nothing leaves it. Then ask, and every answer shows "
               "where "
               "it comes from."),
            c.fonts.regular, c.theme.muted, std::min(width, c.px(560)));
    ImGui::Dummy(ImVec2(0, c.px(8)));
    offer_documents(c);
  }
  ImGui::EndGroup();
}

}  // namespace mneme::ui
