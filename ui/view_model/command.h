// What a panel may ask for. Panels post these; the controller carries them out on its own threads.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "ui/view_model/snapshot.h"

namespace mneme::ui {

struct AskQuestion {
  std::string text;
};
struct StopAnswer {};
struct RegenerateAnswer {};  // the last question again
struct EditQuestion {
  size_t message = 0;
  std::string text;
};  // resends from there; later messages are dropped
struct NewChat {};
struct OpenChat {
  int64_t chat = 0;
};
struct RenameChat {
  int64_t chat = 0;
  std::string title;
};
struct PinChat {
  int64_t chat = 0;
  bool pinned = false;
};
struct DeleteChat {
  int64_t chat = 0;
};
struct ExportChat {
  int64_t chat = 0;
  std::string path;
};  // Markdown, or JSON when the path ends in .json
struct AddFolder {
  std::string path;
  std::string collection;
};
struct PauseIndexing {};
struct Reindex {
  std::string collection;
};
struct RemoveDocument {
  std::string path;
};
struct DeleteCollection {
  std::string name;
};
struct ShowCollection {
  std::string name;
};
struct ShowDocument {
  SourceView source;
};
struct CloseDocument {};
struct ChangeSettings {
  SettingsView settings;
};
struct DismissNotice {
  uint64_t id = 0;
};

using Command =
    std::variant<AskQuestion, StopAnswer, RegenerateAnswer, EditQuestion, NewChat, OpenChat, RenameChat, PinChat,
                 DeleteChat, ExportChat, AddFolder, PauseIndexing, Reindex, RemoveDocument, DeleteCollection,
                 ShowCollection, ShowDocument, CloseDocument, ChangeSettings, DismissNotice>;

}  // namespace mneme::ui
