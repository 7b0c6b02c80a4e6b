// Which machine a kernel's roles are tried on. A test that wants to know whether a wrong lowering would be noticed says
// here that its kernel runs on a machine which drops a verb, or gets one wrong: the proofs and the model use that one.
#pragma once

namespace sectile {

/// `type` is what K's roles call when they are proven or modelled on Machine: Machine itself.
template <class K, class Machine>
struct machine_under_test {
  using type = Machine;
};

}  // namespace sectile
