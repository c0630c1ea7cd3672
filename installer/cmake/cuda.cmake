# SPDX-License-Identifier: Apache-2.0
# The language CUDA for kernels/cuda. One binary per generation that CUDA 13 serves (a generation's later GPUs run its
# first one's code), and the oldest as PTX for those to come. The debug build keeps to that PTX, for compile time.
include_guard()
set(CMAKE_CUDA_COMPILER ${NVCC})
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    if(CMAKE_BUILD_TYPE STREQUAL "Debug")
        set(CMAKE_CUDA_ARCHITECTURES 75-virtual)
    else()
        set(CMAKE_CUDA_ARCHITECTURES 75 80-real 90-real 100-real 120-real)
    endif()
endif()
if(CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
enable_language(CUDA)
