# Compiler settings shared by every target: ccache where present, warnings, instruction set, sanitizers.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Precompiled headers need these two sloppiness settings to be cached at all. Paths below the base directory
  # count as relative to it, so that clones of the repository serve each other; messages show them as they are.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_ABSSTDERR=1 ${CCACHE_PROGRAM})
endif()

find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # At -O3 GCC 12 sees an overflow inside fmt 9.1's own string_view formatter that is not there.
  # Collecting garbage while it compiles takes GCC a tenth of its time and saves no memory worth mentioning.
  add_compile_options(-fpch-preprocess -Wno-stringop-overflow --param=ggc-min-expand=10000
                      --param=ggc-min-heapsize=4000000)
  if(DISCERN_UNITY)
    # Takes the files that are compiled as one for headers.
    add_compile_options(-Wno-subobject-linkage)
  endif()
endif()
if(DISCERN_WERROR)
  add_compile_options(-Werror)
endif()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT DISCERN_ARCH STREQUAL "baseline")
  add_compile_options(-march=${DISCERN_ARCH})
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3")

# Where a fault in memory slips through, these turn it into an end of the program instead of a way in: checked
# stack frames, checked calls of the C library, landing pads for indirect jumps (CET), and relocations that are
# resolved at the start and then read-only. The sanitizers check more and do not go together with them.
if(NOT DISCERN_SANITIZE)
  include(CheckCXXCompilerFlag)
  include(CheckLinkerFlag)
  include(CheckPIESupported)
  foreach(flag stack-protector-strong cf-protection=full)
    string(MAKE_C_IDENTIFIER "DISCERN_HAS_${flag}" known)
    check_cxx_compiler_flag(-f${flag} ${known})
    if(${known})
      add_compile_options(-f${flag})
    endif()
  endforeach()
  # The checked calls exist only in optimised code; some compilers come with a level of their own.
  add_compile_options($<$<CONFIG:Release>:-U_FORTIFY_SOURCE> $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2>)
  check_linker_flag(CXX -Wl,-z,relro,-z,now DISCERN_HAS_full_relro)
  if(DISCERN_HAS_full_relro)
    add_link_options(-Wl,-z,relro,-z,now)
  endif()
  check_pie_supported(LANGUAGES CXX)
endif()

if(DISCERN_SANITIZE)
  add_compile_options(-fsanitize=${DISCERN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${DISCERN_SANITIZE})
endif()
