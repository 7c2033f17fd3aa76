# SPDX-License-Identifier: Apache-2.0
# Finds what the files of the tasks define (tasks.h).

# Of each `TYPE NAME_<suffix>()` in the files: a declaration, and the call in braces.
function(weft_bench_found type suffixes files declarations calls)
  set(pattern "${type} ([a-z0-9_]+_(${suffixes}))\\(\\) {")
  weft_found("${pattern}" "${files}" "${type} \\1();" found)
  set(${declarations} "${found}" PARENT_SCOPE)
  weft_found("${pattern}" "${files}" "      \\1()," found)
  set(${calls} "${found}" PARENT_SCOPE)
endfunction()
