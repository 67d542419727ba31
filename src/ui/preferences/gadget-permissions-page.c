/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page of permission rules: a row for each rule, with a button that revokes it. */

#define G_LOG_DOMAIN "gadget-permissions"

#include "config.h"

#include "gadget-permissions-page.h"

#include "gadget-preferences-rows.h"
#include "common/gadget-clock.h"
#include "tools/policy/gadget-rule-labels.h"
#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>
#include <string.h>

struct _GadgetPermissionsPage
{
  AdwPreferencesPage parent_instance;

  GtkListBox *list;
  GtkWidget *list_group;
  GtkWidget *empty_group;

  GadgetEngine *engine;
};

G_DEFINE_FINAL_TYPE (GadgetPermissionsPage, gadget_permissions_page, ADW_TYPE_PREFERENCES_PAGE)

static GadgetPermissionRules *
get_rules (GadgetPermissionsPage *self)
{
  return gadget_policy_get_rules (gadget_agent_get_policy (gadget_engine_get_agent (self->engine)));
}

/* --- One rule --- */

static char *
dup_where (GadgetPermissionsPage *self, GadgetRule *rule)
{
  const GadgetRuleData *data = gadget_rule_get_data (rule);
  GadgetSession *session = NULL;

  if (data->scope == GADGET_RULE_SESSION)
    session = gadget_engine_find_session (self->engine, data->session);
  if (session == NULL)
    return gadget_rule_labels_dup_where (rule);
  /* Translators: a chat's title */
  return g_strdup_printf (_ ("In the chat “%s”"), gadget_labels_title (session));
}

/* Returns the first line of what the rule was made from. */
static char *
dup_origin (const GadgetRuleData *data)
{
  const char *end = strchr (data->origin, '\n');

  return end == NULL ? g_strdup (data->origin)
                     : g_strdup_printf ("%.*s…", (int) (end - data->origin), data->origin);
}

static char *
dup_subtitle (GadgetPermissionsPage *self, GadgetRule *rule)
{
  const GadgetRuleData *data = gadget_rule_get_data (rule);
  const gint64 now = gadget_clock_wall_ms ();
  g_autofree char *where = dup_where (self, rule);
  g_autofree char *origin = dup_origin (data);
  g_autofree char *made = gadget_labels_moment (data->made_at, now);
  g_autofree char *used = data->used_at != 0 ? gadget_labels_moment (data->used_at, now) : NULL;
  g_autofree char *from = NULL;
  g_autofree char *last = NULL;

  /* Translators: the command or file that was asked for when a rule was made, and when */
  from = g_strdup_printf (_ ("Made from “%s”, %s"), origin, made);
  /* Translators: a moment */
  last = used != NULL ? g_strdup_printf (_ ("Last used %s"), used) : g_strdup (_ ("Not used yet"));
  return g_strdup_printf ("%s · %s\n%s", where, last, from);
}

/* Revokes a rule. The focus, which was on the button, goes to another row, or else to the first
 * widget of the window: without any focus Esc would not close the dialog. */
static void
revoke_cb (GadgetPermissionsPage *self, GtkWidget *button)
{
  g_autoptr (GadgetRule) rule = g_object_ref (g_object_get_data (G_OBJECT (button), "rule"));
  GtkWidget *row = gtk_widget_get_ancestor (button, GTK_TYPE_LIST_BOX_ROW);
  const int position = gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row));
  GtkListBoxRow *next;

  gadget_permission_rules_revoke (get_rules (self), rule);
  next = gtk_list_box_get_row_at_index (self->list, position);
  if (next == NULL)
    next = gtk_list_box_get_row_at_index (self->list, MAX (position - 1, 0));
  if (next != NULL)
    gtk_widget_child_focus (GTK_WIDGET (next), GTK_DIR_TAB_FORWARD);
  else
    gtk_widget_child_focus (GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (self))),
                            GTK_DIR_TAB_FORWARD);
}

static GtkWidget *
make_revoke_button (GadgetPermissionsPage *self, GadgetRule *rule, const char *what)
{
  /* Translators: the accessible name of a button; what a rule allows */
  g_autofree char *name = g_strdup_printf (_ ("Revoke: %s"), what);
  GtkWidget *button = gadget_preferences_icon_button ("user-trash-symbolic", _ ("Revoke"), name);

  g_object_set_data_full (G_OBJECT (button), "rule", g_object_ref (rule), g_object_unref);
  g_signal_connect_object (button, "clicked", G_CALLBACK (revoke_cb), self, G_CONNECT_SWAPPED);
  return button;
}

