/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds out how code looks, by the rules of its language in GtkSourceView. It is given lines, in
 * their order; how a line looks depends on those before it and on nothing that follows, so that what
 * was found out stays. */

#pragma once

#include "gadget-code-look.h"

#include <gtksourceview/gtksource.h>

G_BEGIN_DECLS

/* Of a line no more is looked at. */
#define GADGET_CODE_LINE_BYTES 1024

/* Bytes [start, end) of the source look like that. */
typedef struct
{
  guint32 start;
  guint32 end;
  GadgetCodeLook look;
} GadgetCodeRun;

typedef struct _GadgetCodeEngine GadgetCodeEngine;

/* An engine for the language with that id in GtkSourceView; NULL: its rules have to be read first.
 * (transfer full) */
GadgetCodeEngine *gadget_code_engine_borrow    (const char        *id);
/* Whether one can be borrowed without making it. */
gboolean          gadget_code_engine_is_spare  (const char        *id);
void              gadget_code_engine_give_back (GadgetCodeEngine  *self);

/* Reads the rules of a language, in a thread. */
void              gadget_code_engine_prepare   (const char        *id,
                                                GAsyncReadyCallback callback,
                                                gpointer           user_data);

/* A line, without its end, that is at @source in the source: valid UTF-8. */
void              gadget_code_engine_add_line  (GadgetCodeEngine  *self,
                                                const char        *line,
                                                gsize              length,
                                                guint32            source);

/* Appends the runs (GadgetCodeRun) of the lines added since the last time, those of plain text left
 * out. */
void              gadget_code_engine_take_runs (GadgetCodeEngine  *self,
                                                GArray            *runs);

/* Adds how bytes [start, end) of the source look, for a text that shows them from @at on. */
void              gadget_code_runs_add         (const GArray      *runs,
                                                gsize              start,
                                                gsize              end,
                                                GadgetCodeGround   ground,
                                                PangoAttrList     *attributes,
                                                guint              at);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetCodeEngine, gadget_code_engine_give_back)

G_END_DECLS
