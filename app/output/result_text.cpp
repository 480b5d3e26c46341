#include "app/output/result_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "app/output/terminal_text.h"
#include "base/human_text.h"
#include "rag/answering/citations/cited_place.h"
#include "rag/text/markup/rules.h"

namespace mneme::app {
namespace {

constexpr int kExcerptLines = 3;

std::string lines_of(int first, int last) {
  if (first <= 0) return "";
  if (last <= first) return ", line " + std::to_string(first);
  return ", lines " + std::to_string(first) + "-" + std::to_string(last);
}

// The passage from a byte on, folded to a few lines of the terminal's width.
std::string excerpt(const std::string& passage, size_t begin, int columns, const std::string& indent) {
  const int width = std::max(20, columns - display_width(indent));
  const std::string text = begin == 0 ? passage : "… " + passage.substr(begin);
  std::string folded = indent;
  for (const char c : fold_to_width(terminal_line(rag::without_title_rules(text)), width, kExcerptLines)) {
    folded += c;
    if (c == '\n') folded += indent;
  }
  return folded + "\n";
}

}  // namespace

std::string place_text(const rag::Hit& hit) {
  std::string place = terminal_line(hit.document.empty() ? hit.title : hit.document);
  if (hit.page > 0) place += ", page " + std::to_string(hit.page);
  return place + lines_of(hit.line_start, hit.line_end);
}

namespace {

// Where the answer's words stand: "/a/b.md, line 12".
std::string cited_place_text(const rag::Citation& citation, const rag::CitedPlace& place) {
  rag::Hit said = citation.source;
  if (citation.quoted && place.line > 0) {
    said.line_start = place.line;
    said.line_end = place.last_line;
  }
  return place_text(said) + (citation.quoted ? "" : "  (words not found there: check)") + "\n";
}

// The place, and the passage from there on.
std::string cited_text(const rag::Answer& answer, const rag::Citation& citation, int columns) {
  const rag::CitedPlace place = rag::cited_place(citation, answer.text);
  return cited_place_text(citation, place) + excerpt(citation.source.text, place.byte, columns, "    ");
}

}  // namespace

std::string citations_text(const rag::Answer& answer, int columns) {
  std::string text;
  for (const rag::Citation& citation : answer.citations) {
    text += "[" + std::to_string(citation.n) + "] " + cited_text(answer, citation, columns);
  }
  return text;
}

std::string citations_markdown(const rag::Answer& answer) {
  std::string text;
  for (const rag::Citation& citation : answer.citations) {
    text +=
        "- [" + std::to_string(citation.n) + "] " + cited_place_text(citation, rag::cited_place(citation, answer.text));
  }
  return text;
}

namespace {

// ", first word 25.8 ms"
std::string stage_text(const char* stage, std::optional<double> milliseconds) {
  if (!milliseconds) return "";
  char text[64];
  std::snprintf(text, sizeof text, ", %s %.1f ms", stage, *milliseconds);
  return text;
}

std::string times_text(const std::string& stages) {
  return stages.empty() ? "" : "times: " + stages.substr(2) + "\n";
}

std::string scored_place(double score, const rag::Hit& hit) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", score);
  return std::string(text) + "  " + place_text(hit) + "\n";
}

}  // namespace

std::string answer_details(const rag::Answer& answer) {
  const rag::AnswerTiming& t = answer.timing;
  std::string text = times_text(stage_text("search", t.retrieve) + stage_text("of it second look", t.rerank) +
                                stage_text("load", t.load) + stage_text("recompute", t.recompute) +
                                stage_text("first word", t.ttft) + stage_text("all", t.total));
  for (const rag::Citation& source : answer.sources) {
    text += "passage " + std::to_string(source.n) + ": " + scored_place(source.source.score, source.source);
  }
  return text;
}

