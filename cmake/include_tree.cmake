# SPDX-License-Identifier: Apache-2.0
# Lays out <build>/include/weft, so that an include is spelled the same here and installed.
set(weft_include ${PROJECT_BINARY_DIR}/include/weft)
file(MAKE_DIRECTORY ${weft_include})
foreach(entry graph ops engine io testing weft.h eigen.h op.h)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${entry} ${weft_include}/${entry} COPY_ON_ERROR SYMBOLIC)
endforeach()

# ops.h includes every op's header; nobody keeps a list. The glob is sorted by name.
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/ops/*.h)
set(text "// Every op's header, listed by the build.\n#pragma once\n\n")
foreach(header ${headers})
  string(APPEND text "#include <weft/${header}>\n")
endforeach()
file(CONFIGURE OUTPUT ${weft_include}/ops.h CONTENT "${text}" @ONLY)  # writes only what differs

# So does the table of ops, which each header declares as `extern const Op NAME_op;`.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
set(text "// Every op, listed by the build.\n#include <weft/ops.h>\n\nnamespace weft {\n\n")
string(APPEND text "std::span<const Op* const> op_table() {\n  static constexpr const Op* all[] = {\n")
foreach(header ${headers})
  file(STRINGS ${header} declarations REGEX "^extern const Op [a-z0-9_]+_op;")
  foreach(declaration ${declarations})
    string(REGEX REPLACE "^extern const Op ([a-z0-9_]+).*" "      &\\1,\n" line ${declaration})
    string(APPEND text "${line}")
  endforeach()
endforeach()
string(APPEND text "  };\n  return all;\n}\n\n}  // namespace weft\n")
set(weft_op_table ${PROJECT_BINARY_DIR}/op_table.cpp)
file(CONFIGURE OUTPUT ${weft_op_table} CONTENT "${text}" @ONLY)

# And the tables of kernels, each of which its file declares as `extern const KernelDefinition NAME_kernel;`,
# and of those that compute, as `extern const ComputeDefinition NAME_compute;`.
file(GLOB_RECURSE kernels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/engine/kernels/*.cpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${kernels})
set(weft_kernel_table "")
function(weft_kernel_table type kind header)
  set(declarations "")
  set(entries "")
  foreach(kernel ${kernels})
    file(STRINGS ${kernel} lines REGEX "^extern const ${type} [a-z0-9_]+_${kind};")
    foreach(line ${lines})
      string(REGEX REPLACE "^extern const ${type} ([a-z0-9_]+).*" "\\1" name ${line})
      string(APPEND declarations "extern const ${type} ${name};\n")
      string(APPEND entries "      &${name},\n")
    endforeach()
  endforeach()
  string(CONCAT text "// Every kernel, listed by the build.\n#include <weft/engine/kernels/${header}>\n\n"
    "namespace weft {\n\n${declarations}\nstd::span<const ${type}* const> ${kind}_table() {\n"
    "  static constexpr const ${type}* all[] = {\n${entries}  };\n  return all;\n}\n\n"
    "}  // namespace weft\n")
  set(table ${PROJECT_BINARY_DIR}/${kind}_table.cpp)
  file(CONFIGURE OUTPUT ${table} CONTENT "${text}" @ONLY)
  set(weft_kernel_table ${weft_kernel_table} ${table} PARENT_SCOPE)
endfunction()
weft_kernel_table(KernelDefinition kernel kernel.h)
weft_kernel_table(ComputeDefinition compute compute.h)
