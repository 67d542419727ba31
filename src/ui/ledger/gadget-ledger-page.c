/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of all effects, as one filters it. What was found before stays until the new effects are
 * there. While the page is shown, it follows what this process and others write to the ledger. */

#define G_LOG_DOMAIN "gadget-ledger"

#include "config.h"

#include "gadget-ledger-page.h"

#include "gadget-ledger-labels.h"
#include "gadget-ledger-row.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-breakpoint-layout.h"
#include "ui/common/gadget-column.h"
#include "ui/search/gadget-search-filters.h"

#include <glib/gi18n.h>

/* How long writes are collected before the list is read again, in milliseconds. */
#define REFRESH_MS 500
/* The count is announced so long after the last key, in milliseconds. */
#define ANNOUNCE_MS 500

struct _GadgetLedgerPage
{
  AdwBin parent_instance;

  GadgetBreakpointLayout *layout;
  GtkBox *top;
  AdwToggleGroup *kinds;
  GtkSearchEntry *entry;
  GtkBox *chips;
  GtkWidget *turn_chip;
  GadgetSearchFilters *filters;
  GtkLabel *sum;
  GtkStack *stack;
  GtkScrolledWindow *scrolled;
  GtkWidget *clamp;
  GtkListView *view;
  AdwStatusPage *empty;
  GtkWidget *retry;

  GadgetEngine *engine;   /* (nullable) */
  GadgetLedgerList *list; /* (nullable) */
  GPtrArray *headers;     /* of GtkListHeader: those that are bound */
  char *turn_id;          /* (nullable): the only turn that is shown */
  char *text;             /* what is searched for, without spaces around it */
  gboolean shown;
  gboolean loading;    /* the answer to the query is not there yet */
  gboolean opening;    /* the first action is opened once it is there */
  gboolean announcing; /* the next count is announced */
  gint64 newest;       /* the number of the newest effect that was counted */
  GStrv ignored;       /* (nullable): the ids of the chats that were left out then */
  guint refresh_id;
  guint announce_id;
};

enum
{
  OPENED,
  UNDO,
  LEFT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetLedgerPage, gadget_ledger_page, ADW_TYPE_BIN)

/* --- The query -------------------------------------------------------------------------------- */

/* The kinds that each toggle stands for. */
static const guint toggle_kinds[] = {
  0,
  1u << GADGET_EFFECT_CHANGE | 1u << GADGET_EFFECT_DELETE,
  1u << GADGET_EFFECT_COMMAND,
  1u << GADGET_EFFECT_HOST | 1u << GADGET_EFFECT_MCP,
  1u << GADGET_EFFECT_READ,
};

static char *
dup_text (GadgetLedgerPage *self)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry))));
}

/* The strings are valid until a filter changes. */
static GadgetEffectQuery
make_query (GadgetLedgerPage *self)
{
  GadgetChatSearchQuery chosen = { 0 };
  const guint toggle = adw_toggle_group_get_active (self->kinds);

  gadget_search_filters_fill (self->filters, 0, &chosen);
  g_free (self->text);
  self->text = dup_text (self);
  return (GadgetEffectQuery) {
    .kinds = toggle < G_N_ELEMENTS (toggle_kinds) ? toggle_kinds[toggle] : 0,
    .text = *self->text != '\0' ? self->text : NULL,
    .since = chosen.since,
    .session_id = chosen.session_id,
    .chat_folder = chosen.chat_folder,
    .turn_id = self->turn_id,
    .can_undo = chosen.changed_files,
  };
}

static void
filter_changed_cb (GadgetLedgerPage *self)
{
  const GadgetEffectQuery query = make_query (self);

  if (self->list == NULL || !self->shown)
    return;
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scrolled), 0);
  g_clear_handle_id (&self->announce_id, g_source_remove);
  self->announcing = TRUE;
  self->loading = TRUE;
  self->opening = FALSE;
  gadget_ledger_list_set_query (self->list, &query);
}

/* The entry emits this a little after the last key, when Enter may have searched already. */
static void
search_changed_cb (GadgetLedgerPage *self)
{
  g_autofree char *text = dup_text (self);

  if (g_strcmp0 (self->text, text) != 0)
    filter_changed_cb (self);
}

static void
turn_cleared_cb (GadgetLedgerPage *self)
{
  gadget_ledger_page_begin (self, NULL);
}

/* --- Counts ----------------------------------------------------------------------------------- */

