/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <stdbool.h>

/* Limits of the command, set in it before it is executed. FILES is how many descriptors it may have
 * unless it asks for more; 0: as many as we may. */
void limits_set (bool in_sandbox, unsigned int files);
