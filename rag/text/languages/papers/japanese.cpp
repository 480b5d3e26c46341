// Japanese.
#include "rag/text/languages/paper_words.h"

namespace mneme::rag::papers {

const PaperWords kJapanese = {
    .salutations = "拝啓, 前略, 謹啓, 親愛なる, こんにちは, お世話になっております, 様, 各位",
    .closings = "敬具, 草々, 謹白, 敬白, かしこ, よろしくお願いいたします, よろしくお願いします, 以上",
    .totals = "合計, 総額, 合計金額, ご請求金額, 請求金額, お支払金額, 税込合計, 総計, 領収金額",
    .defects =
        "壊れ, 故障, 不具合, 欠陥, 破損, 割れ, ひび, 漏れ, 水漏れ, 緩, ゆる, 外れ, なくなっ, 詰ま, 引っかか, 点滅, "
        "きしむ, 異音, 臭, さび, 錆, カビ, 摩耗, 傷, 汚れ, 修理, 交換, 動かない, 閉まらない, 点かない, つかない, "
        "開かない, 冷えない, できない, 切れ",
};

}  // namespace mneme::rag::papers
