/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-launch.h"

G_BEGIN_DECLS

/* Appends copies of the strings to ARGV; the last argument is NULL. */
void     _gadget_argv_add              (GPtrArray    *argv,
                                        ...) G_GNUC_NULL_TERMINATED;

/* Adds a descriptor that the started process inherits as TARGET. Takes SOURCE. */
void     _gadget_launch_give_fd        (GadgetLaunch *self,
                                        int           source,
                                        int           target);

/* --- gadget-launch-covers.c --- */

/* Adds a mount to ARGV that covers the file at PATH with a device that cannot be opened. */
void     _gadget_launch_cover          (GadgetLaunch *self,
                                        GPtrArray    *argv,
                                        const char   *path);

G_END_DECLS
