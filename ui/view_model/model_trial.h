// Tries out the model that is open, once, behind what the user does: calibrates how its KV is stored, measures its
// quality gate and its speed. Until that is done its answers compute every passage anew; questions go first all the
// same. Threads: run() on the loading thread; the rest from anywhere.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "base/cancel.h"
#include "base/mutex.h"
#include "base/status.h"
#include "rag/workspace.h"
#include "ui/view_model/publisher.h"

namespace mneme::ui {

class ModelTrial {
 public:
  ModelTrial(rag::Workspace& workspace, Publisher& publisher) : workspace_(workspace), publisher_(publisher) {}

  // For as long as it lives no trial runs: who closes the model needs that. One that ran is given up.
  class Pause {
   public:
    explicit Pause(ModelTrial& trial);
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    ModelTrial& trial_;
    std::unique_lock<Mutex> nobody_runs_;
  };

  // Does nothing where no model is open, where it was tried out before or its caches are not used, and during a pause.
  void run();
  // Does not wait: what was begun ends soon, and is begun anew by the next run().
  void give_up();

 private:
  std::shared_ptr<CancelToken> begin();
  Status measure(const std::string& level, const CancelToken& cancel);
  void show(double share, double seconds);

  rag::Workspace& workspace_;
  Publisher& publisher_;
  Mutex running_;       // held while one runs or a pause lasts; taken before mutex_
  std::string unkept_;  // model and level of the last one whose end could not be kept; of the loading thread
  Mutex mutex_;
  int pauses_ MNEME_GUARDED_BY(mutex_) = 0;
  std::shared_ptr<CancelToken> cancel_ MNEME_GUARDED_BY(mutex_);
};

}  // namespace mneme::ui
