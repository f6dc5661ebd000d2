# CPack runs this once everything lies in its staging folder, a folder for each component. It adds what Debian's policy
# wants of a package: copyright and changelogs, compressed manual pages, and Debian's folder for completions of zsh.
cmake_minimum_required(VERSION 3.25)

function(compress file)
  execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C date -u -d ${CPACK_MATCHPOINT_DATE} "+%a, %d %b %Y %H:%M:%S +0000"
                OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} variable)
  set(name ${CPACK_DEBIAN_${variable}_PACKAGE_NAME})
  set(share ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
  set(doc ${share}/doc/${name})
  file(MAKE_DIRECTORY ${doc})
  file(REMOVE ${doc}/LICENSE ${doc}/CHANGELOG.md) # copyright and changelog.gz
  file(COPY_FILE ${CPACK_MATCHPOINT_SOURCE}/.reuse/dep5 ${doc}/copyright)
  file(COPY_FILE ${CPACK_MATCHPOINT_SOURCE}/CHANGELOG.md ${doc}/changelog)
  file(WRITE ${doc}/changelog.Debian "${name} (${version}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}; changelog.gz has what is new.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  compress(${doc}/changelog)
  compress(${doc}/changelog.Debian)
  file(GLOB pages ${share}/man/man1/*.1)
  foreach(page IN LISTS pages)
    compress(${page})
  endforeach()
  if(EXISTS ${share}/zsh/site-functions)
    file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
  endif()
  file(GLOB_RECURSE files LIST_DIRECTORIES true ${share}/* ${share}/../include/* ${share}/../lib/*)
  foreach(file IN LISTS files) # whatever the umask was
    if(IS_SYMLINK ${file})
      continue()
    endif()
    execute_process(COMMAND chmod u=rwX,go=rX ${file} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endforeach()
