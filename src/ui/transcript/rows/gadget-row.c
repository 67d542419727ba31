/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The base class of all rows: it manages the child, tells screen readers the text of the row,
 * updates rows that show a running time each second, and joins the cards of a text that is several
 * rows. */

#define G_LOG_DOMAIN "gadget-row"

#include "config.h"

#include "gadget-row-private.h"

#include "ui/common/gadget-ui.h"

/* Screen readers get this many bytes of a text as the description; the pieces have all of it. */
#define MAX_DESCRIPTION 8000

typedef struct
{
  GadgetRowData *row_data;
  GtkWidget *child;
  GPtrArray *pieces; /* of GadgetSelectableText, not owned: descendants of the child */
  gboolean ticking;
  guint tick_id;
} GadgetRowPrivate;

enum
{
  EXPAND,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GadgetRow, gadget_row, GTK_TYPE_WIDGET)

static GadgetRowPrivate *
get_private (GadgetRow *self)
{
  return gadget_row_get_instance_private (self);
}

/* Returns the text as a description for screen readers; NULL for a kind whose accessible name says
 * all. */
static char *
dup_text (GadgetRow *self)
{
  const GadgetRowKind kind = gadget_row_data_get_kind (get_private (self)->row_data);
  const GPtrArray *pieces = get_private (self)->pieces;
  g_autoptr (GString) text = g_string_new (NULL);

  if (gadget_row_kind_get_text (kind) == GADGET_ROW_TEXT_NONE || gadget_row_kind_is_line (kind))
    return NULL;
  for (guint i = 0; i < pieces->len && text->len < MAX_DESCRIPTION; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "",
                            gadget_selectable_text_get_text (g_ptr_array_index (pieces, i)));
  if (text->len > MAX_DESCRIPTION)
    {
      g_string_truncate (
          text,
          (gsize) (g_utf8_find_prev_char (text->str, text->str + MAX_DESCRIPTION) - text->str));
      g_string_append (text, "…");
    }
  return g_string_free_and_steal (g_steal_pointer (&text));
}

/* A screen reader reads the name and the description of a widget that gets the focus. The
 * description is set only then, since the text may grow until that moment. */
static gboolean
gadget_row_grab_focus (GtkWidget *widget)
{
  g_autofree char *text = dup_text (GADGET_ROW (widget));

  if (text != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                    text, -1);
  return GTK_WIDGET_CLASS (gadget_row_parent_class)->grab_focus (widget);
}

static gboolean
tick_cb (gpointer data)
{
  gadget_row_update (GADGET_ROW (data));
  return G_SOURCE_CONTINUE;
}

static void
update_tick (GadgetRow *self)
{
  GadgetRowPrivate *priv = get_private (self);
  const gboolean ticks = priv->ticking && gtk_widget_get_mapped (GTK_WIDGET (self));

  if (ticks == (priv->tick_id != 0))
    return;
  g_clear_handle_id (&priv->tick_id, g_source_remove);
  if (ticks)
    {
      priv->tick_id = g_timeout_add_seconds (1, tick_cb, self);
      g_source_set_name_by_id (priv->tick_id, "gadget-row elapsed time");
    }
}

static void
gadget_row_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (gadget_row_parent_class)->map (widget);
  update_tick (GADGET_ROW (widget));
}

static void
gadget_row_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (gadget_row_parent_class)->unmap (widget);
  update_tick (GADGET_ROW (widget));
}

static void
gadget_row_dispose (GObject *object)
{
  GadgetRowPrivate *priv = get_private (GADGET_ROW (object));

  g_clear_handle_id (&priv->tick_id, g_source_remove);
  g_ptr_array_set_size (priv->pieces, 0);
  g_clear_pointer (&priv->child, gtk_widget_unparent);
  g_clear_object (&priv->row_data);

  G_OBJECT_CLASS (gadget_row_parent_class)->dispose (object);
}

static void
gadget_row_finalize (GObject *object)
{
  g_ptr_array_unref (get_private (GADGET_ROW (object))->pieces);

  G_OBJECT_CLASS (gadget_row_parent_class)->finalize (object);
}

static void
gadget_row_class_init (GadgetRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = gadget_row_dispose;
  object_class->finalize = gadget_row_finalize;
  widget_class->grab_focus = gadget_row_grab_focus;
  widget_class->map = gadget_row_map;
  widget_class->unmap = gadget_row_unmap;

  /**
   * GadgetRow::expand:
   * @expanded: whether the row is to be unfolded or folded
   */
  signals[EXPAND] = g_signal_new ("expand", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "transcriptrow");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST_ITEM);
}

static void
gadget_row_init (GadgetRow *self)
{
  get_private (self)->pieces = g_ptr_array_new ();
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
}

