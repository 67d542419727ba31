/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The GadgetRowHost interface of the transcript: what it provides to its rows. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-private.h"

#include "ui/transcript/rows/ask/gadget-ask-row.h"

static GadgetSession *
get_session (GadgetRowHost *host)
{
  return gadget_transcript_get_session (GADGET_TRANSCRIPT (host));
}

static GListModel *
get_providers (GadgetRowHost *host)
{
  return GADGET_TRANSCRIPT (host)->providers;
}

static GadgetPictureLoader *
get_pictures (GadgetRowHost *host)
{
  return GADGET_TRANSCRIPT (host)->pictures;
}

static GadgetRemotePictures *
get_remote_pictures (GadgetRowHost *host)
{
  return GADGET_TRANSCRIPT (host)->remote_pictures;
}

/* Rows that start inside the viewport grow downwards; rows above it move the anchor, so that
 * nothing moves that is being read. */
static void
part_resized (GadgetRowHost *host, GtkWidget *part)
{
  GadgetTranscript *self = GADGET_TRANSCRIPT (host);
  GadgetRealizedRow *row = NULL;
  graphene_point_t top;
  int height, growth;

  for (guint i = 0; row == NULL && i < self->realized_rows->len; i++)
    if (gtk_widget_is_ancestor (part, GTK_WIDGET (_gadget_transcript_get_nth (self, i)->widget)))
      row = _gadget_transcript_get_nth (self, i);
  if (row == NULL || row->y >= self->height || row->y + row->gap + row->height <= 0
      || !gtk_widget_compute_point (part, GTK_WIDGET (self), &GRAPHENE_POINT_INIT (0, 0), &top))
    return;
  gtk_widget_measure (GTK_WIDGET (row->widget), GTK_ORIENTATION_VERTICAL,
                      _gadget_transcript_get_row_width (self, row->position), NULL, &height, NULL,
                      NULL);
  growth = height - row->height;
  if (growth == row->growth)
    return;
  if (top.y >= 0)
    _gadget_transcript_hold_row (self, row);
  else if (!self->following && self->anchor == row->position)
    self->anchor_y -= growth - row->growth;
  else if (!self->following)
    {
      self->anchor = row->position;
      self->anchor_y = row->y - growth;
    }
  row->growth = growth;
  _gadget_transcript_queue_update (self);
}

/* After an answer, the focus of the ask card goes back to the widget that had it before. */
static void
leave_ask (GadgetRowHost *host)
{
  GadgetTranscript *self = GADGET_TRANSCRIPT (host);
  GtkWidget *origin = self->ask_origin;
  const gboolean usable = origin != NULL && gtk_widget_get_mapped (origin)
                          && gtk_widget_get_ancestor (origin, GADGET_TYPE_ASK_ROW) == NULL;

  /* The origin is used once: a card that gets the focus in another way does not lead back there. */
  g_clear_weak_pointer (&self->ask_origin);
  if (usable && gtk_widget_grab_focus (origin))
    return;
  if (!gtk_widget_activate_action (GTK_WIDGET (self), "win.focus-composer", NULL))
    gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
answer_left (GadgetRowHost *host, GadgetSession *session, const char *text)
{
  _gadget_transcript_emit_answer_left (GADGET_TRANSCRIPT (host), session, text);
}

void
_gadget_transcript_row_host_init (GadgetRowHostInterface *iface)
{
  iface->get_session = get_session;
  iface->get_providers = get_providers;
  iface->get_pictures = get_pictures;
  iface->get_remote_pictures = get_remote_pictures;
  iface->part_resized = part_resized;
  iface->leave_ask = leave_ask;
  iface->answer_left = answer_left;
}
