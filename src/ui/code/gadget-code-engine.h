/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Highlights code by the rules of its language in GtkSourceView, on the main thread. An engine is
 * given lines in their order. The look of a line depends on the lines before it and on none that
 * follows, so runs that were taken are final. */

#pragma once

#include "gadget-code-style-id.h"

#include <gtksourceview/gtksource.h>

G_BEGIN_DECLS

/* The rest of a longer line is not highlighted. */
#define GADGET_CODE_LINE_BYTES 1024

/* Bytes [start, end) of the source have this style. */
typedef struct
{
  guint32 start;
  guint32 end;
  GadgetCodeStyleId style_id;
} GadgetCodeRun;

/* The state of highlighting one block. */
typedef struct _GadgetCodeEngine GadgetCodeEngine;

/* Returns an engine for the language with the id @id in GtkSourceView. (transfer full) (nullable):
 * NULL when the rules are not loaded yet, or do not exist */
GadgetCodeEngine *gadget_code_engine_acquire   (const char         *id);
/* Tells whether gadget_code_engine_acquire() can return a released engine; making a new one takes
 * longer than a frame allows. */
gboolean          gadget_code_engine_is_spare  (const char         *id);
/* Removes the lines of @self and keeps it for the next call of gadget_code_engine_acquire(). */
void              gadget_code_engine_release   (GadgetCodeEngine   *self);

/* Loads the rules of a language in a thread, once. */
void              gadget_code_engine_prepare   (const char         *id,
                                                GAsyncReadyCallback callback,
                                                gpointer            user_data);

/* Adds a line, without its end, which is at offset @source in the source. It must be valid
 * UTF-8. */
void              gadget_code_engine_add_line  (GadgetCodeEngine   *self,
                                                const char         *line,
                                                gsize               length,
                                                guint32             source);

/* Appends the runs (GadgetCodeRun) of the lines that were added since the last call, without those
 * of plain text. */
void              gadget_code_engine_take_runs (GadgetCodeEngine   *self,
                                                GArray             *runs);

/* Adds attributes for bytes [start, end) of the source to a text that shows them from byte @at
 * on. */
void              gadget_code_runs_add         (const GArray       *runs,
                                                gsize               start,
                                                gsize               end,
                                                GadgetCodeGround    ground,
                                                PangoAttrList      *attributes,
                                                guint               at);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetCodeEngine, gadget_code_engine_release)

G_END_DECLS
