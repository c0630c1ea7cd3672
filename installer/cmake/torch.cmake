# SPDX-License-Identifier: Apache-2.0
# Imported targets for libtorch. find_package(Torch) is not used: its architecture probe asks CMake 3.25 for CUDA 20,
# which it does not know. TORCH_DIR is the folder that holds include/ and lib/ ("torch" inside the wheel).
include_guard()
file(STRINGS ${CMAKE_SOURCE_DIR}/installer/versions.sh torch_line REGEX "^TORCH_VERSION=")
string(REGEX REPLACE "^TORCH_VERSION=" "" torch_version ${torch_line})
set(TORCH_DIR $ENV{HOME}/.cache/concertina/torch-${torch_version}/torch CACHE PATH "libtorch: holds include/ and lib/")
if(NOT EXISTS ${TORCH_DIR}/lib/libtorch_cpu.so)
    message(FATAL_ERROR "no libtorch in ${TORCH_DIR}: run installer/setup.sh, or pass -D TORCH_DIR=")
endif()

# libtorch_cpu of the CUDA build needs libcudart and libcupti even on a machine without a GPU. setup.sh unpacks them, and
# with --cuda all that libtorch_cuda needs, beside libtorch, where libtorch's own run path looks.
set(torch_cuda_dir ${TORCH_DIR}/../nvidia)
set(torch_runtime_dirs ${TORCH_DIR}/lib)
foreach(lib cudart cupti)
    find_library(TORCH_${lib} NAMES lib${lib}.so.13
        HINTS ${torch_cuda_dir}/cu13/lib /usr/local/cuda/lib64 /usr/local/cuda/extras/CUPTI/lib64)
    if(NOT TORCH_${lib})
        message(FATAL_ERROR "lib${lib}.so.13, which libtorch needs, was not found: run installer/setup.sh")
    endif()
    get_filename_component(dir ${TORCH_${lib}} DIRECTORY)
    list(APPEND torch_runtime_dirs ${dir})
endforeach()

add_library(torch::torch INTERFACE IMPORTED GLOBAL)
target_include_directories(torch::torch SYSTEM INTERFACE
    ${TORCH_DIR}/include ${TORCH_DIR}/include/torch/csrc/api/include)
target_compile_definitions(torch::torch INTERFACE USE_DISTRIBUTED USE_C10D_GLOO)
target_link_directories(torch::torch INTERFACE ${torch_runtime_dirs})
target_link_libraries(torch::torch INTERFACE ${TORCH_DIR}/lib/libtorch_cpu.so ${TORCH_DIR}/lib/libc10.so
    ${TORCH_cudart} ${TORCH_cupti})
if(HAVE_CUDA_ENGINE)
    find_library(TORCH_nccl NAMES libnccl.so.2 HINTS ${torch_cuda_dir}/nccl/lib /usr/local/cuda/lib64 REQUIRED)
    find_path(TORCH_nccl_include nccl.h HINTS ${torch_cuda_dir}/nccl/include /usr/local/cuda/include REQUIRED)
    find_path(TORCH_cuda_include cublas_v2.h HINTS ${torch_cuda_dir}/cu13/include /usr/local/cuda/include REQUIRED)
    target_include_directories(torch::torch SYSTEM INTERFACE ${TORCH_nccl_include} ${TORCH_cuda_include})
    target_compile_definitions(torch::torch INTERFACE USE_C10D_NCCL)
    # Nothing of ours calls into libtorch_cuda by name except ProcessGroupNCCL: keep it although the linker sees few uses.
    target_link_libraries(torch::torch INTERFACE -Wl,--no-as-needed ${TORCH_DIR}/lib/libtorch_cuda.so
        ${TORCH_DIR}/lib/libc10_cuda.so -Wl,--as-needed ${TORCH_nccl})
    target_link_options(torch::torch INTERFACE -Wl,--allow-shlib-undefined)
endif()
