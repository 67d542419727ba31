/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-find-bar.h"

#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-column.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>

/* How long the bar says that the search went round the end, and how long after the last key the
 * number of matches is announced, in milliseconds. */
#define WRAPPED_MS 1000
#define ANNOUNCE_MS 500

struct _GadgetFindBar
{
  AdwBin parent_instance;

  GtkWidget *entry;
  GtkText *text;
  GtkLabel *count;
  GtkWidget *clear;
  GtkWidget *menu;

  GSimpleActionGroup *actions;
  GadgetTranscript *transcript; /* (nullable) */
  GadgetSession *session;       /* (nullable) (unowned): the one in it, only compared */
  GtkWidget *focus_before;      /* (nullable) (weak) */
  gboolean match_case;
  gboolean whole_words;
  gboolean narrow;
  guint wrapped_id;
  gboolean wrapped_forward;
  guint announce_id;
  gboolean announcing; /* the number is announced once it is known */

  /* Where the current match is to be; see gadget_find_bar_open_at (). */
  char *turn_id; /* (nullable) */
  int item;
  GadgetRowText item_text;
  gsize offset;
};

enum
{
  PROP_0,
  PROP_MATCH_CASE,
  PROP_WHOLE_WORDS,
  PROP_NARROW,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (GadgetFindBar, gadget_find_bar, ADW_TYPE_BIN)

static const char *
get_query (GadgetFindBar *self)
{
  return gtk_editable_get_text (GTK_EDITABLE (self->text));
}

static gboolean
is_open (GadgetFindBar *self)
{
  return gtk_widget_get_visible (GTK_WIDGET (self));
}

/* --- The count --- */

/* Returns what the entry says about the matches; "" while nothing is known. */
static char *
dup_count (GadgetFindBar *self, gboolean *none)
{
  guint current = 0;
  gboolean complete = TRUE;
  guint n = 0;

  *none = FALSE;
  if (*get_query (self) == '\0')
    return g_strdup ("");
  if (self->transcript != NULL)
    n = gadget_transcript_get_n_found (self->transcript, &current, &complete);
  *none = n == 0 && complete;
  if (*none)
    return g_strdup (_ ("No matches"));
  /* Translators: the number of the current match, and the number of all matches */
  return current > 0 ? g_strdup_printf (_ ("%u of %u"), current, n) : g_strdup ("");
}

static void
announce_count (GadgetFindBar *self)
{
  gboolean none;
  g_autofree char *text = dup_count (self, &none);

  if (!self->announcing || self->announce_id != 0 || *text == '\0')
    return;
  self->announcing = FALSE;
  gadget_announce (GTK_WIDGET (self->text), text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
update_count (GadgetFindBar *self)
{
  gboolean none;
  g_autofree char *text = dup_count (self, &none);
  const char *shown = text;

  if (self->wrapped_id != 0 && !none)
    shown = self->wrapped_forward ? _ ("From the top") : _ ("From the end");
  gtk_label_set_label (self->count, shown);
  gadget_ui_set_css_class (GTK_WIDGET (self->count), "error", none);
  gadget_ui_set_css_class (GTK_WIDGET (self->count), "dimmed", !none);
  gadget_ui_set_css_class (self->entry, "error", none);
  gtk_widget_set_visible (self->clear, *get_query (self) != '\0');
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->text), GTK_ACCESSIBLE_STATE_INVALID,
                               none ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE,
                               -1);
  announce_count (self);
}

static gboolean
wrapped_over_cb (gpointer data)
{
  GadgetFindBar *self = data;

  self->wrapped_id = 0;
  update_count (self);
  return G_SOURCE_REMOVE;
}

static void
wrapped_cb (GadgetFindBar *self, gboolean forward)
{
  g_clear_handle_id (&self->wrapped_id, g_source_remove);
  self->wrapped_id = g_timeout_add (WRAPPED_MS, wrapped_over_cb, self);
  g_source_set_name_by_id (self->wrapped_id, "gadget-find-bar went round");
  self->wrapped_forward = forward;
  update_count (self);
}

static gboolean
announce_cb (gpointer data)
{
  GadgetFindBar *self = data;

  self->announce_id = 0;
  announce_count (self);
  return G_SOURCE_REMOVE;
}

static void
announce_later (GadgetFindBar *self)
{
  g_clear_handle_id (&self->announce_id, g_source_remove);
  self->announce_id = g_timeout_add (ANNOUNCE_MS, announce_cb, self);
  g_source_set_name_by_id (self->announce_id, "gadget-find-bar announce");
  self->announcing = TRUE;
}

/* --- Finding --- */

static void
find (GadgetFindBar *self)
{
  g_clear_handle_id (&self->wrapped_id, g_source_remove);
  if (self->transcript != NULL)
    {
      gadget_transcript_find (self->transcript, get_query (self), self->match_case,
                              self->whole_words);
      if (self->turn_id != NULL)
        gadget_transcript_find_place (self->transcript, self->turn_id, self->item, self->item_text,
                                      self->offset);
      g_clear_pointer (&self->turn_id, g_free);
    }
  announce_later (self);
  update_count (self);
}

static void
changed_cb (GadgetFindBar *self)
{
  if (is_open (self))
    find (self);
}

static void
next_cb (GadgetFindBar *self)
{
  gadget_find_bar_step (self, TRUE);
}

static void
clear_cb (GadgetFindBar *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->text), "");
  gtk_widget_grab_focus (GTK_WIDGET (self->text));
}

