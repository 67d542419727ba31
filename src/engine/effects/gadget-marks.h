/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: which commands run in a workspace, for other processes and the next start.
 * For any thread; these block for microseconds. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The command of the row EFFECT runs in ROOT from now on, which was looked at before, in the name of
 * the lease OWNER; or it does no longer. */
void     _gadget_marks_set       (const char *directory,
                                  const char *root,
                                  gint64      effect,
                                  const char *owner);
void     _gadget_marks_remove    (const char *directory,
                                  const char *root,
                                  gint64      effect);

/* Since when, in microseconds since 1970; 0 for one that does not. */
gint64   _gadget_marks_get       (const char *directory,
                                  const char *root,
                                  gint64      effect);

/* Adds the folders in which other processes that live run one to ROOTS (utf8). */
void     _gadget_marks_add_others (const char *directory,
                                   const char *owner,
                                   GPtrArray  *roots);

/* Removes what is older: nobody asks for it any more. */
void     _gadget_marks_sweep     (const char *directory,
                                  gint64      max_age);

G_END_DECLS
