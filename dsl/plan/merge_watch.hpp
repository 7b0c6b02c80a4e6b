// What f of sm.merge(f, x ..) does with each value that it is given: what two parts have made becomes one only if f
// reads both, and gives x what they are together. A fragment is known by its number; numbers of rows and columns have
// none, and are told apart by the trip that they are said to be of, while f is read.
#pragma once
#include <type_traits>

namespace sectile {

struct merge_watch {
  static constexpr int most = 16, of_lines = 1 << 20;  // no trip has that number
  int key[2 * most]{}, reads[2 * most]{};
  bool changed[2 * most]{};
  int count = 0;  // the values of one part, and behind them those of the next

  template <class X>
  constexpr void add(X& x) {
    key[count] = of_lines + count;
    if constexpr (requires { x.share; })
      x.share.value[0][1] = static_cast<float>(key[count]);
    else if constexpr (requires { x.id; })
      key[count] = x.id;
    else
      x.value[0][1] = static_cast<std::remove_cvref_t<decltype(x.value[0][1])>>(key[count]);
    ++count;
  }
  constexpr void read(int of, int times = 1) {
    for (int n = 0; n < count; ++n)
      if (key[n] == of) reads[n] += times;
  }
  constexpr void change(int of) {
    for (int n = 0; n < count; ++n) changed[n] = changed[n] || key[n] == of;
  }
  /// The first value, from 1 on, of which something is lost; 0: none.
  constexpr int lost() const {
    for (int n = 0; n < count / 2; ++n)
      if (reads[n] <= 0 || reads[count / 2 + n] <= 0 || !changed[n]) return n + 1;
    return 0;
  }
};

}  // namespace sectile
