# Sets matchpoint_commit and matchpoint_date: the commit that is checked out, and its day. CMake runs again when another
# one is checked out. Sources that come without a repository of their own have no commit, and the day of the build (or
# of SOURCE_DATE_EPOCH); a package of them can name the commit with -DMATCHPOINT_COMMIT=...
set(MATCHPOINT_COMMIT "" CACHE STRING "The commit that `matchpoint --version` shows; by default the one that git knows")

set(matchpoint_commit "${MATCHPOINT_COMMIT}")
string(TIMESTAMP matchpoint_date "%Y-%m-%d" UTC)
find_package(Git QUIET)
if(GIT_FOUND AND NOT matchpoint_commit)
  function(ask_git result)
    execute_process(COMMAND ${GIT_EXECUTABLE} -C ${PROJECT_SOURCE_DIR} ${ARGN}
                    OUTPUT_VARIABLE answer ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(${result} "${answer}" PARENT_SCOPE)
  endfunction()
  # A repository around the sources is not theirs.
  ask_git(prefix rev-parse --show-prefix)
  ask_git(inside rev-parse --is-inside-work-tree)
  if(inside STREQUAL "true" AND prefix STREQUAL "")
    ask_git(matchpoint_commit describe --always --tags --abbrev=12)
    ask_git(date log -1 --format=%cs)
    if(date)
      set(matchpoint_date ${date})
    endif()
    ask_git(moved rev-parse --path-format=absolute --git-path logs/HEAD)
    if(EXISTS "${moved}")
      set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${moved})
    endif()
  endif()
endif()
