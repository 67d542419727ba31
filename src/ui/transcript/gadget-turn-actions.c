/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The buttons are there for the keyboard also while they are not seen; the style sheet shows them
 * when the pointer is over their turn, when one of them has the focus, and for the last turn. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript.h"
#include "gadget-turn-actions.h"

#include "agent/gadget-turn-edits.h"

#include <glib/gi18n.h>

typedef enum
{
  COPY,
  EDIT,
  REGENERATE,
  BRANCH,
  DELETE,
  N_ACTIONS
} Action;

struct _GadgetTurnActions
{
  GtkWidget parent_instance;

  GadgetTurn *turn;
  GtkWidget *box; /* a child; NULL as long as there is little room */
  GtkWidget *buttons[N_ACTIONS];
  GtkWidget *more; /* a child, when there is little room */
  gboolean last;
  gboolean narrow;
};

G_DEFINE_FINAL_TYPE (GadgetTurnActions, gadget_turn_actions, GTK_TYPE_WIDGET)

static const struct
{
  const char *action;
  const char *icon;
  const char *label;
  const char *menu_label;
} descriptions[N_ACTIONS] = {
  [COPY] = { "session.copy-turn", "edit-copy-symbolic", N_ ("Copy Reply"), N_ ("Copy _Reply") },
  [EDIT] = { "session.edit-turn", "document-edit-symbolic", N_ ("Edit and Resend"),
             N_ ("_Edit and Resend") },
  [REGENERATE] = { "session.regenerate", "view-refresh-symbolic", N_ ("Regenerate Reply"),
                   N_ ("Re_generate Reply") },
  [BRANCH] = { "session.branch", "gadget-branch-symbolic", N_ ("Branch into New Chat"),
               N_ ("_Branch into New Chat") },
  [DELETE] = { "session.delete-turn", "user-trash-symbolic", N_ ("Delete Turn"),
               N_ ("_Delete Turn") },
};

static gboolean
is_answer (GadgetItem *item)
{
  return gadget_item_get_kind (item) == GADGET_ITEM_TEXT && gadget_item_get_length (item) > 0;
}

static gboolean
has_answer (GadgetTurn *turn)
{
  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    if (is_answer (gadget_turn_get_item (turn, i)))
      return TRUE;
  return FALSE;
}

static gboolean
is_offered (GadgetTurn *turn, gboolean last, Action action)
{
  switch (action)
    {
    case COPY:
      return has_answer (turn);
    case REGENERATE:
      return last;
    case EDIT:
    case BRANCH:
    case DELETE:
    case N_ACTIONS:
    default:
      return TRUE;
    }
}

char *
gadget_turn_actions_dup_answer (GadgetTurn *turn)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_return_val_if_fail (GADGET_IS_TURN (turn), NULL);

  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);

      if (!is_answer (item))
        continue;
      if (text->len > 0)
        g_string_append (text, "\n\n");
      g_string_append_len (text, gadget_item_get_text (item),
                           (gssize) gadget_item_get_length (item));
    }
  return text->len > 0 ? g_string_free_and_steal (g_steal_pointer (&text)) : NULL;
}

GMenuModel *
gadget_turn_actions_menu_new (GadgetSession *session, GadgetTurn *turn, gboolean last)
{
  const gboolean running =
      gadget_turn_edits_get_obstacle (session, G_MAXUINT) == GADGET_EDIT_OBSTACLE_RUNNING;
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) edits = g_menu_new ();

  g_return_val_if_fail (GADGET_IS_TURN (turn), NULL);

  for (guint i = 0; i < N_ACTIONS; i++)
    {
      g_autoptr (GMenuItem) item = NULL;

      if (!is_offered (turn, last, i))
        continue;
      item = g_menu_item_new (_ (descriptions[i].menu_label), NULL);
      g_menu_item_set_action_and_target (item, descriptions[i].action, "s",
                                         gadget_turn_get_id (turn));
      g_menu_append_item (i == COPY || !running ? menu : edits, item);
    }
  if (running)
    /* Translators: above items of a menu that cannot be chosen */
    g_menu_append_section (menu, _ ("Not available while a reply is in progress"),
                           G_MENU_MODEL (edits));
  return G_MENU_MODEL (menu);
}

/* --- Buttons ---------------------------------------------------------------------------------- */

