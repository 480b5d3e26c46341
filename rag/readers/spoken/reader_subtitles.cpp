// Subtitles and transcripts: cues joined to sentences, and these to paragraphs that begin with their place in the
// recording and who speaks. A paragraph ends with the speaker, at a pause, or where it is long enough.
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/spoken/said_line.h"
#include "rag/readers/spoken/subtitle_cues.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPause{3000};      // between sentences
constexpr milliseconds kLongPause{8000};  // within what nobody gave full stops
constexpr size_t kLongEnough = 500;       // bytes of a paragraph that ends with its sentence
constexpr size_t kLongestSentence = 300;  // captions that were recognised have no full stops
constexpr int kCuesBetweenChecks = 1024;

bool ends_sentence(std::string_view text) {
  while (text.ends_with('"') || text.ends_with(')') || text.ends_with("”") || text.ends_with("»"))
    text.remove_suffix(text.ends_with("”") ? 3 : text.ends_with("»") ? 2 : 1);
  for (const std::string_view stop : {".", "!", "?", "…", "。", "！", "？", "♪"})
    if (text.ends_with(stop)) return true;
  return false;
}

// Writings that put no space between words.
bool is_unspaced(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  return first >= 0xe3 && first <= 0xe9;
}
bool ends_unspaced(std::string_view text) {
  return text.size() >= 3 && is_unspaced(text.substr(text.size() - 3));
}

// Names that stand before colons in several lines are speakers'; "Remember: never open the lid" names nobody.
class Speakers {
 public:
  explicit Speakers(std::string_view text) {
    CueCursor cues(text);
    for (Cue cue; cues.next(cue);) {
      for (const CueLine& line : cue.lines) {
        const std::string_view name = name_before_colon(line.text);
        const auto known = name.empty() ? count_.end() : count_.find(name);
        if (known != count_.end()) ++known->second;
        if (!name.empty() && known == count_.end() && count_.size() < kMostNames) count_.emplace(name, 1);
      }
    }
  }

  // Takes the name off a line that begins with one.
  void take_name(CueLine& line) const {
    const std::string_view name = name_before_colon(line.text);
    const auto known = name.empty() ? count_.end() : count_.find(name);
    if (known == count_.end() || known->second < 2) return;
    line.speaker = name;
    line.text.erase(0, line.speaker.size() + 1);
    line.text = trim(line.text);
    line.is_of_another = true;
  }

 private:
  static constexpr size_t kMostNames = 1000;
  std::map<std::string, int, std::less<>> count_;
};

class Paragraphs {
 public:
  explicit Paragraphs(DocumentBuilder& builder) : builder_(builder) {}

  // A line that names nobody is of who speaks as long as the sentence goes on.
  void take(const Cue& cue, CueLine line) {
    if (line.text.empty()) return;
    if (line.speaker.empty() && !line.is_of_another && stop_ != text_.size()) line.speaker = speaker_;
    if (!text_.empty() && (parts(line) || is_long() || cue.begin - last_ >= pause())) flush();
    if (text_.empty()) {
      begin_ = cue.begin;
      first_line_ = line.number;
      speaker_ = line.speaker;
      stop_ = 0;
    } else if (!ends_unspaced(text_) || !is_unspaced(line.text)) {
      text_ += ' ';
    }
    text_ += line.text;
    last_line_ = line.number;
    last_ = cue.end;
    if (ends_sentence(text_)) stop_ = text_.size();
  }

  void flush() {
    if (text_.empty()) return;
    builder_.set_lines(first_line_, last_line_);
    builder_.paragraph(said_line(place_in_recording(begin_), speaker_, text_));
    text_.clear();
  }

 private:
  // Whether somebody else says the line.
  bool parts(const CueLine& line) const {
    return line.speaker != speaker_ || (line.is_of_another && line.speaker.empty());
  }
  bool is_long() const {
    const bool ends = stop_ == text_.size();
    return (ends && text_.size() >= kLongEnough) || text_.size() - stop_ >= kLongestSentence;
  }
  milliseconds pause() const { return stop_ == text_.size() ? kPause : kLongPause; }

  DocumentBuilder& builder_;
  std::string text_;
  std::string speaker_;
  milliseconds begin_{};
  milliseconds last_{};  // end of the cue before
  size_t stop_ = 0;      // behind the last full stop
  int first_line_ = 0;
  int last_line_ = 0;
};

// "WEBVTT - Harbour meeting"
void take_title(std::string_view text, rag::Document& document) {
  LineCursor lines(text);
  Line line;
  if (!lines.next(line) || !line.text.starts_with("WEBVTT - ")) return;
  take_metadata(document, "title", clean_text(line.text.substr(9)));
}

}  // namespace

Status read_subtitles(ReadContext& context, Input input) {
  auto decoded = decode_text(std::move(input.bytes));
  if (!decoded.ok()) return decoded.status().with_context(printable(input.name) + ": ");
  make_breaks_plain(decoded->text);
  std::erase(decoded->text, '\r');
  rag::Document document;
  document.format = "subtitles";
  if (!decoded->note.empty()) document.notes.push_back(std::move(decoded->note));
  take_title(decoded->text, document);
  DocumentBuilder builder(document, context.limits().text_bytes);
  const Speakers speakers(decoded->text);
  Paragraphs paragraphs(builder);
  CueCursor cues(decoded->text);
  Cue cue;
  for (int n = 1; cues.next(cue) && !builder.full(); ++n) {
    if (n % kCuesBetweenChecks == 0) MNEME_RETURN_IF_ERROR(context.check(input.name));
    std::string speaker;  // of the cue's line before
    for (CueLine& line : cue.lines) {
      speakers.take_name(line);
      if (line.speaker.empty() && !line.is_of_another) line.speaker = speaker;
      speaker = line.speaker;
      paragraphs.take(cue, std::move(line));
    }
  }
  paragraphs.flush();
  // Something else is called so, too.
  if (document.blocks.empty()) {
    document.format = "text";
    document.text = std::move(decoded->text);
    parse_plain(document);
  }
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
