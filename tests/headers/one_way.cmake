# Dependencies run one way: a folder includes only itself and folders that stand before it here. And asm, and macros with
# parameters, stand in one folder only. What every file with a kernel includes does without the standard library's
# larger headers, which three compilers would read there. For cmake -P, with ROOT the repository.
cmake_minimum_required(VERSION 3.25)

set(order
    layouts
    dsl/program  # the vocabulary, and how it is refused
    dsl/plan
    dsl/roles
    dsl/proofs
    dsl          # dsl.hpp: what a kernel includes
    dsl/hopper
    dsl/model
    dsl/portable
    dsl/launch
    dsl/tell
    dsl/operator  # any kernel as what other languages call
    kernels
    tool)
set(never "dsl/hopper>dsl/model" "dsl/model>dsl/hopper")  # the two machines know nothing of each other

# The entry of `order` that a path from the root belongs to, in <out>; "" if none.
function(folder_of path out)
  set(${out} "" PARENT_SCOPE)
  foreach(depth RANGE 2 1 -1)
    set(pattern "^[^/]+/")
    if(depth EQUAL 2)
      set(pattern "^[^/]+/[^/]+/")
    endif()
    if(path MATCHES "${pattern}")
      string(REGEX REPLACE "/$" "" candidate "${CMAKE_MATCH_0}")
      if(candidate IN_LIST order)
        set(${out} ${candidate} PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()

# Complaints about the lines `text` of file `path`, in <out>.
function(complaints path text out)
  set(found "")
  folder_of(${path} from)
  list(FIND order "${from}" own)
  string(REGEX MATCHALL "#[ ]*include[ ]*[<\"][^>\"\n]+" includes "${text}")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^#[ ]*include[ ]*[<\"](sectile/)?" "" included "${line}")
    if(included STREQUAL "dsl.hpp" OR included STREQUAL "layouts.hpp")
      string(REGEX REPLACE "^(.*)\\.hpp$" "\\1/\\1.hpp" included "${included}")
    endif()
    folder_of("${included}" to)
    list(FIND order "${to}" other)
    if(other GREATER own OR "${from}>${to}" IN_LIST never)
      list(APPEND found "${path} includes ${included}: ${from} stands before ${to}")
    endif()
  endforeach()
  if(path MATCHES "^(layouts|dsl|kernels)/" AND NOT from STREQUAL "dsl/hopper"
     AND text MATCHES "[^_A-Za-z]asm[ ]*(volatile)?[ ]*\\(")
    list(APPEND found "${path} has asm, which belongs into dsl/hopper")
  endif()
  if(NOT from STREQUAL "dsl/hopper" AND NOT path STREQUAL "dsl/launch/architectures.hpp"  # a list of nvcc's is a macro
     AND text MATCHES "#[ ]*define[ ]+([A-Za-z0-9_]+)[(]")
    list(APPEND found "${path} has the macro ${CMAKE_MATCH_1}(...), and the asm of dsl/hopper alone needs such")
  endif()
  if(from MATCHES "^dsl/(program|plan|roles|proofs|hopper)$"
     AND text MATCHES "#[ ]*include[ ]*<(algorithm|atomic|functional|map|memory|optional|stdexcept|string|tuple|vector)>")
    list(APPEND found "${path} includes <${CMAKE_MATCH_1}>, which costs every file with a kernel")
  endif()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# What the rule is worth: each of these is found.
foreach(case IN ITEMS "layouts/a.hpp|#include <sectile/dsl/plan/plan.hpp>" "dsl/program/a.hpp|#include <sectile/dsl/plan/plan.hpp>"
                      "dsl/launch/a.hpp|#  include \"dsl/tell/explain.hpp\"" "dsl/model/a.cpp|#include <sectile/dsl/hopper/verb.hpp>"
                      "dsl/plan/a.hpp|#include <sectile/dsl.hpp>" "kernels/a.cu|#include \"tool/args.hpp\""
                      "dsl/roles/a.hpp|  asm volatile (\"x\")" "kernels/a.hpp|#define LOAD(x) load(x)"
                      "dsl/program/a.hpp|#include <tuple>")
  string(REPLACE "|" ";" case "${case}")
  list(GET case 0 path)
  list(GET case 1 text)
  complaints(${path} "${text}" found)
  if(NOT found)
    message(FATAL_ERROR "the check does not see this in ${path}: ${text}")
  endif()
endforeach()

set(wrong "")
set(count 0)
foreach(top IN ITEMS layouts dsl kernels tool)
  file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${top}/*.hpp" "${ROOT}/${top}/*.cpp" "${ROOT}/${top}/*.cu")
  foreach(path IN LISTS files)
    file(READ "${ROOT}/${path}" text)
    string(REPLACE ";" "," text "${text}")
    complaints(${path} "${text}" found)
    list(APPEND wrong ${found})
    math(EXPR count "${count} + 1")
  endforeach()
endforeach()
if(count LESS 100)
  message(FATAL_ERROR "only ${count} files under ${ROOT}")
endif()
if(wrong)
  list(JOIN wrong "\n  " wrong)
  message(FATAL_ERROR "dependencies run one way:\n  ${wrong}")
endif()
message(STATUS "${count} files include downward")
