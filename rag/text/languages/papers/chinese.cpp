// Chinese.
#include "rag/text/languages/paper_words.h"

namespace mneme::rag::papers {

const PaperWords kChinese = {
    .salutations = "尊敬的, 亲爱的, 敬爱的, 您好, 你好, 各位, 尊敬的客户, 敬啟者, 親愛的",
    .closings = "此致, 敬礼, 祝好, 顺颂, 顺祝, 谨启, 敬上, 此致敬礼, 祝您, 祝你, 爱你的, 敬禮, 謹啟",
    .totals = "合计, 总计, 总额, 总金额, 应付金额, 应付, 实付, 共计, 合計, 總計, 應付",
    .defects =
        "坏, 坏了, 损坏, 故障, 缺陷, 破损, 破了, 裂, 裂缝, 漏, 滴水, 松了, 松动, 缺少, 卡住, 堵, 堵塞, 闪, 闪烁, 异响, "
        "异味, 生锈, 锈, 发霉, 霉, 磨损, 划痕, 污渍, 修理, 维修, 更换, 不能, 不亮, 打不开, 关不上, 无法, 不制冷, 不转, "
        "不工作, 失灵",
};

}  // namespace mneme::rag::papers
