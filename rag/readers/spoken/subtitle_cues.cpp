#include "rag/readers/spoken/subtitle_cues.h"

#include <algorithm>
#include <array>
#include <utility>

namespace mneme::readers {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kAtOnce{100};       // between cues that one follows the other
constexpr size_t kLeastGrowing = 8;        // bytes of a line that the next one begins with
constexpr size_t kMostRepeated = 8;        // lines of a cue that the next one shows again
constexpr size_t kMostLines = 1000;        // of a cue that are held at a time; no picture shows so many
constexpr size_t kLongestMark = 300;       // bytes of a tag
constexpr int64_t kMostHours = 1'000'000;  // far beyond any recording, far below any overflow

// "1:02:03.500" or "02:03,500" at the beginning of `text`, which it is taken off.
std::optional<milliseconds> take_time(std::string_view& text) {
  int64_t seconds = 0;
  int n_parts = 0;
  for (bool more = true; more && n_parts < 3; ++n_parts) {
    int64_t part = 0;
    size_t n = 0;
    for (; n < text.size() && is_digit(text[n]) && part < kMostHours; ++n) part = part * 10 + (text[n] - '0');
    if (n == 0) return std::nullopt;
    seconds = seconds * 60 + part;
    text.remove_prefix(n);
    more = text.starts_with(':');
    if (more) text.remove_prefix(1);
  }
  if (n_parts < 2 || text.empty() || (text.front() != '.' && text.front() != ',')) return std::nullopt;
  text.remove_prefix(1);
  int64_t thousandths = 0;
  size_t n = 0;
  for (; n < text.size() && is_digit(text[n]); ++n)
    if (n < 3) thousandths = thousandths * 10 + (text[n] - '0');
  if (n == 0) return std::nullopt;
  for (size_t i = n; i < 3; ++i) thousandths *= 10;
  text.remove_prefix(n);
  return milliseconds(seconds * 1000 + thousandths);
}

void skip_spaces(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
}

// A block of WebVTT that is no cue.
bool begins_aside(std::string_view line) {
  return line == "NOTE" || line.starts_with("NOTE ") || line == "STYLE" || line == "REGION";
}

// The end of what stands at `at` and only says how the text looks: a tag, or "{\an8}"; 0: text.
size_t mark_end(std::string_view line, size_t at) {
  line = line.substr(at, kLongestMark);
  const bool style = line.starts_with("{\\");
  if (line.size() < 2 || (!style && line.front() != '<')) return 0;
  const size_t close = line.find(style ? '}' : '>');
  if (close == std::string_view::npos) return 0;
  std::string_view time = line.substr(1);
  const bool tag = is_letter(line[1]) || line[1] == '/' || take_time(time).has_value();
  return style || tag ? at + close + 1 : 0;
}

// Of "<v.loud Tom Becker>" the name.
std::string_view speaker_of(std::string_view tag) {
  if (!tag.starts_with("<v ") && !tag.starts_with("<v.")) return {};
  tag.remove_suffix(1);
  return trim(tag.substr(std::min(tag.find(' '), tag.size())));
}

struct Entity {
  std::string_view name;
  std::string_view text;
};
constexpr std::array<Entity, 8> kEntities = {{{"&amp;", "&"},
                                              {"&lt;", "<"},
                                              {"&gt;", ">"},
                                              {"&nbsp;", " "},
                                              {"&lrm;", ""},
                                              {"&rlm;", ""},
                                              {"&quot;", "\""},
                                              {"&#39;", "'"}}};

const Entity* entity_at(std::string_view text) {
  if (!text.starts_with('&')) return nullptr;
  const auto found =
      std::find_if(kEntities.begin(), kEntities.end(), [&](const Entity& e) { return text.starts_with(e.name); });
  return found == kEntities.end() ? nullptr : &*found;
}

// "- No." and ">> No.", of which the mark is taken off.
bool take_dash(std::string& text) {
  for (const std::string_view mark : {"- ", "-", "– ", "— ", ">>> ", ">> "}) {
    if (!text.starts_with(mark)) continue;
    if (mark == "-" && (text.size() < 2 || is_digit(text[1]) || text[1] == '-')) return false;
    text.erase(0, mark.size());
    return true;
  }
  return false;
}

// Whether the last line before the times of the next cue is its name or number.
bool is_name_of_cue(std::string_view line, bool behind_blank) {
  return behind_blank || (!line.empty() && std::all_of(line.begin(), line.end(), is_digit));
}

}  // namespace

