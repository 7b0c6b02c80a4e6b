"""What a line of a program computes, where nothing was derived for it: a sentence for each function of the language that
it calls. They are functions of dsl/program and kernels; a test looks that they are declared there."""

import re

MEANS = {
    "row_max": "`row_max`: the largest number of each row. A thread takes it of its own numbers, then those that share the row "
               "hand theirs around",
    "unfinished_row_max": "`unfinished_row_max`: the largest number of each row as far as a thread knows it by itself; "
                          "`.share` is that, `.total()` what all threads of the row agree on",
    "row_sum": "`row_sum`: the sum of each row. A thread adds up its own numbers; those that share the row exchange theirs only "
               "when the sum is used as a whole",
    "col_sum": "`col_sum`: the sum over all rows, which warps show each other through shared memory",
    "col_max": "`col_max`: the largest over all rows, which warps show each other through shared memory",
    "center": "`center`: takes the mean from every number and gives the variance, in one exchange between warps",
    "exp": "`exp`: e to the power of each number, by `ex2` of a multiple of it",
    "exponential": "`exponential`: e to the power of each number",
    "exp2": "`exp2`: 2 to the power of each number, one `ex2.approx.ftz`",
    "reciprocal": "`reciprocal`: 1 / x rounded to nearest, once for a row and not once for an element",
    "rsqrt": "`rsqrt`: 1 over the square root",
    "fma": "`fma`: x * y + z in one instruction, rounded once",
    "max": "`max`: the larger of two; a number goes before a NaN",
    "min": "`min`: the smaller of two; a number goes before a NaN",
    "abs": "`abs`: the magnitude",
    "select": "`select`: both are worked out and one is chosen, so that all threads go the same way",
    "gelu": "`gelu`: x times the normal distribution's cumulative function",
    "gelu_tanh": "`gelu_tanh`: the same curve by an approximation with tanh, in half the instructions",
    "silu": "`silu`: x times its sigmoid",
    "relu": "`relu`: x where it is positive, else zero",
    "cast": "`cast`: to another type, in registers; where elements become 8 bits, the lanes of a row exchange words",
}
CALL = re.compile(r"(?<![\w.:])(" + "|".join(MEANS) + r")(?:<[^()]*>)?\(")


def notes(code: str, told: set) -> list:
    """Of the functions that a line calls, those of which nothing has been said yet; `told` learns them."""
    found = []
    for name in dict.fromkeys(CALL.findall(re.sub(r"//.*", "", code))):
        if name not in told:
            told.add(name)
            found.append(MEANS[name])
    return found
