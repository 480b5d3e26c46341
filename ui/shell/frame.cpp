#include "ui/shell/frame.h"

namespace mneme::ui {

FrameDrawer::FrameDrawer() {
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;  // the window keeps its own settings
}

FrameDrawer::~FrameDrawer() {
  ImGui::DestroyContext();
}

// Only what may be new: whole document lists are looked at once, messages each time (they are short).
void FrameDrawer::note_texts(const Snapshot& snapshot) {
  for (const ChatRow& chat : snapshot.chats) fonts_.note(chat.title);
  for (const auto& message : snapshot.conversation.messages) {
    fonts_.note(message->text);
    fonts_.note(message->error);
    for (const SourceView& source : message->sources) {
      fonts_.note(source.title);
      fonts_.note(source.heading);
      fonts_.note(source.text.substr(0, 400));
    }
  }
  for (const CollectionRow& row : snapshot.library.collections) fonts_.note(row.name);
  fonts_.note(snapshot.indexing.current_file);
  fonts_.note(window_.input);
  for (const Notice& notice : snapshot.notices) fonts_.note(notice.text);
  if (snapshot.document && snapshot.document->text) {
    const std::string& text = *snapshot.document->text;
    const size_t begin = snapshot.document->begin > 8000 ? snapshot.document->begin - 8000 : 0;
    fonts_.note(std::string_view(text).substr(begin, 24000));
  }
  if (snapshot.library.documents.get() != noted_documents_) {
    noted_documents_ = snapshot.library.documents.get();
    if (snapshot.library.documents) {
      for (const DocumentRow& row : *snapshot.library.documents) fonts_.note(row.title);
    }
  }
}

bool FrameDrawer::prepare(const Snapshot& snapshot, float scale, bool dark) {
  note_texts(snapshot);
  const bool restyle = scale != scale_ || theme_.dark != dark || theme_.text == 0;
  if (restyle) {
    theme_ = dark ? dark_theme() : light_theme();
    apply(theme_, scale);
  }
  scale_ = scale;
  if (!fonts_.needs_rebuild(scale)) return false;
  fonts_.rebuild(*ImGui::GetIO().Fonts, scale);
  window_.layouts.clear();
  return true;
}

void FrameDrawer::draw(const Snapshot& snapshot, const Hooks& hooks) {
  ImGui::PushFont(fonts_.fonts().regular);
  PanelContext context{snapshot, theme_,     fonts_.fonts(),      scale_,
                       window_,  hooks.post, hooks.choose_folder, hooks.open_path};
  draw_window(context);
  ImGui::PopFont();
}

}  // namespace mneme::ui
