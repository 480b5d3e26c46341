// Chinese.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kChinese = {
    .digit_groups = ",",
    .not_said = "文档中没有说明。",
    .parts_not_said = "文档中没有说明：{parts}",
    .rows_not_reckoned = "只引用各行，不作计算",
    .only_quoted = "仅有引文：{why}",
    .no_such_source = "回答提到 [{n}]，但没有这个来源",
    .listed_about = "提到此事的 {all} 个文档中的 {n} 个；其余可用 `mneme search` 查找",
    .listed_dated = "{all} 个文档中的 {n} 个",
    .listed_tasks = "共 {all} 项任务，列出 {n} 项",
    .no_task_open = "这些都已完成",
    .by_file_date = "“修改于”：文档没有写明日期，这里是文件最后修改的日期",
    .dated = "日期 {date}",
    .named = "文件名日期 {date}",
    .changed = "修改于 {date}",
    .taken_in = "收录于 {date}",
    .held = "{collection}：文档 {documents} 个，段落 {passages} 个，来自 {folders}。",
    .gist_read = "读了 {document} 的 {all} 个段落中的 {n} 个：开头，以及等距的其他段落",
    .also_called = "同名的还有：{others}",
    .which_document = "不清楚指的是哪个文档；请说出它的标题或文件名",
    .no_page = "{document} 没有第 {page} 页",
    .not_all_with = "用“{word}”没有能完全回答的内容；改为查找“{other}”",
    .no_passage_says = "没有段落提到“{word}”；改为查找“{other}”",
    .looked_for = "改为查找“{other}”",
    .no_vectors = "集合 {collection} 还没有 {embedder} 的向量；生成之前只按词语查找；`mneme index` 可立即生成",
    .not_reranked = "未由 {by} 重新排序：{why}",
    .no_date = "{filter} 不是日期（YYYY-MM-DD、YYYY-MM 或 YYYY），因此按词语查找",
    .no_filter = "{filter} 没有给出筛选条件，因此按词语查找",
    .repeats_left_out = "省略了与更好的段落几乎重复的段落：{n} 个",
    .no_match = "没有文档符合 {filters}",
    .either = " 或 ",
    .no_match_of_all = "没有文档同时符合 {filters}",
    .no_passage_of_match = "在符合 {filters} 的文档中，没有段落与这些词语相符",
    .nothing_goes_with = "没有内容与这些词语相符；请换用其他词语。",
    .collection_empty = "集合 {collection} 中还没有文档。",
    .nothing_indexed = "还没有收录任何文档；用 `mneme index 文件夹` 收录。",
    .welcome = "不客气。",
    .greeting = "您好！想了解什么？",
    .caches_not_measured = "此模型的缓存尚未测量，因此全部重新计算；`mneme model add 文件` 会测量一次",
    .being_tried_out = "正在试用此模型，因此全部重新计算；以后的回答会更早开始",
    .caches_differ =
        "此模型用修补后的缓存回答不一致（KL {kl}，比例 {share} 时 {percent} % "
        "的最可能词元相同），因此全部重新计算；--recompute R 可忽略这一点",
    .goal_had_no_say = "由于全部重新计算，时间目标未起作用",
    .ends_in_middle = "回答在中途中断：{why}",
    .still_thinking = "模型用完可思考的 {n} 个词元仍未得出回答；请问得更具体，或换用直接回答的模型",
    .turns_left_out = "因容纳不下而省略的先前对话：{n} 轮",
    .passages_left_out = "{all} 个段落中有 {n} 个超出模型的上下文，已省略",
    .passage_cut = "第一个段落的 {all} 个词元被截短为 {n} 个，以适应模型的上下文",
    .cache_recomputed = "一份保存的 KV 缓存无法使用，已重新计算：{why}",
};

}  // namespace mneme::rag::notes
