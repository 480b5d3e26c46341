// What a panel may ask for. Panels post these; the controller carries them out on its own threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "storage/encryption/secret.h"
#include "ui/view_model/snapshot.h"

namespace mneme::ui {

struct Unlock {
  std::shared_ptr<const storage::Secret> passphrase;
};  // of an encrypted home; the one command that is taken before it is open
struct AskQuestion {
  std::string text;
};
struct StopAnswer {
  std::optional<int64_t> chat = std::nullopt;  // nothing: the one that is shown
};
struct RegenerateAnswer {
  std::optional<size_t> question = std::nullopt;  // nothing: the last
};  // in its place; what was answered before stays until there is another answer
struct EditQuestion {
  size_t message = 0;
  std::string text;
};  // resends from there; later messages are dropped
struct NewChat {};
struct OpenChat {
  int64_t chat = 0;
};
struct BranchChat {
  size_t message = 0;
};  // a new chat with the messages up to and with this one
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
};  // gone from sight at once, from the disk when its notice goes
struct UndoDeleteChat {
  int64_t chat = 0;
};
struct SearchChats {
  std::string text;
};  // empty: no search
struct ExportChat {
  int64_t chat = 0;
  std::string path;
};  // Markdown, or JSON when the path ends in .json
struct AddFolder {
  std::string path;
  std::string collection;  // empty: the one named after it (collection_of_folder.h)
};
struct PauseIndexing {};
struct ResumeIndexing {};
struct GiveUpIndexing {};  // what was read stays
struct Reindex {
  std::string collection;
};
struct RetryFailed {
  std::string collection;
  bool recognise = false;  // scans by OCR
};
struct ReadAgain {
  std::string path;  // of a document, or of a file that could not be read
  bool recognise = false;
  std::string collection = {};  // empty: the one that is shown
};
struct LookAround {};  // for what other processes do on this home
struct WatchCollection {
  std::string collection;
  bool on = false;
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
struct OrderDocuments {
  DocumentOrder order;
};
struct SetQuota {
  uint64_t bytes = 0;  // 0: the default
};
struct SetCollectionLevel {
  std::string collection;
  std::string level;  // empty: as the settings say
};
struct ShowDocument {
  SourceView source;
  std::string said = {};  // the answer's words that cite it, to be marked
};
struct ShowPage {
  int page = 0;
  int dpi = 0;  // at least; 0: as usual
};  // of the PDF being looked at
struct FindInDocument {
  std::string text;
};  // in the document being looked at; empty: nothing any more
struct CloseDocument {};
struct ListFolder {
  std::string folder;
  bool with_models = false;  // GGUF files too
};
struct UseModel {
  std::string model;  // "none" quotes
  std::string device = "auto";
  int context_tokens = 0;
};
struct UseEmbedder {
  std::string name;  // registered, or the one that came with the program
};  // from the next start on
struct LoadModel {};
struct UnloadModel {};
struct FindModels {};  // of other programs on this machine
struct AddModel {
  std::string path;
  std::string name = {};  // empty: the file's
};
struct RemoveModel {
  std::string name;
};
struct ChangeSettings {
  SettingsView settings;
};
struct SampleActivity {};
struct TellOfFonts {
  std::vector<std::string> packages;
};  // that would draw what cannot be drawn here
struct DismissNotice {
  uint64_t id = 0;
};
struct Rest {};  // nothing is drawn for a while: memory that was freed goes back to the system

using Command = std::variant<Unlock, AskQuestion, StopAnswer, RegenerateAnswer, EditQuestion, NewChat, OpenChat,
                             BranchChat, RenameChat, PinChat, DeleteChat, UndoDeleteChat, SearchChats, ExportChat,
                             AddFolder, PauseIndexing, ResumeIndexing, GiveUpIndexing, Reindex, RetryFailed, ReadAgain,
                             LookAround, WatchCollection, RemoveDocument, DeleteCollection, ShowCollection,
                             OrderDocuments, SetQuota, SetCollectionLevel, ShowDocument, ShowPage, FindInDocument,
                             CloseDocument, ListFolder, UseModel, UseEmbedder, LoadModel, UnloadModel, FindModels,
                             AddModel, RemoveModel, ChangeSettings, SampleActivity, TellOfFonts, DismissNotice, Rest>;

}  // namespace mneme::ui
