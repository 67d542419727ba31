/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/transcript/gadget-transcript-find.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_FIND_BAR (gadget_find_bar_get_type ())
G_DECLARE_FINAL_TYPE (GadgetFindBar, gadget_find_bar, GADGET, FIND_BAR, AdwBin)

/**
 * GadgetFindBar:
 *
 * The bar above a transcript in which text is found. It is there while it is open, which its
 * property "visible" tells. Property "narrow": there is no room for its menu.
 */

/* Returns the actions "next", "previous", "close", "match-case" and "whole-words", to be inserted
 * as "find" where they are used. (transfer none) */
GActionGroup *gadget_find_bar_get_actions    (GadgetFindBar    *self);

/* Sets where to find; NULL while no transcript is shown. To be called again when the transcript
 * shows another chat. */
void          gadget_find_bar_set_transcript (GadgetFindBar    *self,
                                              GadgetTranscript *transcript);

/* Opens the bar with @query (nullable), else with what is selected or was found before, and gives
 * the focus to its entry. */
void          gadget_find_bar_open           (GadgetFindBar    *self,
                                              const char       *query);

/* Opens the bar, with the match at a place as the current one: see gadget_transcript_find_place ().
 * Without a transcript that waits for one. */
void          gadget_find_bar_open_at        (GadgetFindBar    *self,
                                              const char       *query,
                                              const char       *turn_id,
                                              int               item,
                                              GadgetRowText     text,
                                              gsize             offset);

/* Closes the bar, and gives the focus back to what had it. */
void          gadget_find_bar_close          (GadgetFindBar    *self);

/* Goes to the next match or the one before. A bar that is closed is opened instead. */
void          gadget_find_bar_step           (GadgetFindBar    *self,
                                              gboolean          forward);

G_END_DECLS
