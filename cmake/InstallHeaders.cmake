# Installs the headers of one room as <matchpoint/room/header.hpp>. In the tree they include each other from its root
# ("machine/state.hpp"); installed, from the include folder (with `matchpoint/` in front).
#   HEADERS, absolute paths; STAGING, a scratch folder; DESTINATION, where to
foreach(header IN LISTS HEADERS)
  file(READ ${header} text)
  string(REGEX REPLACE "#include \"([a-z_]+/[a-z_0-9/]+|rooms)\\.hpp\"" "#include \"matchpoint/\\1.hpp\"" text "${text}")
  get_filename_component(name ${header} NAME)
  set(installed ${STAGING}/${name})
  file(WRITE ${installed}.new "${text}")
  file(COPY_FILE ${installed}.new ${installed} ONLY_IF_DIFFERENT)
  file(INSTALL ${installed} DESTINATION ${DESTINATION})
endforeach()
