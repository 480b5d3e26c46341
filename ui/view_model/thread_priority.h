// How the system's scheduler ranks the threads of the window: those that draw before those that compute, which lose
// next to nothing by it, as a frame takes milliseconds and an answer seconds. Threads: each ranks itself; threads it
// starts later, the graphics driver's too, begin with its rank.
#pragma once

namespace mneme::ui {

enum class Priority {
  kWindow,        // draws, and is to begin as soon as it has something to draw
  kNormal,        // as the program was started
  kBehindWindow,  // somebody waits for it, and looks at the window meanwhile: gets what drawing leaves, and that is
                  // most
  kBackground,    // nobody waits for it: gets the processor when nobody else wants it
};

// Where the system does not let a thread have its rank it goes on as it was.
void set_priority(Priority priority);

}  // namespace mneme::ui
