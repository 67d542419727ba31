/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A group of rows for environment variables or HTTP headers. Values of secrets that are in the
 * keyring are not shown: their row is empty, and keeps the stored value while it stays empty. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-variable-group.h"

#include "gadget-preferences-rows.h"
#include "secrets/gadget-secret-values.h"

#include <glib/gi18n.h>
#include <string.h>

/* A row of the group. */
typedef struct
{
  char *name;
  AdwEntryRow *row;
  gboolean secret;
} Variable;

struct _GadgetVariableGroup
{
  AdwPreferencesGroup parent_instance;

  GPtrArray *variables; /* of Variable, owned */
  GtkWidget *add_row;
  GadgetVariableMode mode;
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetVariableGroup, gadget_variable_group, ADW_TYPE_PREFERENCES_GROUP)

static void
variable_free (gpointer data)
{
  Variable *variable = data;

  g_free (variable->name);
  g_free (variable);
}

/* Case counts in the names of environment variables, but not in those of headers. */
static Variable *
find (GadgetVariableGroup *self, const char *name)
{
  int (*compare) (const char *a, const char *b) =
      self->mode == GADGET_VARIABLE_ENVIRONMENT ? g_strcmp0 : g_ascii_strcasecmp;

  for (guint i = 0; i < self->variables->len; i++)
    {
      Variable *variable = g_ptr_array_index (self->variables, i);

      if (compare (variable->name, name) == 0)
        return variable;
    }
  return NULL;
}

static void
changed_cb (GadgetVariableGroup *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

/* --- Rows --- */

static gboolean
is_of_row (gconstpointer variable, gconstpointer row)
{
  return ((const Variable *) variable)->row == row;
}

/* Removes a row; the focus, which was on its button, goes to the row that adds. */
static void
remove_cb (GadgetVariableGroup *self, GtkWidget *button)
{
  GtkWidget *row = gtk_widget_get_ancestor (button, ADW_TYPE_ENTRY_ROW);
  guint index;

  if (!g_ptr_array_find_with_equal_func (self->variables, row, is_of_row, &index))
    return;
  adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), row);
  g_ptr_array_remove_index (self->variables, index);
  gtk_widget_grab_focus (self->add_row);
  changed_cb (self);
}

/* Adds a row. @value: (nullable): NULL for a secret whose value is in the keyring. Returns the row.
 * (transfer none) */
static GtkWidget *
append (GadgetVariableGroup *self, const char *name, const char *value, gboolean secret)
{
  Variable *variable = g_new0 (Variable, 1);
  GtkWidget *row = secret ? adw_password_entry_row_new () : adw_entry_row_new ();
  /* Translators: the accessible name of a button; a variable, header or folder */
  g_autofree char *label = g_strdup_printf (_ ("Remove %s"), name);
  GtkWidget *button = gadget_preferences_icon_button ("user-trash-symbolic", _ ("Remove"), label);
  g_autofree char *title = NULL;

  if (secret && value == NULL)
    /* Translators: a new value for a secret; the name of a variable or header */
    title = g_strdup_printf (_ ("%s (kept in the keyring)"), name);
  else
    title = g_strdup (name);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gadget_preferences_set_text (ADW_ENTRY_ROW (row), value);
  g_signal_connect_object (button, "clicked", G_CALLBACK (remove_cb), self, G_CONNECT_SWAPPED);
  adw_entry_row_add_suffix (ADW_ENTRY_ROW (row), button);
  g_signal_connect_object (row, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);

  variable->name = g_strdup (name);
  variable->row = ADW_ENTRY_ROW (row);
  variable->secret = secret;
  g_ptr_array_add (self->variables, variable);
  /* Removes and adds the row that adds, so that it stays the last. */
  adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), self->add_row);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), row);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), self->add_row);
  return row;
}

/* --- Adding --- */

/* The dialog that adds a row. */
typedef struct
{
  GadgetVariableGroup *group;
  AdwAlertDialog *dialog;
  GtkWidget *name_row;
  GtkWidget *secret_row;
} Adding;

