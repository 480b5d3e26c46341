// Chinese.
#include "rag/text/languages/document_words.h"

namespace mneme::rag::documents {

const DocumentWords kChinese = {
    .kinds = {.document = {"文件 文档 文檔 資料 资料"},
              .text = {"书 文本 页面"},
              .invoice = {"发票 账单 發票 帳單"},
              .receipt = {"收据 收據"},
              .contract = {"合同 协议 合約 協議"},
              .letter = {"信件 来信 信函"},
              .mail = {"邮件 消息 郵件 訊息"},
              .report = {"报告 報告"},
              .article = {"文章 论文 論文"},
              .policy = {"保单 保單"},
              .certificate = {"证书 证明 證書"},
              .statement = {"对账单 對帳單"},
              .minutes = {"会议记录 會議記錄"},
              .manual = {"手册 说明书 手冊 說明書"},
              .offer = {"报价 报价单 報價單"},
              .note = {"笔记 筆記"},
              .recipe = {"食谱 菜谱 食譜"},
              .form = {"表格"},
              .presentation = {"演示文稿 幻灯片"},
              .cv = {"简历 簡歷"},
              .payslip = {"工资单 薪資單"}},
    .lead =
        "请 請 帮我 幫我 给我 給我 我 的 了 是 有 哪些 哪个 哪张 哪份 哪封 哪 些 张 份 封 个 個 看 一下 看看 显示 "
        "顯示 打开 打開 找 在 都 那些 那 什么 吗 里 中 过 過 所 你 来自 从 从 來自",
    .newest = "最新, 最近, 最后, 最後",
    .oldest = "最早, 最旧, 最舊, 最老",
    .changed = "修改 更改 编辑 編輯 写 保存 更新 创建 改动 改",
    .taken_in = "添加 导入 加入 新增 收录",
    .last_done = "最近 最后 刚刚",
    .listing = "列出 所有 全部 列表",
    .how_many = "多少, 几张, 几份, 几个, 几封, 幾張, 幾份, 幾個",
    .telling = "提到, 提及, 涉及, 谈到, 讲到, 关于, 包含, 說到, 说到",
    .gist = "#讲的是什么, #讲了什么, #讲什么, #说了什么, #的主要内容, #的摘要, 总结一下#, 总结#, 概括一下#, 概括#",
    .this_one = "这 此 本",
    .page = "页 頁",
    .tasks =
        {.tasks = "待办事项, 待办清单, 待办, 任务清单, 任务列表, 任务",
         .headings = "待办事项, 待办, 待办清单, 行动项, 未完成",
         .open = "未完成的 未完成 没完成 没有完成 还没 剩下的 剩下 还有 尚未",
         .done = "已经完成的 已完成的 已经完成 已完成 完成了 完成的 做完 完成",
         .all = "所有 全部",
         .around = "在 上 方面 关于 里 要",
         .asking_open =
             "还有什么要做, 还要做什么, 还需要做什么, 还有什么需要做, 我需要做什么, 还有哪些事要做, 还没做完, 还没完成",
         .asking_done = "已经做了什么, 做完了什么, 完成了什么, 已经完成了什么, 做了什么"},
};

}  // namespace mneme::rag::documents
