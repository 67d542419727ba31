/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a fuzz target offers: libFuzzer's entry point. Built with -Dfuzz=true (clang) it is driven
 * by libFuzzer; in the normal suite fuzz-main.c runs it over the seed corpus. */

#pragma once

#include <glib.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);
