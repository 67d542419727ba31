/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Servers of tools in the preferences: added, looked at, changed, switched, and removed, here and
 * by another process. */

#include "config.h"

#include "gadget-test-ui.h"
#include "store/gadget-store-mcp.h"
#include "test-faults.h"
#include "test-forms.h"
#include "test-process.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/preferences/gadget-mcp-folders.h"
#include "wait.h"

#include <string.h>

#define SOON_MS 20000
#define SECRET "very-secret-77"

/* A dialog that opens or goes is animated, for longer with sanitizers. */
#define SETTLE_MS (20 * WAIT_S)

static GtkWidget *
get_dialog (TestWindow *self)
{
  return GTK_WIDGET (
      adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self->window)));
}

static GtkWidget *
find_label (TestWindow *self, const char *text)
{
  return test_find_label (GTK_WIDGET (self->window), text);
}

static gboolean
begins_with (GtkWidget *widget, gpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && g_str_has_prefix (gtk_label_get_text (GTK_LABEL (widget)), text);
}

static GtkWidget *
find_beginning (TestWindow *self, const char *text)
{
  return test_find (GTK_WIDGET (self->window), begins_with, (gpointer) text);
}

static GtkWidget *
find_row (TestWindow *self, const char *title)
{
  GtkWidget *row;

  wait_until ((row = test_find_row (GTK_WIDGET (self->window), title)) != NULL);
  return row;
}

static GadgetMcpList *
get_servers (TestWindow *self)
{
  return gadget_engine_get_mcp (self->engine);
}

static void
open_page (TestWindow *self)
{
  GtkWidget *label;

  test_key ("ctrl+comma");
  wait_until ((label = find_label (self, "Tools")) != NULL);
  test_run_for (SETTLE_MS); /* it is moving */
  test_click (label);
}

static void
activate (TestWindow *self, const char *title)
{
  g_assert_true (gtk_widget_grab_focus (find_row (self, title)));
  test_run_for (100);
  test_key ("Return");
}

static gboolean
is_switch (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_SWITCH (widget) && gtk_widget_get_mapped (widget);
}

static void
press_switch (TestWindow *self, const char *title)
{
  GtkWidget *power = test_find (find_row (self, title), is_switch, NULL);

  g_assert_nonnull (power);
  gtk_switch_set_active (GTK_SWITCH (power), !gtk_switch_get_active (GTK_SWITCH (power)));
}

/* The button that the label is on. */
static void
press (TestWindow *self, const char *text)
{
  GtkWidget *label;

  wait_until ((label = find_label (self, text)) != NULL);
  g_assert_true (gtk_widget_grab_focus (gtk_widget_get_ancestor (label, GTK_TYPE_BUTTON)));
  test_run_for (100);
  test_key ("Return");
}

static void
fill (TestWindow *self, const char *title, const char *text)
{
  g_assert_true (gtk_widget_grab_focus (find_row (self, title)));
  test_key ("ctrl+a");
  test_type (text);
}

static void
open_server (TestWindow *self, const char *id)
{
  GtkWidget *row = find_row (self, id);

  gtk_widget_activate (adw_action_row_get_activatable_widget (ADW_ACTION_ROW (row)));
  find_row (self, "Remove Tool Server");
  test_run_for (SETTLE_MS);
}

static char *
dup_command (TestWindow *self, const char *options)
{
  return g_strdup_printf ("python3 %s/tests/support/mcp_server.py --log %s/mcp.log %s",
                          g_getenv ("GADGET_SOURCE_ROOT"), self->folder, options);
}

/* --- Another process --- */

typedef struct
{
  GadgetStore *store;
  GAsyncResult *result;
} Other;

static void
other_open (Other *other, TestWindow *self)
{
  other->store = gadget_store_new (self->folder);
  gadget_store_open_async (other->store, test_result_cb, &other->result);
  g_assert_true (test_wait_result (&other->result, SOON_MS));
  g_assert_true (gadget_store_open_finish (other->store, other->result, NULL));
  g_clear_object (&other->result);
}

