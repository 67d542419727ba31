/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of operations in flight. Its rows follow a receipt: new operations are at the end of
 * both, and ended ones are removed, so rows and receipt always have the same order. */

#define G_LOG_DOMAIN "gadget-inspector"

#include "config.h"

#include "gadget-operation-list.h"

#include "common/gadget-bidi.h"
#include "ui/common/gadget-duration.h"
#include "ui/common/gadget-operation-labels.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>

/* The largest number of rows; one more row counts the rest. */
#define MAX_ROWS 30

/* The row of one operation; unowned widgets. */
typedef struct
{
  guint id; /* the id of the operation in the receipt */
  GtkWidget *row;
  GtkLabel *time;
} Row;

struct _GadgetOperationList
{
  AdwBin parent_instance;

  GtkListBox *list;
  GtkWidget *rest;        /* the row "And 12 more", always the last one */
  GadgetReceipt *receipt; /* (nullable): the receipt that the ids of @rows belong to */
  GArray *rows;           /* of Row, in the receipt's order */
};

G_DEFINE_FINAL_TYPE (GadgetOperationList, gadget_operation_list, ADW_TYPE_BIN)

static void
gadget_operation_list_dispose (GObject *object)
{
  GadgetOperationList *self = GADGET_OPERATION_LIST (object);

  g_clear_object (&self->receipt);

  G_OBJECT_CLASS (gadget_operation_list_parent_class)->dispose (object);
}

static void
gadget_operation_list_finalize (GObject *object)
{
  g_array_unref (GADGET_OPERATION_LIST (object)->rows);

  G_OBJECT_CLASS (gadget_operation_list_parent_class)->finalize (object);
}

static void
gadget_operation_list_class_init (GadgetOperationListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_operation_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_operation_list_finalize;
}

static void
gadget_operation_list_init (GadgetOperationList *self)
{
  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "boxed-list");
  self->rest = adw_action_row_new ();
  gtk_widget_set_visible (self->rest, FALSE);
  gtk_list_box_append (self->list, self->rest);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->list));
}

static Row
make_row (const GadgetInFlight *in_flight)
{
  GtkWidget *icon =
      gtk_image_new_from_icon_name (gadget_operation_labels_get_icon (in_flight->kind));
  GtkWidget *time = gtk_label_new (NULL);
  g_autofree char *name = gadget_bidi_escape (in_flight->name);
  GtkWidget *row = gadget_ui_row_new (name, gadget_operation_labels_get_kind (in_flight->kind));

  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 2);
  gtk_widget_add_css_class (icon, "dimmed");
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  gtk_widget_add_css_class (time, "dimmed");
  gtk_widget_add_css_class (time, "numeric");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), time);
  return (Row) { in_flight->id, row, GTK_LABEL (time) };
}

/* Removes the rows of operations that have ended. New ones come after all others, so rows and
 * receipt have the same order. */
static void
remove_ended (GadgetOperationList *self)
{
  guint kept = 0;

  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);
      guint n = self->receipt != NULL ? gadget_receipt_get_n_in_flight (self->receipt) : 0;

      if (kept < n && gadget_receipt_get_in_flight (self->receipt, kept)->id == row->id)
        {
          g_array_index (self->rows, Row, kept++) = *row;
          continue;
        }
      gtk_list_box_remove (self->list, row->row);
    }
  g_array_set_size (self->rows, kept);
}

static void
show_time (Row *row, gint64 started_us)
{
  g_autofree char *text = gadget_dup_duration ((g_get_monotonic_time () - started_us) / 1000);

  if (g_strcmp0 (gtk_label_get_label (row->time), text) != 0)
    gtk_label_set_label (row->time, text);
}

static void
show_rest (GadgetOperationList *self, guint n)
{
  g_autofree char *text = g_strdup_printf (ngettext ("And %'u more", "And %'u more", n), n);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->rest), text);
  gtk_widget_set_visible (self->rest, n > 0);
}

/**
 * _gadget_operation_list_show:
 * @receipt: (nullable): the receipt to show; %NULL for none
 */
void
_gadget_operation_list_show (GadgetOperationList *self, GadgetReceipt *receipt)
{
  guint n = receipt != NULL ? gadget_receipt_get_n_in_flight (receipt) : 0;

  /* Ids of one receipt mean nothing in another one, so all rows are removed. */
  if (receipt != self->receipt)
    {
      g_clear_object (&self->receipt);
      remove_ended (self);
      g_set_object (&self->receipt, receipt);
    }
  remove_ended (self);
  for (guint i = 0; i < MIN (n, MAX_ROWS); i++)
    {
      const GadgetInFlight *in_flight = gadget_receipt_get_in_flight (receipt, i);

      if (i == self->rows->len)
        {
          Row row = make_row (in_flight);

          gtk_list_box_insert (self->list, row.row, (int) i);
          g_array_append_val (self->rows, row);
        }
      show_time (&g_array_index (self->rows, Row, i), in_flight->started_us);
    }
  show_rest (self, n - MIN (n, MAX_ROWS));
  gtk_widget_set_visible (GTK_WIDGET (self), n > 0);
}
