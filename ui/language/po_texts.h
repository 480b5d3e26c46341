// The PO files that the build puts into the program (ui/language/po; cmake/embed.cmake).
#pragma once

#include <string_view>

namespace mneme::assets {

extern const std::string_view po_ar;
extern const std::string_view po_cs;
extern const std::string_view po_da;
extern const std::string_view po_de;
extern const std::string_view po_es;
extern const std::string_view po_fi;
extern const std::string_view po_fr;
extern const std::string_view po_hu;
extern const std::string_view po_it;
extern const std::string_view po_ja;
extern const std::string_view po_ko;
extern const std::string_view po_nb;
extern const std::string_view po_nl;
extern const std::string_view po_pl;
extern const std::string_view po_pt;
extern const std::string_view po_ro;
extern const std::string_view po_ru;
extern const std::string_view po_sv;
extern const std::string_view po_tr;
extern const std::string_view po_uk;
extern const std::string_view po_zh_CN;

}  // namespace mneme::assets
