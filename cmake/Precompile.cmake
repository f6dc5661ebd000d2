# Precompiled headers: a third of the time of a build goes into the headers that most sources include. Only unity builds
# have them. The other presets see each source with its own includes.
option(MATCHPOINT_PRECOMPILE "Precompile the headers that most sources include" OFF)

# The headers are compiled once for this target.
function(matchpoint_precompile target)
  if(MATCHPOINT_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# The headers that were compiled for another target, which has the same options.
function(matchpoint_reuse_precompiled target from)
  if(MATCHPOINT_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${from})
  endif()
endfunction()