/**
 * gadget_row_bind:
 * @row_data: the data that the row shows for the rest of its life
 *
 * Sets the row data of a new row and shows them.
 */
void
gadget_row_bind (GadgetRow *self, GadgetRowData *row_data)
{
  GadgetRowPrivate *priv = get_private (self);

  g_return_if_fail (GADGET_IS_ROW (self) && priv->row_data == NULL);

  priv->row_data = g_object_ref (row_data);
  if (gadget_row_data_get_depth (row_data) > 0)
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LEVEL,
                                    (int) gadget_row_data_get_depth (row_data) + 1, -1);
  if (GADGET_ROW_GET_CLASS (self)->bind != NULL)
    GADGET_ROW_GET_CLASS (self)->bind (self);
  gadget_row_update (self);
}

GadgetRowData *
gadget_row_get_data (GadgetRow *self)
{
  return get_private (self)->row_data;
}

void
gadget_row_update (GadgetRow *self)
{
  g_return_if_fail (GADGET_IS_ROW (self));

  if (GADGET_ROW_GET_CLASS (self)->update != NULL)
    GADGET_ROW_GET_CLASS (self)->update (self);
}

void
gadget_row_set_child (GadgetRow *self, GtkWidget *child)
{
  GadgetRowPrivate *priv = get_private (self);

  /* The pieces are descendants of the earlier child, which may be freed here. */
  g_ptr_array_set_size (priv->pieces, 0);
  g_clear_pointer (&priv->child, gtk_widget_unparent);
  priv->child = child;
  gtk_widget_set_parent (child, GTK_WIDGET (self));
}

void
gadget_row_set_piece (GadgetRow *self, GadgetSelectableText *piece)
{
  GPtrArray *pieces = g_ptr_array_new ();

  g_ptr_array_add (pieces, piece);
  gadget_row_take_pieces (self, pieces);
}

/**
 * gadget_row_take_pieces:
 * @pieces: (transfer full): an array of #GadgetSelectableText in the order of their text, which
 *   must be descendants of the row's child; it must be set again when one of them is removed
 */
void
gadget_row_take_pieces (GadgetRow *self, GPtrArray *pieces)
{
  GadgetRowPrivate *priv = get_private (self);

  g_return_if_fail (GADGET_IS_ROW (self) && pieces != NULL);

  g_ptr_array_unref (priv->pieces);
  priv->pieces = pieces;
}

GPtrArray *
_gadget_row_get_pieces (GadgetRow *self)
{
  return get_private (self)->pieces;
}

/**
 * gadget_row_get_piece:
 *
 * Returns: (nullable) (transfer none): the first selectable text of the row
 */
GadgetSelectableText *
gadget_row_get_piece (GadgetRow *self)
{
  GPtrArray *pieces = get_private (self)->pieces;

  return pieces->len > 0 ? g_ptr_array_index (pieces, 0) : NULL;
}

void
gadget_row_set_expanded (GadgetRow *self, gboolean expanded)
{
  g_signal_emit (self, signals[EXPAND], 0, expanded);
}

void
gadget_row_toggle (GadgetRow *self)
{
  gadget_row_set_expanded (self, !gadget_row_data_get_expanded (gadget_row_get_data (self)));
}

void
gadget_row_set_ticking (GadgetRow *self, gboolean ticking)
{
  get_private (self)->ticking = ticking;
  update_tick (self);
}

static void
changes_cb (GadgetRow *self, const char *turn_id)
{
  GadgetTurn *root = gadget_row_data_get_root (get_private (self)->row_data);

  if (root != NULL && g_str_equal (gadget_turn_get_id (root), turn_id))
    gadget_row_update (self);
}

void
gadget_row_watch_file_changes (GadgetRow *self)
{
  GadgetRowData *row_data = get_private (self)->row_data;

  if (gadget_row_data_get_change_cache (row_data) == NULL)
    return;
  g_signal_connect_object (gadget_row_data_get_change_cache (row_data), "changed",
                           G_CALLBACK (changes_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gadget_row_data_get_root (row_data), "notify::status",
                           G_CALLBACK (gadget_row_update), self, G_CONNECT_SWAPPED);
}

/**
 * gadget_row_join_card:
 * @card: the widget that is drawn around the text
 *
 * Removes the edges of @card towards the other rows of the same text.
 */
void
gadget_row_join_card (GadgetRow *self, GtkWidget *card)
{
  GadgetRowData *row_data = get_private (self)->row_data;
  gsize length = 0;

  gadget_row_data_get_source (gadget_row_data_get_kind (row_data),
                              gadget_row_data_get_turn (row_data),
                              gadget_row_data_get_item (row_data), &length);
  gadget_ui_set_css_class (card, "continued", gadget_row_data_get_start (row_data) > 0);
  gadget_ui_set_css_class (card, "continues", gadget_row_data_get_end (row_data) < length);
}
