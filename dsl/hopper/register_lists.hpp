// The operand lists of wgmma. An asm statement's list is literal, text and operands, so a macro writes both: of the
// registers of a ten, whose digits are in front of theirs (`t`: nothing, 1, 2 .. 12), the first 2, 4 .. 10, and behind
// all tens below. `c` is the constraint: "+f" for f32 accumulators, "+r" for s32 and for f16 in pairs.
#pragma once

#define SECTILE_TEXT_2(t) "%" #t "0,%" #t "1"
#define SECTILE_TEXT_4(t) SECTILE_TEXT_2(t) ",%" #t "2,%" #t "3"
#define SECTILE_TEXT_6(t) SECTILE_TEXT_4(t) ",%" #t "4,%" #t "5"
#define SECTILE_TEXT_8(t) SECTILE_TEXT_6(t) ",%" #t "6,%" #t "7"
#define SECTILE_TEXT_10(t) SECTILE_TEXT_8(t) ",%" #t "8,%" #t "9"
#define SECTILE_LIST_2(c, t) c(x[t##0]), c(x[t##1])
#define SECTILE_LIST_4(c, t) SECTILE_LIST_2(c, t), c(x[t##2]), c(x[t##3])
#define SECTILE_LIST_6(c, t) SECTILE_LIST_4(c, t), c(x[t##4]), c(x[t##5])
#define SECTILE_LIST_8(c, t) SECTILE_LIST_6(c, t), c(x[t##6]), c(x[t##7])
#define SECTILE_LIST_10(c, t) SECTILE_LIST_8(c, t), c(x[t##8]), c(x[t##9])

// All registers below a ten, and a comma.
#define SECTILE_TEXT_BELOW_
#define SECTILE_TEXT_BELOW_1 SECTILE_TEXT_BELOW_ SECTILE_TEXT_10() ","
#define SECTILE_TEXT_BELOW_2 SECTILE_TEXT_BELOW_1 SECTILE_TEXT_10(1) ","
#define SECTILE_TEXT_BELOW_3 SECTILE_TEXT_BELOW_2 SECTILE_TEXT_10(2) ","
#define SECTILE_TEXT_BELOW_4 SECTILE_TEXT_BELOW_3 SECTILE_TEXT_10(3) ","
#define SECTILE_TEXT_BELOW_5 SECTILE_TEXT_BELOW_4 SECTILE_TEXT_10(4) ","
#define SECTILE_TEXT_BELOW_6 SECTILE_TEXT_BELOW_5 SECTILE_TEXT_10(5) ","
#define SECTILE_TEXT_BELOW_7 SECTILE_TEXT_BELOW_6 SECTILE_TEXT_10(6) ","
#define SECTILE_TEXT_BELOW_8 SECTILE_TEXT_BELOW_7 SECTILE_TEXT_10(7) ","
#define SECTILE_TEXT_BELOW_9 SECTILE_TEXT_BELOW_8 SECTILE_TEXT_10(8) ","
#define SECTILE_TEXT_BELOW_10 SECTILE_TEXT_BELOW_9 SECTILE_TEXT_10(9) ","
#define SECTILE_TEXT_BELOW_11 SECTILE_TEXT_BELOW_10 SECTILE_TEXT_10(10) ","
#define SECTILE_TEXT_BELOW_12 SECTILE_TEXT_BELOW_11 SECTILE_TEXT_10(11) ","
#define SECTILE_LIST_BELOW_(c)
#define SECTILE_LIST_BELOW_1(c) SECTILE_LIST_BELOW_(c) SECTILE_LIST_10(c, ),
#define SECTILE_LIST_BELOW_2(c) SECTILE_LIST_BELOW_1(c) SECTILE_LIST_10(c, 1),
#define SECTILE_LIST_BELOW_3(c) SECTILE_LIST_BELOW_2(c) SECTILE_LIST_10(c, 2),
#define SECTILE_LIST_BELOW_4(c) SECTILE_LIST_BELOW_3(c) SECTILE_LIST_10(c, 3),
#define SECTILE_LIST_BELOW_5(c) SECTILE_LIST_BELOW_4(c) SECTILE_LIST_10(c, 4),
#define SECTILE_LIST_BELOW_6(c) SECTILE_LIST_BELOW_5(c) SECTILE_LIST_10(c, 5),
#define SECTILE_LIST_BELOW_7(c) SECTILE_LIST_BELOW_6(c) SECTILE_LIST_10(c, 6),
#define SECTILE_LIST_BELOW_8(c) SECTILE_LIST_BELOW_7(c) SECTILE_LIST_10(c, 7),
#define SECTILE_LIST_BELOW_9(c) SECTILE_LIST_BELOW_8(c) SECTILE_LIST_10(c, 8),
#define SECTILE_LIST_BELOW_10(c) SECTILE_LIST_BELOW_9(c) SECTILE_LIST_10(c, 9),
#define SECTILE_LIST_BELOW_11(c) SECTILE_LIST_BELOW_10(c) SECTILE_LIST_10(c, 10),
#define SECTILE_LIST_BELOW_12(c) SECTILE_LIST_BELOW_11(c) SECTILE_LIST_10(c, 11),