/* Why it cannot be pressed, besides what it is. */
static void
update_tooltip (GtkWidget *button, GParamSpec *pspec, gpointer action)
{
  const char *label = _ (descriptions[GPOINTER_TO_UINT (action)].label);
  g_autofree char *text = NULL;

  if (!gtk_widget_get_sensitive (button))
    /* Translators: a tooltip; the first line is what a button does */
    text = g_strdup_printf (_ ("%s\nNot available while a reply is in progress"), label);
  gtk_widget_set_tooltip_text (button, text != NULL ? text : label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text != NULL ? text : "",
                                  -1);
}

static GtkWidget *
make_button (GadgetTurnActions *self, Action action)
{
  GtkWidget *button = gtk_button_new_from_icon_name (descriptions[action].icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", gadget_turn_get_id (self->turn));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), descriptions[action].action);
  g_signal_connect (button, "notify::sensitive", G_CALLBACK (update_tooltip),
                    GUINT_TO_POINTER (action));
  update_tooltip (button, NULL, GUINT_TO_POINTER (action));
  return button;
}

static void
make_buttons (GadgetTurnActions *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  for (guint i = 0; i < N_ACTIONS; i++)
    {
      self->buttons[i] = make_button (self, i);
      gtk_box_append (GTK_BOX (self->box), self->buttons[i]);
    }
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

static void
open_menu (GtkMenuButton *button, gpointer user_data)
{
  GadgetTurnActions *self = user_data;
  GtkWidget *transcript = gtk_widget_get_ancestor (GTK_WIDGET (self), GADGET_TYPE_TRANSCRIPT);
  g_autoptr (GMenuModel) menu = gadget_turn_actions_menu_new (
      gadget_transcript_get_session (GADGET_TRANSCRIPT (transcript)), self->turn, self->last);
  GtkWidget *popover = gtk_popover_menu_new_from_model (menu);

  /* The button is at the edge of the window. */
  gtk_widget_set_halign (popover, GTK_ALIGN_END);
  gtk_menu_button_set_popover (button, popover);
}

static void
make_more (GadgetTurnActions *self)
{
  self->more = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (self->more), "view-more-symbolic");
  gtk_widget_add_css_class (self->more, "flat");
  gtk_widget_set_tooltip_text (self->more, _ ("More"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->more), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  /* Translators: a menu of what can be done with a turn */
                                  _ ("Turn Actions"), -1);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->more), open_menu, self, NULL);
  gtk_widget_set_parent (self->more, GTK_WIDGET (self));
}

static void
update (GadgetTurnActions *self)
{
  if (self->narrow)
    {
      g_clear_pointer (&self->box, gtk_widget_unparent);
      if (self->more == NULL)
        make_more (self);
      return;
    }
  g_clear_pointer (&self->more, gtk_widget_unparent);
  if (self->box == NULL)
    make_buttons (self);
  for (guint i = 0; i < N_ACTIONS; i++)
    gtk_widget_set_visible (self->buttons[i], is_offered (self->turn, self->last, i));
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_turn_actions_dispose (GObject *object)
{
  GadgetTurnActions *self = GADGET_TURN_ACTIONS (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->more, gtk_widget_unparent);
  g_clear_object (&self->turn);

  G_OBJECT_CLASS (gadget_turn_actions_parent_class)->dispose (object);
}

static void
gadget_turn_actions_class_init (GadgetTurnActionsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_turn_actions_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "turn-actions");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
gadget_turn_actions_init (GadgetTurnActions *self)
{
}

/**
 * gadget_turn_actions_new:
 * @turn: one that has ended
 */
GtkWidget *
gadget_turn_actions_new (GadgetTurn *turn)
{
  GadgetTurnActions *self = g_object_new (GADGET_TYPE_TURN_ACTIONS, NULL);

  self->turn = g_object_ref (turn);
  update (self);
  return GTK_WIDGET (self);
}

void
gadget_turn_actions_set_shown (GadgetTurnActions *self, gboolean shown)
{
  g_return_if_fail (GADGET_IS_TURN_ACTIONS (self));

  if (shown)
    gtk_widget_add_css_class (GTK_WIDGET (self), "shown");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "shown");
}

/**
 * gadget_turn_actions_set_last:
 * @last: whether no turn follows: its reply can be asked for again
 */
void
gadget_turn_actions_set_last (GadgetTurnActions *self, gboolean last)
{
  g_return_if_fail (GADGET_IS_TURN_ACTIONS (self));

  if (self->last == last)
    return;
  self->last = last;
  update (self);
}

void
gadget_turn_actions_set_narrow (GadgetTurnActions *self, gboolean narrow)
{
  g_return_if_fail (GADGET_IS_TURN_ACTIONS (self));

  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  update (self);
}
