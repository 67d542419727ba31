/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The headers of ui-pch.h, for tests. These log in no domain. */

#include "ui-pch.h"

#define G_LOG_DOMAIN ((char *) NULL)
