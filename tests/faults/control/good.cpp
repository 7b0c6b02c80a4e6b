// Control: nothing is wrong here, so no compiler may refuse it.
static_assert(sizeof(char) == 1);
