// SPDX-License-Identifier: BSD-3-Clause
// The one file of the targets that own precompiled headers.
