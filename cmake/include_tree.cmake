# Lays out <build>/include/weft, so that an include is spelled the same here and installed.
set(weft_include ${PROJECT_BINARY_DIR}/include/weft)
file(MAKE_DIRECTORY ${weft_include})
foreach(entry graph ops engine weft.h eigen.h)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${entry} ${weft_include}/${entry} COPY_ON_ERROR SYMBOLIC)
endforeach()

# ops.h includes every op's header; nobody keeps a list. The glob is sorted by name.
file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/ops/*.h)
set(text "// Every op's header, listed by the build.\n#pragma once\n\n")
foreach(header ${headers})
  string(APPEND text "#include <weft/${header}>\n")
endforeach()
file(CONFIGURE OUTPUT ${weft_include}/ops.h CONTENT "${text}" @ONLY)  # writes only what differs
