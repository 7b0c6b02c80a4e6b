// Control: refused by every compiler, with words of its own.
static_assert(sizeof(char) == 2, "a char is one byte");
