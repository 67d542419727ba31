/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "effects/gadget-turn-changes.h"

G_BEGIN_DECLS

#define GADGET_TYPE_CHANGE_BOOK (gadget_change_book_get_type ())
G_DECLARE_FINAL_TYPE (GadgetChangeBook, gadget_change_book, GADGET, CHANGE_BOOK, GObject)

/**
 * GadgetChangeBook:
 *
 * What the turns of a chat changed, as far as somebody has asked: rows that come into sight do. A
 * turn is read once, and again when more of it is on record. "changed" (the id of a turn) tells that
 * the answer is otherwise than it was.
 */
GadgetChangeBook  *gadget_change_book_new  (GadgetKeeper     *keeper);

/* NULL as long as it is being read, or when it cannot be. (transfer none) */
GadgetTurnChanges *gadget_change_book_look (GadgetChangeBook *self,
                                            const char       *turn_id);

G_END_DECLS
