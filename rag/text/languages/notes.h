// What mneme itself says beside quotations, in the language of the question: that the documents do not say, what was
// looked for instead, what was left out. A table for each language in notes/; which is whose stands in its facts.
//
// Errors, labels and help are English. Where a number is told, the wording needs no plural. Threads: immutable data,
// and pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace mneme::rag {

// "{word}" is filled in; which placeholders a note has, English tells (notes/english.cpp).
struct NoteTexts {
  std::string_view digit_groups{};  // between the thousands of a number

  // What the documents say, and do not.
  std::string_view not_said{};
  std::string_view parts_not_said{};  // of what was asked
  std::string_view rows_not_reckoned{};
  std::string_view rows_added_up{};
  std::string_view rows_counted_once{};
  std::string_view payments_compared{}, payments_averaged{}, bills_added_up{}, no_payments{};
  std::string_view only_quoted{};  // no short answer, and why
  std::string_view no_such_source{};

  // Which documents there are.
  std::string_view listed_about{};  // not all of those that speak of it
  std::string_view listed_dated{};
  std::string_view listed_tasks{};
  std::string_view no_task_open{};
  std::string_view by_file_date{};
  std::string_view dated{}, named{}, changed{}, taken_in{};  // whose date stands behind a document's name
  std::string_view held{};
  std::string_view gist_read{};
  std::string_view also_called{};
  std::string_view which_document{};
  std::string_view no_page{};

  // What was looked for.
  std::string_view not_all_with{};
  std::string_view no_passage_says{};
  std::string_view looked_for{};
  std::string_view no_vectors{};
  std::string_view not_reranked{};
  std::string_view no_date{}, no_filter{};
  std::string_view repeats_left_out{};
  std::string_view no_match{}, either{};  // of filters; between them
  std::string_view no_match_of_all{};
  std::string_view no_passage_of_match{};
  std::string_view nothing_goes_with{};
  std::string_view collection_empty{};
  std::string_view nothing_indexed{};

  // To thanks, and to a greeting.
  std::string_view welcome{}, greeting{};

  // Of a model that writes.
  std::string_view caches_not_measured{};
  std::string_view being_tried_out{};
  std::string_view caches_differ{};
  std::string_view goal_had_no_say{};
  std::string_view ends_in_middle{};
  std::string_view still_thinking{};
  std::string_view turns_left_out{};
  std::string_view passages_left_out{};
  std::string_view passage_cut{};
  std::string_view cache_recomputed{};
};

using Note = std::string_view NoteTexts::*;

namespace notes {

extern const NoteTexts kEnglish, kGerman, kFrench, kSpanish, kItalian, kPortuguese, kDutch, kPolish, kTurkish, kRussian,
    kArabic, kChinese, kJapanese, kKorean, kSwedish, kCzech, kUkrainian, kFinnish, kHungarian, kRomanian, kDanish,
    kNorwegian;

}  // namespace notes

struct NoteFilling {
  std::string_view name;
  std::string value;
};

// Each placeholder once, literally: what is filled in is not looked at again. One without a filling gives nothing.
std::string filled(std::string_view text, std::initializer_list<NoteFilling> fillings);

// In the language of `question`; in English where that is not known.
std::string note_for(std::string_view question, Note note, std::initializer_list<NoteFilling> fillings = {});

// "12,784" as the question's language groups digits.
std::string number_for(std::string_view question, int64_t number);

}  // namespace mneme::rag