static void
other_save (Other *other, const char *config, gboolean enabled, const char *tools)
{
  gadget_store_save_mcp_server_async (other->store, "other", config, enabled, tools, test_result_cb,
                                      &other->result);
  g_assert_true (test_wait_result (&other->result, SOON_MS));
  g_assert_true (gadget_store_save_mcp_server_finish (other->store, other->result, NULL));
  g_clear_object (&other->result);
}

static void
other_close (Other *other)
{
  gadget_store_close_async (other->store, test_result_cb, &other->result);
  g_assert_true (test_wait_result (&other->result, SOON_MS));
  gadget_store_close_finish (other->store, other->result, NULL);
  g_clear_object (&other->result);
  g_clear_object (&other->store);
}

/* --- Tests --- */

/* From nothing to a server that is connected, with keys; and away again. */
static void
test_add_and_remove (TestWindow *self, gconstpointer data)
{
  g_autofree char *command = dup_command (self, "--era legacy");
  g_autofree char *log = g_build_filename (self->folder, "mcp.log", NULL);
  const GadgetMcpConfig *config;
  GadgetMcpServer *server;

  open_page (self);
  wait_until (find_label (self, "No Tool Servers Yet") != NULL);
  press (self, "Add Tool Server…");
  g_assert_false (gtk_widget_is_sensitive (find_label (self, "Add")));
  fill (self, "Name", "My Mock");
  fill (self, "Command With Its Arguments", command);
  activate (self, "Run Without the Sandbox");
  press (self, "Add");
  wait_until (find_label (self, "Connected · 28 tools") != NULL);
  server = gadget_mcp_list_find (get_servers (self), "my-mock");
  g_assert_nonnull (server);
  config = gadget_mcp_server_get_config (server);
  g_assert_false (config->confined || config->network);
  g_assert_cmpstr (config->command[0], ==, "python3");
  g_assert_cmpuint (g_strv_length (config->command), ==, 6);
  g_assert_null (find_label (self, "No Tool Servers Yet"));

  open_server (self, "my-mock");
  activate (self, "Remove Tool Server");
  press (self, "Remove");
  wait_until (find_label (self, "No Tool Servers Yet") != NULL);
  g_assert_null (gadget_mcp_list_find (get_servers (self), "my-mock"));
  test_wait_alive (log, 0);
}

static gboolean
shows_secret (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_EDITABLE (widget)
         && strstr (gtk_editable_get_text (GTK_EDITABLE (widget)), SECRET) != NULL;
}

