#include "discern/report/names.hpp"

namespace discern {

std::vector<std::string> score_names(const Model& model) {
  if (model.task == Task::regression) return {model.target};
  if (predicted_scores(model) == 1) return {model.classes[static_cast<std::size_t>(model.positive)]};
  return model.classes;
}

std::vector<std::string> machine_names(const Model& model) {
  std::vector<std::string> names;
  for (const Sides& sides : model.reduction->code) names.push_back(machine_name(sides, model.classes));
  return names;
}

std::vector<std::string> plane_names(const Model& model) {
  if (!model.reduction) return score_names(model);
  if (model.reduction->strategy == Strategy::joint)
    return score_count(model.predictor) == 1 ? score_names(model) : model.classes;
  std::vector<std::string> names = machine_names(model);
  if (score_count(model.predictor) == static_cast<Index>(names.size())) return names;
  names.clear();
  for (const Sides& sides : model.reduction->code)
    for (const auto& side : {sides.negative, sides.positive}) names.push_back(side_name(side, model.classes));
  return names;
}

}  // namespace discern
