/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The headers of engine-pch.h, for tests. These log in no domain. */

#include "engine-pch.h"

#define G_LOG_DOMAIN ((char *) NULL)
