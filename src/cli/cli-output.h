/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define GADGET_TYPE_CLI_OUTPUT (gadget_cli_output_get_type ())
G_DECLARE_FINAL_TYPE (GadgetCliOutput, gadget_cli_output, GADGET, CLI_OUTPUT, GObject)

/* Standard output or standard error, without blocking: output that the reader does not take yet is
 * kept in order. Signals: "drained" when everything is written; "closed" (int errno) once, when
 * nobody reads any more. After that all output is dropped. */
GadgetCliOutput *gadget_cli_output_new         (int               fd);
gboolean         gadget_cli_output_is_terminal (GadgetCliOutput  *self);
/* Returns whether both outputs go to the same file, pipe or terminal ("2>&1"). */
gboolean         gadget_cli_output_is_same     (GadgetCliOutput  *self,
                                                GadgetCliOutput  *other);
gboolean         gadget_cli_output_is_drained  (GadgetCliOutput  *self);
gsize            gadget_cli_output_get_unread  (GadgetCliOutput  *self);

/* Writes @text unchanged: for JSON, and for output that is piped into a file. */
void             gadget_cli_output_write       (GadgetCliOutput  *self,
                                                const char       *text);

/* Writes text that came from a model or a tool. On a terminal, control characters are removed,
 * because they could do more than be displayed. */
void             gadget_cli_output_write_foreign (GadgetCliOutput *self,
                                                  const char      *text);
char            *gadget_cli_dup_printable      (const char       *text);

G_END_DECLS
