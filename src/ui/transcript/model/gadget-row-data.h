/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-change-cache.h"
#include "gadget-row-kind.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

#define GADGET_TYPE_ROW_DATA (gadget_row_data_get_type ())
G_DECLARE_FINAL_TYPE (GadgetRowData, gadget_row_data, GADGET, ROW_DATA, GObject)

/* GadgetRowData: the data that one row shows. It is made when the row is realized, so only rows in
 * and near the viewport have one. Getters return what the object owns. (transfer none) */
GadgetRowData     *gadget_row_data_new               (GadgetRowKind      kind,
                                                      GadgetTurn        *turn,
                                                      GadgetItem        *item);
GadgetRowKind      gadget_row_data_get_kind          (GadgetRowData     *self);
GadgetTurn        *gadget_row_data_get_turn          (GadgetRowData     *self);
GadgetItem        *gadget_row_data_get_item          (GadgetRowData     *self);

/* For a row of a subagent: its chat, and how many subagents deep that is. Otherwise NULL and 0. */
GadgetSession     *gadget_row_data_get_session       (GadgetRowData     *self);
guint              gadget_row_data_get_depth         (GadgetRowData     *self);

/* The range of bytes of the source that the row shows. */
gsize              gadget_row_data_get_start         (GadgetRowData     *self);
gsize              gadget_row_data_get_end           (GadgetRowData     *self);

/* For Markdown that begins in the middle of a block: where the block begins. Otherwise the start of
 * the range. */
gsize              gadget_row_data_get_context       (GadgetRowData     *self);

/* Tells whether the row stands for lines of code that are folded. */
gboolean           gadget_row_data_get_folded        (GadgetRowData     *self);

/* Tells whether the part that the row can fold (details, a receipt, reasoning) is unfolded. */
gboolean           gadget_row_data_get_expanded      (GadgetRowData     *self);

/* The cache of changes (NULL when there is none), and the chat's turn that the changes are recorded
 * for: for a row of a subagent, the turn that contains its call. */
GadgetChangeCache *gadget_row_data_get_change_cache  (GadgetRowData     *self);
GadgetTurn        *gadget_row_data_get_root          (GadgetRowData     *self);

/* The folder of the chat, NULL when there is none. Paths in it are shown relative to it. */
const char        *gadget_row_data_get_workspace     (GadgetRowData     *self);

/* Returns the changes of the root turn that are known now, or NULL; reading them is started if
 * necessary. */
GadgetTurnChanges *gadget_row_data_get_changes       (GadgetRowData     *self);

/* The name of the turn's provider in the user's settings, or NULL. */
const char        *gadget_row_data_get_provider_name (GadgetRowData     *self);

/* Returns the part of the source that the row shows, without the line ends that are not shown; ""
 * for a kind without a text. It is not terminated by a NUL, and is valid until the source grows. */
const char        *gadget_row_data_get_text          (GadgetRowData     *self,
                                                      gsize             *length);

/* Returns the whole text of which rows of @kind show parts, NULL for a kind without a text. It
 * belongs to @turn or @item, and is valid until that grows. */
const char        *gadget_row_data_get_source        (GadgetRowKind      kind,
                                                      GadgetTurn        *turn,
                                                      GadgetItem        *item,
                                                      gsize             *length);

G_END_DECLS