/* The value goes to the keyring and is not seen again; it stays when something else is changed. */
static void
test_secret (TestWindow *self, gconstpointer data)
{
  g_autofree char *command = dup_command (self, "--era legacy");
  g_autofree char *slower = dup_command (self, "--era legacy --slow-start 0.1");
  g_autoptr (GAsyncResult) result = NULL;
  GadgetMcpServer *server;
  const GadgetMcpConfig *config;
  char *kept;

  open_page (self);
  press (self, "Add Tool Server…");
  fill (self, "Name", "mock");
  fill (self, "Command With Its Arguments", command);
  activate (self, "Add Variable…");
  wait_until (find_label (self, "Secret") != NULL);
  test_run_for (SETTLE_MS);
  test_type ("MY_TOKEN");
  test_key ("Return");
  find_row (self, "MY_TOKEN");
  test_run_for (SETTLE_MS);
  fill (self, "MY_TOKEN", SECRET);
  activate (self, "Run Without the Sandbox");
  press (self, "Add");
  wait_until (find_label (self, "Connected · 28 tools") != NULL);
  config = gadget_mcp_server_get_config (gadget_mcp_list_find (get_servers (self), "mock"));
  g_assert_cmpstr (config->secrets[0], ==, "MY_TOKEN");
  g_assert_null (config->environment[0]);

  open_server (self, "mock");
  find_row (self, "MY_TOKEN (kept in the keyring)");
  g_assert_null (test_find (get_dialog (self), shows_secret, NULL));
  fill (self, "Command With Its Arguments", slower);
  press (self, "Save");
  wait_until ((server = gadget_mcp_list_find (get_servers (self), "mock")) != NULL
              && g_strv_length (gadget_mcp_server_get_config (server)->command) == 8);
  wait_until (gadget_mcp_server_get_status (server) == GADGET_MCP_READY);
  gadget_secrets_lookup_async (gadget_engine_get_secrets (self->engine), "mcp-mock", NULL, NULL,
                               test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  kept = gadget_secrets_lookup_finish (gadget_engine_get_secrets (self->engine), result, NULL);
  g_assert_cmpstr (kept, ==, "{\"MY_TOKEN\":\"" SECRET "\"}");
  gadget_secrets_free_key (kept);
}

/* The list says what became of a server that was switched on, once. */
static void
test_announced_in_list (TestWindow *self, gconstpointer data)
{
  g_autofree char *command = dup_command (self, "--era legacy");
  GString *announced = gadget_test_listen ();

  open_page (self);
  press (self, "Add Tool Server…");
  fill (self, "Name", "mock");
  fill (self, "Command With Its Arguments", command);
  activate (self, "Run Without the Sandbox");
  press (self, "Add");
  wait_until (find_label (self, "Connected · 28 tools") != NULL);
  wait_until (strstr (announced->str, "mock") != NULL);
  test_run_for (200);
  g_assert_cmpstr (strstr (announced->str, "mock"), ==, "mock. Connected · 28 tools\n");

  g_string_truncate (announced, 0);
  press_switch (self, "mock");
  wait_until (find_label (self, "Off") != NULL);
  g_assert_cmpstr (announced->str, ==, "");
  gadget_test_stop_listening (announced);
}

/* Esc asks while there is something to lose. */
static void
test_escape (TestWindow *self, gconstpointer data)
{
  open_page (self);
  press (self, "Add Tool Server…");
  fill (self, "Name", "mock");
  test_run_for (SETTLE_MS);
  test_key ("Escape");
  wait_until (find_label (self, "Discard Changes?") != NULL);
  test_run_for (SETTLE_MS);
  press (self, "Discard");
  wait_until (find_label (self, "No Tool Servers Yet") != NULL);
}

/* The reason, what to do, and what the program wrote; then the switch. */
static void
test_failed (TestWindow *self, gconstpointer data)
{
  GadgetMcpServer *server;

  open_page (self);
  press (self, "Add Tool Server…");
  fill (self, "Name", "broken");
  fill (self, "Command With Its Arguments", "sh -c 'echo \"<b>no database</b>\" >&2; exit 3'");
  activate (self, "Run Without the Sandbox");
  press (self, "Add");
  wait_until (find_label (self, "Failed: The server ended with status 3\n"
                                "What it wrote may say why. It may need the network or a folder.")
              != NULL);
  open_server (self, "broken");
  activate (self, "Program Output");
  wait_until (find_label (self, "<b>no database</b>") != NULL);

  activate (self, "Offer Its Tools");
  server = gadget_mcp_list_find (get_servers (self), "broken");
  wait_until (!gadget_mcp_server_get_enabled (server));
  wait_until (find_label (self, "Off") != NULL);
}

/* A server that does not answer is not waited for once everything was stopped, and its program
 * ends; it can be tested again. */
static void
test_stopped (TestWindow *self, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = g_strdup_printf ("sleep %s", marker);
  GadgetMcpServer *server;

  open_page (self);
  press (self, "Add Tool Server…");
  fill (self, "Name", "silent");
  fill (self, "Command With Its Arguments", command);
  activate (self, "Run Without the Sandbox");
  press (self, "Add");
  wait_until ((server = gadget_mcp_list_find (get_servers (self), "silent")) != NULL);
  open_server (self, "silent");
  for (guint i = 0; i < 2; i++)
    {
      wait_until (gadget_mcp_server_get_status (server) == GADGET_MCP_STARTING);
      wait_until (test_count_alive (marker) > 0);
      test_key ("ctrl+shift+Escape");
      wait_until (gadget_mcp_server_get_status (server) == GADGET_MCP_OFF);
      test_wait_alive (marker, 0);
      press (self, "Test");
    }
  wait_until (gadget_mcp_server_get_status (server) == GADGET_MCP_STARTING);
}

/* The button that tests keeps the focus, and then stops the test, which is announced. */
static void
test_stop (TestWindow *self, gconstpointer data)
{
  GString *announced = gadget_test_listen ();
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = g_strdup_printf ("sleep %s", marker);
  GadgetMcpServer *server;
  GtkWidget *button;

  open_page (self);
  press (self, "Add Tool Server…");
  fill (self, "Name", "silent");
  fill (self, "Command With Its Arguments", command);
  activate (self, "Run Without the Sandbox");
  press (self, "Add");
  wait_until ((server = gadget_mcp_list_find (get_servers (self), "silent")) != NULL);
  open_server (self, "silent");
  wait_until (gadget_mcp_server_get_status (server) == GADGET_MCP_STARTING);
  button = test_find_button (GTK_WIDGET (self->window), "Stop");
  g_assert_true (gtk_widget_grab_focus (button));
  for (guint i = 0; i < 2; i++)
    {
      g_string_truncate (announced, 0);
      wait_until (test_count_alive (marker) > 0);
      g_assert_true (gtk_window_get_focus (GTK_WINDOW (self->window)) == button);
      test_key ("space");
      wait_until (gadget_mcp_server_get_status (server) == GADGET_MCP_OFF);
      wait_until (strstr (announced->str, "It was stopped.") != NULL);
      g_assert_true (test_find_button (GTK_WIDGET (self->window), "Test") == button);
      test_wait_alive (marker, 0);
      test_key ("space");
      wait_until (gadget_mcp_server_get_status (server) == GADGET_MCP_STARTING);
    }
  gadget_test_stop_listening (announced);
}

/* The outcome of a test is announced, good or bad, in the list and on the page of the server. */
static void
test_announced (TestWindow *self, gconstpointer data)
{
  GString *announced = gadget_test_listen ();
  g_autofree char *command = dup_command (self, "--era legacy");

  open_page (self);
  press (self, "Add Tool Server…");
  fill (self, "Name", "mock");
  fill (self, "Command With Its Arguments", command);
  activate (self, "Run Without the Sandbox");
  press (self, "Add");
  wait_until (find_label (self, "Connected · 28 tools") != NULL);
  open_server (self, "mock");
  wait_until (strstr (announced->str, "mock. Connected · 28 tools") != NULL);
  g_string_truncate (announced, 0);
  test_press (GTK_WIDGET (self->window), "Test");
  wait_until (strstr (announced->str, "Connected · 28 tools") != NULL);
  fill (self, "Command With Its Arguments", "false");
  press (self, "Save");
  wait_until (find_beginning (self, "Failed: ") != NULL);
  open_server (self, "mock");
  wait_until (strstr (announced->str, "mock. Failed: ") != NULL);
  g_string_truncate (announced, 0);
  test_press (GTK_WIDGET (self->window), "Test");
  wait_until (strstr (announced->str, "Failed: ") != NULL);
  gadget_test_stop_listening (announced);
}

/* The form takes no changes while it is being saved, and takes them again when that failed. */
static void
test_saved_once (TestWindow *self, gconstpointer data)
{
  GtkWidget *name;
  GtkWidget *save;

  open_page (self);
  press (self, "Add Tool Server…");
  fill (self, "Name", "far");
  fill (self, "Command With Its Arguments", "true");
  name = find_row (self, "Name");
  save = gtk_widget_get_ancestor (find_label (self, "Add"), GTK_TYPE_BUTTON);
  test_faults_set (TEST_FAULT_FULL);
  g_signal_emit_by_name (save, "clicked");
  gtk_editable_set_text (GTK_EDITABLE (name), "farther");
  g_assert_false (gtk_widget_is_sensitive (name));
  g_assert_false (gtk_widget_is_sensitive (save));
  wait_until (find_beginning (self, "The tool server could not be saved.") != NULL);
  test_faults_set (TEST_FAULT_NONE);
  g_assert_true (gtk_widget_is_sensitive (name));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (self->window)) == save);
}

