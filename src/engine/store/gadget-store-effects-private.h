/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder and its tests: the query for effects, and their strings. */

#pragma once

#include "gadget-sql.h"
#include "gadget-store-effects.h"

G_BEGIN_DECLS

/* The columns that _gadget_effect_row_read () reads, of the tables "effect" and "turn". The file
 * itself has the longest path of the changes; the others are folders above it. */
#define GADGET_EFFECT_COLUMNS                                                                      \
  "effect.number, turn.id, effect.call_turn, effect.call_id, effect.kind, effect.subject,"         \
  " effect.detail, effect.root, effect.started_at, effect.ended_at, effect.outcome,"               \
  " effect.recording, effect.skipped, effect.network,"                                             \
  " CASE WHEN effect.kind = 'change' THEN (SELECT change.old_type = 'none' FROM change"            \
  " WHERE change.effect = effect.number ORDER BY length (change.path) DESC LIMIT 1) END"
#define GADGET_N_EFFECT_COLUMNS 15

/* Returns the effect in the first columns of a row. (transfer full) */
GadgetEffectRow  *_gadget_effect_row_read         (sqlite3_stmt *stmt);

/* Returns the SQL (transfer full) that lists the effects of a session (?1) if OF_SESSION, of a turn
 * (?2) if OF_TURN, of both, or all effects. */
char             *_gadget_store_make_effects_sql  (gboolean    of_session,
                                                   gboolean    of_turn);

/* Convert the strings in the database; an unknown string becomes the first value of the type. */
GadgetEffectKind  _gadget_effect_kind_from_string (const char *word);
GadgetRecording   _gadget_recording_from_string   (const char *word);

G_END_DECLS
