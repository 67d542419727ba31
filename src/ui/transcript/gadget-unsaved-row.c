/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-unsaved-row"

#include "config.h"

#include "gadget-card.h"
#include "gadget-unsaved-row.h"

#include <adwaita.h>
#include <glib/gi18n.h>

struct _GadgetUnsavedRow
{
  GadgetRow parent_instance;

  GtkWidget *card;
};

G_DEFINE_FINAL_TYPE (GadgetUnsavedRow, gadget_unsaved_row, GADGET_TYPE_ROW)

/* Every line of it marked as somebody else's, as in a mail. */
static void
append_quoted (GString *text, const char *words)
{
  g_auto (GStrv) lines = g_strsplit (words, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    g_string_append_printf (text, "%s> %s", i > 0 ? "\n" : "", lines[i]);
}

/* The prompt and the answer, as text, with what the user said into it. */
static char *
dup_turn (GadgetTurn *turn)
{
  GString *text = g_string_new (gadget_turn_get_prompt (turn));

  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);

      const GadgetItemKind kind = gadget_item_get_kind (item);

      if (gadget_item_get_length (item) == 0
          || (kind != GADGET_ITEM_TEXT && kind != GADGET_ITEM_STEER))
        continue;
      g_string_append (text, "\n\n");
      if (kind == GADGET_ITEM_STEER)
        append_quoted (text, gadget_item_get_text (item));
      else
        g_string_append (text, gadget_item_get_text (item));
    }
  return g_string_free_and_steal (text);
}

static void
copy_cb (GadgetRow *row)
{
  g_autofree char *text = dup_turn (gadget_block_get_turn (gadget_row_get_block (row)));

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (row)), text);
}

static void
gadget_unsaved_row_bind (GadgetRow *row)
{
  GadgetUnsavedRow *self = GADGET_UNSAVED_ROW (row);
  GadgetTurn *turn = gadget_block_get_turn (gadget_row_get_block (row));
  const char *title = _ ("This turn is not saved.");
  GtkWidget *buttons = _gadget_card_buttons_new ();
  GtkWidget *copy = gtk_button_new_with_label (_ ("Copy"));

  gtk_box_append (GTK_BOX (self->card),
                  _gadget_card_title_new ("dialog-warning-symbolic", "warning", title));
  gtk_box_append (GTK_BOX (self->card),
                  _gadget_card_text_new (_ ("It could not be written to disk, and will be lost "
                                            "when Gadget is closed."),
                                         NULL));
  g_signal_connect_swapped (copy, "clicked", G_CALLBACK (copy_cb), self);
  adw_wrap_box_append (ADW_WRAP_BOX (buttons), copy);
  _gadget_card_add_action (buttons, _ ("Retry"), "session.save-again", gadget_turn_get_id (turn));
  gtk_box_append (GTK_BOX (self->card), buttons);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
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
