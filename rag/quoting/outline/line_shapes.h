// What one line of a passage looks like, whatever stands around it: an item's mark, an underline, the rule of a table,
// a line of a bill. Lines are trimmed and not empty. Threads: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace mneme::rag {

constexpr size_t kShortLine = 56;  // bytes; a longer line without a full stop is the beginning of a paragraph

// Bytes of "- ", "12. ", "[x] " and the like at the beginning of a line; 0: no item. `ordered`: numbered.
size_t item_mark(std::string_view line, bool& ordered);
bool is_item_line(std::string_view line);
// An underline or overline: one sign, three times or more.
bool is_adornment(std::string_view line);
// The line between the rows of a table: "|---|---|", "+---+---+", "====  ====".
bool is_table_rule(std::string_view line);
size_t visible_width(std::string_view text);
// Ends as sentences do: what does not may be a heading.
bool ends_sentence(std::string_view line);
// "Ölwechsel mit Filter 129,90 €", "Consumption: 212 kWh", "Invoice number 20260044817": a line of a bill. It ends with
// a sum, with a number of many digits, or with a number under a label.
bool states_number(std::string_view line);
bool begins_upper(std::string_view line);
// Scripts without capitals give no sign of where a sentence begins.
bool is_wide_line(std::string_view line);
// Outside quotation marks.
size_t n_separators(std::string_view line, char separator);
// Cells with two spaces or more between them; 0 for what is no row of such. Bars part cells of their own; spaces behind
// full stops part sentences.
size_t n_columns(std::string_view line);

// "Author: x", as letters and minutes open; "port: 8443", as files of settings have it; 出発：8月8日.
bool is_field(std::string_view line);
bool is_setting(std::string_view line);
bool has_wide_label(std::string_view line);
// ": the relation that ...", below a term that it defines.
bool begins_definition(std::string_view line);

// "[02.05., 19:12] Anna: See you there", "02/05/26, 19:12 - Anna: ...", "19:12 Anna: ...": the bytes before who said it
// in a talk; 0 of other lines.
size_t message_stamp(std::string_view line);

// Whether it goes on with the block before it rather than beginning something of its own.
bool is_plain_line(std::string_view line);
// "> said elsewhere", as Markdown and mail quote; not ">>> " of an interpreter.
bool is_quoted_line(std::string_view line);
// What is quoted; a line that is no quotation is all of what it says.
std::string_view within_quotation(std::string_view line);

}  // namespace mneme::rag
