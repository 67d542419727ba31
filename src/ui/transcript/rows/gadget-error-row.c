/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-error-row"

#include "config.h"

#include "gadget-card.h"
#include "gadget-error-row.h"
#include "ui/text/gadget-line.h"

#include "agent/gadget-failure.h"

#include <glib/gi18n.h>

struct _GadgetErrorRow
{
  GadgetRow parent_instance;

  GtkWidget *card;
  GadgetLine *details; /* NULL when there are none */
  GtkWidget *field;
};

G_DEFINE_FINAL_TYPE (GadgetErrorRow, gadget_error_row, GADGET_TYPE_ROW)

static void
add_details (GadgetErrorRow *self)
{
  self->details = GADGET_LINE (gadget_line_new ());
  gadget_line_set_text (self->details, _ ("Details"));
  gadget_line_set_dimmed (self->details, TRUE);
  gadget_line_set_foldable (self->details, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->details), "compact");
  g_signal_connect_swapped (self->details, "toggled", G_CALLBACK (gadget_row_toggle), self);
  gtk_box_append (GTK_BOX (self->card), GTK_WIDGET (self->details));
}

/* A button of the card. */
typedef struct
{
  GadgetRemedy remedy;
  const char *label;
  const char *action;
  gboolean is_extra; /* offered only when it is the remedy */
} Offer;

/* Makes the buttons; the remedy comes first and is highlighted. */
static GtkWidget *
make_buttons (GadgetTurn *turn, GadgetRemedy remedy)
{
  const Offer offers[] = {
    /* A retry looks up the key again, and the keyring then asks for its password. */
    { GADGET_REMEDY_UNLOCK, _ ("Unlock"), "session.retry", TRUE },
    { GADGET_REMEDY_RETRY, _ ("Retry"), "session.retry", FALSE },
    { GADGET_REMEDY_CONTINUE, _ ("Continue"), "session.continue", TRUE },
    { GADGET_REMEDY_CHOOSE_MODEL, _ ("Choose Another Model"), "win.choose-model", FALSE },
    { GADGET_REMEDY_PREFERENCES, _ ("Open Preferences"), "win.preferences", FALSE },
    { GADGET_REMEDY_NEW_CHAT, _ ("New Chat"), "win.new-chat", TRUE },
  };
  GtkWidget *buttons = _gadget_card_buttons_new ();

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < G_N_ELEMENTS (offers); i++)
      {
        const Offer *offer = &offers[i];
        const gboolean helps = offer->remedy == remedy;
        GtkWidget *button;

        if (helps != (pass == 0) || (offer->is_extra && !helps))
          continue;
        button = _gadget_card_add_action (
            buttons, offer->label, offer->action,
            g_str_has_prefix (offer->action, "session.") ? gadget_turn_get_id (turn) : NULL);
        if (helps)
          gtk_widget_add_css_class (button, "suggested-action");
      }
  return buttons;
}

static void
gadget_error_row_bind (GadgetRow *row)
{
  GadgetErrorRow *self = GADGET_ERROR_ROW (row);
  GadgetRowData *data = gadget_row_get_data (row);
  GadgetTurn *turn = gadget_row_data_get_turn (data);
  const char *detail = gadget_turn_get_error_detail (turn);
  g_autoptr (GadgetFailure) failure = gadget_failure_new (gadget_turn_get_error_code (turn),
                                                          gadget_row_data_get_provider_name (data));

  gtk_box_append (GTK_BOX (self->card),
                  _gadget_card_title_new ("dialog-error-symbolic", "error", failure->title));
  gtk_box_append (GTK_BOX (self->card), _gadget_card_text_new (failure->hint, NULL));
  if (detail != NULL && *detail != '\0')
    add_details (self);
  gtk_box_append (GTK_BOX (self->card), make_buttons (turn, failure->remedy));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  failure->title, -1);
}

static void
gadget_error_row_update (GadgetRow *row)
{
  GadgetErrorRow *self = GADGET_ERROR_ROW (row);
  GadgetRowData *data = gadget_row_get_data (row);
  const gboolean expanded = gadget_row_data_get_expanded (data);

  if (self->details == NULL)
    return;
  if (expanded && self->field == NULL)
    {
      self->field = _gadget_card_field_new (
          gadget_turn_get_error_detail (gadget_row_data_get_turn (data)), TRUE);
      gtk_box_insert_child_after (GTK_BOX (self->card), self->field, GTK_WIDGET (self->details));
    }
  if (self->field != NULL)
    gtk_widget_set_visible (self->field, expanded);
  gadget_line_set_expanded (self->details, expanded);
}

static void
gadget_error_row_class_init (GadgetErrorRowClass *klass)
{
  GADGET_ROW_CLASS (klass)->bind = gadget_error_row_bind;
  GADGET_ROW_CLASS (klass)->update = gadget_error_row_update;
}

static void
gadget_error_row_init (GadgetErrorRow *self)
{
  self->card = _gadget_card_new ("failure");
  gadget_row_set_child (GADGET_ROW (self), self->card);
}
