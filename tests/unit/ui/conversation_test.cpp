// Questions, answers and their documents in panels without a window.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <imgui_internal.h>

#include "tests/unit/ui/window_fixture.h"

namespace mneme::ui {
namespace {

// Where the buttons stand follows from the layout; what they do must be reachable at any size.
TEST_F(WindowTest, AQuestionIsAskedByMouseAtEverySizeOfLetters) {
  for (const float scale : {0.75f, 1.0f, 2.0f, 2.5f}) {
    scale_ = scale;
    posted_.clear();
    for (int i = 0; i < 3; ++i) frame();
    type("Where?");
    // The column of the conversation ends at the splitter or the border; the button stands in its lower right corner.
    for (float y = 800 - 90 * scale; y < 795 - 30 * scale && posted<AskQuestion>() == nullptr; y += 10 * scale) {
      for (float x = 300; x < 1270 && posted<AskQuestion>() == nullptr; x += 12 * scale) click(x, y);
    }
    ASSERT_NE(posted<AskQuestion>(), nullptr) << "at " << scale;
    EXPECT_EQ(posted<AskQuestion>()->text, "Where?");
  }
}

TEST_F(WindowTest, WhatAnAnswerCostIsShownUnderIt) {
  for (int i = 0; i < 3; ++i) frame();
  const int closed = frame();
  drawer_.window().messages.at({7, 1}).insight_open = true;
  frame();
  EXPECT_GT(frame(), closed + 500) << "lanes, tokens reused and computed, facts";
}

// That the documents do not say it would not be true: there were none.
TEST_F(WindowTest, WhatWasAskedBeforeDocumentsCameIsAnsweredAgainByAClick) {
  auto answer = std::make_shared<MessageView>(*snapshot_->conversation.messages[1]);
  answer->sources.clear();
  answer->text = "The documents do not say.";
  answer->facts->model = "none";
  snapshot_->conversation.messages[1] = answer;
  frame();
  frame();
  for (float y = 150; y < 640 && posted<RegenerateAnswer>() == nullptr; y += 8) click(340, y);
  ASSERT_NE(posted<RegenerateAnswer>(), nullptr);
  EXPECT_EQ(posted<RegenerateAnswer>()->question, std::optional<size_t>(0));
  const int before = frame();
  snapshot_->indexing.running = true;
  snapshot_->indexing.counting = true;
  EXPECT_NE(frame(), before);
}

// "You are welcome.", "default: documents: 12": nothing is cited, and nothing is missing.
TEST_F(WindowTest, WhatNeedsNoPassageIsShownAsItIs) {
  const auto drawn = [&](bool in_documents, const char* text) {
    auto answer = std::make_shared<MessageView>(*snapshot_->conversation.messages[1]);
    answer->sources.clear();
    answer->text = text;
    answer->facts->model = "none";
    answer->facts->in_documents = in_documents;
    snapshot_->conversation.messages[1] = answer;
    frame();
    return frame();
  };
  EXPECT_LT(drawn(true, "You."), drawn(true, "You are welcome.")) << "the text is drawn";
  EXPECT_EQ(drawn(false, "You."), drawn(false, "You are welcome.")) << "in its place stands what can be done";
}

TEST_F(WindowTest, WhatQuotationsLeaveOutIsSaidBelowThem) {
  const auto drawn = [&](const char* model, std::vector<std::string> notes) {
    auto answer = std::make_shared<MessageView>(*snapshot_->conversation.messages[1]);
    answer->facts->model = model;
    answer->facts->in_documents = true;
    answer->facts->notes = std::move(notes);
    snapshot_->conversation.messages[1] = answer;
    frame();
    return frame();
  };
  const int plain = drawn("none", {});
  EXPECT_GT(drawn("none", {"the documents do not say: who paints the ferry?"}), plain + 20) << "without a click";
  const int written = drawn("some-model", {});
  EXPECT_EQ(drawn("some-model", {"everything was computed"}), written) << "among the details";
}

TEST_F(WindowTest, WhoIsToldNothingIsToldWhatElseToTry) {
  auto answer = std::make_shared<MessageView>(*snapshot_->conversation.messages[1]);
  answer->sources[0].cited = answer->sources[0].quoted = false;
  const auto drawn = [&] {
    snapshot_->conversation.messages[1] = std::make_shared<const MessageView>(*answer);
    for (int i = 0; i < 3; ++i) frame();
    return frame();
  };
  answer->facts->model = "";
  const int of_whoever = drawn();
  answer->facts->model = "mini";
  EXPECT_GT(drawn(), of_whoever + 100) << "a sentence, that passages can be quoted instead";
  answer->facts->model = "none";
  const int quoted = drawn();
  EXPECT_GT(quoted, of_whoever + 100) << "a sentence";
  snapshot_->library.collections[0].failed = 3;
  EXPECT_GT(drawn(), quoted + 100) << "that files could not be read";
  snapshot_->library.collections[0].failed = 0;
  snapshot_->settings.collection = "default";
  EXPECT_GT(drawn(), quoted) << "and a button";
  const auto asks_all = [&] {
    return std::any_of(posted_.begin(), posted_.end(), [](const Command& c) {
      const auto* change = std::get_if<ChangeSettings>(&c);
      return change != nullptr && change->settings.collection.empty();
    });
  };
  for (float y = 150; y < 640 && !asks_all(); y += 12) click(340, y);
  EXPECT_TRUE(asks_all());
  EXPECT_NE(posted<RegenerateAnswer>(), nullptr) << "and the question is asked again";
}

TEST_F(WindowTest, AFailedOrEmptyAnswerIsMadeAgainInItsPlace) {
  const auto good = snapshot_->conversation.messages;
  auto failed = std::make_shared<MessageView>();
  failed->error = "the file is gone";
  auto stopped = std::make_shared<MessageView>();
  stopped->facts.emplace().finish = "interrupted";
  const auto asks_again = [&](const std::shared_ptr<MessageView>& answer) {
    snapshot_->conversation.messages = {good[0]};
    if (answer) snapshot_->conversation.messages.push_back(answer);
    snapshot_->conversation.messages.push_back(good[0]);
    snapshot_->conversation.messages.push_back(good[1]);
    posted_.clear();
    drawer_.window().editing_message = -1;
    drawer_.window().follow = Follow::kNothing;
    drawer_.window().scroll_conversation = -2000.0f;
    for (int i = 0; i < 5; ++i) frame();
    for (float y = 95; y < 260 && posted<RegenerateAnswer>() == nullptr; y += 8) click(330, y);
    return posted<RegenerateAnswer>() == nullptr ? std::nullopt : posted<RegenerateAnswer>()->question;
  };
  EXPECT_EQ(asks_again(failed), 0u);
  EXPECT_EQ(asks_again(stopped), 0u);
  EXPECT_EQ(asks_again(nullptr), 0u) << "a question alone";
}

TEST_F(WindowTest, WarningsOfAnAnswerHaveALineOfTheirOwn) {
  auto answer = std::make_shared<MessageView>(*snapshot_->conversation.messages[1]);
  answer->facts->hits = answer->facts->chunks = 6;
  answer->facts->ttft_ms = 814.0;
  answer->facts->tokens_per_s = 160.0;
  const auto height = [&] {
    snapshot_->conversation.messages[1] = std::make_shared<const MessageView>(*answer);
    for (int i = 0; i < 4; ++i) frame();
    return drawer_.window().messages.at({7, 1}).height;
  };
  const float without = height();
  answer->facts->unsupported = 1;
  EXPECT_GT(height(), without + 10.0f);
  answer->facts->unsupported = 0;
  answer->facts->finish = "length";
  EXPECT_GT(height(), without + 10.0f);
}

TEST_F(WindowTest, AnAnswerMadeElsewhereIsMarkedUntilItsChatIsLookedAt) {
  ConversationView other;
  other.chat = 9;
  other.title = "Ferries";
  other.answering = true;
  snapshot_->elsewhere = {other};
  frame();
  press(ImGuiKey_Escape);
  EXPECT_EQ(posted<StopAnswer>(), nullptr) << "of the chat that is shown nothing is written";
  EXPECT_TRUE(drawer_.window().unseen_answers.empty()) << "not yet";
  press_letter('K');
  type("stop the answer in");
  press(ImGuiKey_Enter);
  ASSERT_NE(posted<StopAnswer>(), nullptr);
  EXPECT_EQ(posted<StopAnswer>()->chat, 9);
  snapshot_->elsewhere.clear();
  frame();
  EXPECT_TRUE(drawer_.window().unseen_answers.contains(9));
  snapshot_->conversation.chat = 9;
  frame();
  EXPECT_TRUE(drawer_.window().unseen_answers.empty());
}

TEST_F(WindowTest, AChatThatIsNotKeptSaysSoAndStaysAsItIsOnceItIsKept) {
  const auto list = [&](int64_t id, bool unkept) {
    snapshot_->chats =
        std::make_shared<const std::vector<ChatRow>>(std::vector<ChatRow>{{id, "Ferry", 1000, 2, false, unkept}});
    snapshot_->conversation.chat = id;
    frame();
    return frame();
  };
  const int without = list(-1, false);
  EXPECT_GT(list(-1, true), without);
  drawer_.window().selected_message = 1;
  list(12, false);
  EXPECT_EQ(drawer_.window().selected_message, 1) << "the same conversation";
  snapshot_->conversation.chat = 0;
  frame();
  EXPECT_EQ(drawer_.window().selected_message, -1) << "another one";
}

TEST_F(WindowTest, ANewChatThatGetsItsNumberStaysAndOneThatIsOpenedDoesNot) {
  snapshot_->conversation.chat = 0;
  frame();
  drawer_.window().selected_message = 1;
  snapshot_->conversation.answering = true;
  snapshot_->conversation.chat = 8;
  frame();
  EXPECT_EQ(drawer_.window().selected_message, 1) << "the same conversation";
  snapshot_->conversation.chat = 0;
  frame();
  drawer_.window().selected_message = 1;
  drawer_.window().found_in_chat.chat = 7;  // as open_chat() leaves it
  snapshot_->conversation.chat = 7;
  frame();
  EXPECT_EQ(drawer_.window().selected_message, -1) << "another one, that is being answered";
}

TEST_F(WindowTest, OfAQuotationNoContextIsTold) {
  auto answer = std::make_shared<MessageView>(*snapshot_->conversation.messages[1]);
  answer->facts->model = "none";
  snapshot_->conversation.messages[1] = answer;
  snapshot_->engine.model = "none";
  frame();
  drawer_.window().messages.at({7, 1}).insight_open = true;
  for (int i = 0; i < 3; ++i) frame();
  const int without = frame();
  snapshot_->engine.running_context = 4096;  // of a model that was used before
  EXPECT_EQ(frame(), without);
}

TEST_F(WindowTest, SecondsAreToldWhileAnAnswerIsWaitedFor) {
  auto answer = std::make_shared<MessageView>();
  answer->streaming = true;
  answer->stage = "measuring";
  snapshot_->conversation.messages[1] = answer;
  snapshot_->conversation.answering = true;
  const int before = (frame(), frame());
  EXPECT_TRUE(drawer_.window().tells_time);
  ImGui::GetIO().DeltaTime = 5.0f;
  EXPECT_GT((frame(), frame()), before) << "by then there are seconds to tell";
  ImGui::GetIO().DeltaTime = 1.0f / 60.0f;
  snapshot_ = with_an_answer();
  frame();
  EXPECT_FALSE(drawer_.window().tells_time);
}

TEST_F(WindowTest, EscStopsAnAnswerBeforeAnythingElse) {
  snapshot_->conversation.answering = true;
  frame();
  press(ImGuiKey_Escape);
  EXPECT_NE(posted<StopAnswer>(), nullptr);
  posted_.clear();
  snapshot_->conversation.answering = false;
  frame();
  press(ImGuiKey_Escape);
  EXPECT_EQ(posted<StopAnswer>(), nullptr);
}

TEST_F(WindowTest, ATypedQuestionIsAskedByEnter) {
  frame();
  frame();
  frame();
  for (const char c : std::string("Where?")) type(std::string(1, c));
  hold(named(ImGuiKey_Enter), true);
  frame();
  frame();
  hold(named(ImGuiKey_Enter), false);
  frame();
  ASSERT_NE(posted<AskQuestion>(), nullptr);
  EXPECT_EQ(posted<AskQuestion>()->text, "Where?");
}

TEST_F(WindowTest, ArrowsBringBackWhatWasAskedBefore) {
  for (int i = 0; i < 3; ++i) frame();
  for (const char* question : {"Where?", "When?"}) {
    type(question);
    press(ImGuiKey_Enter);
  }
  const std::string& text = drawer_.window().question.text();
  EXPECT_EQ(text, "");
  type("Why");
  press(ImGuiKey_UpArrow);
  EXPECT_EQ(text, "When?");
  press(ImGuiKey_UpArrow);
  EXPECT_EQ(text, "Where?");
  press(ImGuiKey_UpArrow);
  press(ImGuiKey_UpArrow);  // there is none before
  EXPECT_EQ(text, "How long is the warranty?") << "of the chat that is shown";
  press(ImGuiKey_DownArrow);
  press(ImGuiKey_DownArrow);
  EXPECT_EQ(text, "When?");
  press(ImGuiKey_DownArrow);
  EXPECT_EQ(text, "Why") << "what was being typed is there again";
  press(ImGuiKey_DownArrow);
  EXPECT_EQ(text, "Why");
}

TEST_F(WindowTest, AfterAStartArrowsBringBackWhatTheShownChatWasAsked) {
  for (int i = 0; i < 3; ++i) frame();
  press(ImGuiKey_UpArrow);
  EXPECT_EQ(drawer_.window().question.text(), "How long is the warranty?");
  press(ImGuiKey_DownArrow);
  EXPECT_EQ(drawer_.window().question.text(), "");
}

// Who composes with an input method, with nothing chosen, means the question too.
TEST_F(WindowTest, WhatIsComposedIsWrittenIntoTheQuestion) {
  for (int i = 0; i < 3; ++i) frame();
  click(640, 300);
  EXPECT_FALSE(ImGui::GetIO().WantTextInput);
  drawer_.window().composing.composition.replace(0, 0, U"nihon");
  frame();
  frame();
  EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  EXPECT_EQ(drawer_.window().question.text(), "");
  drawer_.window().composing.composition.clear();
  type("日本");
  EXPECT_EQ(drawer_.window().question.text(), "日本");
}

TEST_F(WindowTest, WhoAsksBeforeAnythingIsIndexedIsOfferedAFolder) {
  snapshot_->library.collections.clear();
  frame();
  frame();
  // “Add a folder…” is the only filled button; where it stands follows from the layout.
  for (float y = 150; y < 640 && folder_dialogs_ == 0; y += 8) click(330, y);
  EXPECT_GT(folder_dialogs_, 0);
}

TEST_F(WindowTest, AnAnswerOfAHundredThousandTokensStaysQuickWhileItGrows) {
  auto answer = std::make_shared<MessageView>();
  answer->streaming = true;
  std::string paragraph;
  for (int i = 0; i < 60; ++i) paragraph += "word" + std::to_string(i) + " **bold** ";
  for (int i = 0; i < 500; ++i) answer->text += paragraph + "\n\n";
  ASSERT_GT(answer->text.size(), 400000u);
  snapshot_->conversation.answering = true;
  snapshot_->conversation.messages[1] = answer;
  frame();
  frame();
  const MessageBox& box = drawer_.window().messages.at({7, 1});
  const size_t pieces = box.layout.layout().pieces.size();
  for (int i = 0; i < 5; ++i) {
    auto longer = std::make_shared<MessageView>(*answer);
    longer->text += "and more ";
    answer = longer;
    snapshot_->conversation.messages[1] = answer;
    frame();
  }
  EXPECT_GE(box.layout.layout().pieces.size(), pieces);
  EXPECT_LT(box.layout.layout().pieces.size(), pieces + 20);
}

TEST_F(WindowTest, OfALongChatOnlyWhatIsInSightIsDrawn) {
  snapshot_->conversation.messages.clear();
  for (int i = 0; i < 200; ++i) {
    auto message = std::make_shared<MessageView>();
    message->from_user = i % 2 == 0;
    message->text = "Message " + std::to_string(i) + std::string(i % 2 == 0 ? 0 : 1500, 'x');
    snapshot_->conversation.messages.push_back(message);
  }
  for (int i = 0; i < 200; ++i) frame();  // measured while there was time
  EXPECT_FALSE(drawer_.window().wants_frame);
  EXPECT_LT(frame(), 40000);
  drawer_.window().scroll_conversation = -4000.0f;
  frame();
  frame();
  EXPECT_EQ(drawer_.window().follow, Follow::kNothing);
}

class FollowTest : public WindowTest {
 protected:
  void say(bool from_user, const std::string& text, bool streaming = false) {
    auto message = std::make_shared<MessageView>();
    message->from_user = from_user;
    message->text = text;
    message->streaming = streaming;
    snapshot_->conversation.messages.push_back(message);
  }
  void write(const std::string& text) {
    snapshot_->conversation.messages.pop_back();
    say(false, text, true);
  }
  void frames(int n) {
    for (int i = 0; i < n; ++i) frame();
  }
  static ImGuiWindow& messages() {
    for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
      if (std::string(window->Name).find("/messages_") != std::string::npos) return *window;
    }
    ADD_FAILURE() << "no conversation is drawn";
    return *ImGui::GetCurrentContext()->Windows[0];
  }
  static float scroll() { return messages().Scroll.y; }
  static float end() { return messages().ScrollMax.y; }
  // Of the question, from the top of the view.
  float question_top() {
    const auto& all = snapshot_->conversation.messages;
    float y = 16.0f + ImGui::GetStyle().ItemSpacing.y;
    for (size_t i = 0; i + 2 < all.size(); ++i) y += drawer_.window().messages.at({7, i}).height;
    return y - scroll();
  }
  void ask(const std::string& question) {
    type(question);
    press(ImGuiKey_Enter);
    ASSERT_NE(posted<AskQuestion>(), nullptr);
    say(true, question);
    say(false, "", true);
    snapshot_->conversation.answering = true;
    frames(5);
  }
  static std::string paragraphs(int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += "A paragraph that takes a line.\n\n";
    return text;
  }
};

TEST_F(FollowTest, ANewQuestionStandsAtTheTopAndItsAnswerGrowsBelow) {
  say(true, "And how long is it?");
  say(false, paragraphs(40));
  frames(10);
  ASSERT_EQ(scroll(), end());
  ask("What does it cost?");
  EXPECT_NEAR(question_top(), 24.0f, 2.0f);
  const float before = scroll();
  write(paragraphs(60));
  frames(5);
  EXPECT_EQ(scroll(), before) << "what is being read stays where it is";
  EXPECT_GT(end(), before + 200.0f);
  snapshot_->conversation.answering = false;
  frames(5);
  EXPECT_EQ(scroll(), before);
}

TEST_F(FollowTest, WhoScrollsIsLeftAloneAndAtTheEndFollowsIt) {
  say(true, "And how long is it?");
  say(false, paragraphs(40));
  frames(10);
  ask("What does it cost?");
  write(paragraphs(60));
  frames(3);
  drawer_.window().scroll_conversation = 100.0f;
  frames(2);
  const float there = scroll();
  EXPECT_EQ(drawer_.window().follow, Follow::kNothing);
  write(paragraphs(70));
  frames(3);
  EXPECT_EQ(scroll(), there);
  drawer_.window().scroll_conversation = 100'000.0f;
  frames(3);
  EXPECT_EQ(drawer_.window().follow, Follow::kEnd);
  write(paragraphs(80));
  frames(3);
  EXPECT_EQ(scroll(), end());
}

// Found by a word that was said, a chat opens where it was said.
TEST_F(FollowTest, WhatIsUnfoldedAtTheEndStaysWhereItIs) {
  frames(5);
  const float before = scroll();
  ASSERT_EQ(drawer_.window().follow, Follow::kEnd);
  ImGui::GetIO().DisplaySize.y = 480.0f;  // no room for what is unfolded
  frames(5);
  const float there = scroll();
  MessageBox& answer = drawer_.window().messages.at({7, 1});
  for (float y = 480; y > 100 && !answer.insight_open; y -= 6) click(340, y);
  ASSERT_TRUE(answer.insight_open);
  frames(5);
  EXPECT_GT(end(), there + 50.0f);
  EXPECT_NEAR(scroll(), there, 1.0f);
  EXPECT_EQ(before, 0.0f);
}

TEST_F(FollowTest, AFoundChatOpensAtTheWordsItWasFoundFor) {
  snapshot_->conversation.messages.clear();
  for (int i = 0; i < 20; ++i) {
    say(true, "A question?");
    say(false, paragraphs(10) + (i == 7 ? "The plumber is called Zygmunt.\n\n" : ""));
  }
  const ConversationView found = std::exchange(snapshot_->conversation, ConversationView{});
  frames(3);
  drawer_.window().chat_filter = "zygmunt";
  press_letter('F');
  snapshot_->chat_matches = std::make_shared<const ChatMatches>(ChatMatches{"zygmunt", {7}});
  press(ImGuiKey_Enter);
  ASSERT_NE(posted<OpenChat>(), nullptr);
  snapshot_->conversation = found;
  frames(60);
  const FoundInChat& place = drawer_.window().found_in_chat;
  EXPECT_EQ(place.message, 15);
  const float there = place.y - scroll();
  EXPECT_GT(there, 0.0f);
  EXPECT_LT(there, messages().Size.y * 0.5f);
  EXPECT_LT(scroll(), end() - 500.0f);
  drawer_.window().scroll_conversation = -200.0f;
  frames(3);
  EXPECT_GT(place.y - scroll(), there + 100.0f) << "who scrolls is left alone";
}

TEST_F(FollowTest, OfAWallOfTextTheEndIsShownAndTheAnswerBelow) {
  say(true, "And how long is it?");
  say(false, paragraphs(40));
  frames(10);
  ask(paragraphs(100));
  const float height = messages().Size.y;
  const auto& boxes = drawer_.window().messages;
  const float answer = question_top() + boxes.at({7, 4}).height;
  EXPECT_GT(answer, height * 0.5f);
  EXPECT_LT(answer, height * 0.7f);
}

TEST_F(FollowTest, AShortChatHasNoRoomBelowUntilSomethingIsAsked) {
  frames(5);
  EXPECT_EQ(end(), 0.0f);
  ask("What does it cost?");
  EXPECT_NEAR(question_top(), 24.0f, 2.0f);
}

TEST_F(WindowTest, AQuestionFarAboveItsAnswersEndIsBroughtIntoSightToBeEdited) {
  auto question = std::make_shared<MessageView>();
  question->from_user = true;
  question->text = "How long is it";
  auto answer = std::make_shared<MessageView>();
  answer->text = std::string(20000, 'x');
  snapshot_->conversation.messages = {question, answer};
  for (int i = 0; i < 20; ++i) frame();
  ASSERT_EQ(drawer_.window().follow, Follow::kEnd);
  press_letter('E');
  frame();
  type(" in winter?");
  press(ImGuiKey_Enter);
  ASSERT_NE(posted<EditQuestion>(), nullptr);
  EXPECT_EQ(posted<EditQuestion>()->text, "How long is it in winter?");
  EXPECT_EQ(drawer_.window().question.text(), "");
}

TEST_F(WindowTest, MegabytesPastedIntoTheQuestionAreCutWithAWord) {
  frame();
  frame();
  frame();
  ImGui::SetClipboardText((std::string(5'000'000, 'x') + "\xe8\x8c").c_str());
  press_letter('V');
  EXPECT_EQ(drawer_.window().question.text().size(), 200'000u);
  EXPECT_GE(drawer_.window().cut_since, 0.0);
  EXPECT_LT(frame(), 60000);  // only the rows in sight are drawn
}

TEST_F(WindowTest, OneClickReachesAButtonWhileTheQuestionIsBeingTyped) {
  frame();
  frame();
  type("half a ques");
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  click(236, 28);  // the plus beside the name
  EXPECT_NE(posted<NewChat>(), nullptr);
}

TEST_F(WindowTest, ADraftSurvivesARestart) {
  frame();
  frame();
  type("half a ques");
  const WindowMemory memory = drawer_.memory(*snapshot_);
  EXPECT_EQ(memory.draft, "half a ques");
  EXPECT_EQ(memory.chat, 7);
}

// Where there is no room beside it the document stands in the question's place: what is typed must not be lost.
TEST_F(WindowTest, TypingOrItsKeyLeadsBackFromADocumentToTheQuestion) {
  ImGui::GetIO().DisplaySize = ImVec2(500, 600);
  DocumentTextView view;
  view.source = snapshot_->conversation.messages[1]->sources[0];
  view.text = std::make_shared<const std::string>("three years");
  view.end = 11;
  for (int i = 0; i < 3; ++i) frame();
  press(ImGuiKey_Escape);
  snapshot_->document = view;
  for (int i = 0; i < 3; ++i) frame();
  posted_.clear();
  type("W");
  EXPECT_NE(posted<CloseDocument>(), nullptr);
  snapshot_->document.reset();
  frame();
  type("here?");
  EXPECT_EQ(drawer_.window().question.text(), "Where?");
  snapshot_->document = view;
  for (int i = 0; i < 3; ++i) frame();
  posted_.clear();
  press_letter('L');
  EXPECT_NE(posted<CloseDocument>(), nullptr);
}

TEST_F(WindowTest, WordsAreFoundInTheOpenDocumentByKeys) {
  DocumentTextView view;
  view.source = snapshot_->conversation.messages[1]->sources[0];
  view.text = std::make_shared<const std::string>("before the lease\n\nthree years of lease\n\nafter the lease");
  view.begin = 18;
  view.end = 38;
  snapshot_->document = view;
  for (int i = 0; i < 3; ++i) frame();
  const int unmarked = frame();
  press_letter('F');
  type("lease");
  ASSERT_NE(posted<FindInDocument>(), nullptr);
  EXPECT_EQ(posted<FindInDocument>()->text, "lease");
  EXPECT_EQ(drawer_.window().chat_filter, "");
  FoundInDocument found;
  found.sought = "lease";
  found.places = {{11, 16, 0}, {33, 38, 0}, {50, 55, 0}};
  snapshot_->document->found = std::make_shared<const FoundInDocument>(found);
  frame();
  const DocumentFind& find = drawer_.window().document.find;
  EXPECT_EQ(find.at, 1u) << "the first one from the passage on";
  for (int i = 0; i < 3; ++i) frame();
  EXPECT_GT(frame(), unmarked);
  press(ImGuiKey_Enter);
  EXPECT_EQ(find.at, 2u);
  press(ImGuiKey_Enter);
  EXPECT_EQ(find.at, 0u);
  press_with_shift(ImGuiKey_Enter);
  EXPECT_EQ(find.at, 2u);
  posted_.clear();
  press(ImGuiKey_Escape);
  EXPECT_FALSE(find.open);
  ASSERT_NE(posted<FindInDocument>(), nullptr) << "nothing is sought any more";
  EXPECT_EQ(posted<FindInDocument>()->text, "");
  EXPECT_EQ(posted<CloseDocument>(), nullptr) << "one thing at a time";
}

TEST_F(WindowTest, WhatWasFoundTurnsToItsPage) {
  DocumentTextView view;
  view.source = snapshot_->conversation.messages[1]->sources[0];
  view.text = std::make_shared<const std::string>("one lease, another lease");
  view.page = 1;
  view.pages = 3;
  auto image = std::make_shared<PageImage>();
  image->width = 100;
  image->height = 140;
  image->rgb.resize(100 * 140 * 3);
  view.page_image = image;
  snapshot_->document = view;
  for (int i = 0; i < 3; ++i) frame();
  press_letter('F');
  type("lease");
  FoundInDocument found;
  found.sought = "lease";
  found.places = {{4, 9, 1}, {19, 24, 2}};
  snapshot_->document->found = std::make_shared<const FoundInDocument>(found);
  snapshot_->document->found_on_page = {{{0.1f, 0.1f, 0.2f, 0.2f}}};
  for (int i = 0; i < 3; ++i) frame();
  EXPECT_EQ(posted<ShowPage>(), nullptr);
  press(ImGuiKey_Enter);
  ASSERT_NE(posted<ShowPage>(), nullptr);
  EXPECT_EQ(posted<ShowPage>()->page, 2);
  // Its passage begins on page 2, it stands itself on page 3.
  posted_.clear();
  snapshot_->document->page = 2;
  snapshot_->document->found_on_page.clear();
  for (int i = 0; i < 5; ++i) frame();
  ASSERT_NE(posted<ShowPage>(), nullptr);
  EXPECT_EQ(posted<ShowPage>()->page, 3);
}

TEST_F(WindowTest, APageTakesMoreRoomThanItsSources) {
  for (int i = 0; i < 3; ++i) frame();
  EXPECT_LT(drawer_.window().sources_width, drawer_.window().page_width);
  DocumentTextView view;
  view.source = snapshot_->conversation.messages[1]->sources[0];
  view.text = std::make_shared<const std::string>("three years");
  auto image = std::make_shared<PageImage>();
  image->width = 100;
  image->height = 140;
  image->rgb.resize(100 * 140 * 3);
  view.page_image = image;
  view.page = view.pages = 1;
  snapshot_->document = view;
  for (const float width : {1280.0f, 1000.0f, 2560.0f}) {
    ImGui::GetIO().DisplaySize.x = width;
    for (int i = 0; i < 3; ++i) frame();
    EXPECT_GT(drawer_.window().document.zoom, 0.0f);
  }
  EXPECT_EQ(drawer_.window().page_width, kPageWidths.usual) << "a window that is narrow for a while changes nothing";
}

TEST_F(WindowTest, ADocumentShowsItsPassageAsPageAndAsText) {
  DocumentTextView view;
  view.source = snapshot_->conversation.messages[1]->sources[0];
  view.text = std::make_shared<const std::string>("before\n\nthree years\n\nafter");
  view.begin = 8;
  view.end = 19;
  snapshot_->document = view;
  frame();
  const int text = frame();
  auto image = std::make_shared<PageImage>();
  image->width = 100;
  image->height = 140;
  image->rgb.resize(100 * 140 * 3);
  image->passage = {{0.1f, 0.2f, 0.8f, 0.25f}};
  view.page_image = image;
  view.page = 3;
  view.pages = 9;
  snapshot_->document = view;
  frame();
  EXPECT_NE(frame(), text);
}

// The answer may say it otherwise: a row with the names of its columns.
TEST_F(WindowTest, ACitationMarksWhatWasQuotedAsItStandsThere) {
  auto answer = std::make_shared<MessageView>(*snapshot_->conversation.messages[1]);
  frame();
  press_alt('1');
  ASSERT_NE(posted<ShowDocument>(), nullptr);
  EXPECT_NE(posted<ShowDocument>()->said.find("three years"), std::string::npos)
      << "the answer's words, where no more is known";
  posted_.clear();
  answer->sources[0].quotes = "Kettle,3 years\n";
  snapshot_->conversation.messages[1] = answer;
  frame();
  press_alt('1');
  ASSERT_NE(posted<ShowDocument>(), nullptr);
  EXPECT_EQ(posted<ShowDocument>()->said, "Kettle,3 years\n");
}

TEST_F(WindowTest, ThreeClicksSelectAParagraphOfAnAnswer) {
  for (int i = 0; i < 3; ++i) frame();
  const auto selected = [&] {
    const auto& layout = drawer_.window().messages[{7, 1}].layout.layout();
    return selected_text(layout, drawer_.window().selection);
  };
  std::string text;
  for (float y = 120; y < 320 && text.find("warranty") == std::string::npos; y += 8) {
    for (int i = 0; i < 30; ++i) frame();  // no click of those before
    for (int i = 0; i < 3; ++i) click(360, y);
    if (drawer_.window().selection.owner != nullptr) text = selected();
  }
  EXPECT_TRUE(text.starts_with("The warranty is three years")) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

TEST_F(WindowTest, WhatAModelSaysThatRestsOnNothingCanBeQuotedInstead) {
  auto answer = std::make_shared<MessageView>(*snapshot_->conversation.messages[1]);
  answer->text = "The documents do not say.";
  const auto ask_to_quote = [&](bool cited) {
    answer->sources[0].cited = answer->sources[0].quoted = cited;
    snapshot_->conversation.messages[1] = std::make_shared<MessageView>(*answer);
    posted_.clear();
    for (int i = 0; i < 3; ++i) frame();
    for (float y = 120; y < 320 && posted<UseModel>() == nullptr; y += 8) click(340, y);
    return posted<UseModel>() != nullptr;
  };
  EXPECT_FALSE(ask_to_quote(true));
  ASSERT_TRUE(ask_to_quote(false));
  EXPECT_EQ(posted<UseModel>()->model, "none");
  ASSERT_NE(posted<RegenerateAnswer>(), nullptr);
  EXPECT_EQ(posted<RegenerateAnswer>()->question, std::optional<size_t>(0));
}

// Buttons that have no room beside the others stand below them.
TEST_F(WindowTest, WhatToDoAboutAFailedAnswerIsReachedInANarrowConversation) {
  auto failed = std::make_shared<MessageView>();
  failed->error = "the file is gone";
  snapshot_->conversation.messages[1] = failed;
  snapshot_->engine.state = EngineView::State::kClosed;
  snapshot_->settings.show_sources = true;
  drawer_.window().sources_width = 720.0f;
  for (int i = 0; i < 5; ++i) frame();
  for (float y = 120; y < 420 && posted<UseModel>() == nullptr; y += 8) {
    for (float x = 310; x < 400 && posted<UseModel>() == nullptr; x += 20) click(x, y);
    drawer_.window().page = Page::kChat;  // “Models…” stands there too
  }
  ASSERT_NE(posted<UseModel>(), nullptr);
  EXPECT_EQ(posted<UseModel>()->model, "none");
}

// [1] of one answer is not [1] of the answer whose sources are shown.
TEST_F(WindowTest, ACitationThatIsPointedAtLightsUpNoCardOfAnotherAnswer) {
  snapshot_->settings.show_sources = true;
  const auto lit = [&] {  // cards
    drawer_.window().follow = Follow::kNothing;
    drawer_.window().scroll_conversation = -5000.0f;
    for (int i = 0; i < 3; ++i) frame();
    int corners = 0;
    const ImDrawData& drawn = *ImGui::GetDrawData();
    for (int i = 0; i < drawn.CmdListsCount; ++i) {
      for (const ImDrawVert& corner : drawn.CmdLists[i]->VtxBuffer)
        corners += corner.col == drawer_.theme().hover && corner.pos.x > 900.0f ? 1 : 0;
    }
    return corners > 0;
  };
  for (int i = 0; i < 5; ++i) frame();
  ImVec2 chip(0, 0);
  for (float y = 130; y < 260 && chip.x == 0; y += 6) {
    for (float x = 290; x < 600 && chip.x == 0; x += 6) {
      move_mouse(ImVec2(x, y));
      if (lit()) chip = ImVec2(x, y);
    }
  }
  ASSERT_NE(chip.x, 0.0f) << "where there is one answer, its card is lit";
  auto& messages = snapshot_->conversation.messages;
  messages = {messages[0], messages[1], std::make_shared<MessageView>(*messages[0]),
              std::make_shared<MessageView>(*messages[1])};
  EXPECT_FALSE(lit());
  drawer_.window().selected_message = 1;
  EXPECT_TRUE(lit());
}

}  // namespace
}  // namespace mneme::ui
