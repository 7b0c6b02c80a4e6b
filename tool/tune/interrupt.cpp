#include "tool/tune/interrupt.hpp"

namespace sectile::tool {
namespace {

volatile std::sig_atomic_t interrupt_asked = 0;
extern "C" void ask_for_interrupt(int) { interrupt_asked = 1; }

}  // namespace

interrupt_watch::interrupt_watch() {
  interrupt_asked = 0;
  struct sigaction ask {};
  ask.sa_handler = ask_for_interrupt;
  ask.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, nullptr, &before_);
  if (before_.sa_handler == SIG_DFL) sigaction(SIGINT, &ask, nullptr);  // where it is ignored it stays so
}
interrupt_watch::~interrupt_watch() { sigaction(SIGINT, &before_, nullptr); }

bool interrupt_watch::asked() const { return interrupt_asked != 0; }

}  // namespace sectile::tool