/* --- Actions --- */

static void
next_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gadget_find_bar_step (GADGET_FIND_BAR (data), TRUE);
}

static void
previous_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gadget_find_bar_step (GADGET_FIND_BAR (data), FALSE);
}

static void
close_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gadget_find_bar_close (GADGET_FIND_BAR (data));
}

static void
add_option (GadgetFindBar *self, const char *name)
{
  g_autoptr (GPropertyAction) action = g_property_action_new (name, self, name);

  g_action_map_add_action (G_ACTION_MAP (self->actions), G_ACTION (action));
}

/* --- Object --- */

static void
gadget_find_bar_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GadgetFindBar *self = GADGET_FIND_BAR (object);

  switch (prop_id)
    {
    case PROP_MATCH_CASE:
      g_value_set_boolean (value, self->match_case);
      break;
    case PROP_WHOLE_WORDS:
      g_value_set_boolean (value, self->whole_words);
      break;
    case PROP_NARROW:
      g_value_set_boolean (value, self->narrow);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
set_option (GadgetFindBar *self, gboolean *option, gboolean value, GParamSpec *pspec)
{
  if (*option == value)
    return;
  *option = value;
  changed_cb (self);
  g_object_notify_by_pspec (G_OBJECT (self), pspec);
}

static void
gadget_find_bar_set_property (GObject *object, guint prop_id, const GValue *value,
                              GParamSpec *pspec)
{
  GadgetFindBar *self = GADGET_FIND_BAR (object);

  switch (prop_id)
    {
    case PROP_MATCH_CASE:
      set_option (self, &self->match_case, g_value_get_boolean (value), pspec);
      break;
    case PROP_WHOLE_WORDS:
      set_option (self, &self->whole_words, g_value_get_boolean (value), pspec);
      break;
    case PROP_NARROW:
      self->narrow = g_value_get_boolean (value);
      gtk_widget_set_visible (self->menu, !self->narrow);
      g_object_notify_by_pspec (object, pspec);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_find_bar_dispose (GObject *object)
{
  GadgetFindBar *self = GADGET_FIND_BAR (object);

  g_clear_handle_id (&self->wrapped_id, g_source_remove);
  g_clear_handle_id (&self->announce_id, g_source_remove);
  if (self->transcript != NULL)
    g_signal_handlers_disconnect_by_data (self->transcript, self);
  g_clear_object (&self->transcript);
  g_clear_weak_pointer (&self->focus_before);
  g_clear_pointer (&self->turn_id, g_free);
  g_clear_object (&self->actions);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_FIND_BAR);

  G_OBJECT_CLASS (gadget_find_bar_parent_class)->dispose (object);
}

static void
gadget_find_bar_class_init (GadgetFindBarClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->dispose = gadget_find_bar_dispose;
  object_class->get_property = gadget_find_bar_get_property;
  object_class->set_property = gadget_find_bar_set_property;

  props[PROP_MATCH_CASE] = g_param_spec_boolean ("match-case", NULL, NULL, FALSE, flags);
  props[PROP_WHOLE_WORDS] = g_param_spec_boolean ("whole-words", NULL, NULL, FALSE, flags);
  props[PROP_NARROW] = g_param_spec_boolean ("narrow", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);

  g_type_ensure (GADGET_TYPE_COLUMN_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/window/gadget-find-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetFindBar, entry);
  gtk_widget_class_bind_template_child (widget_class, GadgetFindBar, text);
  gtk_widget_class_bind_template_child (widget_class, GadgetFindBar, count);
  gtk_widget_class_bind_template_child (widget_class, GadgetFindBar, clear);
  gtk_widget_class_bind_template_child (widget_class, GadgetFindBar, menu);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, next_cb);
  gtk_widget_class_bind_template_callback (widget_class, clear_cb);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SEARCH);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Return, GDK_SHIFT_MASK,
                                       "find.previous", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_KP_Enter, GDK_SHIFT_MASK,
                                       "find.previous", NULL);
}

