"""One mistake in a random layer, of those that people make. What is known to be another program, and a right one, is none."""
import random
import re

from layer import layer


def one_of(r, found):
    found = list(found)
    return r.choice(found) if found else None


def replaced(text, match, by):
    return text if match is None else text[: match.start()] + by + text[match.end():]


def swap_coordinates(r, text):
    m = one_of(r, re.finditer(r"\{(\w+), (\w+)\}\)", text))
    return replaced(text, m, f"{{{m[2]}, {m[1]}}})") if m else text


def other_coordinate(r, text):
    m = one_of(r, re.finditer(r"\{((?:\w+, )*)(\w+)\}\)", text))
    return replaced(text, m, f"{{{m[1]}{r.choice([x for x in 'mnk' if x != m[2]])}}})") if m else text


def forget_coordinate(r, text):
    m = one_of(r, re.finditer(r"\{(\w+), ((?:\w+, )*\w+)\}\)", text))
    return replaced(text, m, f"{{{m[2]}}})") if m else text


def forget_transpose(r, text):
    m = one_of(r, re.finditer(r"transpose\((sm\.load\(\w+, \{[^}]*\}\))\)", text))
    return replaced(text, m, m[1]) if m else text


def needless_transpose(r, text):
    m = one_of(r, re.finditer(r"(?<!transpose\()sm\.load\([AB], \{[^}]*\}\)", text))
    return replaced(text, m, f"transpose({m[0]})") if m else text


def forget_line(r, text):
    return replaced(text, one_of(r, re.finditer(r"    (sm\.\w+\(|auto acc)[^\n]*\n", text)), "")


def line_twice(r, text):
    m = one_of(r, re.finditer(r"    sm\.store\([^\n]*\n", text))
    return replaced(text, m, m[0] + m[0]) if m else text


def odd_tile(r, text):
    m = one_of(r, re.finditer(r'\{"([MNK])", (\d+)\}', text))
    return replaced(text, m, f'{{"{m[1]}", {int(m[2]) + r.choice([-8, -4, 4, 8, 12, 100])}}}') if m else text


def forget_mode(r, text):
    m = one_of(r, re.finditer(r'\{"[MNK]", \d+\}(, )?', text))
    return replaced(text, m, "") if m else text


def misspell(r, text):
    m = one_of(r, re.finditer(r"\b(acc|sums|columns|relu|fma|row_sum|cast|tiles|pipelined|tile_of)\b", text))
    return replaced(text, m, m[1] + "s") if m else text


def other_type(r, text):
    m = one_of(r, re.finditer(r", (bf16|f16|float|e4m3|s8|s32|tf32)>\(", text))
    return replaced(text, m, f", {r.choice(['bf16', 'f16', 'float', 'e4m3', 's8', 's32', 'u8', 'tf32'])}>(") if m else text


def swap_arguments(r, text):
    m = re.search(r"run<random_layer>\((.*)\);", text)
    given = m[1].split(", ")
    i, j = r.sample(range(len(given)), 2)
    given[i], given[j] = given[j], given[i]
    return replaced(text, m, f"run<random_layer>({', '.join(given)});")


def forget_argument(r, text):
    m = re.search(r"run<random_layer>\((.*)\);", text)
    given = m[1].split(", ")
    given.pop(r.randrange(len(given)))
    return replaced(text, m, f"run<random_layer>({', '.join(given)});")


def another_size(r, text):
    m = one_of(r, re.finditer(r"(_\(\{[^}]*)\b([MNKG])\b", text))
    return replaced(text, m, f"{m[1]}{m[2]} {r.choice(['+ 1', '- 1', '* 2', '+ 16'])}") if m else text


def swap_operands(r, text):
    m = re.search(r"(body\(auto& sm, )(.*?)(\) \{)", text)
    names = m[2].split(", ")
    if len(names) < 2:
        return text
    i, j = r.sample(range(len(names)), 2)
    names[i], names[j] = names[j], names[i]
    return replaced(text, m, m[1] + ", ".join(names) + m[3])


def other_stages(r, text):
    return re.sub(r"\.stages = \d+", f".stages = {r.choice([0, 1, 16, 17, 40])}", text, count=1)


def std_function(r, text):
    m = one_of(r, re.finditer(r"(?<![\w:])(max|min|tanh|abs|fma|clamp)\(", text))
    return replaced(text, m, f"std::{m[1]}(") if m else text


def run_time_branch(r, text):
    m = one_of(r, re.finditer(r"    (auto x\d+ = [^\n]*\n)", text))
    return replaced(text, m, f"    if (m > 0) return;\n{m[0]}") if m else text


def plain_loop(r, text):
    return re.sub(r'for \(auto k : sm\.pipelined\(tiles<"K">\(A\)\)\)', 'for (int k = 0; k < tiles<"K">(A); ++k)', text)


MISTAKES = [swap_coordinates, other_coordinate, forget_coordinate, forget_transpose, needless_transpose, forget_line, line_twice,
            odd_tile, forget_mode, misspell, other_type, swap_arguments, forget_argument, another_size, swap_operands,
            other_stages, std_function, run_time_branch, plain_loop]


def mistaken(seed):
    """The text of layer SEED with a mistake, and what it is called; None where there was no place for it."""
    r = random.Random(seed * 7919 + 5)
    text = layer(seed).text()
    mistake = r.choice(MISTAKES)
    wrong = mistake(r, text)
    return None if wrong == text else (wrong, mistake.__name__)
