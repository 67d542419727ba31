/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A folder of the home folder that commands see, read-only. */
typedef struct
{
  char *path;     /* the absolute path that its tools know */
  char *real;     /* its real path */
  GStrv searched; /* the folders in it that PATH gets */
} GadgetToolFolder;

/**
 * GadgetSandboxTools:
 * @folders: (element-type GadgetToolFolder): what commands see
 * @masked: (element-type filename): files in these folders that look like credentials and must not
 *   be read
 * @variables: (element-type utf8): "NAME=value" strings that the tools need
 * @refused: (element-type filename): folders that the user asked for and that may not be shown
 *
 * Compilers, interpreters and package managers in the home folder. gadget_sandbox_tools_find ()
 * fills it; it does not change afterwards, so that it can be used from any thread.
 */
typedef struct
{
  GPtrArray *folders;
  GPtrArray *masked;
  GPtrArray *variables;
  GPtrArray *refused;
} GadgetSandboxTools;

GadgetSandboxTools *gadget_sandbox_tools_find  (const char         *home,
                                                const char *const  *changes);
GadgetSandboxTools *gadget_sandbox_tools_ref   (GadgetSandboxTools *self);
void                gadget_sandbox_tools_unref (gpointer            self);
char               *gadget_sandbox_tools_dup_path (GadgetSandboxTools *self,
                                                   const char         *rest);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetSandboxTools, gadget_sandbox_tools_unref)

G_END_DECLS