static void
announce_cb (gpointer user_data)
{
  GadgetLedgerPage *self = user_data;
  const char *shown = gtk_stack_get_visible_child_name (self->stack);

  self->announce_id = 0;
  gadget_announce (GTK_WIDGET (self),
                   g_str_equal (shown, "list") ? gtk_label_get_label (self->sum)
                                               : adw_status_page_get_title (self->empty),
                   GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
schedule_announcement (GadgetLedgerPage *self)
{
  g_clear_handle_id (&self->announce_id, g_source_remove);
  self->announce_id = g_timeout_add_once (ANNOUNCE_MS, announce_cb, self);
  g_source_set_name_by_id (self->announce_id, "[gadget] announce the number of actions");
}

static void
counted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetLedgerPage) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  GadgetEffectCounts counts;

  if (!gadget_store_count_effects_finish (GADGET_STORE (source), result, &counts, &error)
      || self->engine == NULL)
    return;
  text = gadget_ledger_labels_dup_counts (&counts);
  gtk_label_set_label (self->sum, text);
  if (!self->announcing)
    return;
  self->announcing = FALSE;
  schedule_announcement (self);
}

static void
day_counted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) box = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  GadgetEffectCounts counts;

  if (!gadget_store_count_effects_finish (GADGET_STORE (source), result, &counts, &error))
    return;
  text = gadget_ledger_labels_dup_counts (&counts);
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_last_child (box)), text);
}

/* --- Heads ------------------------------------------------------------------------------------ */

static void
show_day (gpointer data, gpointer page)
{
  GadgetLedgerPage *self = page;
  GtkListHeader *header = data;
  GadgetLedgerEntry *entry = gtk_list_header_get_item (header);
  GtkWidget *box = gtk_list_header_get_child (header);
  GadgetEffectQuery query = gadget_ledger_list_get_query (self->list);
  g_autoptr (GDateTime) time = NULL;
  g_autoptr (GDateTime) begin = NULL;
  g_autoptr (GDateTime) end = NULL;
  g_autofree char *name = NULL;

  if (entry == NULL)
    return;
  time = g_date_time_new_from_unix_local (gadget_ledger_entry_get_found (entry)->row->started_at
                                          / 1000);
  begin = g_date_time_new_local (g_date_time_get_year (time), g_date_time_get_month (time),
                                 g_date_time_get_day_of_month (time), 0, 0, 0);
  end = g_date_time_add_days (begin, 1);
  name = gadget_ledger_labels_dup_day (g_date_time_to_unix (time) * 1000);
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_first_child (box)), name);
  query.since = g_date_time_to_unix (begin) * 1000;
  query.until = g_date_time_to_unix (end) * 1000;
  /* The store answers in the order of the questions, so the label ends with the last day that is
   * shown in it. */
  gadget_store_count_effects_async (gadget_engine_get_store (self->engine), &query, day_counted_cb,
                                    g_object_ref (box));
}

static void
setup_header_cb (GadgetLedgerPage *self, GtkListHeader *header)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *day = gtk_label_new (NULL);
  GtkWidget *sum = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (day), 0);
  gtk_widget_set_hexpand (day, TRUE);
  gtk_widget_add_css_class (day, "heading");
  gtk_label_set_ellipsize (GTK_LABEL (sum), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (sum), 1);
  gtk_widget_add_css_class (sum, "caption");
  gtk_widget_add_css_class (sum, "dimmed");
  gtk_widget_add_css_class (sum, "numeric");
  gtk_box_append (GTK_BOX (box), day);
  gtk_box_append (GTK_BOX (box), sum);
  gtk_list_header_set_child (header, box);
}

static void
bind_header_cb (GadgetLedgerPage *self, GtkListHeader *header)
{
  g_ptr_array_add (self->headers, header);
  show_day (header, self);
}

static void
unbind_header_cb (GadgetLedgerPage *self, GtkListHeader *header)
{
  g_ptr_array_remove (self->headers, header);
}

/* --- Rows ------------------------------------------------------------------------------------- */

static void
describe_item (GtkListItem *item)
{
  g_autofree char *text = NULL;

  g_object_get (gtk_list_item_get_child (item), "description", &text, NULL);
  gtk_list_item_set_accessible_label (item, text);
}

