// Ctrl-C as a question that is asked between two pieces of work.
#pragma once
#include <csignal>

namespace sectile::tool {

/// While one lives, Ctrl-C (SIGINT) asks for the end instead of bringing it; a second one brings it. At most one lives.
class interrupt_watch {
 public:
  interrupt_watch();
  ~interrupt_watch();
  interrupt_watch(const interrupt_watch&) = delete;
  interrupt_watch& operator=(const interrupt_watch&) = delete;

  bool asked() const;

 private:
  struct sigaction before_ {};
};

}  // namespace sectile::tool
