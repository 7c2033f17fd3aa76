# SPDX-License-Identifier: Apache-2.0
# Lists that nobody keeps: the build finds in files what it makes tables of.

# Of each line in the files that begins with the pattern, text with \1 for what its brackets hold, one line below another.
function(weft_found pattern files text result)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(all "")
  foreach(file ${files})
    file(STRINGS ${file} lines REGEX "^${pattern}")
    foreach(line ${lines})
      string(REGEX REPLACE "^${pattern}.*" "${text}" found "${line}")
      string(APPEND all "${found}\n")
    endforeach()
  endforeach()
  set(${result} "${all}" PARENT_SCOPE)
endfunction()
