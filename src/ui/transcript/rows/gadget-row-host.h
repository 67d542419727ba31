/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"
#include "ui/pictures/gadget-picture-loader.h"
#include "ui/pictures/gadget-remote-pictures.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_ROW_HOST (gadget_row_host_get_type ())
G_DECLARE_INTERFACE (GadgetRowHost, gadget_row_host, GADGET, ROW_HOST, GtkWidget)

/**
 * GadgetRowHostInterface:
 * @get_session: returns the chat that is shown; %NULL for none, as the next three may
 * @get_providers: returns a #GListModel of #GadgetProviderConfig, for the names of models
 * @get_pictures: returns the loader of stored pictures
 * @get_remote_pictures: returns the pictures on web servers
 * @part_resized: a descendant of a row may need another height now
 * @leave_ask: the focused ask card was answered and gives up the focus
 * @answer_left: an ask card of @session was closed while its entry had @text
 *
 * The functions of the transcript that rows need. Rows do not depend on the transcript itself.
 */
struct _GadgetRowHostInterface
{
  GTypeInterface parent_iface;

  GadgetSession        *(*get_session)         (GadgetRowHost *self);
  GListModel           *(*get_providers)       (GadgetRowHost *self);
  GadgetPictureLoader  *(*get_pictures)        (GadgetRowHost *self);
  GadgetRemotePictures *(*get_remote_pictures) (GadgetRowHost *self);
  void                  (*part_resized)        (GadgetRowHost *self,
                                                GtkWidget     *part);
  void                  (*leave_ask)           (GadgetRowHost *self);
  void                  (*answer_left)         (GadgetRowHost *self,
                                                GadgetSession *session,
                                                const char    *text);
};

/* Returns the host around @widget. (transfer none) (nullable) */
GadgetRowHost        *gadget_row_host_find                (GtkWidget     *widget);

/* These functions take a widget inside of a row. Where the row has no host, they return NULL or do
 * nothing. (transfer none) */
GadgetSession        *gadget_row_host_get_session         (GtkWidget     *widget);
GListModel           *gadget_row_host_get_providers       (GtkWidget     *widget);
GadgetPictureLoader  *gadget_row_host_get_pictures        (GtkWidget     *widget);
GadgetRemotePictures *gadget_row_host_get_remote_pictures (GtkWidget     *widget);
void                  gadget_row_host_part_resized        (GtkWidget     *part);
void                  gadget_row_host_leave_ask           (GtkWidget     *widget);

/* Takes the host instead of a widget, because the row may not exist any more. */
void                  gadget_row_host_answer_left         (GadgetRowHost *self,
                                                           GadgetSession *session,
                                                           const char    *text);

G_END_DECLS
