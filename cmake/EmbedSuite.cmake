# cmake -DROOT=<source folder> -DOUT=<file.cpp> -P EmbedSuite.cmake: compiles in the files that the
# conformance suite copies verbatim.
function(embed function)
  file(APPEND ${OUT} "\nstd::vector<EmbeddedFile> const& ${function}() {\n    static std::vector<EmbeddedFile> const files{\n")
  foreach(pair IN LISTS ARGN)
    string(REPLACE "=" ";" pair "${pair}")
    list(GET pair 0 name)
    list(GET pair 1 path)
    file(READ ${ROOT}/${path} text)
    file(APPEND ${OUT} "        {\"${name}\", R\"SUITE(${text})SUITE\"},\n")
  endforeach()
  file(APPEND ${OUT} "    };\n    return files;\n}\n")
endfunction()

file(STRINGS ${ROOT}/suite/hand_written.txt programs)
file(STRINGS ${ROOT}/suite/hand_written_of_mpi.txt programs_of_mpi)
file(STRINGS ${ROOT}/suite/hand_written_of_shared_memory.txt programs_of_shared_memory)
list(TRANSFORM programs REPLACE "^([^=]+)$" "\\1=\\1")
list(TRANSFORM programs_of_mpi REPLACE "^([^=]+)$" "\\1=\\1")
list(TRANSFORM programs_of_shared_memory REPLACE "^([^=]+)$" "\\1=\\1")
file(WRITE ${OUT} "// Made from traces/ and suite/ by cmake/EmbedSuite.cmake.
#include \"suite/programs.hpp\"

namespace matchpoint::suite {
")
embed(embedded_programs ${programs})
embed(embedded_programs_of_mpi ${programs_of_mpi})
embed(embedded_programs_of_shared_memory ${programs_of_shared_memory})
embed(embedded_files
  README.md=suite/README.md check.py=suite/check.py
  suite.schema.json=docs/schema/suite.schema.json expected.schema.json=docs/schema/suite_expected.schema.json)
file(APPEND ${OUT} "\n} // namespace matchpoint::suite\n")
