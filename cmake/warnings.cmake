# SPDX-License-Identifier: Apache-2.0
# The warnings that every target of this project is compiled with.
function(weft_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
    $<$<BOOL:${WEFT_WARNINGS_AS_ERRORS}>:-Werror>)
endfunction()
