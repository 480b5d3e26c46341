// The conversations that a snapshot holds: the one that is shown, and those in which answers go on being made
// meanwhile. Threads: a snapshot that is being changed belongs to who changes it; the rest are pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "ui/view_model/answer_place.h"
#include "ui/view_model/snapshot.h"

namespace mneme::ui {

// The number of the answer being made in a conversation; 0: none is.
uint64_t answer_under_way(const ConversationView& conversation);

// A chat, where it is shown or answered; null: neither.
const ConversationView* conversation_of_chat(const Snapshot& snapshot, int64_t chat);
ConversationView* conversation_of_chat(Snapshot& snapshot, int64_t chat);
// The one that holds a message, or in which an answer is being made; null: none.
ConversationView* conversation_with(Snapshot& snapshot, const std::shared_ptr<const MessageView>& message);
ConversationView* conversation_of_answer(Snapshot& snapshot, uint64_t answer);

// Of those elsewhere only those are held in which answers are made, and those that could not be kept: the catalogue has
// the rest.
void forget_unneeded(Snapshot& snapshot);

// Shows another conversation. The one before goes on elsewhere if an answer is being made in it, or it is not kept.
void show_conversation(Snapshot& snapshot, ConversationView next);
// Shows a chat in which an answer is being made, or that could not be kept; false: there is none.
bool return_to_chat(Snapshot& snapshot, int64_t chat);

// Changes the answer being made.
void change_answer(Snapshot& snapshot, uint64_t answer, const std::function<void(MessageView&)>& change);
// It is made, or given up for what stood there before; true when its conversation is shown.
bool end_answer(Snapshot& snapshot, uint64_t answer, std::shared_ptr<const MessageView> made);
bool give_up_answer(Snapshot& snapshot, uint64_t answer, const Messages& before);

}  // namespace mneme::ui
