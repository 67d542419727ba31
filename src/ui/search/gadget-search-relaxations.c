/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each relaxation is a search of its own. The rows are made when the last one has ended, so that
 * they do not move while the user reads them. */

#define G_LOG_DOMAIN "gadget-search"

#include "config.h"

#include "gadget-search-relaxations.h"

#include <glib/gi18n.h>

/* Each of so many words is searched for alone. */
#define MAX_WORDS 4

typedef struct
{
  guint filters;   /* that are ignored */
  char *text;      /* (nullable): the word that is searched for alone */
  guint n_matches; /* that were found */
} Relaxation;

struct _GadgetSearchRelaxations
{
  AdwBin parent_instance;

  GadgetSearchFilters *filters;
  GPtrArray *relaxations; /* of Relaxation */
  guint n_pending;
};

enum
{
  RELAXED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetSearchRelaxations, gadget_search_relaxations, ADW_TYPE_BIN)

static void
relaxation_free (gpointer data)
{
  Relaxation *relaxation = data;

  g_free (relaxation->text);
  g_free (relaxation);
}

/* --- Rows ------------------------------------------------------------------------------------- */

static const char *
get_filter_title (guint filters)
{
  switch (filters)
    {
    case 1u << GADGET_SEARCH_FILTER_DAYS:
      return _ ("Search at any time");
    case 1u << GADGET_SEARCH_FILTER_FOLDER:
      return _ ("Search in every folder");
    case 1u << GADGET_SEARCH_FILTER_TOOL:
      return _ ("Search not only in calls of one tool");
    case 1u << GADGET_SEARCH_FILTER_STATUS:
      return _ ("Search in turns with any status");
    case 1u << GADGET_SEARCH_FILTER_PROVIDER:
      return _ ("Search in turns of every provider");
    case 1u << GADGET_SEARCH_FILTER_CHANGED_FILES:
      return _ ("Search also in turns that changed no files");
    default:
      return _ ("Search without filters");
    }
}

static char *
dup_title (const Relaxation *relaxation)
{
  if (relaxation->text != NULL)
    return g_strdup_printf (_ ("Search for “%s” alone"), relaxation->text);
  return g_strdup (get_filter_title (relaxation->filters));
}

/* Returns the value of the only filter that is ignored; NULL if it is no value or there are more.
 */
static char *
dup_subtitle (GadgetSearchRelaxations *self, const Relaxation *relaxation)
{
  g_autofree char *value = NULL;

  for (guint i = 0; i < GADGET_SEARCH_FILTER_CHANGED_FILES; i++)
    if (relaxation->filters == 1u << i)
      value = gadget_search_filters_dup_label (self->filters, (GadgetSearchFilter) i);
  /* Translators: the value of a filter, such as the name of a folder or "Last 7 Days" */
  return value != NULL ? g_strdup_printf (_ ("Not only: %s"), value) : NULL;
}

static void
activated_cb (GadgetSearchRelaxations *self, GtkWidget *row)
{
  const Relaxation *relaxation = g_object_get_data (G_OBJECT (row), "relaxation");

  g_signal_emit (self, signals[RELAXED], 0, relaxation->filters, relaxation->text);
}

static GtkWidget *
make_row (GadgetSearchRelaxations *self, Relaxation *relaxation)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *count;
  g_autofree char *title = dup_title (relaxation);
  g_autofree char *subtitle = dup_subtitle (self, relaxation);
  g_autofree char *n = g_strdup_printf (
      ngettext ("%'u match", "%'u matches", relaxation->n_matches), relaxation->n_matches);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  if (subtitle != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  count = gtk_label_new (n);
  gtk_widget_add_css_class (count, "dimmed");
  gtk_widget_add_css_class (count, "numeric");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), count);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                             gtk_image_new_from_icon_name ("go-next-symbolic"));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_object_set_data (G_OBJECT (row), "relaxation", relaxation);
  g_signal_connect_object (row, "activated", G_CALLBACK (activated_cb), self, G_CONNECT_SWAPPED);
  return row;
}

