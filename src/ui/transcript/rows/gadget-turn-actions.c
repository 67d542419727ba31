/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two buttons and a menu of the other actions, since more buttons would distract from the response.
 * The buttons can get the keyboard focus even while they are invisible; the style sheet shows them
 * when the pointer is over their turn, when one of them has the focus, and for the last turn. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-row-host.h"
#include "gadget-turn-actions.h"

#include "agent/gadget-edit-obstacle.h"
#include "providers/gadget-provider-config.h"
#include "ui/common/gadget-menu.h"

#include <glib/gi18n.h>

typedef enum
{
  COPY,
  REGENERATE,
  EDIT,
  BRANCH,
  DELETE,
  N_ACTIONS
} Action;

/* The actions before this one are buttons where there is room; the others are only in the menu. */
#define FIRST_OF_MENU EDIT

struct _GadgetTurnActions
{
  GtkWidget parent_instance;

  GadgetTurn *turn;
  GtkWidget *box;                    /* a child */
  GtkWidget *buttons[FIRST_OF_MENU]; /* NULL while there is little room */
  GtkWidget *more;
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
is_offered (GadgetTurn *turn, Action action)
{
  return action != COPY || has_answer (turn);
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

/* Makes a menu of the models that can give a new response. (transfer full) (nullable): NULL when
 * there are fewer than two */
static GMenuModel *
make_models (GListModel *providers, GadgetTurn *turn)
{
  const guint n = providers != NULL ? g_list_model_get_n_items (providers) : 0;
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GadgetProviderConfig) config = g_list_model_get_item (providers, i);
      const char *name = gadget_provider_config_get_name (config);
      const char *model = gadget_provider_config_get_model (config);
      g_autofree char *label =
          model != NULL ? g_strdup_printf ("%s · %s", name, model) : g_strdup (name);

      gadget_menu_append_name (menu, label, "session.regenerate-with",
                               g_variant_new ("(sss)", gadget_turn_get_id (turn),
                                              gadget_provider_config_get_id (config),
                                              model != NULL ? model : ""));
    }
  return n > 1 ? G_MENU_MODEL (g_steal_pointer (&menu)) : NULL;
}

static void
append_action (GMenu *menu, GadgetTurn *turn, Action action)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (_ (descriptions[action].menu_label), NULL);

  g_menu_item_set_action_and_target (item, descriptions[action].action, "s",
                                     gadget_turn_get_id (turn));
  g_menu_append_item (menu, item);
}

static GMenuModel *
make_menu (GadgetSession *session, GadgetTurn *turn, GListModel *providers, Action first)
{
  const gboolean running =
      gadget_edit_obstacle_find (session, G_MAXUINT) == GADGET_EDIT_OBSTACLE_RUNNING;
  g_autoptr (GMenuModel) models = make_models (providers, turn);
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) edits = g_menu_new ();

  for (Action i = first; i < N_ACTIONS; i++)
    {
      GMenu *part = i == COPY || !running ? menu : edits;

      if (is_offered (turn, i))
        append_action (part, turn, i);
      /* The submenu follows Regenerate, or takes its place where that is a button. */
      if (models != NULL && i == MAX (first, REGENERATE))
        {
          if (i == REGENERATE)
            g_menu_append_submenu (part, _ ("Regenerate _With"), models);
          else
            g_menu_prepend_submenu (part, _ ("Regenerate _With"), models);
        }
    }
  if (running)
    /* Translators: above items of a menu that cannot be chosen */
    g_menu_append_section (menu, _ ("Not available while a reply is in progress"),
                           G_MENU_MODEL (edits));
  return G_MENU_MODEL (menu);
}

GMenuModel *
gadget_turn_actions_menu_new (GadgetSession *session, GadgetTurn *turn, GListModel *providers)
{
  g_return_val_if_fail (GADGET_IS_SESSION (session) && GADGET_IS_TURN (turn), NULL);

  return make_menu (session, turn, providers, 0);
}

/* --- Buttons ---------------------------------------------------------------------------------- */

/* Returns what the button does, and why it is insensitive. (transfer full) */
static char *
dup_description (GtkWidget *button, gpointer action)
{
  const char *label = _ (descriptions[GPOINTER_TO_UINT (action)].label);

  if (gtk_widget_get_sensitive (button))
    return g_strdup (label);
  /* Translators: a tooltip; the first line is what a button does */
  return g_strdup_printf (_ ("%s\nNot available while a reply is in progress"), label);
}

/* The tooltip is not set as a property: each change of that one makes GTK ask the display server
 * where the pointer is, also while the buttons of a chat are made. */
static gboolean
query_tooltip_cb (GtkWidget *button, int x, int y, gboolean keyboard, GtkTooltip *tooltip,
                  gpointer action)
{
  g_autofree char *text = dup_description (button, action);

  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
update_description (GtkWidget *button, GParamSpec *pspec, gpointer action)
{
  const char *label = _ (descriptions[GPOINTER_TO_UINT (action)].label);
  g_autofree char *text = dup_description (button, action);

  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  g_str_equal (text, label) ? "" : text, -1);
}

static GtkWidget *
make_button (GadgetTurnActions *self, Action action)
{
  GtkWidget *button = gtk_button_new_from_icon_name (descriptions[action].icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", gadget_turn_get_id (self->turn));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), descriptions[action].action);
  gtk_widget_set_has_tooltip (button, TRUE);
  g_signal_connect (button, "query-tooltip", G_CALLBACK (query_tooltip_cb),
                    GUINT_TO_POINTER (action));
  g_signal_connect (button, "notify::sensitive", G_CALLBACK (update_description),
                    GUINT_TO_POINTER (action));
  update_description (button, NULL, GUINT_TO_POINTER (action));
  return button;
}

static void
open_menu (GtkMenuButton *button, gpointer user_data)
{
  GadgetTurnActions *self = user_data;
  g_autoptr (GMenuModel) menu = make_menu (
      gadget_row_host_get_session (GTK_WIDGET (self)), self->turn,
      gadget_row_host_get_providers (GTK_WIDGET (self)), self->narrow ? 0 : FIRST_OF_MENU);
  GtkWidget *popover = gtk_popover_menu_new_from_model (menu);

  /* The button is at the edge of the window, so the menu opens towards the other side. */
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
  gtk_box_append (GTK_BOX (self->box), self->more);
}

static void
make_buttons (GadgetTurnActions *self)
{
  for (Action i = FIRST_OF_MENU; i > 0; i--)
    {
      self->buttons[i - 1] = make_button (self, i - 1);
      gtk_box_prepend (GTK_BOX (self->box), self->buttons[i - 1]);
    }
}

static void
update (GadgetTurnActions *self)
{
  if (self->narrow)
    {
      for (guint i = 0; i < FIRST_OF_MENU && self->buttons[i] != NULL; i++)
        gtk_box_remove (GTK_BOX (self->box), g_steal_pointer (&self->buttons[i]));
      return;
    }
  if (self->buttons[0] == NULL)
    make_buttons (self);
  for (guint i = 0; i < FIRST_OF_MENU; i++)
    gtk_widget_set_visible (self->buttons[i], is_offered (self->turn, i));
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_turn_actions_dispose (GObject *object)
{
  GadgetTurnActions *self = GADGET_TURN_ACTIONS (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
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
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  make_more (self);
}

/**
 * gadget_turn_actions_new:
 * @turn: a turn that has ended
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

void
gadget_turn_actions_set_narrow (GadgetTurnActions *self, gboolean narrow)
{
  g_return_if_fail (GADGET_IS_TURN_ACTIONS (self));

  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  update (self);
}
