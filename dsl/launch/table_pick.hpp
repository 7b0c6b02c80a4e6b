// How a table of measured problems serves for sizes it does not hold: it corrects the cost model.
//
// The model is right about what grows with what, and off by some percent for each member, by about as much for similar
// problems. So the ratios measured / predicted of the few nearest problems of the table are averaged, with weights that
// fall with the distance, and with one more that says 1: far from everything measured the model stands alone. Distance
// is that of the sizes' logarithms. A problem that was measured gets its fastest member.
#pragma once
#include <sectile/dsl/launch/measured.hpp>
#include <sectile/dsl/program/configuration.hpp>

namespace sectile {

/// Measured problems near another one.
class near_shapes {
 public:
  static constexpr double least_factor = 1 - ratio_steps * ratio_step;

  near_shapes() = default;  // of no table: the model's predictions stand as they are
  near_shapes(const measured_table& table, const tile_extents& sizes);

  /// The member that was the fastest for these very sizes; -1 if they were not measured.
  int measured_best() const { return best_; }
  /// The member that was the fastest for the nearest of all; 0 if nothing was measured.
  int nearest_best() const { return nearest_best_; }
  /// By what a prediction for the member is to be multiplied; up to a factor that all members share.
  double factor(int member) const {
    int sum = 0;
    for (int n = 0; n < count_; ++n) sum += at_[n].weight * (at_[n].ratios[member] - middle_letter);
    return 1 + sum * scale_;
  }

 private:
  static constexpr int most = 8;
  struct neighbour {
    const char* ratios = "";  // a letter for each member
    int weight = 0;
  };
  neighbour at_[most]{};
  int count_ = 0;
  int best_ = -1, nearest_best_ = 0;
  double scale_ = 0;
};

}  // namespace sectile
