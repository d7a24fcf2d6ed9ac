#include "discern/report/pages/separable.hpp"

#include <fmt/format.h>

#include "discern/report/figures/separability.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

constexpr std::size_t most_pairs = 12;
constexpr double most_cells = 2e7;

Matrix feature_rows(const SeparablePage& separable) {
  const Arranged arranged = arrange(separable.table, separable.all.pipeline, {});
  const Targets none;
  const PipelineSource source(arranged.x, separable.all.pipeline, none);
  Matrix values = Matrix::Zero(source.rows(), source.cols());
  Scratch scratch;
  for (Index k = 0; k < source.block_count(); ++k) {
    const Block block = source.block(k, scratch);
    std::visit(
        [&](const auto& x) {
          for (Index i = 0; i < x.rows; ++i)
            for_each(x.row(i), [&](Index j, double v) { values(block.first + i, j) = v; });
        },
        block.x);
  }
  return values;
}

std::vector<std::int32_t> class_labels(const SeparablePage& separable) {
  const SideColumn& target = *separable.table.find_side(separable.target);
  std::vector<std::int32_t> labels;
  for (const double value : target.values) {
    const std::string& name = target.levels[static_cast<std::size_t>(value)];
    const auto& classes = separable.all.classes;
    labels.push_back(
        static_cast<std::int32_t>(std::find(classes.begin(), classes.end(), name) - classes.begin()));
  }
  return labels;
}

}  // namespace

Page separable_page(const SeparablePage& separable) {
  const ClassSeparability& all = separable.all;
  std::size_t yes = 0, no = 0;
  for (const PairSeparability& pair : all.pairs) {
    yes += pair.result.verdict == Verdict::separable ? 1 : 0;
    no += pair.result.verdict == Verdict::not_separable ? 1 : 0;
  }
  Page page{fmt::format("{}: can a plane separate the classes?", shortened(separable.file, 60)), "separable"};
  if (all.pairs.size() == 1)
    page.summary.push_back(
        yes == 1  ? "Yes: a plane separates the two classes, and below is the one with the widest margin."
        : no == 1 ? "No: no plane separates the two classes, and below is the proof."
                  : "Neither could be proved in double precision.");
  else
    page.summary.push_back(fmt::format("Of {} verdicts {} are yes and {} are no; each has its proof below.",
                                       all.pairs.size(), yes, no));
  page.facts = {{"rows", grouped(separable.table.rows())},
                {"features", grouped(all.pipeline.features())},
                {"classes", grouped(static_cast<Index>(all.classes.size()))}};
  if (all.imputed > 0)
    page.warnings.push_back(fmt::format("{} filled in: the verdict is on the table without gaps.",
                                        counted(all.imputed, "missing cell")));
  if (static_cast<double>(separable.table.rows()) * static_cast<double>(all.pipeline.features()) >
          most_cells ||
      all.pipeline.features() < 2) {
    page.warnings.push_back("The table is too large, or has too few features, for a picture of its rows.");
    return page;
  }
  const Matrix features = feature_rows(separable);
  const auto labels = class_labels(separable);
  const auto names = all.pipeline.feature_names();
  for (std::size_t p = 0; p < std::min(all.pairs.size(), most_pairs); ++p) {
    page.figures.push_back(separability_figure(all.pairs[p], all.classes, features, labels, names));
    page.figures.back().id = fmt::format("pair-{}", p + 1);
  }
  if (all.pairs.size() > most_pairs)
    page.warnings.push_back(fmt::format("{} of {} pairs are drawn; `discern separable` lists all verdicts.",
                                        most_pairs, all.pairs.size()));
  return page;
}

}  // namespace discern::report
