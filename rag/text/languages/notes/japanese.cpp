// Japanese.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kJapanese = {
    .digit_groups = ",",
    .not_said = "文書には書かれていません。",
    .parts_not_said = "文書には書かれていません：{parts}",
    .rows_not_reckoned = "行を引用しただけで、計算はしていません",
    .rows_added_up = "合計した行数：{n}",
    .rows_counted_once = "複数の文書にあり、一度だけ数えた行数：{n}",
    .payments_compared = "比較した支払い：{n}",
    .payments_averaged = "平均した支払い：{n}",
    .bills_added_up = "合計した請求書：{n}",
    .no_payments = "表にも請求書にもそのような支払いはありません",
    .only_quoted = "引用のみ：{why}",
    .no_such_source = "回答にある [{n}] という出典はありません",
    .listed_about = "該当する文書 {all} 件のうち {n} 件です。残りは `mneme search` で見つかります",
    .listed_dated = "文書 {all} 件のうち {n} 件です",
    .listed_tasks = "タスク {all} 件中 {n} 件",
    .no_task_open = "未完了のものはありません",
    .by_file_date = "「更新」：文書に日付がないため、ファイルの最終更新日を示しています",
    .dated = "日付 {date}",
    .named = "ファイル名の日付 {date}",
    .changed = "更新 {date}",
    .taken_in = "取り込み {date}",
    .held = "{collection}：文書 {documents} 件、段落 {passages} 件、場所 {folders}。",
    .gist_read = "{document} の段落 {all} 件のうち {n} 件を読みました（冒頭と、等間隔に選んだもの）",
    .also_called = "同じ名前の文書：{others}",
    .which_document = "どの文書のことか分かりません。題名かファイル名を挙げてください",
    .no_page = "{document} に {page} ページはありません",
    .not_all_with = "「{word}」では質問のすべてに答えるものがないため、「{other}」で探しました",
    .no_passage_says = "「{word}」はどの段落にもないため、「{other}」で探しました",
    .looked_for = "「{other}」で探しました",
    .no_vectors =
        "コレクション {collection} にはまだ {embedder} のベクトルがありません。できるまでは語句だけで探します。`mneme "
        "index` ですぐに作れます",
    .not_reranked = "{by} による並べ替えはできませんでした：{why}",
    .no_date = "{filter} は日付（YYYY-MM-DD、YYYY-MM、YYYY）ではないため、語句として探しました",
    .no_filter = "{filter} には絞り込む内容がないため、語句として探しました",
    .repeats_left_out = "より良い段落とほぼ同じため省いた段落：{n} 件",
    .no_match = "{filters} に当てはまる文書はありません",
    .either = " または ",
    .no_match_of_all = "{filters} のすべてに当てはまる文書はありません",
    .no_passage_of_match = "{filters} に当てはまる文書に、これらの語句に合う段落はありません",
    .nothing_goes_with = "これらの語句に合うものはありません。別の語句でお試しください。",
    .collection_empty = "コレクション {collection} にはまだ文書がありません。",
    .nothing_indexed = "文書がまだ取り込まれていません。`mneme index フォルダー` で取り込めます。",
    .welcome = "どういたしまして。",
    .greeting = "こんにちは。何をお調べしますか？",
    .caches_not_measured =
        "このモデルのキャッシュはまだ測定されていないため、すべて計算しました。`mneme model add ファイル` "
        "で一度だけ測定します",
    .being_tried_out = "このモデルを試しているところなので、すべて計算しました。以後の回答はより早く始まります",
    .caches_differ =
        "このモデルは補修したキャッシュからだと答えが変わるため（KL {kl}、割合 {share} で最有力トークンの {percent} % "
        "が一致）、すべて計算します。--recompute R で無視できます",
    .goal_had_no_say = "すべて計算したため、目標時間は反映されていません",
    .ends_in_middle = "回答が途中で終わっています：{why}",
    .still_thinking =
        "モデルは考えるための {n} トークンで答えに至りませんでした。質問を絞るか、すぐに答えるモデルをお使いください",
    .turns_left_out = "収まらずに省いた以前のやり取り：{n} 件",
    .passages_left_out = "段落 {all} 件のうち {n} 件はモデルの文脈に収まらず省きました",
    .passage_cut = "最初の段落は、モデルの文脈に収まるよう {all} トークンから {n} トークンに短くしました",
    .cache_recomputed = "保存された KV キャッシュが使えず、計算し直しました：{why}",
};

}  // namespace mneme::rag::notes
