/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page of MCP servers: a row for each server of the list, which follows its state, or an
 * explanation when there are none. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-mcp-page.h"

#include "gadget-mcp-labels.h"
#include "gadget-preferences-rows.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>

struct _GadgetMcpPage
{
  AdwPreferencesPage parent_instance;

  GtkListBox *list;
  GtkWidget *list_group;
  GtkWidget *empty_group;
  GtkWidget *add_button; /* in @empty_group */
  guint n_frames;        /* frames since the last row was removed */

  GadgetMcpList *servers;
};

enum
{
  OPEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetMcpPage, gadget_mcp_page, ADW_TYPE_PREFERENCES_PAGE)

/* --- One server --- */

/* A row and its server; owned by the row widget. */
typedef struct
{
  GadgetMcpPage *page;
  GadgetMcpServer *server;
  AdwActionRow *row;
  AdwBin *mark;
  GtkWidget *power;
  GadgetMcpStatus status; /* that was shown last */
} Row;

static void
row_free (gpointer data)
{
  Row *row = data;

  g_signal_handlers_disconnect_by_data (row->server, row);
  g_object_unref (row->server);
  g_free (row);
}

/* Announces that the server was connected, or failed, while its row can be seen. The page of a
 * server covers the list, and announces that itself. */
static void
announce_outcome (Row *row, const char *state)
{
  const GadgetMcpStatus status = gadget_mcp_server_get_status (row->server);
  const gboolean changed = status != row->status;
  g_autofree char *text = NULL;

  row->status = status;
  if (!changed || (status != GADGET_MCP_READY && status != GADGET_MCP_FAILED)
      || !gtk_widget_get_mapped (GTK_WIDGET (row->row)))
    return;
  text = gadget_announcer_dup_joined (gadget_mcp_server_get_id (row->server), state);
  gadget_announce (GTK_WIDGET (row->row), text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
update_row (Row *row)
{
  g_autofree char *state = gadget_mcp_labels_state (row->server);

  adw_action_row_set_subtitle (row->row, state);
  adw_bin_set_child (row->mark, gadget_mcp_labels_mark (row->server));
  gtk_switch_set_active (GTK_SWITCH (row->power), gadget_mcp_server_get_enabled (row->server));
  announce_outcome (row, state);
}

/* Switching a server on also connects it, because the user wants to know whether it works. */
static void
switched_cb (Row *row)
{
  const gboolean enabled = gtk_switch_get_active (GTK_SWITCH (row->power));

  if (enabled == gadget_mcp_server_get_enabled (row->server))
    return;
  gadget_mcp_list_set_enabled (row->page->servers, row->server, enabled);
  gadget_mcp_server_try (row->server);
}

static void
change_cb (Row *row)
{
  g_signal_emit (row->page, signals[OPEN], 0, gadget_mcp_server_get_id (row->server));
}

static void
add_power (Row *row, const char *id)
{
  /* Translators: the accessible name of a switch; a tool server's name */
  g_autofree char *label = g_strdup_printf (_ ("Offer the tools of %s"), id);

  row->power = gtk_switch_new ();
  gtk_widget_set_valign (row->power, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->power), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  gtk_switch_set_active (GTK_SWITCH (row->power), gadget_mcp_server_get_enabled (row->server));
  g_signal_connect_swapped (row->power, "notify::active", G_CALLBACK (switched_cb), row);
  adw_action_row_add_suffix (row->row, row->power);
}

static GtkWidget *
make_row (gpointer item, gpointer user_data)
{
  Row *row = g_new0 (Row, 1);
  const char *id = gadget_mcp_server_get_id (item);
  GtkWidget *button;

  row->page = user_data;
  row->server = g_object_ref (item);
  row->status = gadget_mcp_server_get_status (item);
  row->row = ADW_ACTION_ROW (gadget_ui_row_new (id, NULL));
  row->mark = ADW_BIN (adw_bin_new ());
  g_object_set_data_full (G_OBJECT (row->row), "gadget-mcp-row", row, row_free);
  adw_action_row_set_subtitle_lines (row->row, 6);
  adw_action_row_add_prefix (row->row, GTK_WIDGET (row->mark));
  add_power (row, id);
  button = gadget_preferences_add_change_button (row->row, id);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (change_cb), row);
  g_signal_connect_swapped (item, "notify", G_CALLBACK (update_row), row);
  g_signal_connect_swapped (item, "tools-changed", G_CALLBACK (update_row), row);
  update_row (row);
  return GTK_WIDGET (row->row);
}

/* --- The page --- */

static void
add_cb (GadgetMcpPage *self)
{
  g_signal_emit (self, signals[OPEN], 0, NULL);
}

/* Makes a row; the last item of the model is not a server but the title of the row that adds. */
static GtkWidget *
make_list_row (gpointer item, gpointer user_data)
{
  GtkWidget *add;

  if (GADGET_IS_MCP_SERVER (item))
    return make_row (item, user_data);
  add = gadget_preferences_add_row (gtk_string_object_get_string (item));
  g_signal_connect_object (add, "activated", G_CALLBACK (add_cb), user_data, G_CONNECT_SWAPPED);
  return add;
}

static GListModel *
make_model (GadgetMcpPage *self)
{
  const char *end[] = { _ ("Add Tool Server…"), NULL };
  GListStore *parts = g_list_store_new (G_TYPE_LIST_MODEL);
  g_autoptr (GtkStringList) last = gtk_string_list_new (end);

  g_list_store_append (parts, self->servers);
  g_list_store_append (parts, last);
  return G_LIST_MODEL (gtk_flatten_list_model_new (G_LIST_MODEL (parts)));
}

/* Moves the focus after GTK has looked for another focus widget, at the end of a frame. */
static gboolean
keep_focus_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  GadgetMcpPage *self = GADGET_MCP_PAGE (widget);
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));

  if (++self->n_frames < 3)
    return G_SOURCE_CONTINUE;
  if (focus == NULL || !gtk_widget_get_mapped (focus) || !gtk_widget_is_ancestor (focus, widget))
    gtk_widget_grab_focus (self->add_button);
  return G_SOURCE_REMOVE;
}

