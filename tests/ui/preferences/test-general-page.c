/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The general preferences: each row shows and writes its key. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-forms.h"
#include "test-store.h"
#include "test-window.h"
#include "ui/common/gadget-settings.h"
#include "ui/preferences/gadget-general-page.h"
#include "wait.h"

/* One row with a key: @property is set to @value, as the user does, and @stored is what the key has
 * then. */
typedef struct
{
  const char *title;
  const char *property;
  int value;
  const char *key;
  const char *stored;
} Row;

static const Row rows[] = {
  { "Appearance", "selected", 2, "color-scheme", "'dark'" },
  { "Permissions", "selected", 2, "default-mode", "'read-only'" },
  { "Time", "value", 30, "limit-minutes", "uint32 30" },
  { "Steps", "value", 40, "limit-steps", "uint32 40" },
  { "Tokens", "value", 50, "limit-kilotokens", "uint32 50" },
  { "Money", "value", 2, "limit-dollars", "2.0" },
  { "Money per Day", "value", 10, "limit-day-dollars", "10.0" },
  { "Stop Without Asking", "active", 1, "limits-hard", "true" },
#ifdef HAVE_SPELLING
  { "Check Spelling", "active", 0, "check-spelling", "false" },
#endif
};

typedef struct
{
  GSettings *settings;
  GtkWidget *window;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  test_window_forget_settings ();
  self->settings = gadget_settings_new ();
  g_assert_nonnull (self->settings);
  self->window = gadget_test_window_new (g_object_new (GADGET_TYPE_GENERAL_PAGE, NULL), 600, 900);
  wait_until (test_find_row (self->window, "Appearance") != NULL);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (self->window));
  g_clear_object (&self->window);
  g_clear_object (&self->settings);
}

static void
assert_stored (Fixture *self, const char *key, const char *expected)
{
  g_autoptr (GVariant) value = g_settings_get_value (self->settings, key);
  g_autofree char *text = g_variant_print (value, TRUE);

  g_assert_cmpstr (text, ==, expected);
}

static int
get_value (GtkWidget *row, const char *property)
{
  g_auto (GValue) value = G_VALUE_INIT;
  g_auto (GValue) number = G_VALUE_INIT;

  g_object_get_property (G_OBJECT (row), property, &value);
  g_value_init (&number, G_TYPE_INT);
  g_assert_true (g_value_transform (&value, &number));
  return g_value_get_int (&number);
}

static void
set_value (GtkWidget *row, const char *property, int number)
{
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (row), property);
  g_auto (GValue) value = G_VALUE_INIT;
  g_auto (GValue) source = G_VALUE_INIT;

  g_value_init (&source, G_TYPE_INT);
  g_value_set_int (&source, number);
  g_value_init (&value, pspec->value_type);
  g_assert_true (g_value_transform (&source, &value));
  g_object_set_property (G_OBJECT (row), property, &value);
}

static void
test_rows (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GtkWidget *row = test_find_row (self->window, rows[i].title);
      int first;

      g_assert_nonnull (row);
      first = get_value (row, rows[i].property);
      set_value (row, rows[i].property, rows[i].value);
      assert_stored (self, rows[i].key, rows[i].stored);
      g_assert_cmpint (first, !=, rows[i].value);
    }
}

/* The page that is opened later shows what is stored. */
static void
test_shown (Fixture *self, gconstpointer data)
{
  GtkWidget *window;

  test_rows (self, data);
  window = gadget_test_window_new (g_object_new (GADGET_TYPE_GENERAL_PAGE, NULL), 600, 900);
  wait_until (test_find_row (window, "Appearance") != NULL);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpint (get_value (test_find_row (window, rows[i].title), rows[i].property), ==,
                     rows[i].value);
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (window);
}

/* The folder is chosen in a dialog of the desktop; here it is stored by somebody else. */
static void
test_folder (Fixture *self, gconstpointer data)
{
  g_autofree char *folder = test_dir_new ();

  g_assert_true (test_says (self->window, "That of the chat before"));
  g_assert_null (test_find_button (self->window, "No Default Folder"));
  g_settings_set_string (self->settings, "default-folder", folder);
  wait_until (test_says (self->window, folder));
  test_press (self->window, "No Default Folder");
  assert_stored (self, "default-folder", "''");
  wait_until (test_says (self->window, "That of the chat before"));
  test_dir_free (g_steal_pointer (&folder));
}

static gboolean
is_unknown (GtkWidget *widget, gpointer user_data)
{
  const char *title;

  if (!ADW_IS_PREFERENCES_ROW (widget) || !gtk_widget_get_mapped (widget))
    return FALSE;
  title = adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (g_str_equal (rows[i].title, title))
      return FALSE;
  return !g_str_equal (title, "Folder");
}

/* A new row gets a line in the table above. */
static void
test_all_rows (Fixture *self, gconstpointer data)
{
  g_assert_null (test_find (self->window, is_unknown, NULL));
}

/* A folder whose name is not UTF-8 comes back as it was. */
static void
test_latin1_folder (Fixture *self, gconstpointer data)
{
  g_autofree char *path = NULL;

  gadget_settings_set_folder (self->settings, "/tmp/caf\xe9");
  path = gadget_settings_dup_folder (self->settings);
  g_assert_cmpstr (path, ==, "/tmp/caf\xe9");
  assert_stored (self, "default-folder", "'file:///tmp/caf%E9'");
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
#define ADD(name, func)                                                                            \
  g_test_add ("/ui/general-page/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("rows", test_rows);
  ADD ("shown", test_shown);
  ADD ("folder", test_folder);
  ADD ("all-rows", test_all_rows);
  ADD ("latin1-folder", test_latin1_folder);
  return g_test_run ();
}
