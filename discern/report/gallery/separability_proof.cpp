// F18: the proof of separability, and of its absence.
#include "discern/report/figures/separability.hpp"
#include "discern/report/gallery/gallery.hpp"
#include "discern/report/gallery/parts.hpp"

namespace discern::report {

std::vector<Figure> separability_proof() {
  std::vector<Figure> figures;
  for (const bool separable : {true, false}) {
    GenerateOptions shape;
    shape.shape = separable ? "linear" : "gaussians";
    shape.rows = 50;
    shape.features = 2;
    shape.seed = 3;
    if (separable)
      shape.margin = 0.25;
    else
      shape.separation = 2;
    const Table table = generate(shape);
    Figure figure = separability_figure(demo_verdict(table), {"class 0", "class 1"}, cells_of(table),
                                        labels_of_table(table), {"x1", "x2"});
    figure.id = separable ? "F18" : "F18-no";
    figure.title = separable ? "Proof that a line separates: the widest margin"
                             : "Proof that none does: a point of both hulls";
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace discern::report