/* Keeps the focus in the page when the last row, which had it, is removed. From no focus at all,
 * and from the tab that GTK finds below the page, Tab would lead nowhere. */
static void
keep_focus (GadgetMcpPage *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self))
      || (focus != NULL && gtk_widget_get_mapped (focus)
          && !gtk_widget_is_ancestor (focus, GTK_WIDGET (self))
          && !gtk_widget_is_ancestor (GTK_WIDGET (self), focus)))
    return;
  self->n_frames = 0;
  gtk_widget_add_tick_callback (GTK_WIDGET (self), keep_focus_cb, NULL, NULL);
}

static void
update_empty (GadgetMcpPage *self)
{
  const gboolean empty = g_list_model_get_n_items (G_LIST_MODEL (self->servers)) == 0;

  gtk_widget_set_visible (self->empty_group, empty);
  if (empty)
    keep_focus (self);
  gtk_widget_set_visible (self->list_group, !empty);
}

static void
gadget_mcp_page_dispose (GObject *object)
{
  g_clear_object (&GADGET_MCP_PAGE (object)->servers);
  gtk_widget_dispose_template (GTK_WIDGET (object), GADGET_TYPE_MCP_PAGE);

  G_OBJECT_CLASS (gadget_mcp_page_parent_class)->dispose (object);
}

static void
gadget_mcp_page_class_init (GadgetMcpPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_mcp_page_dispose;

  signals[OPEN] = g_signal_new ("open", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/preferences/gadget-mcp-page.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetMcpPage, list);
  gtk_widget_class_bind_template_child (widget_class, GadgetMcpPage, list_group);
  gtk_widget_class_bind_template_child (widget_class, GadgetMcpPage, empty_group);
  gtk_widget_class_bind_template_child (widget_class, GadgetMcpPage, add_button);
  gtk_widget_class_bind_template_callback (widget_class, add_cb);
}

static void
gadget_mcp_page_init (GadgetMcpPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

AdwPreferencesPage *
gadget_mcp_page_new (GadgetMcpList *servers)
{
  GadgetMcpPage *self;
  g_autoptr (GListModel) model = NULL;

  g_return_val_if_fail (GADGET_IS_MCP_LIST (servers), NULL);

  self = g_object_new (GADGET_TYPE_MCP_PAGE, NULL);
  self->servers = g_object_ref (servers);
  model = make_model (self);
  gtk_list_box_bind_model (self->list, model, make_list_row, self, NULL);
  g_signal_connect_object (servers, "items-changed", G_CALLBACK (update_empty), self,
                           G_CONNECT_SWAPPED);
  update_empty (self);
  return ADW_PREFERENCES_PAGE (self);
}
