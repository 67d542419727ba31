/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <stdbool.h>

/* Limits of the command, set in it before it is executed. */
void limits_set (bool in_sandbox);