std::optional<Cue> cue_times(std::string_view line) {
  line = trim(line);
  if (line.empty() || !is_digit(line.front())) return std::nullopt;
  Cue cue;
  const auto begin = take_time(line);
  if (!begin) return std::nullopt;
  skip_spaces(line);
  const bool arrow = line.starts_with("-->");
  if (!arrow && !line.starts_with(',')) return std::nullopt;
  line.remove_prefix(arrow ? 3 : 1);
  skip_spaces(line);
  const auto end = take_time(line);
  if (!end || (!arrow && !line.empty())) return std::nullopt;
  cue.begin = *begin;
  cue.end = std::max(*begin, *end);
  return cue;
}

CueLine shown_line(std::string_view line) {
  CueLine shown;
  for (size_t i = 0; i < line.size();) {
    if (line.substr(i).starts_with("<rt")) {  // how it is read aloud
      i = std::min(line.find("</rt", i), line.size());
      continue;
    }
    if (const size_t end = mark_end(line, i); end > 0) {
      const std::string_view speaker = speaker_of(line.substr(i, end - i));
      if (!speaker.empty()) shown.speaker = speaker;
      i = end;
    } else if (const Entity* entity = entity_at(line.substr(i))) {
      shown.text += entity->text;
      i += entity->name.size();
    } else {
      shown.text += line[i++];
    }
  }
  shown.text = trim(shown.text);
  shown.is_of_another = take_dash(shown.text);
  shown.text = trim(shown.text);
  return shown;
}

bool CueCursor::next(Cue& cue) {
  if (!find_times(cue)) return false;
  take_lines(cue);
  drop_repeated(cue);
  return true;
}

bool CueCursor::find_times(Cue& cue) {
  if (found_) {
    cue = *std::exchange(found_, std::nullopt);
    return true;
  }
  Line line;
  while (lines_.next(line)) {
    if (auto times = cue_times(line.text)) {
      cue = std::move(*times);
      return true;
    }
  }
  return false;
}

// Up to the times of the next cue: some programs leave lines of a cue empty.
void CueCursor::take_lines(Cue& cue) {
  bool behind_blank = false;
  bool aside = false;
  bool named = false;  // the last line may be what the next cue is called by
  Line line;
  while (lines_.next(line)) {
    found_ = cue_times(line.text);
    if (found_) {
      if (named && !cue.lines.empty()) cue.lines.pop_back();
      return;
    }
    const std::string_view text = line.trimmed();
    if (text.empty()) {
      behind_blank = behind_blank || line.text.empty();
      aside = aside && !line.text.empty();
      named = false;
      continue;
    }
    aside = aside || (behind_blank && begins_aside(text));
    if (aside) continue;
    CueLine shown = shown_line(text);
    named = is_name_of_cue(text, behind_blank);
    behind_blank = false;
    shown.number = line.number;
    if (shown.speaker.empty() && !shown.is_of_another && !cue.lines.empty()) shown.speaker = cue.lines.back().speaker;
    if (!shown.text.empty() || named) cue.lines.push_back(std::move(shown));
    if (cue.lines.size() >= kMostLines) {
      found_ = Cue{.begin = cue.begin, .end = cue.end, .lines = {}};  // the rest is another of the same time
      return;
    }
  }
}

// Rolling captions show the line before once more above the new one, or the same line with more words.
void CueCursor::drop_repeated(Cue& cue) {
  const std::vector<CueLine> whole = cue.lines;
  const bool at_once = until_ >= milliseconds(0) && cue.begin <= until_ + kAtOnce;
  if (at_once && !shown_.empty()) {
    size_t n = std::min({shown_.size(), cue.lines.size(), kMostRepeated});
    const auto repeats = [&](size_t count) {
      return std::equal(cue.lines.begin(), cue.lines.begin() + static_cast<std::ptrdiff_t>(count),
                        shown_.end() - static_cast<std::ptrdiff_t>(count),
                        [](const CueLine& a, const CueLine& b) { return a.text == b.text; });
    };
    while (n > 0 && !repeats(n)) --n;
    cue.lines.erase(cue.lines.begin(), cue.lines.begin() + static_cast<std::ptrdiff_t>(n));
    const std::string& last = shown_.back().text;
    if (n == 0 && last.size() >= kLeastGrowing && !cue.lines.empty() && cue.lines.front().text.starts_with(last + " "))
      cue.lines.front().text.erase(0, last.size() + 1);
  }
  shown_ = whole;
  until_ = cue.end;
}

}  // namespace mneme::readers