/* A second one of that name, and a command that cannot be read, are refused in words. */
static void
test_refused (TestWindow *self, gconstpointer data)
{
  Other other = { 0 };

  other_open (&other, self);
  other_save (&other, "{\"command\":[\"true\"]}", FALSE, NULL);
  open_page (self);
  activate (self, "Add Tool Server…");
  fill (self, "Name", "Other");
  fill (self, "Command With Its Arguments", "it's");
  press (self, "Add");
  wait_until (find_beginning (self, "A quotation mark or a backslash") != NULL);
  fill (self, "Command With Its Arguments", "its");
  press (self, "Add");
  wait_until (find_label (self, "There is a tool server “other” already.") != NULL);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (get_servers (self))), ==, 1);
  other_close (&other);
}

/* A full disk is said in words, with what to do; what was typed stays, and can be saved later. */
static void
test_full (TestWindow *self, gconstpointer data)
{
  open_page (self);
  press (self, "Add Tool Server…");
  fill (self, "Name", "far");
  fill (self, "Command With Its Arguments", "true");
  test_faults_set (TEST_FAULT_FULL);
  press (self, "Add");
  wait_until (find_label (self,
                          "The tool server could not be saved. The disk with Gadget’s data is "
                          "full. Make room and try again.")
              != NULL);
  test_faults_set (TEST_FAULT_NONE);
  press (self, "Add");
  wait_until (gadget_mcp_list_find (get_servers (self), "far") != NULL);
}