static void
show_rows (GadgetSearchRelaxations *self)
{
  GtkWidget *list = gtk_list_box_new ();

  gtk_widget_add_css_class (list, "boxed-list");
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Other searches that find something"), -1);
  for (guint i = 0; i < self->relaxations->len; i++)
    {
      Relaxation *relaxation = g_ptr_array_index (self->relaxations, i);

      if (relaxation->n_matches > 0)
        gtk_list_box_append (GTK_LIST_BOX (list), make_row (self, relaxation));
    }
  if (gtk_widget_get_first_child (list) != NULL)
    adw_bin_set_child (ADW_BIN (self), list);
  else
    g_object_unref (g_object_ref_sink (list));
}

/* --- Searching -------------------------------------------------------------------------------- */

typedef struct
{
  GadgetSearchRelaxations *self;
  Relaxation *relaxation; /* owned by self */
} Find;

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Find *find = user_data;
  g_autoptr (GadgetSearchRelaxations) self = find->self;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetChatSearchResults) results =
      gadget_chat_search_find_finish (GADGET_CHAT_SEARCH (source), result, &error);

  self->n_pending--;
  /* A search that failed finds nothing; the user was not promised anything of it. */
  if (results != NULL)
    find->relaxation->n_matches = results->n_matches;
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_message ("the chats could not be searched: %s", error->message);
  if (self->n_pending == 0 && gtk_widget_get_root (GTK_WIDGET (self)) != NULL)
    show_rows (self);
}

static void
find (GadgetSearchRelaxations *self, GadgetChatSearch *search, guint filters, const char *text,
      gboolean alone, GCancellable *cancellable)
{
  GadgetChatSearchQuery query = { .text = text, .limit = 1, .chat_limit = 1 };
  Relaxation *relaxation = g_new0 (Relaxation, 1);
  Find *find = g_new0 (Find, 1);

  relaxation->filters = filters;
  relaxation->text = alone ? g_strdup (text) : NULL;
  g_ptr_array_add (self->relaxations, relaxation);
  find->self = g_object_ref (self);
  find->relaxation = relaxation;
  self->n_pending++;
  gadget_search_filters_fill (self->filters, filters, &query);
  gadget_chat_search_find_async (search, &query, NULL, NULL, cancellable, found_cb, find);
}

static void
find_words (GadgetSearchRelaxations *self, GadgetChatSearch *search, const char *text,
            GCancellable *cancellable)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \t\"", -1);
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0' && !g_ptr_array_find_with_equal_func (found, words[i], g_str_equal, NULL))
      g_ptr_array_add (found, words[i]);
  for (guint i = 0; found->len > 1 && i < MIN (found->len, MAX_WORDS); i++)
    find (self, search, 0, g_ptr_array_index (found, i), TRUE, cancellable);
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_search_relaxations_dispose (GObject *object)
{
  GadgetSearchRelaxations *self = GADGET_SEARCH_RELAXATIONS (object);

  g_clear_object (&self->filters);

  G_OBJECT_CLASS (gadget_search_relaxations_parent_class)->dispose (object);
}

static void
gadget_search_relaxations_finalize (GObject *object)
{
  GadgetSearchRelaxations *self = GADGET_SEARCH_RELAXATIONS (object);

  g_ptr_array_unref (self->relaxations);

  G_OBJECT_CLASS (gadget_search_relaxations_parent_class)->finalize (object);
}

static void
gadget_search_relaxations_class_init (GadgetSearchRelaxationsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_search_relaxations_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_search_relaxations_finalize;

  signals[RELAXED] = g_signal_new ("relaxed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_STRING);
}

static void
gadget_search_relaxations_init (GadgetSearchRelaxations *self)
{
  self->relaxations = g_ptr_array_new_with_free_func (relaxation_free);
}

GtkWidget *
gadget_search_relaxations_new (GadgetChatSearch *search, GadgetSearchFilters *filters,
                               const char *text, GCancellable *cancellable)
{
  GadgetSearchRelaxations *self = g_object_new (GADGET_TYPE_SEARCH_RELAXATIONS, NULL);
  const guint set = gadget_search_filters_get_set (filters);

  self->filters = g_object_ref (filters);
  for (guint i = 0; i < GADGET_SEARCH_N_FILTERS; i++)
    if ((set & 1u << i) != 0)
      find (self, search, 1u << i, text, FALSE, cancellable);
  if ((set & (set - 1)) != 0)
    find (self, search, set, text, FALSE, cancellable);
  find_words (self, search, text, cancellable);
  return GTK_WIDGET (self);
}
