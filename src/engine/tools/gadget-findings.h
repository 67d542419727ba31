/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GadgetFinding:
 * @path: below the folder that was searched, as the file system has it: perhaps not UTF-8
 * @line: from 1; 0 for a file that was found by its name
 * @text: (nullable): the line, valid UTF-8 and not too long
 * @is_context: it stands beside a line that was found
 */
typedef struct
{
  char *path;
  guint64 line;
  char *text;
  gboolean is_context;
} GadgetFinding;

/* What a thread has found so far, so that a stop loses none of it. For every thread. */
typedef struct _GadgetFindings GadgetFindings;

GadgetFindings *_gadget_findings_new      (guint             max);
void            _gadget_findings_unref    (GadgetFindings   *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetFindings, _gadget_findings_unref)

/* FALSE once there is no use in finding more. TEXT (nullable) need not be UTF-8. */
gboolean        _gadget_findings_add      (GadgetFindings   *self,
                                           const char       *path,
                                           guint64           line,
                                           const char       *text,
                                           gsize             length,
                                           gboolean          is_context);
guint           _gadget_findings_get_n    (GadgetFindings   *self);

/* What else is to be told, in English; said once, however often it is added. */
void            _gadget_findings_add_note (GadgetFindings   *self,
                                           const char       *note);

/* Ends the finding and gives what there is, by path and line. FULL is whether there is more than MAX.
 * (transfer full) (element-type GadgetFinding) */
GPtrArray      *_gadget_findings_take     (GadgetFindings   *self,
                                           gboolean         *full,
                                           char            **notes);

/* A name, or a path, as models are told of it: see gadget_quoted_path_dup (). */
void            _gadget_findings_append_name (GString          *text,
                                              const char       *name);

G_END_DECLS
