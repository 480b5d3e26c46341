#include "ui/panels/chat_list.h"

#include <algorithm>
#include <utility>

#include "ui/language/tr.h"
#include "ui/view_model/chat_periods.h"
#include "ui/view_model/text_search.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {

bool ChatList::update(const std::shared_ptr<const std::vector<ChatRow>>& chats,
                      const std::shared_ptr<const ChatMatches>& matches, const std::string& filter,
                      int64_t midnight_ms) {
  if (chats == chats_ && matches == matches_ && filter == filter_ && midnight_ms == midnight_ms_ &&
      language_ == used_language())
    return false;
  chats_ = chats;
  matches_ = matches;
  filter_ = filter;
  midnight_ms_ = midnight_ms;
  language_ = used_language();
  make_lines();
  return true;
}

const ChatRow* ChatList::first() const {
  const auto chat = std::find_if(lines_.begin(), lines_.end(), [](const auto& line) { return line.chat != nullptr; });
  return chat == lines_.end() ? nullptr : chat->chat;
}

bool ChatList::shows(const ChatRow& chat) const {
  if (says(chat.title, filter_)) return true;
  return matches_ && matches_->text == filter_ &&
         std::binary_search(matches_->chats.begin(), matches_->chats.end(), chat.id);
}

void ChatList::make_lines() {
  lines_.clear();
  Period period;  // of the chats not pinned
  bool pinned = false;
  size_t n_headings = 0;
  for (const ChatRow& chat : *chats_) {
    if (!shows(chat)) continue;
    std::string heading;
    if (chat.pinned && !std::exchange(pinned, true)) heading = tr("Pinned");
    if (!chat.pinned && !period.holds(chat.updated_ms)) {
      period = period_of(chat.updated_ms, midnight_ms_);
      heading = period.name;
    }
    if (!heading.empty()) {
      lines_.push_back({nullptr, std::move(heading)});
      ++n_headings;
    }
    lines_.push_back({&chat, {}});
  }
  if (n_headings == 1) lines_.erase(lines_.begin());  // one time tells nothing apart
}

}  // namespace mneme::ui
