// The lines of the list of chats: those that a filter leaves, under the days they went on last. Made anew only when
// what it is made of is another. Threads: the window's thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ui/view_model/snapshot.h"

namespace mneme::ui {

struct WindowLanguage;

struct ListedChat {
  const ChatRow* chat = nullptr;  // null: the line says when those below it went on
  std::string period;
};

class ChatList {
 public:
  // `chats` stand as they are to be listed; `matches` (null: none) say more of them than their titles, if they are of
  // this filter. Days are seen from the one that began at `midnight_ms`. True when the lines were made anew.
  bool update(const std::shared_ptr<const std::vector<ChatRow>>& chats,
              const std::shared_ptr<const ChatMatches>& matches, const std::string& filter, int64_t midnight_ms);

  const std::vector<ListedChat>& lines() const { return lines_; }
  const ChatRow* first() const;  // null: there is none

 private:
  bool shows(const ChatRow& chat) const;
  void make_lines();

  std::shared_ptr<const std::vector<ChatRow>> chats_;
  std::shared_ptr<const ChatMatches> matches_;
  std::string filter_;
  int64_t midnight_ms_ = 0;
  const WindowLanguage* language_ = nullptr;  // of the periods
  std::vector<ListedChat> lines_;             // of chats_
};

}  // namespace mneme::ui
