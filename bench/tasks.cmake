# SPDX-License-Identifier: Apache-2.0
# Finds what the files of the tasks define (tasks.h).

# Of each `TYPE NAME_<suffix>()` in the files: a declaration, and the call in braces.
function(weft_bench_found type suffixes files declarations calls)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(all_declarations "")
  set(all_calls "")
  foreach(file ${files})
    file(STRINGS ${file} definitions REGEX "^${type} [a-z0-9_]+_(${suffixes})\\(\\) {")
    foreach(definition ${definitions})
      string(REGEX REPLACE "^${type} ([a-z0-9_]+)\\(.*" "\\1" function ${definition})
      string(APPEND all_declarations "${type} ${function}();\n")
      string(APPEND all_calls "      ${function}(),\n")
    endforeach()
  endforeach()
  set(${declarations} "${all_declarations}" PARENT_SCOPE)
  set(${calls} "${all_calls}" PARENT_SCOPE)
endfunction()
