// Japanese.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kJapanese = {
    .language = Language::kJapanese,
    .grammar =
        "です ます した して する って には とは のは では から この その なに どの どこ いつ だれ ある いる った てい "
        "れた され こと もの なん すか 何で のか",
    .notes = &notes::kJapanese,
    .documents = &documents::kJapanese,
    .papers = &papers::kJapanese,
    .thanks = "ありがとう, ありがとうございます, ありがとうございました, わかりました, 分かりました, なるほど",
    .greetings = "こんにちは, おはようございます",
    .numbers = "一 二 三 四 五 六 七 八 九 十 百 千 万 半",
    .day_marks = "月, 日, 曜",
    .recurring_days = "毎月",
    .time_units = "秒, 年, 分間, 時間, 日間, 週間, か月, ヶ月, カ月",
    .often = "毎, ごと, おき, 一度, 一回, 1回, 2回, 3回, たび",
    .within = "以内",
    .until = "まで, 以内, 期限, 締切, 前, 内",
    .asking_hour = "何時",
    .asking_deadline = "いつまで, 何日まで",
    .asking =
        {
            .date = "何年, いつ, 何月, 何日, 何時, 何曜日",
            .number = "いくつ, いくら, 何人, どのくらい, どれくらい, どれだけ, 何個, 何歳",
            .duration =
                "何か月, 何ヶ月, どのくらいの時間, どのくらいの期間, 何分, 何時間, 何秒, 何日間, 何週間, 何年間",
            .frequency = "どのくらいの頻度, どれくらいの頻度, 何日おき, 何日ごと, 何か月ごと, 何ヶ月ごと",
            .person = "誰, だれ, どなた",
            .place = "どこ",
            .reason = "なぜ, どうして, 理由",
            .manner = "どう",
            .steps = "作り方, 手順",
            .list = "材料, 何が必要, 持ち物, 必要なもの",
            .definition = "とは",
            .difference = "違い",
        },
    .date_labels = "日時 日程 期日 日付",
    .place_labels = "場所 会場 住所",
    .free_of_charge = "無料, なし",
    .rents_behind_number = "か月分, ヶ月分, カ月分, ヵ月分",
    .price = {.asking = "何円, いくら", .reckoning = "合計, 全部で, 平均"},
    .rules = {.may_within = "てもいい, ていい, ても大丈夫, てよい, できますか, 可能ですか, 許可, 禁止",
              .must_within = "なければ, 必要ですか, べきですか",
              .yes_or_no = "いいですか, いいか, ていい, てもいい, 大丈夫, できますか, 可能ですか, なければ, "
                           "必要ですか, べきですか, ですか",
              .may_rules = "できる, できます, できません, 認める, 許可, かまいません, 構いません, 可能, "
                           "ないでください, いけません, 承諾, 禁止",
              .must_rules = "なければ, ください, 必要"},
    .asking_state =
        "#はどうしましたか, #の何が悪い, #の何が悪いですか, #のどこが壊れていますか, #のどこが悪いですか, "
        "#に何か問題がありますか, #の問題は何ですか, #はどこが壊れている, #の調子はどう, #の不具合は何ですか, "
        "#の不具合は, 何が壊れていますか",
    .payments = {.spent = "使いましたか, 使った, 支出の合計, 支払った合計, 費やし",
                 .received = "稼いだ, 稼ぎましたか, 収入の合計",
                 .otherwise = "平均, 一番, 最も",
                 .average = "平均",
                 .weekly = "毎週, 週に, 一週間, 1週間",
                 .monthly = "毎月, 月に, ひと月, 一か月, 1か月, 月平均",
                 .yearly = "毎年, 年に, 一年, 1年, 年平均",
                 .most = "一番高い, 最も高い, 一番大きい, 最も大きい, 最大, 最高, 一番多く",
                 .least = "一番安い, 最も安い, 最小, 最低, 一番少ない",
                 .expenses = "支出 出費 買い物 支払い 購入 費用",
                 .paid = "払った 払いました 支払った 支払いました 使った 買った 使いました",
                 .spending = "いくら使っていますか, いくら使いますか",
                 .amount_columns = "金額 合計 価格 支出 出金 お支払金額",
                 .balance_columns = "残高",
                 .received_columns = "収入 入金"},
    .periods =
        {
            .today = "今日, 本日",
            .yesterday = "昨日",
            .days = "日",
            .months = "月",
            .years = "年",
            .this_week = "今週",
            .last_week = "先週",
            .this_month = "今月",
            .last_month = "先月",
            .this_year = "今年",
            .last_year = "去年, 昨年",
            .since = "以降 以来",
            .until = "以前 より前",
        },
};

}  // namespace mneme::rag::languages
