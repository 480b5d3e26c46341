// Whether a sentence says when, how long or how often: months, days and times as people write them in many languages
// ("20.2.", "3 mars", "7時50分", "каждые два месяца"). Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

// `folded`: by folded_text() (rag/text/words/words.h), a space before and after it.
bool has_date(std::string_view sentence, const std::string& folded);  // or a time of day
bool is_time_word(std::string_view folded_word);                      // of a month or weekday
bool has_time_unit(std::string_view folded);                          // "minutes", "Stunden", 分钟
// "For an hour", "eine Stunde", "75s", "30 ms": times that has_time_unit() beside a number does not know.
bool says_short_time(std::string_view sentence);
bool says_how_often(std::string_view folded);  // "monthly", "alle", "raz"
// "Payable within 14 days", "due on 3 May": a last day, or how long it is until then.
bool sets_deadline(std::string_view sentence, const std::string& folded);
bool has_time_of_day(std::string_view sentence);  // "18:15", "8 Uhr"
bool asks_hour(std::string_view question);        // "what time", 几点
bool asks_deadline(std::string_view question);    // "until when", "bis wann"

}  // namespace mneme::rag
