// Control: fails for a reason that proves nothing about a rule.
#include <sectile/no_such_header.hpp>
