// How many SMs a launch takes: all that it finds, unless its thread holds it to fewer.
#pragma once

namespace sectile {

/// While one lives, persistent kernels that its thread launches take `most` SMs at most, and families choose for a GPU
/// of that size; 0: as many as there are. The others are then free for what runs beside them on another stream: a
/// collective, say, whose few CTAs would otherwise wait until a persistent kernel ends. The youngest one counts.
/// (Kernels that are not persistent have a CTA for each tile, and make room as each ends.) Throws launch_error if
/// `most` is negative.
class multiprocessors_at_most {
 public:
  explicit multiprocessors_at_most(int most);
  ~multiprocessors_at_most();
  multiprocessors_at_most(const multiprocessors_at_most&) = delete;
  multiprocessors_at_most& operator=(const multiprocessors_at_most&) = delete;

  /// What this thread's launches are held to; 0: not at all.
  static int count();

 private:
  int before_;
};

/// Of clusters of so many CTAs, of which `resident` find room, those that a launch of this thread may have. Throws
/// launch_error if that is none.
int clusters_within_hold(int resident, int ctas);

}  // namespace sectile
