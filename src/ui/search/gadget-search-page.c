/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The search over all chats, as one types. The results of the words before stay until those of the
 * new ones are there, so nothing flickers. A search whose words are no longer those in the entry is
 * cancelled. */

#define G_LOG_DOMAIN "gadget-search"

#include "config.h"

#include "gadget-search-page.h"

#include "gadget-search-filters.h"
#include "gadget-search-relaxations.h"
#include "gadget-search-result.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-column.h"

#include <glib/gi18n.h>
#include <stdlib.h>

/* So many chats are shown at first, and so many more by each press of Show More Chats. */
#define CHATS_STEP 20
/* So many more matches of a chat are shown in it. */
#define MORE_MATCHES 50
/* The count is announced so long after the last key, in milliseconds. */
#define ANNOUNCE_MS 500

/* Where the first match is opened. */
typedef enum
{
  OPEN_NOTHING,
  OPEN_HERE,
  OPEN_IN_WINDOW,
} OpenRequest;

struct _GadgetSearchPage
{
  AdwBin parent_instance;

  GtkSearchEntry *entry;
  GadgetSearchFilters *filters;
  GtkMenuButton *order_button;
  GtkWidget *found;
  GtkLabel *count;
  GtkLabel *progress;
  GtkWidget *damage;
  GtkScrolledWindow *scrolled;
  GtkBox *results;

  GadgetEngine *engine;      /* (nullable) */
  GCancellable *cancellable; /* (nullable): of the last search, and of more matches for it */
  char *searched;            /* (nullable): the text of that search */
  gboolean searching;        /* its results are not there yet */
  OpenRequest request;       /* what to open once they are there */
  int order;                 /* a GadgetChatSearchOrder */
  guint n_chats;             /* so many chats are asked for */
  guint announce_id;
};

enum
{
  OPENED,
  LEFT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetSearchPage, gadget_search_page, ADW_TYPE_BIN)

static GadgetChatSearch *
get_search (GadgetSearchPage *self)
{
  return gadget_engine_get_search (self->engine);
}

static void
stop_search (GadgetSearchPage *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->searching = FALSE;
  self->request = OPEN_NOTHING;
}

static GadgetChatSearchQuery
make_query (GadgetSearchPage *self)
{
  GadgetChatSearchQuery query = {
    .text = gtk_editable_get_text (GTK_EDITABLE (self->entry)),
    .order = (GadgetChatSearchOrder) self->order,
    .limit = self->n_chats,
  };

  gadget_search_filters_fill (self->filters, 0, &query);
  return query;
}

/* --- Results ---------------------------------------------------------------------------------- */

/* Returns the chat of a result, if it can be opened. */
static GadgetSession *
find_session (GadgetSearchPage *self, const char *id)
{
  GadgetSession *session = gadget_engine_find_session (self->engine, id);

  return session != NULL && gadget_session_get_deletion (session) == GADGET_DELETION_NONE ? session
                                                                                          : NULL;
}

static void
open_match (GadgetSearchPage *self, GtkWidget *row, gboolean in_window)
{
  GtkWidget *list = gtk_widget_get_parent (row);
  const GadgetChatSearchMatch *match = g_object_get_data (G_OBJECT (row), "match");
  const char *id = g_object_get_data (G_OBJECT (list), "session-id");
  g_autoptr (GadgetSession) session = NULL;

  g_set_object (&session, find_session (self, id));
  if (match != NULL && session != NULL)
    g_signal_emit (self, signals[OPENED], 0, session, match, in_window);
}

static void
row_activated_cb (GtkListBox *list, GtkListBoxRow *row, GadgetSearchPage *self)
{
  open_match (self, GTK_WIDGET (row), FALSE);
}

/* @match is (transfer full). */
static void
append_match (GtkListBox *list, GadgetChatSearchMatch *match)
{
  GtkWidget *row = gadget_search_result_make_row (match);

  g_object_set_data_full (G_OBJECT (row), "match", match,
                          (GDestroyNotify) gadget_chat_search_match_free);
  gtk_list_box_append (list, row);
}

static void
append_matches (GtkListBox *list, GadgetChatSearchResult *result)
{
  while (result->matches->len > 0)
    append_match (list, g_ptr_array_steal_index (result->matches, 0));
}

static void
more_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkListBox) list = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetChatSearchResults) results =
      gadget_chat_search_find_finish (GADGET_CHAT_SEARCH (source), result, &error);
  GtkWidget *last = gtk_widget_get_last_child (GTK_WIDGET (list));

  if (results == NULL || gtk_widget_get_root (GTK_WIDGET (list)) == NULL)
    return;
  gtk_list_box_remove (list, last);
  if (results->chats->len > 0)
    append_matches (list, g_ptr_array_index (results->chats, 0));
}