static void
setup_cb (GadgetLedgerPage *self, GtkListItem *item)
{
  GtkWidget *row = gadget_ledger_row_new ();

  g_object_bind_property (self->layout, "narrow", row, "narrow", G_BINDING_SYNC_CREATE);
  g_signal_connect_object (row, "notify::description", G_CALLBACK (describe_item), item,
                           G_CONNECT_SWAPPED);
  gtk_list_item_set_child (item, row);
}

static void
bind_cb (GadgetLedgerPage *self, GtkListItem *item)
{
  gadget_ledger_row_set_entry (GADGET_LEDGER_ROW (gtk_list_item_get_child (item)),
                               gtk_list_item_get_item (item));
}

static void
unbind_cb (GadgetLedgerPage *self, GtkListItem *item)
{
  gadget_ledger_row_set_entry (GADGET_LEDGER_ROW (gtk_list_item_get_child (item)), NULL);
}

static void
row_activated_cb (GadgetLedgerPage *self, guint position)
{
  g_autoptr (GadgetLedgerEntry) entry = g_list_model_get_item (G_LIST_MODEL (self->list), position);

  if (entry != NULL)
    g_signal_emit (self, signals[OPENED], 0, entry);
}

/* Enter opens the first action for the text in the entry, for which it waits. */
static void
activate_cb (GadgetLedgerPage *self)
{
  search_changed_cb (self);
  if (self->loading)
    self->opening = TRUE;
  else if (self->list != NULL)
    row_activated_cb (self, 0);
}

static GadgetLedgerEntry *
find_entry (GtkWidget *widget, GVariant *number)
{
  GadgetLedgerPage *self = GADGET_LEDGER_PAGE (widget);

  return self->list != NULL ? gadget_ledger_list_find (self->list, g_variant_get_int64 (number))
                            : NULL;
}

static void
undo_action (GtkWidget *widget, const char *action, GVariant *number)
{
  GadgetLedgerEntry *entry = find_entry (widget, number);

  if (entry != NULL)
    g_signal_emit (widget, signals[UNDO], 0, entry);
}

/* --- Showing ---------------------------------------------------------------------------------- */

static void
laid_out_cb (GadgetLedgerPage *self, GdkFrameClock *clock)
{
  g_signal_handlers_disconnect_by_func (clock, laid_out_cb, self);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scrolled), 0);
}

/* Keeps the list scrolled to its top when it changes. GTK keeps the first visible row where it is,
 * so that new rows and the heading would be above the edge. The position is corrected after the
 * next layout and before it is painted. */
static void
keep_top (GadgetLedgerPage *self)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (self));

  if (clock == NULL
      || gtk_adjustment_get_value (gtk_scrolled_window_get_vadjustment (self->scrolled)) > 0)
    return;
  g_signal_handlers_disconnect_by_func (clock, laid_out_cb, self);
  g_signal_connect_object (clock, "layout", G_CALLBACK (laid_out_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

static void
show_loaded (GadgetLedgerPage *self)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->list));
  g_autoptr (GadgetLedgerEntry) first = g_list_model_get_item (G_LIST_MODEL (self->list), 0);
  const gint64 newest = first != NULL ? gadget_ledger_entry_get_found (first)->row->number : 0;
  const GadgetEffectQuery query = gadget_ledger_list_get_query (self->list);

  self->loading = FALSE;
  gtk_widget_set_visible (self->retry, FALSE);
  adw_status_page_set_title (self->empty, gadget_ledger_labels_get_empty (&query));
  gtk_widget_set_visible (GTK_WIDGET (self->sum), n > 0);
  gtk_stack_set_visible_child_name (self->stack, n > 0 ? "list" : "empty");
  keep_top (self);
  /* Counting reads all that matches, so it is done only when that has changed. */
  if (newest == self->newest && !self->announcing && self->ignored != NULL
      && g_strv_equal ((const char *const *) self->ignored, query.ignored_chats))
    return;
  self->newest = newest;
  g_strfreev (self->ignored);
  self->ignored = g_strdupv ((GStrv) query.ignored_chats);
  gadget_store_count_effects_async (gadget_engine_get_store (self->engine), &query, counted_cb,
                                    g_object_ref (self));
  g_ptr_array_foreach (self->headers, show_day, self);
}

static void
loaded_cb (GadgetLedgerPage *self)
{
  const gboolean opening = self->opening;

  self->opening = FALSE;
  show_loaded (self);
  if (opening)
    row_activated_cb (self, 0);
}

/* What the list has stays when it could not be read again, but not below filters that it does not
 * match. */