static gboolean
is_valid (GadgetVariableGroup *self, const char *name)
{
  const char *signs = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_";
  const gsize n = strspn (name, signs);
  const gsize more = self->mode == GADGET_VARIABLE_SERVER_HEADERS
                         ? strspn (name + n, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_")
                         : 0;

  if (self->mode == GADGET_VARIABLE_PROVIDER_HEADERS)
    return gadget_provider_headers_is_name (name);
  return n > 0 && name[n + more] == '\0';
}

static void
check_name_cb (Adding *adding)
{
  g_autofree char *name = gadget_preferences_dup_text (ADW_ENTRY_ROW (adding->name_row));
  const gboolean own = adding->group->mode == GADGET_VARIABLE_PROVIDER_HEADERS
                       && gadget_provider_headers_is_reserved (name);

  adw_alert_dialog_set_body (
      adding->dialog,
      own ? _ ("Gadget sets this header itself. A key is entered as the API key.") : "");
  adw_alert_dialog_set_response_enabled (
      adding->dialog, "add", is_valid (adding->group, name) && find (adding->group, name) == NULL);
}

static void
named_cb (AdwAlertDialog *dialog, const char *response, Adding *adding)
{
  g_autofree char *name = gadget_preferences_dup_text (ADW_ENTRY_ROW (adding->name_row));
  GtkWidget *row;

  if (!g_str_equal (response, "add"))
    return;
  row = append (adding->group, name, "",
                adw_switch_row_get_active (ADW_SWITCH_ROW (adding->secret_row)));
  gtk_widget_grab_focus (row);
  gadget_preferences_reveal (row);
  changed_cb (adding->group);
}

static void
adding_free (gpointer data, GClosure *closure)
{
  g_object_unref (((Adding *) data)->group);
  g_free (data);
}

static GtkWidget *
make_form (Adding *adding)
{
  GtkWidget *list = gtk_list_box_new ();

  adding->name_row = adw_entry_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (adding->name_row), _ ("Name"));
  adw_entry_row_set_activates_default (ADW_ENTRY_ROW (adding->name_row), TRUE);
  adding->secret_row = adw_switch_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (adding->secret_row), _ ("Secret"));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (adding->secret_row),
                               _ ("Kept in the keyring, and never shown again"));
  adw_switch_row_set_active (ADW_SWITCH_ROW (adding->secret_row), TRUE);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_list_box_append (GTK_LIST_BOX (list), adding->name_row);
  gtk_list_box_append (GTK_LIST_BOX (list), adding->secret_row);
  return list;
}

static void
add_cb (GadgetVariableGroup *self)
{
  AdwDialog *dialog = adw_alert_dialog_new (
      self->mode != GADGET_VARIABLE_ENVIRONMENT ? _ ("Add Header") : _ ("Add Variable"), NULL);
  Adding *adding = g_new0 (Adding, 1);

  adding->group = g_object_ref (self);
  adding->dialog = ADW_ALERT_DIALOG (dialog);
  adw_alert_dialog_set_extra_child (adding->dialog, make_form (adding));
  adw_alert_dialog_add_responses (adding->dialog, "cancel", _ ("_Cancel"), "add", _ ("_Add"), NULL);
  adw_alert_dialog_set_response_appearance (adding->dialog, "add", ADW_RESPONSE_SUGGESTED);
  adw_alert_dialog_set_default_response (adding->dialog, "add");
  adw_alert_dialog_set_close_response (adding->dialog, "cancel");
  check_name_cb (adding);
  g_signal_connect_swapped (adding->name_row, "changed", G_CALLBACK (check_name_cb), adding);
  g_signal_connect_data (dialog, "response", G_CALLBACK (named_cb), adding, adding_free,
                         G_CONNECT_DEFAULT);
  adw_dialog_present (dialog, GTK_WIDGET (self));
  gtk_widget_grab_focus (adding->name_row);
}

/* --- Overrides --- */

static void
gadget_variable_group_dispose (GObject *object)
{
  g_clear_object (&GADGET_VARIABLE_GROUP (object)->add_row);

  G_OBJECT_CLASS (gadget_variable_group_parent_class)->dispose (object);
}

static void
gadget_variable_group_finalize (GObject *object)
{
  g_ptr_array_unref (GADGET_VARIABLE_GROUP (object)->variables);

  G_OBJECT_CLASS (gadget_variable_group_parent_class)->finalize (object);
}

static void
gadget_variable_group_class_init (GadgetVariableGroupClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_variable_group_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_variable_group_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_variable_group_init (GadgetVariableGroup *self)
{
  self->variables = g_ptr_array_new_with_free_func (variable_free);
  self->add_row = g_object_ref_sink (gadget_preferences_add_row ("")); /* a reference, because it is
                                                                        * removed and added again */
  g_signal_connect_object (self->add_row, "activated", G_CALLBACK (add_cb), self,
                           G_CONNECT_SWAPPED);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), self->add_row);
  gadget_variable_group_set_mode (self, GADGET_VARIABLE_ENVIRONMENT);
}

