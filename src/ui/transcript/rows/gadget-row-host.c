/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-row"

#include "config.h"

#include "gadget-row-host.h"

G_DEFINE_INTERFACE (GadgetRowHost, gadget_row_host, GTK_TYPE_WIDGET)

static void
gadget_row_host_default_init (GadgetRowHostInterface *iface)
{
}

GadgetRowHost *
gadget_row_host_find (GtkWidget *widget)
{
  g_return_val_if_fail (GTK_IS_WIDGET (widget), NULL);

  return (GadgetRowHost *) gtk_widget_get_ancestor (widget, GADGET_TYPE_ROW_HOST);
}

GadgetSession *
gadget_row_host_get_session (GtkWidget *widget)
{
  GadgetRowHost *self = gadget_row_host_find (widget);

  return self != NULL ? GADGET_ROW_HOST_GET_IFACE (self)->get_session (self) : NULL;
}

GListModel *
gadget_row_host_get_providers (GtkWidget *widget)
{
  GadgetRowHost *self = gadget_row_host_find (widget);

  return self != NULL ? GADGET_ROW_HOST_GET_IFACE (self)->get_providers (self) : NULL;
}

GadgetPictureLoader *
gadget_row_host_get_pictures (GtkWidget *widget)
{
  GadgetRowHost *self = gadget_row_host_find (widget);

  return self != NULL ? GADGET_ROW_HOST_GET_IFACE (self)->get_pictures (self) : NULL;
}

GadgetRemotePictures *
gadget_row_host_get_remote_pictures (GtkWidget *widget)
{
  GadgetRowHost *self = gadget_row_host_find (widget);

  return self != NULL ? GADGET_ROW_HOST_GET_IFACE (self)->get_remote_pictures (self) : NULL;
}

void
gadget_row_host_part_resized (GtkWidget *part)
{
  GadgetRowHost *self = gadget_row_host_find (part);

  if (self != NULL)
    GADGET_ROW_HOST_GET_IFACE (self)->part_resized (self, part);
}

void
gadget_row_host_leave_ask (GtkWidget *widget)
{
  GadgetRowHost *self = gadget_row_host_find (widget);

  if (self != NULL)
    GADGET_ROW_HOST_GET_IFACE (self)->leave_ask (self);
}

void
gadget_row_host_answer_left (GadgetRowHost *self, GadgetSession *session, const char *text)
{
  g_return_if_fail (GADGET_IS_ROW_HOST (self));

  GADGET_ROW_HOST_GET_IFACE (self)->answer_left (self, session, text);
}
