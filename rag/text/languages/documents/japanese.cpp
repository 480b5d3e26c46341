// Japanese.
#include "rag/text/languages/document_words.h"

namespace mneme::rag::documents {

const DocumentWords kJapanese = {
    .kinds = {.document = {"文書 ファイル 書類 ドキュメント 資料"},
              .text = {"本 テキスト ページ"},
              .invoice = {"請求書"},
              .receipt = {"領収書 レシート"},
              .contract = {"契約書 契約"},
              .letter = {"手紙"},
              .mail = {"メール メッセージ"},
              .report = {"報告書 レポート"},
              .article = {"記事 論文"},
              .policy = {"保険証券"},
              .certificate = {"証明書"},
              .statement = {"明細書 明細"},
              .minutes = {"議事録"},
              .manual = {"マニュアル 説明書"},
              .offer = {"見積書 見積もり"},
              .note = {"メモ ノート"},
              .recipe = {"レシピ"},
              .form = {"申込書 用紙"},
              .presentation = {"スライド プレゼン"},
              .cv = {"履歴書"},
              .payslip = {"給与明細"}},
    .lead =
        "どれですか どれ 何ですか なんですか ですか です 見せてください 見せて 教えて 出して 開いて ください にして "
        "して "
        "した しました している 私 わたし が は を の に から で も ありますか ある あります います か どの 探して 枚 "
        "件 "
        "一番 さん くれ からの",
    .newest = "最新, 一番新しい, 最も新しい, 直近, 最後",
    .oldest = "最古, 一番古い, 最も古い, 最初",
    .changed = "変更 編集 書いた 保存 更新 作成 修正",
    .taken_in = "追加 取り込んだ 登録",
    .last_done = "最近 最後",
    .listing = "すべて 全て 全部 一覧",
    .how_many = "何枚, 何件, いくつ, 何通, 何個, 何冊",
    .telling =
        "に触れている, が出てくる, に言及している, について書かれた, に触れて, に言及, について書, が書かれて, を含む, "
        "に関する, が出てくる",
    .gist =
        "#を要約, #を要約して, #の要約, #は何について書かれていますか, #は何について書いてありますか, "
        "#は何についてですか, #は何について, #の概要",
    .this_one = "この これ",
    .page = "ページ",
};

}  // namespace mneme::rag::documents