/* The last row of a chat with more matches shows them in its place. */
static void
show_more_matches (GadgetSearchPage *self, GtkListBox *list)
{
  GadgetChatSearchQuery query = make_query (self);

  query.session_id = g_object_get_data (G_OBJECT (list), "session-id");
  query.chat_offset = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (list), "n-shown"));
  query.chat_limit = MORE_MATCHES;
  gadget_chat_search_find_async (get_search (self), &query, NULL, NULL, self->cancellable,
                                 more_found_cb, g_object_ref (list));
}

static void
more_matches_cb (GadgetSearchPage *self, AdwButtonRow *row)
{
  show_more_matches (self, GTK_LIST_BOX (gtk_widget_get_parent (GTK_WIDGET (row))));
}

static void
append_more_row (GadgetSearchPage *self, GtkListBox *list, guint n)
{
  GtkWidget *row = adw_button_row_new ();
  g_autofree char *title =
      g_strdup_printf (ngettext ("%'u more in this chat", "%'u more in this chat", n), n);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_button_row_set_end_icon_name (ADW_BUTTON_ROW (row), "pan-down-symbolic");
  g_signal_connect_object (row, "activated", G_CALLBACK (more_matches_cb), self, G_CONNECT_SWAPPED);
  gtk_list_box_append (list, row);
}

static void
append_chat (GadgetSearchPage *self, GadgetChatSearchResult *result)
{
  GtkWidget *list = gtk_list_box_new ();
  const guint n = result->matches->len;

  gtk_box_append (self->results, gadget_search_result_make_heading (result));
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  result->title != NULL ? result->title : _ ("New Chat"), -1);
  g_object_set_data_full (G_OBJECT (list), "session-id", g_strdup (result->session_id), g_free);
  g_object_set_data (G_OBJECT (list), "n-shown", GUINT_TO_POINTER (n));
  g_signal_connect_object (list, "row-activated", G_CALLBACK (row_activated_cb), self,
                           G_CONNECT_DEFAULT);
  append_matches (GTK_LIST_BOX (list), result);
  if (result->n_matches > n)
    append_more_row (self, GTK_LIST_BOX (list), result->n_matches - n);
  gtk_box_append (self->results, list);
}

static void
remove_results (GadgetSearchPage *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->results))) != NULL)
    gtk_box_remove (self->results, child);
}

static void search (GadgetSearchPage *self); /* also called by buttons among the results */

static void
more_chats_cb (GadgetSearchPage *self)
{
  self->n_chats += CHATS_STEP;
  search (self);
}

