# SPDX-License-Identifier: Apache-2.0
# The pinned libtorch; read by setup.sh and by installer/cmake/torch.cmake.
TORCH_VERSION=2.15.0
TORCH_SHA256=48c2d861134c0b5697c7602cb5ffa68f62a2989fdcd1717e593356f67996ca1e
TORCH_PYTHON=3.11
TORCH_PLATFORM=manylinux_2_28_x86_64

# Wheels that this libtorch names in its metadata, as name==version:sha256. libtorch_cpu cannot be loaded without the
# first two; the others are for runs on GPUs (setup.sh --cuda).
RUNTIME_WHEELS="
nvidia-cuda-runtime==13.2.86:3498247680dfddce31bad102af7e3e26fc795342a3cac64722bb0fa95e7f60f0
nvidia-cuda-cupti==13.2.86:8fa29f15dd8336181f961764d9d95236fc6b931dd0c8fcf8cd70aab0c310b586
"
CUDA_WHEELS="
nvidia-cuda-crt==13.2.86:e3ab08801bf9b1e6dc979275d25e816bb5000521b648e19c324d5eef0c79f1da
nvidia-nccl-cu13==2.30.7:cefa7fdb9710efd0f39c5f1be1d61ff6fc9a996c451265bd7fbdcf9455ed4b50
nvidia-cublas==13.4.1.3:a5917cb642cfb07f4a0231ee16aec7e2e0357d8cb8b1b78a0c9c68dba3e6afc7
nvidia-cudnn-cu13==9.26.0.51:9c976d539786698c71d6bcdbe2053b7485fae062ff7e1215d2f2ff67b1a2149a
nvidia-cufft==12.2.0.57:34da27fadf3979b0b042c43823f0530be8408b86df31ee0108e1ca0b621d4ef6
nvidia-cufile==1.17.1.22:87feaf8c3ad20d3d03a01933181801ff6892bace5c8f0b1e4b48f319d3e62d36
nvidia-cusolver==12.2.0.11:fab5778f6769947389a1a6abc07e635576825a08c0ffc68c3ae7f1392c794b42
nvidia-cusparse==12.7.10.12:25907c75e4db1581685f06f61cc6cdecc04611765516a52373e0a18ebd69fa00
nvidia-cusparselt-cu13==0.8.1:786ce87568c303fadb5afcc7102d454cd3040d75f6f8626f5db460d1871f4dd0
nvidia-nvjitlink==13.2.86:285a9cead9924391588d794400bdd7e8f9d1a277a7d78ed79acfa0ea702a14dd
nvidia-cuda-nvrtc==13.2.86:8111c5130e967b78222ea2124145f8efe9ce201b752b2579a2513100a53be1c5
nvidia-nvtx==13.2.86:968ce72baee2a01791c7d3254000eac81f24677b0b91c62d21b449a1f309c245
nvidia-nvshmem-cu13==3.7.2:b9a4f843c62b5dded8ad33fd6d220e007dcd39f06cee549292f5ba14ce4c235c
"
