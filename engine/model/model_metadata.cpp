#include "engine/model/model_metadata.h"

namespace mneme::engine {

Status ModelMetadata::damaged(const std::string& why) const {
  return corruption("cannot use the model " + file_.name() + ": " + why + "; convert the model again");
}

Status ModelMetadata::refused(const std::string& why) const {
  return unsupported("cannot use the model " + file_.name() + ": " + why);
}

Status ModelMetadata::read_int(std::string_view suffix, int minimum, int maximum, int otherwise, int& out) const {
  const std::string name = key(suffix);
  if (file_.find(name) == nullptr) {
    if (otherwise < minimum) return damaged("its metadata has no " + name);
    out = otherwise;
    return {};
  }
  const auto value = file_.integer(name);
  if (!value) return refused("its " + name + " is not one number; models whose layers differ so are not supported");
  if (*value < minimum || *value > maximum)
    return damaged("its " + name + " is " + std::to_string(*value) + ", possible are " + std::to_string(minimum) +
                   " to " + std::to_string(maximum));
  out = static_cast<int>(*value);
  return {};
}

Status ModelMetadata::read_layer_ints(std::string_view suffix, int minimum, int maximum, int otherwise, size_t n,
                                      std::vector<int>& out) const {
  const std::string name = key(suffix);
  const std::optional<std::vector<int64_t>> list = file_.integers(name);
  if (!list) {
    int value = 0;
    MNEME_RETURN_IF_ERROR(read_int(suffix, minimum, maximum, otherwise, value));
    out.assign(n, value);
    return {};
  }
  if (list->size() != n)
    return damaged("its " + name + " lists " + std::to_string(list->size()) + " layers of " + std::to_string(n));
  out.clear();
  for (size_t layer = 0; layer < n; ++layer) {
    const int64_t value = (*list)[layer];
    if (value < minimum || value > maximum)
      return damaged("its " + name + " is " + std::to_string(value) + " in layer " + std::to_string(layer) +
                     ", possible are " + std::to_string(minimum) + " to " + std::to_string(maximum));
    out.push_back(static_cast<int>(value));
  }
  return {};
}

Status ModelMetadata::read_number(std::string_view suffix, double minimum, double maximum, double otherwise,
                                  double& out) const {
  out = otherwise;
  if (file_.find(key(suffix)) == nullptr) return {};
  const auto value = file_.number(key(suffix));
  if (!value || !(*value >= minimum && *value <= maximum))
    return damaged("its " + key(suffix) + " is not a number between " + std::to_string(minimum) + " and " +
                   std::to_string(maximum));
  out = *value;
  return {};
}

Status ModelMetadata::read_number(std::string_view suffix, double minimum, double maximum, double otherwise,
                                  float& out) const {
  double value = 0;
  MNEME_RETURN_IF_ERROR(read_number(suffix, minimum, maximum, otherwise, value));
  out = static_cast<float>(value);
  return {};
}

}  // namespace mneme::engine
