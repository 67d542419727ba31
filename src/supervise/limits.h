/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <stdbool.h>

/* Sets the limits of the command, in its process before the program is executed. FILES is the
 * number of descriptors that it may have unless it raises the limit; 0: as many as this process may
 * have. */
void limits_set (bool in_sandbox, unsigned int files);
