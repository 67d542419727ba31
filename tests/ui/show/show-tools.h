/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats with what tools did, for pictures: changes, pictures, groups of calls and what a program
 * wrote. (transfer full) */

#pragma once

#include "session/gadget-session.h"

G_BEGIN_DECLS

GadgetSession *show_changes_new    (void);
GadgetSession *show_many_lines_new (void);
GadgetSession *show_pictures_new   (void);
GadgetSession *show_groups_new     (void);
GadgetSession *show_colours_new    (void);

G_END_DECLS
