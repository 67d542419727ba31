/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* PATH as the model wrote it, absolute and without "..": relative to ROOT, or to "/" without one.
 * Nothing on disk is looked at. (transfer full) */
char     *gadget_workspace_resolve      (const char   *root,
                                         const char   *path);

/* Whether a resolved path lies in ROOT by its name. */
gboolean  gadget_workspace_contains     (const char   *root,
                                         const char   *resolved);

/* Opens a regular file for reading; blocks, so not for the main context. With a ROOT neither
 * symbolic links nor races lead out of it. Returns an fd to be closed, or -1. */
int       gadget_workspace_open_regular (const char   *root,
                                         const char   *resolved,
                                         GError      **error);

G_END_DECLS
