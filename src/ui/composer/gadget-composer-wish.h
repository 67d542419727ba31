/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-composer-private.h"

G_BEGIN_DECLS

/* Something that is to be given with a message and has to be read first, from the clipboard or what
 * is dropped. It belongs to the chat that was shown when it was asked for. */
typedef struct
{
  GadgetComposer *composer;
  GadgetSession *session;
  GtkTextMark *mark; /* (nullable): where words go */
  GdkDrop *drop;     /* (nullable): from where it is read; finished with the wish */
} GadgetWish;

GadgetWish *gadget_wish_new          (GadgetComposer    *composer);
void        gadget_wish_free         (GadgetWish        *wish);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetWish, gadget_wish_free)

/* Whether the chat is still the same one. */
gboolean    gadget_wish_is_wanted    (const GadgetWish  *wish);

/* Returns: FALSE when none of them is a file, but an address of a page */
gboolean    gadget_wish_add_files    (const GadgetWish  *wish,
                                      const GSList      *files);
void        gadget_wish_insert       (const GadgetWish  *wish,
                                      const char        *text);
/* Takes the wish over. */
void        gadget_wish_add_picture  (GadgetWish        *wish,
                                      GInputStream      *stream);

/* The kinds of pictures that can be given, the best one first. */
const char *const *gadget_wish_get_picture_types (void);
gboolean    gadget_wish_has_picture  (GdkContentFormats *formats);

G_END_DECLS