static void
failed_cb (GadgetLedgerPage *self)
{
  if (!self->loading)
    return;
  self->loading = FALSE;
  self->opening = FALSE;
  adw_status_page_set_title (self->empty, _ ("The actions could not be read."));
  gtk_widget_set_visible (self->retry, TRUE);
  gtk_widget_set_visible (GTK_WIDGET (self->sum), FALSE);
  gtk_stack_set_visible_child_name (self->stack, "empty");
  schedule_announcement (self);
}

/* Reads another page when less than a window full is below. */
static void
scrolled_cb (GadgetLedgerPage *self)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scrolled);
  const double size = gtk_adjustment_get_page_size (adjustment);

  if (self->list != NULL && size > 0
      && gtk_adjustment_get_value (adjustment) + 2 * size > gtk_adjustment_get_upper (adjustment))
    gadget_ledger_list_load_more (self->list);
}

static void
refresh_cb (gpointer user_data)
{
  GadgetLedgerPage *self = user_data;

  self->refresh_id = 0;
  gadget_ledger_page_refresh (self);
}

/* Something was written, to the ledger perhaps. */
static void
written_cb (GadgetLedgerPage *self)
{
  if (!self->shown || self->refresh_id != 0)
    return;
  self->refresh_id = g_timeout_add_once (REFRESH_MS, refresh_cb, self);
  g_source_set_name_by_id (self->refresh_id, "[gadget] read the ledger again");
}

static void
narrow_changed_cb (GadgetLedgerPage *self)
{
  gboolean narrow;

  g_object_get (self->layout, "narrow", &narrow, NULL);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->top),
                                  narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->chips),
                                  narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_halign (self->turn_chip, narrow ? GTK_ALIGN_START : GTK_ALIGN_FILL);
  gtk_widget_set_margin_start (self->clamp, narrow ? 12 : 24);
  gtk_widget_set_margin_end (self->clamp, narrow ? 12 : 24);
}

static void
stop_search_cb (GadgetLedgerPage *self)
{
  g_signal_emit (self, signals[LEFT], 0);
}

/* Down leaves the entry for the list. */
static gboolean
key_pressed_cb (GadgetLedgerPage *self, guint keyval, guint keycode, GdkModifierType state)
{
  if (keyval != GDK_KEY_Down || self->list == NULL
      || g_list_model_get_n_items (G_LIST_MODEL (self->list)) == 0)
    return GDK_EVENT_PROPAGATE;
  /* The list chooses the row only, as long as the focus is elsewhere. */
  gtk_list_view_scroll_to (self->view, 0, GTK_LIST_SCROLL_FOCUS, NULL);
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
  return GDK_EVENT_STOP;
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_ledger_page_dispose (GObject *object)
{
  GadgetLedgerPage *self = GADGET_LEDGER_PAGE (object);

  gadget_ledger_page_end (self);
  g_clear_object (&self->list);
  g_clear_object (&self->engine);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_LEDGER_PAGE);

  G_OBJECT_CLASS (gadget_ledger_page_parent_class)->dispose (object);
}

static void
gadget_ledger_page_finalize (GObject *object)
{
  GadgetLedgerPage *self = GADGET_LEDGER_PAGE (object);

  g_free (self->turn_id);
  g_free (self->text);
  g_strfreev (self->ignored);
  g_ptr_array_unref (self->headers);

  G_OBJECT_CLASS (gadget_ledger_page_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerPage, layout);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerPage, top);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerPage, kinds);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerPage, entry);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerPage, chips);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerPage, turn_chip);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerPage, filters);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerPage, sum);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerPage, stack);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerPage, scrolled);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerPage, clamp);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerPage, view);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerPage, empty);
  gtk_widget_class_bind_template_child (widget_class, GadgetLedgerPage, retry);
  gtk_widget_class_bind_template_callback (widget_class, activate_cb);
  gtk_widget_class_bind_template_callback (widget_class, bind_cb);
  gtk_widget_class_bind_template_callback (widget_class, bind_header_cb);
  gtk_widget_class_bind_template_callback (widget_class, filter_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, narrow_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, setup_cb);
  gtk_widget_class_bind_template_callback (widget_class, setup_header_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_search_cb);
  gtk_widget_class_bind_template_callback (widget_class, turn_cleared_cb);
  gtk_widget_class_bind_template_callback (widget_class, unbind_cb);
  gtk_widget_class_bind_template_callback (widget_class, unbind_header_cb);
}