static void
relaxed_cb (GadgetSearchPage *self, guint filters, const char *text)
{
  gadget_search_filters_clear (self->filters, filters);
  /* A change of the text searches a little later, as while one types. */
  if (text != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
  search (self);
}

static void
append_relaxations (GadgetSearchPage *self)
{
  GtkWidget *relaxations = gadget_search_relaxations_new (
      get_search (self), self->filters, gtk_editable_get_text (GTK_EDITABLE (self->entry)),
      self->cancellable);

  g_signal_connect_object (relaxations, "relaxed", G_CALLBACK (relaxed_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_box_append (self->results, relaxations);
}

static void
append_button (GadgetSearchPage *self, const char *label, GCallback callback)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "search-button");
  g_signal_connect_object (button, "clicked", callback, self, G_CONNECT_SWAPPED);
  gtk_box_append (self->results, button);
}

/* --- Count ------------------------------------------------------------------------------------ */

static void
announce_cb (gpointer user_data)
{
  GadgetSearchPage *self = user_data;

  self->announce_id = 0;
  gadget_announce (GTK_WIDGET (self), gtk_label_get_label (self->count),
                   GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* Shows @text above the results, and announces it. */
static void
show_text (GadgetSearchPage *self, const char *text, gboolean has_order)
{
  gtk_label_set_label (self->count, text);
  gtk_widget_set_visible (GTK_WIDGET (self->order_button), has_order);
  gtk_widget_set_visible (self->found, TRUE);
  g_clear_handle_id (&self->announce_id, g_source_remove);
  self->announce_id = g_timeout_add_once (ANNOUNCE_MS, announce_cb, self);
  g_source_set_name_by_id (self->announce_id, "[gadget] announce the number of matches");
}

static void
show_count (GadgetSearchPage *self, const GadgetChatSearchResults *results)
{
  g_autofree char *matches = NULL;
  g_autofree char *text = NULL;

  if (results->n_chats == 0)
    {
      text = g_strdup_printf (_ ("No chat has “%s”."),
                              gtk_editable_get_text (GTK_EDITABLE (self->entry)));
    }
  else
    {
      matches = g_strdup_printf (ngettext ("%'u match", "%'u matches", results->n_matches),
                                 results->n_matches);
      /* Translators: %s is a number with "matches" */
      text = g_strdup_printf (ngettext ("%s in %'u chat", "%s in %'u chats", results->n_chats),
                              matches, results->n_chats);
    }
  show_text (self, text, results->n_chats > 0);
}

static void
update_index (GadgetSearchPage *self)
{
  GadgetChatSearch *index = get_search (self);
  const guint n_chats = gadget_chat_search_get_n_chats (index);
  const guint n_indexed = gadget_chat_search_get_n_indexed (index);
  g_autofree char *text =
      g_strdup_printf (_ ("%'u of %'u chats can be searched so far."), n_indexed, n_chats);

  gtk_label_set_label (self->progress, text);
  gtk_widget_set_visible (GTK_WIDGET (self->progress), n_indexed < n_chats);
  gtk_widget_set_visible (self->damage, gadget_chat_search_get_damaged (index));
}

/* --- Searching -------------------------------------------------------------------------------- */

static void
show_results (GadgetSearchPage *self, GadgetChatSearchResults *results)
{
  remove_results (self);
  show_count (self, results);
  for (guint i = 0; i < results->chats->len; i++)
    {
      GadgetChatSearchResult *result = g_ptr_array_index (results->chats, i);

      if (find_session (self, result->session_id) != NULL)
        append_chat (self, result);
    }
  if (results->n_chats > self->n_chats)
    append_button (self, _ ("Show More Chats"), G_CALLBACK (more_chats_cb));
  else if (results->n_chats == 0)
    append_relaxations (self);
}

static void
open_first (GadgetSearchPage *self, gboolean in_window)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->results));

  while (child != NULL && !GTK_IS_LIST_BOX (child))
    child = gtk_widget_get_next_sibling (child);
  if (child != NULL)
    open_match (self, gtk_widget_get_first_child (child), in_window);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetSearchPage) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetChatSearchResults) results =
      gadget_chat_search_find_finish (GADGET_CHAT_SEARCH (source), result, &error);

  if (self->engine == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  self->searching = FALSE;
  if (results != NULL)
    {
      show_results (self, results);
      if (self->request != OPEN_NOTHING)
        open_first (self, self->request == OPEN_IN_WINDOW);
      self->request = OPEN_NOTHING;
      return;
    }
  self->request = OPEN_NOTHING;
  g_message ("the chats could not be searched: %s", error->message);
  remove_results (self);
  show_text (self, _ ("The chats could not be searched."), FALSE);
  append_button (self, _ ("Try Again"), G_CALLBACK (search));
}

static void
search (GadgetSearchPage *self)
{
  GadgetChatSearchQuery query = make_query (self);
  g_autofree char *words = g_strstrip (g_strdup (query.text));

  stop_search (self);
  g_set_str (&self->searched, query.text);
  if (self->engine == NULL)
    return;
  if (*words == '\0')
    {
      g_clear_handle_id (&self->announce_id, g_source_remove);
      gtk_widget_set_visible (self->found, FALSE);
      remove_results (self);
      return;
    }
  self->cancellable = g_cancellable_new ();
  self->searching = TRUE;
  gadget_chat_search_find_async (get_search (self), &query, NULL, NULL, self->cancellable, found_cb,
                                 g_object_ref (self));
}

static void
search_cb (GadgetSearchPage *self)
{
  self->n_chats = CHATS_STEP;
  search (self);
}

static gboolean
is_searched (GadgetSearchPage *self)
{
  return g_strcmp0 (self->searched, gtk_editable_get_text (GTK_EDITABLE (self->entry))) == 0;
}

/* The entry emits this a little after the last key, when Enter may have searched already. */
static void
search_changed_cb (GadgetSearchPage *self)
{
  if (is_searched (self))
    return;
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scrolled), 0);
  search_cb (self);
}

/* Opens the match that has the focus, or else the first one for the text in the entry, for which it
 * waits. */
static void
open_focused (GadgetSearchPage *self, gboolean in_window)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));

  if (GTK_IS_LIST_BOX_ROW (focus))
    {
      open_match (self, focus, in_window);
      return;
    }
  search_changed_cb (self);
  if (self->searching)
    self->request = in_window ? OPEN_IN_WINDOW : OPEN_HERE;
  else
    open_first (self, in_window);
}

static void
activate_cb (GadgetSearchPage *self)
{
  open_focused (self, FALSE);
}

static gboolean
open_in_window_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  open_focused (GADGET_SEARCH_PAGE (widget), TRUE);
  return GDK_EVENT_STOP;
}

static void
stop_search_cb (GadgetSearchPage *self)
{
  g_signal_emit (self, signals[LEFT], 0);
}

