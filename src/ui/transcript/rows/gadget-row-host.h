/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"
#include "ui/pictures/gadget-picture-book.h"
#include "ui/pictures/gadget-remote-pictures.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_ROW_HOST (gadget_row_host_get_type ())
G_DECLARE_INTERFACE (GadgetRowHost, gadget_row_host, GADGET, ROW_HOST, GtkWidget)

/**
 * GadgetRowHostInterface:
 * @get_session: the chat that is shown; NULL for none
 * @get_providers: (nullable): a GListModel of #GadgetProviderConfig, for names of models
 * @get_pictures: (nullable): the reader of stored pictures
 * @get_remote_pictures: (nullable): the loader of pictures of the web
 * @part_resized: a descendant of a row may have another height now
 * @leave_ask: the focused card was answered and gives the focus away
 * @answer_left: a card of @session ended while its entry still had @text
 *
 * What rows ask of the transcript that they are in. Rows do not know the transcript itself.
 */
struct _GadgetRowHostInterface
{
  GTypeInterface parent_iface;

  GadgetSession        *(*get_session)         (GadgetRowHost *self);
  GListModel           *(*get_providers)       (GadgetRowHost *self);
  GadgetPictureBook    *(*get_pictures)        (GadgetRowHost *self);
  GadgetRemotePictures *(*get_remote_pictures) (GadgetRowHost *self);
  void                  (*part_resized)        (GadgetRowHost *self,
                                                GtkWidget     *part);
  void                  (*leave_ask)           (GadgetRowHost *self);
  void                  (*answer_left)         (GadgetRowHost *self,
                                                GadgetSession *session,
                                                const char    *text);
};

/* The host around WIDGET. (transfer none) (nullable) */
GadgetRowHost        *gadget_row_host_find                (GtkWidget     *widget);

/* These take a widget of a row. Each is NULL, or does nothing, where the row has no host. */
GadgetSession        *gadget_row_host_get_session         (GtkWidget     *widget);
GListModel           *gadget_row_host_get_providers       (GtkWidget     *widget);
GadgetPictureBook    *gadget_row_host_get_pictures        (GtkWidget     *widget);
GadgetRemotePictures *gadget_row_host_get_remote_pictures (GtkWidget     *widget);
void                  gadget_row_host_part_resized        (GtkWidget     *part);
void                  gadget_row_host_leave_ask           (GtkWidget     *widget);

/* The row may be gone by then: it keeps a weak reference to its host. */
void                  gadget_row_host_answer_left         (GadgetRowHost *self,
                                                           GadgetSession *session,
                                                           const char    *text);

G_END_DECLS
