/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder and its tests: the query for effects, and their strings. */

#pragma once

#include "gadget-store-effects.h"

G_BEGIN_DECLS

/* Returns the SQL (transfer full) that lists the effects of a session (?1) if OF_SESSION, of a turn
 * (?2) if OF_TURN, of both, or all effects. */
char             *_gadget_store_make_effects_sql  (gboolean    of_session,
                                                   gboolean    of_turn);

/* Convert the strings in the database; an unknown string becomes the first value of the type. */
GadgetEffectKind  _gadget_effect_kind_from_string (const char *word);
GadgetRecording   _gadget_recording_from_string   (const char *word);

G_END_DECLS