std::string search_details(const rag::SearchResult& result) {
  std::string stages = stage_text("search", result.milliseconds);
  if (result.reranked > 0) stages += stage_text("of it second look", result.rerank_milliseconds);
  std::string text = times_text(stages);
  if (result.reranked > 0) text += "looked at twice: " + human_number_of(result.reranked, "passage") + "\n";
  for (size_t i = 0; i < result.hits.size(); ++i) {
    text += "passage " + std::to_string(i + 1) + ": " + scored_place(result.hits[i].score, result.hits[i]);
  }
  return text;
}

std::string answer_summary(const rag::Answer& answer) {
  // Of passages that a filter left none of, or that nothing was quoted from, none is the best.
  if (answer.model == "none" && answer.citations.empty()) return "";
  const std::string found = answer.reranked > 0 ? "best of " + human_number_of(answer.reranked, "passage") + ", " : "";
  if (answer.brief && answer.brief->stated && !answer.brief->model.empty())
    return found + "quoted; " + answer.brief->model + " read the first line";
  if (answer.model == "none") return found + "quoted without a language model";
  std::string text = found + answer.model + " on " + rag::device_text(answer) + ": " +
                     human_number_of(std::max(0, answer.usage.prompt_tokens), "prompt token");
  const rag::CacheReport& cache = answer.cache;
  if (cache.chunks > 0 && cache.mode == rag::AnswerMode::kFull) {
    text += ", " + human_number_of(cache.chunks, "passage") + " read in full";
  } else if (cache.chunks > 0) {
    text += ", " + std::to_string(cache.hits) + "/" + std::to_string(cache.chunks) + " passages from cache (" +
            std::string(rag::answer_mode_name(cache.mode)) + ", " +
            std::to_string(static_cast<int>(std::lround(cache.recompute_ratio * 100))) + "% recomputed" +
            (cache.full_layers > 0 ? ", first " + human_number_of(cache.full_layers, "layer") + " in full" : "") +
            (cache.level ? ", level " + *cache.level : "") + ")";
  }
  if (answer.timing.ttft) text += ", first word after " + human_seconds(*answer.timing.ttft / 1000);
  if (answer.decode_tokens_per_s) {
    text += ", " + std::to_string(static_cast<int>(std::lround(*answer.decode_tokens_per_s))) + " tokens/s";
    // Otherwise there was nothing to run ahead with, and the steps are the tokens.
    if (answer.usage.decode_steps + 1 < answer.usage.answer_tokens) {
      text += " (" + std::to_string(answer.usage.answer_tokens) + " in " +
              human_number_of(answer.usage.decode_steps, "step") + ")";
    }
  }
  if (answer.attention.kind != "full") text += ", attention " + answer.attention.kind;
  return text;
}

std::string search_text(const rag::SearchResult& result, int columns) {
  if (result.hits.empty()) return "Nothing found.\n";
  std::string text;
  for (const rag::Hit& hit : result.hits) {
    text += std::to_string(hit.rank) + ". " + place_text(hit) + "\n";
    if (!hit.heading_path.empty()) text += "   " + terminal_line(hit.heading_path) + "\n";
    text += excerpt(hit.text, hit.excerpt_begin, columns, "   ");
  }
  return text;
}

std::string index_text(const rag::IndexReport& report) {
  std::string text = report.interrupted ? "Stopped; kept what was done: " : "Indexed ";
  text += human_number_of(report.documents, "document") + " (" + human_number_of(report.chunks, "passage") +
          ", about " + human_number_of(report.tokens, "token") + ") in " + human_seconds(report.seconds);
  if (report.unchanged > 0) text += "; " + human_count(report.unchanged) + " unchanged";
  if (report.renamed > 0) text += "; " + human_count(report.renamed) + " moved";
  if (report.removed > 0) text += "; " + human_count(report.removed) + " removed";
  if (report.skipped > 0) text += "; " + human_count(report.skipped) + " skipped";
  if (!report.failed.empty()) text += "; " + human_count(report.failed.size()) + " failed";
  return text + ".\n";
}

}  // namespace mneme::app