static void
rebuild_cb (GadgetSearchPage *self)
{
  gadget_chat_search_rebuild_async (get_search (self), NULL, NULL);
}

/* --- Order ------------------------------------------------------------------------------------ */

static const char *
get_order_label (int order)
{
  switch ((GadgetChatSearchOrder) order)
    {
    case GADGET_CHAT_SEARCH_NEWEST:
      return _ ("Newest");
    case GADGET_CHAT_SEARCH_OLDEST:
      return _ ("Oldest");
    case GADGET_CHAT_SEARCH_BEST_MATCH:
    default:
      return _ ("Best Match");
    }
}

static void
order_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GadgetSearchPage *self = user_data;

  g_simple_action_set_state (action, parameter);
  self->order = atoi (g_variant_get_string (parameter, NULL));
  gtk_menu_button_set_label (self->order_button, get_order_label (self->order));
  search_cb (self);
}

static const GActionEntry actions[] = {
  { "order", order_action, "s", "'0'", NULL, { 0 } },
};

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_search_page_dispose (GObject *object)
{
  GadgetSearchPage *self = GADGET_SEARCH_PAGE (object);

  stop_search (self);
  g_clear_handle_id (&self->announce_id, g_source_remove);
  g_clear_object (&self->engine);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_SEARCH_PAGE);

  G_OBJECT_CLASS (gadget_search_page_parent_class)->dispose (object);
}

static void
gadget_search_page_finalize (GObject *object)
{
  g_free (GADGET_SEARCH_PAGE (object)->searched);

  G_OBJECT_CLASS (gadget_search_page_parent_class)->finalize (object);
}

static void
gadget_search_page_class_init (GadgetSearchPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_search_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_search_page_finalize;

  signals[OPENED] =
      g_signal_new ("opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                    GADGET_TYPE_SESSION, G_TYPE_POINTER, G_TYPE_BOOLEAN);
  signals[LEFT] =
      g_signal_new ("left", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_add_binding (widget_class, GDK_KEY_Return, GDK_CONTROL_MASK, open_in_window_cb,
                                NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Enter, GDK_CONTROL_MASK, open_in_window_cb,
                                NULL);

  g_type_ensure (GADGET_TYPE_COLUMN_LAYOUT);
  g_type_ensure (GADGET_TYPE_SEARCH_FILTERS);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/search/gadget-search-page.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetSearchPage, entry);
  gtk_widget_class_bind_template_child (widget_class, GadgetSearchPage, filters);
  gtk_widget_class_bind_template_child (widget_class, GadgetSearchPage, order_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetSearchPage, found);
  gtk_widget_class_bind_template_child (widget_class, GadgetSearchPage, count);
  gtk_widget_class_bind_template_child (widget_class, GadgetSearchPage, progress);
  gtk_widget_class_bind_template_child (widget_class, GadgetSearchPage, damage);
  gtk_widget_class_bind_template_child (widget_class, GadgetSearchPage, scrolled);
  gtk_widget_class_bind_template_child (widget_class, GadgetSearchPage, results);
  gtk_widget_class_bind_template_callback (widget_class, activate_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_search_cb);
  gtk_widget_class_bind_template_callback (widget_class, rebuild_cb);
}

static void
gadget_search_page_init (GadgetSearchPage *self)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();

  self->n_chats = CHATS_STEP;
  gtk_widget_init_template (GTK_WIDGET (self));
  g_action_map_add_action_entries (G_ACTION_MAP (group), actions, G_N_ELEMENTS (actions), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "search", G_ACTION_GROUP (group));
}

void
gadget_search_page_set_engine (GadgetSearchPage *self, GadgetEngine *engine)
{
  g_return_if_fail (GADGET_IS_SEARCH_PAGE (self) && GADGET_IS_ENGINE (engine));
  g_return_if_fail (self->engine == NULL);

  self->engine = g_object_ref (engine);
  gadget_search_filters_set_engine (self->filters, engine);
  g_signal_connect_object (get_search (self), "notify", G_CALLBACK (update_index), self,
                           G_CONNECT_SWAPPED);
  update_index (self);
}

/**
 * gadget_search_page_begin:
 * @text: (nullable): what to search for; %NULL for what was searched for before
 *
 * To be called when the page is shown. The chats are searched again, since they may have changed.
 */
void
gadget_search_page_begin (GadgetSearchPage *self, const char *text)
{
  g_return_if_fail (GADGET_IS_SEARCH_PAGE (self));

  if (text != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
  search_cb (self);
}

void
gadget_search_page_end (GadgetSearchPage *self)
{
  g_return_if_fail (GADGET_IS_SEARCH_PAGE (self));

  stop_search (self);
  g_clear_handle_id (&self->announce_id, g_source_remove);
}
