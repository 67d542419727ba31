/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The model of the list. gadget-library-entries.c computes its entries anew whenever something
 * changes; what has changed of them is signaled as one change. An entry that changed its group is
 * part of that change, also if it did not move: a list whose sections change without a signal of
 * its model makes GTK abort the program. */

#define G_LOG_DOMAIN "gadget-library"

#include "config.h"

#include "gadget-library-model.h"

struct _GadgetLibraryModel
{
  GObject parent_instance;

  GArray *entries;                           /* of GadgetLibraryEntry, ordered by group */
  guint starts[GADGET_N_LIBRARY_GROUPS + 1]; /* the position at which each group begins */
  GadgetSession *current;                    /* (nullable) */
  GHashTable *selected; /* (nullable) of GadgetSession: NULL unless the user selects */
};

enum
{
  PROP_0,
  PROP_SELECTING,
  N_PROPS
};

enum
{
  CHOSEN,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

static const GadgetLibraryEntry *
get_entry (GadgetLibraryModel *self, guint position)
{
  return &g_array_index (self->entries, GadgetLibraryEntry, position);
}

/* --- GListModel ------------------------------------------------------------------------------- */

static GType
get_item_type (GListModel *model)
{
  return G_TYPE_OBJECT;
}

static guint
get_n_items (GListModel *model)
{
  return GADGET_LIBRARY_MODEL (model)->entries->len;
}

static gpointer
get_item (GListModel *model, guint position)
{
  GadgetLibraryModel *self = GADGET_LIBRARY_MODEL (model);

  return position < self->entries->len ? g_object_ref (get_entry (self, position)->item) : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

/* --- GtkSectionModel -------------------------------------------------------------------------- */

static void
get_section (GtkSectionModel *model, guint position, guint *start, guint *end)
{
  GadgetLibraryModel *self = GADGET_LIBRARY_MODEL (model);
  GadgetLibraryGroup group;

  if (position >= self->entries->len)
    {
      *start = self->entries->len;
      *end = G_MAXUINT;
      return;
    }
  group = get_entry (self, position)->group;
  *start = self->starts[group];
  *end = self->starts[group + 1];
}

static void
section_model_init (GtkSectionModelInterface *iface)
{
  iface->get_section = get_section;
}

/* --- GtkSelectionModel ------------------------------------------------------------------------ */

static gboolean
is_selected (GtkSelectionModel *model, guint position)
{
  GadgetLibraryModel *self = GADGET_LIBRARY_MODEL (model);
  GObject *item;

  if (position >= self->entries->len)
    return FALSE;
  item = get_entry (self, position)->item;
  return self->selected != NULL ? g_hash_table_contains (self->selected, item)
                                : item == (GObject *) self->current;
}

static void
selection_changed (GadgetLibraryModel *self)
{
  if (self->entries->len > 0)
    gtk_selection_model_selection_changed (GTK_SELECTION_MODEL (self), 0, self->entries->len);
}

/* Selects or unselects the chats among @n entries, and begins with selecting if need be. */
static void
select_entries (GadgetLibraryModel *self, guint position, guint n, gboolean selected)
{
  gadget_library_model_set_selecting (self, TRUE);
  for (guint i = position; i < self->entries->len && i - position < n; i++)
    if (!selected)
      g_hash_table_remove (self->selected, get_entry (self, i)->item);
    else if (get_entry (self, i)->selectable)
      g_hash_table_add (self->selected, g_object_ref (get_entry (self, i)->item));
  selection_changed (self);
}

/* GtkListView calls this with @unselect_rest when a row is clicked or the focus moves to it, and
 * without when Ctrl is pressed as well. */
static gboolean
select_item (GtkSelectionModel *model, guint position, gboolean unselect_rest)
{
  GadgetLibraryModel *self = GADGET_LIBRARY_MODEL (model);
  g_autoptr (GObject) item = get_item (G_LIST_MODEL (self), position);

  if (!GADGET_IS_SESSION (item) || (unselect_rest && self->selected != NULL))
    return FALSE;
  if (!unselect_rest)
    select_entries (self, position, 1, TRUE);
  else if (item != (GObject *) self->current)
    g_signal_emit (self, signals[CHOSEN], 0, item);
  return TRUE;
}

/* Ctrl is pressed. The current chat looks selected, and is then the first that is selected. */
static gboolean
unselect_item (GtkSelectionModel *model, guint position)
{
  GadgetLibraryModel *self = GADGET_LIBRARY_MODEL (model);

  select_entries (self, position, 1, self->selected == NULL);
  return TRUE;
}

static gboolean
select_range (GtkSelectionModel *model, guint position, guint n_items, gboolean unselect_rest)
{
  GadgetLibraryModel *self = GADGET_LIBRARY_MODEL (model);

  if (unselect_rest && self->selected != NULL)
    g_hash_table_remove_all (self->selected);
  select_entries (self, position, n_items, TRUE);
  return TRUE;
}

static gboolean
select_all (GtkSelectionModel *model)
{
  select_entries (GADGET_LIBRARY_MODEL (model), 0, G_MAXUINT, TRUE);
  return TRUE;
}

static gboolean
unselect_all (GtkSelectionModel *model)
{
  GadgetLibraryModel *self = GADGET_LIBRARY_MODEL (model);

  if (self->selected == NULL)
    return FALSE;
  select_entries (self, 0, G_MAXUINT, FALSE);
  return TRUE;
}

static void
selection_model_init (GtkSelectionModelInterface *iface)
{
  iface->is_selected = is_selected;
  iface->select_item = select_item;
  iface->unselect_item = unselect_item;
  iface->select_range = select_range;
  iface->select_all = select_all;
  iface->unselect_all = unselect_all;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (GadgetLibraryModel, gadget_library_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init)
                                   G_IMPLEMENT_INTERFACE (GTK_TYPE_SECTION_MODEL,
                                                          section_model_init)
                                       G_IMPLEMENT_INTERFACE (GTK_TYPE_SELECTION_MODEL,
                                                              selection_model_init))

/* --- Overrides -------------------------------------------------------------------------------- */

static void
gadget_library_model_finalize (GObject *object)
{
  GadgetLibraryModel *self = GADGET_LIBRARY_MODEL (object);

  g_array_unref (self->entries);
  g_clear_pointer (&self->selected, g_hash_table_unref);
  g_clear_object (&self->current);

  G_OBJECT_CLASS (gadget_library_model_parent_class)->finalize (object);
}

static void
gadget_library_model_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_SELECTING:
      g_value_set_boolean (value, GADGET_LIBRARY_MODEL (object)->selected != NULL);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_library_model_class_init (GadgetLibraryModelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = gadget_library_model_finalize;
  object_class->get_property = gadget_library_model_get_property;

  props[PROP_SELECTING] =
      g_param_spec_boolean ("selecting", NULL, NULL, FALSE,
                            G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, GADGET_TYPE_SESSION);
}

static void
gadget_library_model_init (GadgetLibraryModel *self)
{
  self->entries = gadget_library_entries_new ();
}

/* --- Public ----------------------------------------------------------------------------------- */

GadgetLibraryModel *
gadget_library_model_new (void)
{
  return g_object_new (GADGET_TYPE_LIBRARY_MODEL, NULL);
}

static void
clear_entry (gpointer data)
{
  GadgetLibraryEntry *entry = data;

  g_clear_object (&entry->item);
}

GArray *
gadget_library_entries_new (void)
{
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (GadgetLibraryEntry));

  g_array_set_clear_func (entries, clear_entry);
  return entries;
}

static gboolean
is_same (const GadgetLibraryEntry *a, const GadgetLibraryEntry *b)
{
  return a->item == b->item && a->group == b->group;
}

static void
set_entries (GadgetLibraryModel *self, GArray *entries)
{
  guint position = 0;

  self->entries = entries;
  for (guint group = 0; group <= GADGET_N_LIBRARY_GROUPS; group++)
    {
      while (position < entries->len && (guint) get_entry (self, position)->group < group)
        position++;
      self->starts[group] = position;
    }
}

/* Returns whether something was selected that is not listed any more. */
static gboolean
unselect_gone (GadgetLibraryModel *self)
{
  g_autoptr (GHashTable) before = g_steal_pointer (&self->selected);

  if (before == NULL)
    return FALSE;
  self->selected = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  for (guint i = 0; i < self->entries->len; i++)
    if (g_hash_table_contains (before, get_entry (self, i)->item))
      g_hash_table_add (self->selected, g_object_ref (get_entry (self, i)->item));
  return g_hash_table_size (self->selected) < g_hash_table_size (before);
}

void
gadget_library_model_take (GadgetLibraryModel *self, GArray *entries)
{
  g_autoptr (GArray) old = NULL;
  guint n, begin = 0, end = 0;

  g_return_if_fail (GADGET_IS_LIBRARY_MODEL (self) && entries != NULL);

  old = self->entries;
  n = MIN (old->len, entries->len);
  set_entries (self, entries);
  while (begin < n
         && is_same (&g_array_index (old, GadgetLibraryEntry, begin), get_entry (self, begin)))
    begin++;
  while (end < n - begin
         && is_same (&g_array_index (old, GadgetLibraryEntry, old->len - end - 1),
                     get_entry (self, entries->len - end - 1)))
    end++;
  if (old->len > begin + end || entries->len > begin + end)
    g_list_model_items_changed (G_LIST_MODEL (self), begin, old->len - begin - end,
                                entries->len - begin - end);
  if (unselect_gone (self))
    selection_changed (self);
}

const GadgetLibraryEntry *
gadget_library_model_get_entry (GadgetLibraryModel *self, guint position)
{
  g_return_val_if_fail (GADGET_IS_LIBRARY_MODEL (self), NULL);
  g_return_val_if_fail (position < self->entries->len, NULL);
  return get_entry (self, position);
}

guint
gadget_library_model_find (GadgetLibraryModel *self, gconstpointer item)
{
  g_return_val_if_fail (GADGET_IS_LIBRARY_MODEL (self), GTK_INVALID_LIST_POSITION);

  for (guint i = 0; i < self->entries->len; i++)
    if ((gconstpointer) get_entry (self, i)->item == item)
      return i;
  return GTK_INVALID_LIST_POSITION;
}

void
gadget_library_model_set_current (GadgetLibraryModel *self, GadgetSession *session)
{
  g_return_if_fail (GADGET_IS_LIBRARY_MODEL (self));

  if (g_set_object (&self->current, session) && self->selected == NULL)
    selection_changed (self);
}

gboolean
gadget_library_model_get_selecting (GadgetLibraryModel *self)
{
  g_return_val_if_fail (GADGET_IS_LIBRARY_MODEL (self), FALSE);
  return self->selected != NULL;
}

void
gadget_library_model_set_selecting (GadgetLibraryModel *self, gboolean selecting)
{
  g_return_if_fail (GADGET_IS_LIBRARY_MODEL (self));

  if (selecting == (self->selected != NULL))
    return;
  g_clear_pointer (&self->selected, g_hash_table_unref);
  if (selecting)
    self->selected = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SELECTING]);
  selection_changed (self);
}

void
gadget_library_model_toggle (GadgetLibraryModel *self, gconstpointer item)
{
  guint position;

  g_return_if_fail (GADGET_IS_LIBRARY_MODEL (self));

  position = gadget_library_model_find (self, item);
  if (position != GTK_INVALID_LIST_POSITION)
    select_entries (self, position, 1,
                    self->selected == NULL || !g_hash_table_contains (self->selected, item));
}

GPtrArray *
gadget_library_model_dup_selected (GadgetLibraryModel *self)
{
  GPtrArray *sessions = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_val_if_fail (GADGET_IS_LIBRARY_MODEL (self), sessions);

  for (guint i = 0; self->selected != NULL && i < self->entries->len; i++)
    if (g_hash_table_contains (self->selected, get_entry (self, i)->item))
      g_ptr_array_add (sessions, g_object_ref (get_entry (self, i)->item));
  return sessions;
}