static void
gadget_ledger_page_class_init (GadgetLedgerPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_ledger_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_ledger_page_finalize;

  signals[OPENED] = g_signal_new ("opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, GADGET_TYPE_LEDGER_ENTRY);
  signals[UNDO] = g_signal_new ("undo", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, GADGET_TYPE_LEDGER_ENTRY);
  signals[LEFT] =
      g_signal_new ("left", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (GADGET_TYPE_BREAKPOINT_LAYOUT);
  g_type_ensure (GADGET_TYPE_COLUMN_LAYOUT);
  g_type_ensure (GADGET_TYPE_SEARCH_FILTERS);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/ledger/gadget-ledger-page.ui");
  bind_template (widget_class);
  gtk_widget_class_install_action (widget_class, "ledger.undo", "x", undo_action);
}

static void
add_keys (GadgetLedgerPage *self)
{
  GtkEventController *down = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (down, GTK_PHASE_CAPTURE);
  g_signal_connect_object (down, "key-pressed", G_CALLBACK (key_pressed_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self->entry), down);
}

static void
gadget_ledger_page_init (GadgetLedgerPage *self)
{
  GtkAdjustment *adjustment;

  self->headers = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  narrow_changed_cb (self);
  gadget_search_filters_offer (self->filters, 1u << GADGET_SEARCH_FILTER_CHAT
                                                  | 1u << GADGET_SEARCH_FILTER_DAYS
                                                  | 1u << GADGET_SEARCH_FILTER_FOLDER
                                                  | 1u << GADGET_SEARCH_FILTER_CHANGED_FILES);
  /* Translators: a filter of actions */
  gadget_search_filters_set_changed_label (self->filters, _ ("Can Be Undone"));
  gadget_search_filters_set_days (self->filters, GADGET_LEDGER_DAYS);
  adjustment = gtk_scrolled_window_get_vadjustment (self->scrolled);
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (scrolled_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (scrolled_cb), self,
                           G_CONNECT_SWAPPED);
  add_keys (self);
}

void
gadget_ledger_page_set_engine (GadgetLedgerPage *self, GadgetEngine *engine)
{
  GadgetStore *store;
  g_autoptr (GtkNoSelection) model = NULL;

  g_return_if_fail (GADGET_IS_LEDGER_PAGE (self) && GADGET_IS_ENGINE (engine));
  g_return_if_fail (self->engine == NULL);

  self->engine = g_object_ref (engine);
  self->list = gadget_ledger_list_new (engine);
  gadget_search_filters_set_engine (self->filters, engine);
  g_signal_connect_object (self->list, "loaded", G_CALLBACK (loaded_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->list, "failed", G_CALLBACK (failed_cb), self, G_CONNECT_SWAPPED);
  model = gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->list)));
  gtk_list_view_set_model (self->view, GTK_SELECTION_MODEL (model));
  store = gadget_engine_get_store (engine);
  g_signal_connect_object (store, "written", G_CALLBACK (written_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (store, "changed-outside", G_CALLBACK (written_cb), self,
                           G_CONNECT_SWAPPED);
}

void
gadget_ledger_page_begin (GadgetLedgerPage *self, const char *turn_id)
{
  g_return_if_fail (GADGET_IS_LEDGER_PAGE (self));

  g_set_str (&self->turn_id, turn_id);
  gtk_widget_set_visible (self->turn_chip, turn_id != NULL);
  gadget_search_filters_clear (self->filters, GADGET_SEARCH_ALL_FILTERS);
  if (turn_id == NULL)
    gadget_search_filters_set_days (self->filters, GADGET_LEDGER_DAYS);
  adw_toggle_group_set_active (self->kinds, 0);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  self->shown = TRUE;
  filter_changed_cb (self);
}

void
gadget_ledger_page_end (GadgetLedgerPage *self)
{
  g_return_if_fail (GADGET_IS_LEDGER_PAGE (self));

  self->shown = FALSE;
  self->opening = FALSE;
  g_clear_handle_id (&self->refresh_id, g_source_remove);
  g_clear_handle_id (&self->announce_id, g_source_remove);
}

void
gadget_ledger_page_refresh (GadgetLedgerPage *self)
{
  g_return_if_fail (GADGET_IS_LEDGER_PAGE (self));

  if (self->shown && self->list != NULL)
    gadget_ledger_list_refresh (self->list);
}

GadgetEffectQuery
gadget_ledger_page_get_query (GadgetLedgerPage *self)
{
  return gadget_ledger_list_get_query (self->list);
}
