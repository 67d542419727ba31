/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-transcript-page.h"

#include "ui/common/gadget-announcer.h"

#include <glib/gi18n.h>

struct _GadgetTranscriptPage
{
  AdwBin parent_instance;

  GadgetTranscript *transcript;
  GtkRevealer *jump;
  GtkWidget *jump_button;
  GtkWidget *jump_dot;
  AdwBanner *ask_banner;
};

G_DEFINE_FINAL_TYPE (GadgetTranscriptPage, gadget_transcript_page, ADW_TYPE_BIN)

static void
jump_cb (GadgetTranscriptPage *self)
{
  gadget_transcript_follow (self->transcript);
}

static void
show_ask_cb (GadgetTranscriptPage *self)
{
  gadget_transcript_focus_ask (self->transcript);
}

static void
update_ask_banner (GadgetTranscriptPage *self)
{
  gboolean hidden = gadget_transcript_get_ask_hidden (self->transcript);

  if (hidden && !adw_banner_get_revealed (self->ask_banner))
    gadget_announce (GTK_WIDGET (self), adw_banner_get_title (self->ask_banner),
                     GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
  adw_banner_set_revealed (self->ask_banner, hidden);
}

static void
update_jump (GadgetTranscriptPage *self)
{
  const gboolean has_new = gadget_transcript_get_has_new (self->transcript);
  const gboolean show = gadget_transcript_get_end_hidden (self->transcript);

  gtk_revealer_set_reveal_child (self->jump, show);
  /* A hidden button must not be reachable with Tab either. */
  gtk_widget_set_can_target (GTK_WIDGET (self->jump), show);
  gtk_widget_set_sensitive (self->jump_button, show);
  gtk_widget_set_visible (self->jump_dot, has_new);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->jump_button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Jump to the End"), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  has_new ? _ ("New messages below") : "", -1);
}

static void
gadget_transcript_page_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), GADGET_TYPE_TRANSCRIPT_PAGE);

  G_OBJECT_CLASS (gadget_transcript_page_parent_class)->dispose (object);
}

static void
gadget_transcript_page_class_init (GadgetTranscriptPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_transcript_page_dispose;

  g_type_ensure (GADGET_TYPE_TRANSCRIPT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/window/gadget-transcript-page.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetTranscriptPage, transcript);
  gtk_widget_class_bind_template_child (widget_class, GadgetTranscriptPage, jump);
  gtk_widget_class_bind_template_child (widget_class, GadgetTranscriptPage, jump_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetTranscriptPage, jump_dot);
  gtk_widget_class_bind_template_child (widget_class, GadgetTranscriptPage, ask_banner);
  gtk_widget_class_bind_template_callback (widget_class, jump_cb);
  gtk_widget_class_bind_template_callback (widget_class, show_ask_cb);
}

static void
gadget_transcript_page_init (GadgetTranscriptPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));

  g_signal_connect_object (self->transcript, "notify::end-hidden", G_CALLBACK (update_jump), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->transcript, "notify::has-new", G_CALLBACK (update_jump), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->transcript, "notify::ask-hidden", G_CALLBACK (update_ask_banner),
                           self, G_CONNECT_SWAPPED);
  update_jump (self);
}

GtkWidget *
gadget_transcript_page_new (void)
{
  return g_object_new (GADGET_TYPE_TRANSCRIPT_PAGE, NULL);
}

GadgetTranscript *
gadget_transcript_page_get_transcript (GadgetTranscriptPage *self)
{
  g_return_val_if_fail (GADGET_IS_TRANSCRIPT_PAGE (self), NULL);
  return self->transcript;
}