#define TOOLS                                                                                      \
  "[{\"name\":\"delete_all\",\"description\":\"<b>Safe</b> \xe2\x80\xae txet\","                   \
  "\"inputSchema\":{\"type\":\"object\"}}]"

/* What another process does is seen while the dialog is open; what a server says is plain text. */
static void
test_outside (TestWindow *self, gconstpointer data)
{
  Other other = { 0 };

  open_page (self);
  wait_until (find_label (self, "No Tool Servers Yet") != NULL);
  other_open (&other, self);
  other_save (&other, "{\"url\":\"https://tools.example/mcp\"}", TRUE, NULL);
  wait_until (find_label (self, "Not connected yet") != NULL);
  other_save (&other, "{\"url\":\"https://tools.example/mcp\"}", TRUE, TOOLS);
  wait_until (find_label (self, "Connects when it is needed · 1 tool") != NULL);
  other_save (&other, "{\"url\":\"https://tools.example/mcp\"}", FALSE, TOOLS);
  wait_until (find_label (self, "Off") != NULL);

  open_server (self, "other");
  activate (self, "Tools");
  wait_until (find_label (self, "delete_all") != NULL);
  g_assert_nonnull (find_label (self, "<b>Safe</b> \\u202e txet"));
  g_assert_null (find_label (self, "Folders"));

  gadget_store_remove_mcp_server_async (other.store, "other", test_result_cb, &other.result);
  g_assert_true (test_wait_result (&other.result, SOON_MS));
  g_assert_true (gadget_store_remove_mcp_server_finish (other.store, other.result, NULL));
  g_clear_object (&other.result);
  wait_until (find_label (self, "No Tool Servers Yet") != NULL);
  /* The focus is somewhere, so that Esc closes. */
  test_run_for (SETTLE_MS);
  test_key ("Escape");
  wait_until (get_dialog (self) == NULL);
  other_close (&other);
}

