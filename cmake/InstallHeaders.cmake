# Installs the headers of one room as <matchpoint/room/header.hpp>. In the tree they include each other from its root
# ("machine/state.hpp"); installed, from the include folder (with `matchpoint/` in front).
#   HEADERS, paths from SOURCE; STAGING, a scratch folder; DESTINATION, where to
foreach(header IN LISTS HEADERS)
  file(READ ${SOURCE}/${header} text)
  string(REGEX REPLACE "#include \"([a-z_]+/[a-z_0-9/]+|rooms)\\.hpp\"" "#include \"matchpoint/\\1.hpp\"" text "${text}")
  set(installed ${STAGING}/${header})
  file(WRITE ${installed}.new "${text}")
  file(COPY_FILE ${installed}.new ${installed} ONLY_IF_DIFFERENT)
  get_filename_component(folder ${DESTINATION}/${header} DIRECTORY)
  file(INSTALL ${installed} DESTINATION ${folder})
endforeach()
