# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DBUILD=DIR -DPREFIX=DIR -DFOLDER=share/doc/heddle -P check_install.cmake
# The installation contains the license and the third-party notices.
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} --component documentation
                COMMAND_ERROR_IS_FATAL ANY)
foreach(name LICENSE THIRD-PARTY-NOTICES CHANGELOG.md)
  if(NOT EXISTS ${PREFIX}/${FOLDER}/${name})
    message(FATAL_ERROR "${FOLDER}/${name} is not installed")
  endif()
endforeach()