/* Names of environment variables may differ in case only. */
static void
test_case (TestWindow *self, gconstpointer data)
{
  Other other = { 0 };

  open_page (self);
  other_open (&other, self);
  other_save (&other,
              "{\"command\":[\"true\"],\"environment\":[\"http_proxy=a\",\"HTTP_PROXY=b\"]}", FALSE,
              NULL);
  find_row (self, "other");
  open_server (self, "other");
  find_row (self, "http_proxy");
  test_press (GTK_WIDGET (self->window), "Remove HTTP_PROXY");
  g_assert_null (test_find_row (GTK_WIDGET (self->window), "HTTP_PROXY"));
  g_assert_nonnull (test_find_row (GTK_WIDGET (self->window), "http_proxy"));
  other_close (&other);
}

/* The name of a folder need not be UTF-8; it is shown in characters that can be. */
static void
test_folder_name (TestWindow *self, gconstpointer data)
{
  static const char *const folders[] = { "/srv/caf\xe9", NULL };
  GadgetMcpFolders *group = g_object_ref_sink (g_object_new (GADGET_TYPE_MCP_FOLDERS, NULL));
  g_auto (GStrv) kept = NULL;

  gadget_mcp_folders_load (group, folders);
  adw_dialog_present (g_object_new (ADW_TYPE_DIALOG, "child", GTK_WIDGET (group), NULL),
                      GTK_WIDGET (self->window));
  wait_until (find_beginning (self, "/srv/caf") != NULL);
  g_assert_true (g_utf8_validate (
      gtk_label_get_text (GTK_LABEL (find_beginning (self, "/srv/caf"))), -1, NULL));
  kept = gadget_mcp_folders_dup (group);
  g_assert_cmpstr (kept[0], ==, folders[0]);
  adw_dialog_force_close (
      ADW_DIALOG (gtk_widget_get_ancestor (GTK_WIDGET (group), ADW_TYPE_DIALOG)));
  g_object_unref (group);
}

/* The row that has the focus goes: the focus is where the keys go on. */
static void
test_focus (TestWindow *self, gconstpointer data)
{
  Other other = { 0 };
  GtkWidget *button;

  open_page (self);
  wait_until (find_label (self, "No Tool Servers Yet") != NULL);
  other_open (&other, self);
  other_save (&other, "{\"url\":\"https://tools.example/mcp\"}", FALSE, NULL);
  gtk_widget_grab_focus (test_find (find_row (self, "other"), is_switch, NULL));
  gadget_store_remove_mcp_server_async (other.store, "other", test_result_cb, &other.result);
  g_assert_true (test_wait_result (&other.result, SOON_MS));
  g_clear_object (&other.result);
  wait_until (find_label (self, "No Tool Servers Yet") != NULL);
  test_run_for (SETTLE_MS);
  button = gtk_widget_get_ancestor (find_label (self, "Add Tool Server…"), GTK_TYPE_BUTTON);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (self->window)) == button);
  other_close (&other);
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/tool-servers/" path, TestWindow, NULL, test_window_set_up, function,            \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  test_faults_install ();

  add ("add-and-remove", test_add_and_remove);
  add ("secret", test_secret);
  add ("announced-in-list", test_announced_in_list);
  add ("escape", test_escape);
  add ("failed", test_failed);
  add ("stopped", test_stopped);
  add ("stop", test_stop);
  add ("announced", test_announced);
  add ("saved-once", test_saved_once);
  add ("case", test_case);
  add ("folder-name", test_folder_name);
  add ("refused", test_refused);
  add ("full", test_full);
  add ("outside", test_outside);
  add ("focus", test_focus);

  return g_test_run ();
}
