// Macros that have a single capital letter for a name, as #define K 64 gives one: the headers have such names for
// parameters of templates, and each place where one stands would be an error of its own. It is said once, before any of
// them. (A macro that is defined behind the headers does no harm.)
#pragma once

#if defined(A)
#error "A is a macro, and sectile's headers use A as a name: include them before it is defined, or name it otherwise"
#elif defined(B)
#error "B is a macro, and sectile's headers use B as a name: include them before it is defined, or name it otherwise"
#elif defined(C)
#error "C is a macro, and sectile's headers use C as a name: include them before it is defined, or name it otherwise"
#elif defined(D)
#error "D is a macro, and sectile's headers use D as a name: include them before it is defined, or name it otherwise"
#elif defined(E)
#error "E is a macro, and sectile's headers use E as a name: include them before it is defined, or name it otherwise"
#elif defined(F)
#error "F is a macro, and sectile's headers use F as a name: include them before it is defined, or name it otherwise"
#elif defined(G)
#error "G is a macro, and sectile's headers use G as a name: include them before it is defined, or name it otherwise"
#elif defined(H)
#error "H is a macro, and sectile's headers use H as a name: include them before it is defined, or name it otherwise"
#elif defined(I)
#error "I is a macro, and sectile's headers use I as a name: include them before it is defined, or name it otherwise"
#elif defined(J)
#error "J is a macro, and sectile's headers use J as a name: include them before it is defined, or name it otherwise"
#elif defined(K)
#error "K is a macro, and sectile's headers use K as a name: include them before it is defined, or name it otherwise"
#elif defined(L)
#error "L is a macro, and sectile's headers use L as a name: include them before it is defined, or name it otherwise"
#elif defined(M)
#error "M is a macro, and sectile's headers use M as a name: include them before it is defined, or name it otherwise"
#elif defined(N)
#error "N is a macro, and sectile's headers use N as a name: include them before it is defined, or name it otherwise"
#elif defined(O)
#error "O is a macro, and sectile's headers use O as a name: include them before it is defined, or name it otherwise"
#elif defined(P)
#error "P is a macro, and sectile's headers use P as a name: include them before it is defined, or name it otherwise"
#elif defined(Q)
#error "Q is a macro, and sectile's headers use Q as a name: include them before it is defined, or name it otherwise"
#elif defined(R)
#error "R is a macro, and sectile's headers use R as a name: include them before it is defined, or name it otherwise"
#elif defined(S)
#error "S is a macro, and sectile's headers use S as a name: include them before it is defined, or name it otherwise"
#elif defined(T)
#error "T is a macro, and sectile's headers use T as a name: include them before it is defined, or name it otherwise"
#elif defined(U)
#error "U is a macro, and sectile's headers use U as a name: include them before it is defined, or name it otherwise"
#elif defined(V)
#error "V is a macro, and sectile's headers use V as a name: include them before it is defined, or name it otherwise"
#elif defined(W)
#error "W is a macro, and sectile's headers use W as a name: include them before it is defined, or name it otherwise"
#elif defined(X)
#error "X is a macro, and sectile's headers use X as a name: include them before it is defined, or name it otherwise"
#elif defined(Y)
#error "Y is a macro, and sectile's headers use Y as a name: include them before it is defined, or name it otherwise"
#elif defined(Z)
#error "Z is a macro, and sectile's headers use Z as a name: include them before it is defined, or name it otherwise"
#else
#define SECTILE_LETTERS_ARE_FREE
#endif

#ifndef SECTILE_LETTERS_ARE_FREE
#include <sectile/the_error_above>  // a header that is not there ends a compilation; an #error alone does not
#endif
