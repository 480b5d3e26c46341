// Chinese.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kChinese = {
    .language = Language::kChinese,
    .grammar = "什么 哪个 哪些 怎么 如何 为什 是什 的是 是谁 哪里 多少 的 么",
    .refusal = "文档中没有说明。",
    .numbers = "一 二 三 四 五 六 七 八 九 十 百 千 万 两 半",
    .months = {{{""},
                {""},
                {"", "三月"},
                {"", "四月"},
                {"", "五月"},
                {"", "六月"},
                {"", "七月"},
                {"", "八月"},
                {"", "九月"},
                {"", "十月"},
                {""},
                {""}}},
    .day_marks = "月, 日, 周, 号, 星期",
    .recurring_days = "每月",
    .time_units = "秒, 分钟, 分鐘, 小时, 小時, 天, 周, 个月, 年",
    .often = "每, 次, 一回, 1回, 2回, 3回",
    .within = "以内, 之内, 天内",
    .until = "以内, 期限, 之前, 前, 截止, 内",
    .asking_hour = "几点",
    .asking_deadline = "什么时候之前, 何时之前, 哪天之前, 几号之前, 截止, 最晚, 最迟",
    .asking =
        {
            .date = "什么时候, 哪一年, 哪年, 何时, 几点, 几号, 哪天, 哪一天, 几月, 星期几",
            .number = "多少, 几, 多长, 多久, 多高, 多大, 多重, 多远",
            .duration = "多久, 多长时间, 几天, 几个月, 几小时, 几个小时, 几分钟",
            .frequency = "多久一次, 多长时间一次, 多久清, 多久换",
            .person = "谁, 哪位",
            .place = "哪里, 哪儿, 何处, 在哪, 去哪, 哪个国家",
            .reason = "为什么, 为何, 什么原因",
            .manner = "怎么, 如何, 怎样",
            .steps = "步骤, 做法, 怎么办",
            .list = "原料, 材料, 食材, 用料, 需要哪些, 有哪些, 包括哪些, 带什么, 带些什么, 准备什么",
            .definition = "什么是, 是什么",
            .difference = "区别, 不同",
        },
    .free_of_charge = "免费, 免費, 不收",
    .rents_behind_number = "个月租金, 个月的租金, 個月租金",
};

}  // namespace mneme::rag::languages
