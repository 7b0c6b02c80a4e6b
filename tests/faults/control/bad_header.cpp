// Control: refused in a line of another file.
#line 1 "elsewhere.hpp"
static_assert(sizeof(char) == 2, "a char is one byte");
