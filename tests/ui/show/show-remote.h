/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/transcript/gadget-transcript.h"

G_BEGIN_DECLS

/* A chat whose answer names pictures of a server that is made with it. (transfer full) */
GadgetSession *show_remote_new    (void);

/* For a transcript of that chat, before and after it is shown; nothing for those of others. Two
 * pictures are then offered, one is being loaded, one loaded, one not there and one elsewhere.
 * show_remote_load() returns whether there were such pictures. */
void           show_remote_attach (GadgetTranscript *transcript);
gboolean       show_remote_load   (GadgetTranscript *transcript);
void           show_remote_end    (void);

G_END_DECLS
