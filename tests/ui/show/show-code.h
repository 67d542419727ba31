/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"

G_BEGIN_DECLS

/* Appends a turn with an answer that is finished. (transfer none) */
GadgetItem    *show_answer_add    (GadgetSession *session,
                                   const char    *text);

/* Chats with blocks of code, for pictures: short ones in several languages, and a long one.
 * (transfer full) */
GadgetSession *show_code_new      (void);
GadgetSession *show_long_code_new (void);

G_END_DECLS