static void
used_cb (GadgetRule *rule, GParamSpec *pspec, AdwActionRow *row)
{
  GtkWidget *page = gtk_widget_get_ancestor (GTK_WIDGET (row), GADGET_TYPE_PERMISSIONS_PAGE);
  g_autofree char *subtitle =
      page != NULL ? dup_subtitle (GADGET_PERMISSIONS_PAGE (page), rule) : NULL;

  if (subtitle != NULL)
    adw_action_row_set_subtitle (row, subtitle);
}

static GtkWidget *
make_row (gpointer item, gpointer user_data)
{
  GadgetPermissionsPage *self = user_data;
  GadgetRule *rule = item;
  const gboolean deny = gadget_rule_get_data (rule)->deny;
  GtkWidget *icon = gtk_image_new_from_icon_name (deny ? "action-unavailable-symbolic"
                                                       : "object-select-symbolic");
  g_autofree char *what = gadget_rule_labels_dup_what (rule);
  g_autofree char *subtitle = dup_subtitle (self, rule);
  GtkWidget *row = gadget_ui_row_new (what, subtitle);

  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 4);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 4);
  gtk_widget_add_css_class (icon, deny ? "warning" : "dimmed");
  gtk_widget_set_tooltip_text (icon, deny ? _ ("Denied") : _ ("Allowed"));
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), make_revoke_button (self, rule, what));
  g_signal_connect_object (rule, "notify::used-at", G_CALLBACK (used_cb), row, G_CONNECT_DEFAULT);
  return row;
}

/* --- All of them --- */

static void
revoke_all (GtkWidget *page)
{
  GadgetPermissionsPage *self = GADGET_PERMISSIONS_PAGE (page);

  if (self->engine != NULL)
    gadget_permission_rules_revoke_all (get_rules (self));
}

static void
revoke_all_cb (GadgetPermissionsPage *self)
{
  gadget_preferences_confirm (
      GTK_WIDGET (self), _ ("Revoke All Permissions?"),
      _ ("What was allowed will be asked for again, and what was denied as well."),
      _ ("_Revoke All"), revoke_all);
}

static void
update_empty (GadgetPermissionsPage *self)
{
  const gboolean empty = g_list_model_get_n_items (G_LIST_MODEL (get_rules (self))) == 0;

  gtk_widget_set_visible (self->list_group, !empty);
  gtk_widget_set_visible (self->empty_group, empty);
}

/* --- The page --- */

static void
gadget_permissions_page_dispose (GObject *object)
{
  g_clear_object (&GADGET_PERMISSIONS_PAGE (object)->engine);
  gtk_widget_dispose_template (GTK_WIDGET (object), GADGET_TYPE_PERMISSIONS_PAGE);

  G_OBJECT_CLASS (gadget_permissions_page_parent_class)->dispose (object);
}

static void
gadget_permissions_page_class_init (GadgetPermissionsPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_permissions_page_dispose;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/preferences/gadget-permissions-page.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetPermissionsPage, list);
  gtk_widget_class_bind_template_child (widget_class, GadgetPermissionsPage, list_group);
  gtk_widget_class_bind_template_child (widget_class, GadgetPermissionsPage, empty_group);
  gtk_widget_class_bind_template_callback (widget_class, revoke_all_cb);
}

static void
gadget_permissions_page_init (GadgetPermissionsPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

AdwPreferencesPage *
gadget_permissions_page_new (GadgetEngine *engine)
{
  GadgetPermissionsPage *self;

  g_return_val_if_fail (GADGET_IS_ENGINE (engine), NULL);

  self = g_object_new (GADGET_TYPE_PERMISSIONS_PAGE, NULL);
  self->engine = g_object_ref (engine);
  gtk_list_box_bind_model (self->list, G_LIST_MODEL (get_rules (self)), make_row, self, NULL);
  g_signal_connect_object (get_rules (self), "items-changed", G_CALLBACK (update_empty), self,
                           G_CONNECT_SWAPPED);
  update_empty (self);
  return ADW_PREFERENCES_PAGE (self);
}
