#include "rag/readers/pdf/xml_entities.h"

#include <utility>

namespace mneme::readers {

std::string decode_entities(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size();) {
    bool found = false;
    for (const auto& [entity, character] : {std::pair<std::string_view, char>{"&amp;", '&'},
                                            {"&lt;", '<'},
                                            {"&gt;", '>'},
                                            {"&quot;", '"'},
                                            {"&apos;", '\''},
                                            {"&#39;", '\''}}) {
      if (text.substr(i, entity.size()) != entity) continue;
      decoded.push_back(character);
      i += entity.size();
      found = true;
      break;
    }
    if (!found) decoded.push_back(text[i++]);
  }
  return decoded;
}

}  // namespace mneme::readers
