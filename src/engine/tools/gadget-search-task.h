/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-glob.h"
#include "gadget-findings.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetSearchTask:
 * @root: (nullable): the workspace
 * @resolved: the folder, or file, that is searched, as gadget_workspace_resolve () gives it
 * @glob_text: (nullable): as it was written
 * @glob: (nullable): for the path below @resolved, or for the name alone
 * @glob_is_name: it is for the name alone
 * @pattern: (nullable): what is looked for in the files; without it they are found by their names
 * @max: so many are looked for
 * @first: from 1, the first of them that is told
 * @n_told: so many are told
 *
 * One search: set up by a tool, then only read, in any thread. What is found can be taken at any
 * time.
 */
typedef struct
{
  char *root;
  char *resolved;
  char *glob_text;
  GadgetGlob *glob;
  gboolean glob_is_name;
  char *pattern;
  gboolean ignore_case;
  gboolean all;
  guint context;
  guint max;
  guint first;
  guint n_told;
  GadgetFindings *findings;
} GadgetSearchTask;

GadgetSearchTask *_gadget_search_task_new     (const char       *root,
                                               const char       *resolved,
                                               guint             max);
GadgetSearchTask *_gadget_search_task_ref     (GadgetSearchTask *self);
void              _gadget_search_task_unref   (GadgetSearchTask *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetSearchTask, _gadget_search_task_unref)

gboolean          _gadget_search_task_set_glob (GadgetSearchTask  *self,
                                                const char        *glob,
                                                GError           **error);
gboolean          _gadget_search_task_wants   (GadgetSearchTask *self,
                                               const char       *path);

/* Appends a path of a finding as a model can give it back: below the workspace, or absolute. */
void              _gadget_search_task_append_path (GadgetSearchTask *self,
                                                   GString          *text,
                                                   const char       *path);

/* Searches without any program. REAL (out) is the real path of the folder. With ONLY_LOOK
 * nothing is searched if it is a folder in the workspace; SEARCHED says. Blocks. */
gboolean          _gadget_search_task_run     (GadgetSearchTask *self,
                                               gboolean          only_look,
                                               char            **real,
                                               gboolean         *searched,
                                               GCancellable     *cancellable,
                                               GError          **error);

G_END_DECLS
