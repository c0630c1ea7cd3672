// SPDX-License-Identifier: Apache-2.0
// CONCERTINA_HD marks inline functions that host and device share, so that the CPU's tests test the
// device's arithmetic.
#pragma once

#ifdef __CUDACC__
#define CONCERTINA_HD __host__ __device__
#else
#define CONCERTINA_HD
#endif