void
gadget_variable_group_set_mode (GadgetVariableGroup *self, GadgetVariableMode mode)
{
  static const char *const descriptions[] = {
    [GADGET_VARIABLE_ENVIRONMENT] = N_ ("Variables that the program reads: a token, for example."),
    [GADGET_VARIABLE_SERVER_HEADERS] = N_ ("Sent with each request: a token, for example."),
    [GADGET_VARIABLE_PROVIDER_HEADERS] = N_ ("Sent with each request. Some gateways need them."),
  };
  const gboolean headers = mode != GADGET_VARIABLE_ENVIRONMENT;

  g_return_if_fail (GADGET_IS_VARIABLE_GROUP (self) && mode < G_N_ELEMENTS (descriptions));

  self->mode = mode;
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (self),
                                   headers ? _ ("Headers") : _ ("Environment"));
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (self), _ (descriptions[mode]));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->add_row),
                                 headers ? _ ("Add Header…") : _ ("Add Variable…"));
}

/* Adds rows. @separator: the character between name and value in @plain */
static void
load (GadgetVariableGroup *self, char **plain, char separator, char **secrets)
{
  for (guint i = 0; plain[i] != NULL; i++)
    {
      const char *end = strchr (plain[i], separator);
      g_autofree char *name = g_strndup (plain[i], (gsize) (end - plain[i]));
      g_autofree char *value = g_strdup (end + 1);

      append (self, name, separator == ':' ? g_strstrip (value) : value, FALSE);
    }
  for (guint i = 0; secrets[i] != NULL; i++)
    append (self, secrets[i], NULL, TRUE);
}

/* Reads the rows. @between: what goes between name and value. @plain: (out): names and values of
 * those that are not secret; @secrets: (out): the names of the secrets. Returns the new values of
 * secrets as JSON, or NULL when there are none. */
static char *
store (GadgetVariableGroup *self, const char *between, char ***plain, char ***secrets)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_autoptr (GPtrArray) pairs = g_ptr_array_new ();

  for (guint i = 0; i < self->variables->len; i++)
    {
      const Variable *variable = g_ptr_array_index (self->variables, i);
      const char *value = gtk_editable_get_text (GTK_EDITABLE (variable->row));

      if (!variable->secret)
        {
          g_strv_builder_take (words, g_strconcat (variable->name, between, value, NULL));
          continue;
        }
      g_strv_builder_add (names, variable->name);
      if (*value == '\0')
        continue;
      g_ptr_array_add (pairs, variable->name);
      g_ptr_array_add (pairs, (gpointer) value);
    }
  g_ptr_array_add (pairs, NULL);
  *plain = g_strv_builder_end (words);
  *secrets = g_strv_builder_end (names);
  return pairs->len > 1 ? gadget_secret_values_to_json ((const char *const *) pairs->pdata) : NULL;
}

void
gadget_variable_group_load (GadgetVariableGroup *self, const GadgetMcpConfig *config)
{
  g_return_if_fail (GADGET_IS_VARIABLE_GROUP (self));

  if (config->url != NULL)
    load (self, config->headers, ':', config->secrets);
  else
    load (self, config->environment, '=', config->secrets);
}

char *
gadget_variable_group_store (GadgetVariableGroup *self, GadgetMcpConfig *config)
{
  const gboolean remote = config->url != NULL;
  char ***place = remote ? &config->headers : &config->environment;

  g_return_val_if_fail (GADGET_IS_VARIABLE_GROUP (self), NULL);

  g_strfreev (*place);
  g_strfreev (config->secrets);
  return store (self, remote ? ": " : "=", place, &config->secrets);
}

void
gadget_variable_group_load_headers (GadgetVariableGroup *self, const GadgetProviderHeaders *headers)
{
  g_return_if_fail (GADGET_IS_VARIABLE_GROUP (self) && headers != NULL);
  load (self, headers->plain, ':', headers->secrets);
}

char *
gadget_variable_group_store_headers (GadgetVariableGroup *self, GadgetProviderHeaders **headers)
{
  g_auto (GStrv) plain = NULL;
  g_auto (GStrv) names = NULL;
  char *values;

  g_return_val_if_fail (GADGET_IS_VARIABLE_GROUP (self), NULL);

  values = store (self, ": ", &plain, &names);
  *headers = self->variables->len > 0 ? gadget_provider_headers_new ((const char *const *) plain,
                                                                     (const char *const *) names)
                                      : NULL;
  return values;
}
