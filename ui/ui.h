// The window's entry points. Threads: call from the main thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"
#include "rag/workspace.h"

namespace mneme::storage {
class Catalogue;
class FileEnv;
}  // namespace mneme::storage

namespace mneme::ui {

struct WindowOptions {
  rag::WorkspaceOptions workspace;
  std::string language;        // a code (ui/language/languages.h); empty: as chosen in the window, else the system's
  std::string samples_folder;  // offered at first start; empty: none
  // What is to be told once the home is open, a sentence each; may be empty.
  std::function<std::vector<std::string>(storage::Catalogue&)> tidings;
  // The files of an encrypted home by its passphrase, which the window then asks for; empty: the home is open to all.
  std::function<Result<std::shared_ptr<storage::FileEnv>>(ByteSpan passphrase)> unlock;
};

// Returns when the window is closed. kUnsupported, with what to do instead, when there is no display or no OpenGL 3.
Status run_window(const WindowOptions& options);

// Whether a display is announced in the environment (DISPLAY, WAYLAND_DISPLAY).
bool display_available();

// How the window fares while it does what people do with it; for `mneme bench window`.
struct FrameTimes {
  double p50_ms = 0.0;
  double p99_ms = 0.0;
  double max_ms = 0.0;
};
struct WindowPhase {
  struct Part {
    std::string name;  // "build" the panels, "submit" them to OpenGL, "swap" the picture, "finish" drawing it
    FrameTimes times;
    double slowest_ms = 0.0;  // of the slowest frame
  };
  struct Thread {
    std::string name;
    double share = 0.0;  // of one processor's time, while the phase lasted
  };
  std::string name;
  int frames = 0;
  FrameTimes times;  // of whole frames, until the picture is there (glFinish)
  std::vector<Part> parts;
  // The same time by what the window's thread did: "ran", was "ready" but had no processor, "waited" for others.
  std::vector<Part> waits;
  std::vector<Thread> threads;  // who had the processors; most first
  // Of all processors' time: nobody's, other programs', and another machine's on the same hardware. Nobody's and this
  // program's alone make a quiet measurement.
  double idle = 0.0;
  double others = 0.0;
  double stolen = 0.0;
};
// From a key event's way to the X server to the picture with its letter.
struct TypingLatency {
  std::string name;
  int letters = 0;
  FrameTimes times;
  // Frames that began to read events once a letter had reached the window's connection, until one showed it.
  int in_first_frame = 0;  // letters that the first such frame showed, or one begun earlier
  int p99_frames = 0;
  int most_frames = 0;
  int overtaken = 0;        // letters still on their way through the X server when a frame began that did not show them
  int lost = 0;             // never shown
  int while_indexing = 0;   // letters during whose time a folder was read
  int while_answering = 0;  // ... an answer was made
};
struct MemoryPart {
  std::string name;  // "own", "driver", "libraries", ...
  uint64_t bytes = 0;
};
struct WindowMeasurement {
  double first_frame_ms = 0.0;  // from the call to the first picture
  double ready_ms = 0.0;        // ... to the picture with the chats
  double library_ms = 0.0;      // ... until the documents are known
  double idle_cpu_share = 0.0;  // of one core, with nothing going on
  // Of the whole process once all was shown and the window has come to rest, without a language model; what that
  // belongs to; and the same of a process that only shows an empty window, which is what the graphics driver takes.
  uint64_t resident_bytes = 0;
  std::vector<MemoryPart> memory;
  std::vector<MemoryPart> empty_window;
  std::vector<WindowPhase> phases;
  std::vector<TypingLatency> typing;  // empty where there is no X server
};
inline constexpr const char* kMeasuredCollection = "bench";  // what the script's folder is indexed into
struct WindowScript {
  std::string long_chat;  // title of a chat to scroll through
  // The first is indexed while answers are written, the others one after the other while letters are typed.
  std::vector<std::string> index_folders;
  std::string question;
  double idle_s = 5.0;
};
// Opens the window, goes through the script and closes it; the folder need not be indexed to its end. Errors as
// run_window().
Result<WindowMeasurement> measure_window(const WindowOptions& options, const WindowScript& script);

}  // namespace mneme::ui