static void
gadget_find_bar_init (GadgetFindBar *self)
{
  static const GActionEntry entries[] = { { .name = "next", .activate = next_action },
                                          { .name = "previous", .activate = previous_action },
                                          { .name = "close", .activate = close_action } };

  gtk_widget_init_template (GTK_WIDGET (self));
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries),
                                   self);
  add_option (self, "match-case");
  add_option (self, "whole-words");
  gtk_widget_insert_action_group (GTK_WIDGET (self), "find", G_ACTION_GROUP (self->actions));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->text), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Find in Chat"), -1);
}

GActionGroup *
gadget_find_bar_get_actions (GadgetFindBar *self)
{
  g_return_val_if_fail (GADGET_IS_FIND_BAR (self), NULL);
  return G_ACTION_GROUP (self->actions);
}

/**
 * gadget_find_bar_set_transcript:
 * @transcript: (nullable): the transcript that is shown
 */
void
gadget_find_bar_set_transcript (GadgetFindBar *self, GadgetTranscript *transcript)
{
  GadgetSession *session;

  g_return_if_fail (GADGET_IS_FIND_BAR (self));

  session = transcript != NULL ? gadget_transcript_get_session (transcript) : NULL;
  if (self->transcript == transcript && self->session == session)
    return;
  self->session = session;
  if (self->transcript != NULL)
    g_signal_handlers_disconnect_by_data (self->transcript, self);
  g_set_object (&self->transcript, transcript);
  if (transcript != NULL)
    {
      g_signal_connect_swapped (transcript, "found", G_CALLBACK (update_count), self);
      g_signal_connect_swapped (transcript, "found-wrapped", G_CALLBACK (wrapped_cb), self);
    }
  changed_cb (self);
}

static void
remember_focus (GadgetFindBar *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self)))
    return;
  /* A row that gets the focus is scrolled to, and it should not be when the bar is closed. */
  if (focus != NULL && self->transcript != NULL
      && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->transcript)))
    focus = GTK_WIDGET (self->transcript);
  g_set_weak_pointer (&self->focus_before, focus);
}

static void
show (GadgetFindBar *self, const char *query)
{
  remember_focus (self);
  if (query != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->text), query);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  find (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->text));
  gtk_editable_select_region (GTK_EDITABLE (self->text), 0, -1);
}

void
gadget_find_bar_open (GadgetFindBar *self, const char *query)
{
  g_autofree char *selected = NULL;

  g_return_if_fail (GADGET_IS_FIND_BAR (self));

  if (query == NULL && self->transcript != NULL)
    query = selected = gadget_transcript_dup_find_query (self->transcript);
  show (self, query);
}

/**
 * gadget_find_bar_open_at:
 * @item: the number of an item of the turn, -1 for its prompt
 * @offset: in bytes of the text of the item that @text says
 */
void
gadget_find_bar_open_at (GadgetFindBar *self, const char *query, const char *turn_id, int item,
                         GadgetRowText text, gsize offset)
{
  g_return_if_fail (GADGET_IS_FIND_BAR (self) && query != NULL && turn_id != NULL);

  gtk_editable_set_text (GTK_EDITABLE (self->text), query);
  g_set_str (&self->turn_id, turn_id);
  self->item = item;
  self->item_text = text;
  self->offset = offset;
  show (self, NULL);
}

void
gadget_find_bar_close (GadgetFindBar *self)
{
  GtkRoot *root;
  GtkWidget *focus;

  g_return_if_fail (GADGET_IS_FIND_BAR (self));

  if (!is_open (self))
    return;
  root = gtk_widget_get_root (GTK_WIDGET (self));
  focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  g_clear_handle_id (&self->wrapped_id, g_source_remove);
  g_clear_handle_id (&self->announce_id, g_source_remove);
  self->announcing = FALSE;
  g_clear_pointer (&self->turn_id, g_free);
  if (focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self)))
    {
      if (self->focus_before == NULL || !gtk_widget_get_mapped (self->focus_before)
          || !gtk_widget_grab_focus (self->focus_before))
        gtk_widget_activate_action (GTK_WIDGET (self), "win.focus-composer", NULL);
    }
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  if (self->transcript != NULL)
    gadget_transcript_find (self->transcript, NULL, FALSE, FALSE);
}

void
gadget_find_bar_step (GadgetFindBar *self, gboolean forward)
{
  g_return_if_fail (GADGET_IS_FIND_BAR (self));

  if (!is_open (self))
    {
      gadget_find_bar_open (self, NULL);
      return;
    }
  /* The number of matches is not announced together with the match. */
  self->announcing = FALSE;
  if (self->transcript != NULL)
    gadget_transcript_find_step (self->transcript, forward);
}
