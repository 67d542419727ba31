/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-composer-private.h"

G_BEGIN_DECLS

/* Something that is to be given with a message and has to be read first, from the clipboard or what
 * is dropped. It belongs to the chat that was shown when it was asked for. */
typedef struct
{
  GadgetComposer *composer; /* (nullable): it is not held */
  GadgetSession *session;
  GtkTextMark *mark;      /* (nullable): where words go */
  GdkDrop *drop;          /* (nullable): from where it is read; finished with the wish */
  gboolean taken;         /* something of it */
  GadgetArrival *arrival; /* (nullable) */
} GadgetWish;

/* Counted: what is asked holds it until there is an answer, and what arrives does. */
GadgetWish *gadget_wish_new          (GadgetComposer    *composer);
GadgetWish *gadget_wish_ref          (GadgetWish        *wish);
void        gadget_wish_unref        (GadgetWish        *wish);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetWish, gadget_wish_unref)

/* Whether the chat is still the same one. */
gboolean    gadget_wish_is_wanted    (const GadgetWish  *wish);

/* Returns: FALSE when none of them is a file, but an address of a page */
gboolean    gadget_wish_add_files    (GadgetWish        *wish,
                                      const GSList      *files);
void        gadget_wish_insert       (GadgetWish        *wish,
                                      const char        *text);

/* It has its place from when it is asked for, see gadget-attachment-list.h, and "arrival" is there
 * until it was taken, removed or stopped. */
void        gadget_wish_expect       (GadgetWish        *wish,
                                      const char        *name);
/* A picture that comes, or why it does not. */
void        gadget_wish_take         (GadgetWish        *wish,
                                      GInputStream      *stream,
                                      const GError      *error);
/* It came, and was something else. */
void        gadget_wish_forget       (GadgetWish        *wish);

/* What can be asked for. Of another program these are types of data; of this one kinds of values,
 * which are written as any type when asked for. (transfer full) */
GdkContentFormats *gadget_wish_dup_formats (GdkContentFormats *formats,
                                      gboolean           local);

/* The kinds of pictures that can be given, the best one first. */
const char *const *gadget_wish_get_picture_types (void);
gboolean    gadget_wish_has_picture  (GdkContentFormats *formats);

G_END_DECLS
