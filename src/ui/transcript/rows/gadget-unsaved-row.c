/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-unsaved-row"

#include "config.h"

#include "gadget-card.h"
#include "gadget-unsaved-row.h"
#include "agent/saving/gadget-save-problem.h"
#include "session/gadget-turn-text.h"

#include <adwaita.h>
#include <glib/gi18n.h>

struct _GadgetUnsavedRow
{
  GadgetRow parent_instance;

  GtkWidget *card;
  GtkLabel *reason;
};

G_DEFINE_FINAL_TYPE (GadgetUnsavedRow, gadget_unsaved_row, GADGET_TYPE_ROW)

static void
copy_cb (GadgetRow *row)
{
  g_autofree char *text =
      gadget_turn_dup_text (gadget_row_data_get_turn (gadget_row_get_data (row)));

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (row)), text);
}

static void
problem_cb (GadgetUnsavedRow *self, GParamSpec *pspec, GadgetTurn *turn)
{
  gtk_label_set_text (self->reason,
                      gadget_save_problem_get_text (gadget_turn_get_save_problem (turn)));
}

static void
gadget_unsaved_row_bind (GadgetRow *row)
{
  GadgetUnsavedRow *self = GADGET_UNSAVED_ROW (row);
  GadgetTurn *turn = gadget_row_data_get_turn (gadget_row_get_data (row));
  const char *title = _ ("This reply hasn’t been saved yet.");
  GtkWidget *buttons = _gadget_card_buttons_new ();
  GtkWidget *copy = gtk_button_new_with_label (_ ("Copy"));
  GtkWidget *reason = _gadget_card_text_new ("", NULL);

  self->reason = GTK_LABEL (reason);
  gtk_box_append (GTK_BOX (self->card),
                  _gadget_card_title_new ("dialog-warning-symbolic", "warning", title));
  gtk_box_append (GTK_BOX (self->card), reason);
  gtk_box_append (GTK_BOX (self->card),
                  _gadget_card_text_new (_ ("Gadget saves it as soon as it can."), "dimmed"));
  g_signal_connect_swapped (copy, "clicked", G_CALLBACK (copy_cb), self);
  adw_wrap_box_append (ADW_WRAP_BOX (buttons), copy);
  _gadget_card_add_action (buttons, _ ("Retry"), "session.save-again", gadget_turn_get_id (turn));
  gtk_box_append (GTK_BOX (self->card), buttons);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  g_signal_connect_object (turn, "notify::save-problem", G_CALLBACK (problem_cb), self,
                           G_CONNECT_SWAPPED);
  problem_cb (self, NULL, turn);
}

static void
gadget_unsaved_row_class_init (GadgetUnsavedRowClass *klass)
{
  GADGET_ROW_CLASS (klass)->bind = gadget_unsaved_row_bind;
}

static void
gadget_unsaved_row_init (GadgetUnsavedRow *self)
{
  self->card = _gadget_card_new ("quiet");
  gadget_row_set_child (GADGET_ROW (self), self->card);
}
