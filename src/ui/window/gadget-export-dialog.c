/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialog that exports chats. What is not saved yet is saved first. Closing the dialog stops an
 * export, which then leaves nothing behind. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-export-dialog.h"

#include "common/gadget-bidi.h"
#include "store/export/gadget-export.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-error-labels.h"
#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>

/* The progress is shown of an export that takes longer than this, in milliseconds. */
#define PROGRESS_MS 300
/* How long unsaved text may take to be saved, in milliseconds. */
#define SETTLE_MS 1000
/* The longest name that is suggested for a file, in characters. */
#define MAX_NAME 60

struct _GadgetExportDialog
{
  AdwDialog parent_instance;

  GtkWidget *cancel_button;
  GtkWidget *export_button;
  AdwBanner *banner;
  GtkStack *stack;
  AdwActionRow *this_row;
  GtkCheckButton *this_check;
  AdwActionRow *selected_row;
  GtkCheckButton *selected_check;
  AdwActionRow *all_row;
  GtkCheckButton *all_check;
  AdwToggleGroup *format_group;
  GtkLabel *format_label;
  GtkWidget *parts_group;
  AdwSwitchRow *tools_row;
  AdwSwitchRow *reasoning_row;
  AdwSwitchRow *attachments_row;
  GtkLabel *progress_label;
  GtkProgressBar *progress_bar;

  GadgetEngine *engine;
  GadgetSession *session;
  GadgetExportParts chosen_parts; /* while JSON is chosen: those of the other formats */
  GPtrArray *selected;            /* of the ids of the selected chats */
  GPtrArray *all;                 /* of the ids of all chats but the archived ones */
  GCancellable *cancellable;      /* (nullable): of the export, and of the file chooser before it */
  GFile *file;                    /* (nullable): what is being written */
  int *n_written;                 /* (nullable): see gadget_export_to_file_async () */
  guint progress_id;              /* timeout after which the progress is shown */
};

G_DEFINE_FINAL_TYPE (GadgetExportDialog, gadget_export_dialog, ADW_TYPE_DIALOG)

enum
{
  EXPORTED,
  PRINT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* --- Choices ---------------------------------------------------------------------------------- */

static const struct
{
  GadgetExportFormat format;
  const char *name;
  const char *ending; /* (nullable): NULL for what is printed */
  const char *text;
} formats[] = {
  { GADGET_EXPORT_JSON, "json", ".json", N_ ("Everything that is stored, for other programs.") },
  { GADGET_EXPORT_MARKDOWN, "markdown", ".md",
    N_ ("Plain text for notes and for other programs.") },
  { GADGET_EXPORT_HTML, "html", ".html",
    N_ ("One file that looks like the window, in light and dark, and can be printed.") },
  { GADGET_EXPORT_HTML, "pdf", NULL, N_ ("Through the print dialog.") },
};

static guint
get_format (GadgetExportDialog *self)
{
  const char *name = adw_toggle_group_get_active_name (self->format_group);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_strcmp0 (formats[i].name, name) == 0)
      return i;
  g_return_val_if_reached (0);
}

/* Returns the ids of the chats that are chosen, if these are several. (nullable) (transfer none) */
static GPtrArray *
get_several (GadgetExportDialog *self)
{
  if (gtk_check_button_get_active (self->all_check))
    return self->all;
  return gtk_check_button_get_active (self->selected_check) ? self->selected : NULL;
}

static guint
count_chosen (GadgetExportDialog *self)
{
  return get_several (self) != NULL ? get_several (self)->len : 1;
}

static GadgetExportParts
get_parts (GadgetExportDialog *self)
{
  GadgetExportParts parts = 0;

  if (adw_switch_row_get_active (self->tools_row))
    parts |= GADGET_EXPORT_TOOLS;
  if (adw_switch_row_get_active (self->reasoning_row))
    parts |= GADGET_EXPORT_REASONING;
  if (adw_switch_row_get_active (self->attachments_row))
    parts |= GADGET_EXPORT_ATTACHMENTS;
  return parts;
}

static void
set_parts (GadgetExportDialog *self, GadgetExportParts parts)
{
  adw_switch_row_set_active (self->tools_row, (parts & GADGET_EXPORT_TOOLS) != 0);
  adw_switch_row_set_active (self->reasoning_row, (parts & GADGET_EXPORT_REASONING) != 0);
  adw_switch_row_set_active (self->attachments_row, (parts & GADGET_EXPORT_ATTACHMENTS) != 0);
}

/* JSON always has everything, which the switches show; then they are as they were. */
static void
format_changed_cb (GadgetExportDialog *self)
{
  const guint format = get_format (self);
  const gboolean has_choice = formats[format].format != GADGET_EXPORT_JSON;

  gtk_label_set_label (self->format_label, _ (formats[format].text));
  if (has_choice == gtk_widget_get_sensitive (self->parts_group))
    return;
  if (!has_choice)
    self->chosen_parts = get_parts (self);
  set_parts (self, has_choice
                       ? self->chosen_parts
                       : GADGET_EXPORT_TOOLS | GADGET_EXPORT_REASONING | GADGET_EXPORT_ATTACHMENTS);
  gtk_widget_set_sensitive (self->parts_group, has_choice);
}

/* Returns the ids of the chats to export. (transfer container) */
static GPtrArray *
list_chosen (GadgetExportDialog *self)
{
  GPtrArray *ids = g_ptr_array_new ();
  GPtrArray *several = get_several (self);

  for (guint i = 0; several != NULL && i < several->len; i++)
    g_ptr_array_add (ids, g_ptr_array_index (several, i));
  if (several == NULL)
    g_ptr_array_add (ids, (gpointer) gadget_session_get_id (self->session));
  g_ptr_array_add (ids, NULL);
  return ids;
}

/* Returns a name for the file, which is valid on every file system. (transfer full) */
static char *
dup_file_name (GadgetExportDialog *self)
{
  const char *ending = formats[get_format (self)].ending;
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *day = g_date_time_format (now, "%F");
  /* Translators: the name of a file with several chats; %s is a date */
  g_autofree char *all = g_strdup_printf (_ ("Chats %s"), day);
  g_autofree char *title =
      gadget_bidi_escape (get_several (self) != NULL ? all : gadget_labels_title (self->session));
  g_autofree char *name = g_utf8_substring (title, 0, MIN (g_utf8_strlen (title, -1), MAX_NAME));

  g_strdelimit (name, "/\\:*?\"<>|\n\r\t", ' ');
  for (char *at = name; *at != '\0'; at++)
    if (g_ascii_iscntrl (*at))
      *at = ' ';
  g_strstrip (name);
  while (*name == '.')
    *name = '_';
  return g_strconcat (*name != '\0' ? name : all, ending, NULL);
}

/* --- Exporting -------------------------------------------------------------------------------- */

static gboolean
update_progress_cb (GtkWidget *bar, GdkFrameClock *clock, gpointer user_data)
{
  GadgetExportDialog *self = user_data;
  const guint n = count_chosen (self);

  if (self->n_written == NULL)
    return G_SOURCE_REMOVE;
  gtk_progress_bar_set_fraction (self->progress_bar,
                                 (double) g_atomic_int_get (self->n_written) / MAX (n, 1));
  return G_SOURCE_CONTINUE;
}

static void
show_progress_cb (gpointer user_data)
{
  GadgetExportDialog *self = user_data;
  const guint n = count_chosen (self);
  g_autofree char *text =
      g_strdup_printf (ngettext ("Exporting %'u chat…", "Exporting %'u chats…", n), n);

  self->progress_id = 0;
  gtk_label_set_label (self->progress_label, text);
  gtk_stack_set_visible_child_name (self->stack, "progress");
  gtk_widget_add_tick_callback (GTK_WIDGET (self->progress_bar), update_progress_cb, self, NULL);
  gadget_announce (GTK_WIDGET (self), text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* Goes back to the choices. @text: (nullable): what went wrong */
static void
end (GadgetExportDialog *self, const char *text)
{
  g_clear_handle_id (&self->progress_id, g_source_remove);
  g_clear_pointer (&self->n_written, g_atomic_rc_box_release);
  g_clear_object (&self->cancellable);
  gtk_stack_set_visible_child_name (self->stack, "choice");
  gtk_widget_set_sensitive (self->export_button, TRUE);
  gtk_widget_grab_focus (self->export_button);
  adw_banner_set_revealed (self->banner, text != NULL);
  if (text == NULL)
    return;
  adw_banner_set_title (self->banner, text);
  gadget_announce (GTK_WIDGET (self), text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH);
}

/* Tells whether the dialog was closed, or another export is going on, since @cancellable was made.
 */
static gboolean
is_outdated (GadgetExportDialog *self, GCancellable *cancellable)
{
  return cancellable != self->cancellable;
}

static void
exported_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetExportDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  guint n_chats = 0;
  const gboolean ok = gadget_export_finish (result, &n_chats, &error);

  if (is_outdated (self, g_task_get_cancellable (G_TASK (result))))
    return;
  if (ok)
    {
      end (self, NULL);
      g_signal_emit (self, signals[EXPORTED], 0, self->file, n_chats);
      adw_dialog_force_close (ADW_DIALOG (self));
    }
  else
    {
      g_autofree char *text =
          gadget_error_labels_dup (_ ("The chats could not be exported."), error);

      end (self, text);
    }
}

static void
settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetExportDialog) self = user_data;
  GadgetStore *store = gadget_engine_get_store (GADGET_ENGINE (source));
  g_autoptr (GPtrArray) ids = NULL;

  gadget_engine_settle_finish (GADGET_ENGINE (source), result);
  if (self->cancellable == NULL)
    return;
  ids = list_chosen (self);
  gadget_export_to_file_async (gadget_store_get_directory (store), (const char *const *) ids->pdata,
                               formats[get_format (self)].format, get_parts (self), self->file,
                               self->n_written, self->cancellable, exported_cb,
                               g_object_ref (self));
}

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetExportDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = gtk_file_dialog_save_finish (GTK_FILE_DIALOG (source), result, &error);

  if (self->cancellable == NULL)
    return;
  if (file == NULL)
    {
      const gboolean dismissed =
          g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_DISMISSED)
          || g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_CANCELLED);
      g_autofree char *text =
          dismissed ? NULL : gadget_error_labels_dup (_ ("No file can be chosen."), error);

      end (self, text);
      return;
    }
  g_set_object (&self->file, file);
  self->n_written = g_atomic_rc_box_new0 (int);
  self->progress_id = g_timeout_add_once (PROGRESS_MS, show_progress_cb, self);
  gadget_engine_settle_async (self->engine, SETTLE_MS, settled_cb, g_object_ref (self));
}

static void
print (GadgetExportDialog *self)
{
  g_autoptr (GPtrArray) ids = list_chosen (self);

  g_signal_emit (self, signals[PRINT], 0, ids->pdata, (guint) get_parts (self));
  adw_dialog_force_close (ADW_DIALOG (self));
}

static void
export_cb (GadgetExportDialog *self)
{
  g_autoptr (GtkFileDialog) chooser = gtk_file_dialog_new ();
  g_autofree char *name = dup_file_name (self);
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (self->cancellable != NULL)
    return;
  if (formats[get_format (self)].ending == NULL)
    {
      print (self);
      return;
    }
  self->cancellable = g_cancellable_new ();
  gtk_widget_set_sensitive (self->export_button, FALSE);
  adw_banner_set_revealed (self->banner, FALSE);
  gtk_file_dialog_set_title (chooser, _ ("Export Chats"));
  gtk_file_dialog_set_accept_label (chooser, _ ("_Export"));
  gtk_file_dialog_set_initial_name (chooser, name);
  gtk_file_dialog_save (chooser, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, self->cancellable,
                        chosen_cb, g_object_ref (self));
}

static void
stop (GadgetExportDialog *self)
{
  g_clear_handle_id (&self->progress_id, g_source_remove);
  g_clear_pointer (&self->n_written, g_atomic_rc_box_release);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static void
closed_cb (GadgetExportDialog *self)
{
  stop (self);
}

static void
cancel_cb (GadgetExportDialog *self)
{
  adw_dialog_close (ADW_DIALOG (self));
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_export_dialog_dispose (GObject *object)
{
  GadgetExportDialog *self = GADGET_EXPORT_DIALOG (object);

  stop (self);
  g_clear_object (&self->engine);
  g_clear_object (&self->session);
  g_clear_object (&self->file);
  g_clear_pointer (&self->selected, g_ptr_array_unref);
  g_clear_pointer (&self->all, g_ptr_array_unref);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_EXPORT_DIALOG);

  G_OBJECT_CLASS (gadget_export_dialog_parent_class)->dispose (object);
}

static gboolean
gadget_export_dialog_grab_focus (GtkWidget *widget)
{
  GadgetExportDialog *self = GADGET_EXPORT_DIALOG (widget);

  return gtk_widget_grab_focus (
      gtk_widget_get_sensitive (self->export_button) ? self->export_button : self->cancel_button);
}

static void
gadget_export_dialog_class_init (GadgetExportDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_export_dialog_dispose;
  widget_class->grab_focus = gadget_export_dialog_grab_focus;

  signals[EXPORTED] = g_signal_new ("exported", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_FILE, G_TYPE_UINT);
  signals[PRINT] = g_signal_new ("print", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRV, G_TYPE_UINT);

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/window/gadget-export-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetExportDialog, cancel_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetExportDialog, export_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetExportDialog, banner);
  gtk_widget_class_bind_template_child (widget_class, GadgetExportDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, GadgetExportDialog, this_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetExportDialog, this_check);
  gtk_widget_class_bind_template_child (widget_class, GadgetExportDialog, selected_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetExportDialog, selected_check);
  gtk_widget_class_bind_template_child (widget_class, GadgetExportDialog, all_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetExportDialog, all_check);
  gtk_widget_class_bind_template_child (widget_class, GadgetExportDialog, format_group);
  gtk_widget_class_bind_template_child (widget_class, GadgetExportDialog, format_label);
  gtk_widget_class_bind_template_child (widget_class, GadgetExportDialog, parts_group);
  gtk_widget_class_bind_template_child (widget_class, GadgetExportDialog, tools_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetExportDialog, reasoning_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetExportDialog, attachments_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetExportDialog, progress_label);
  gtk_widget_class_bind_template_child (widget_class, GadgetExportDialog, progress_bar);
  gtk_widget_class_bind_template_callback (widget_class, cancel_cb);
  gtk_widget_class_bind_template_callback (widget_class, closed_cb);
  gtk_widget_class_bind_template_callback (widget_class, export_cb);
}

static void
gadget_export_dialog_init (GadgetExportDialog *self)
{
  self->selected = g_ptr_array_new_with_free_func (g_free);
  self->all = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_init_template (GTK_WIDGET (self));
  gadget_ui_focus_when_open (GTK_WIDGET (self));
  g_signal_connect_swapped (self->format_group, "notify::active-name",
                            G_CALLBACK (format_changed_cb), self);
  format_changed_cb (self);
}

/* Lists all chats but the archived ones, and returns the number of these. */
static guint
list_all (GadgetExportDialog *self)
{
  GListModel *sessions = gadget_engine_get_sessions (self->engine);
  guint n_archived = 0;

  for (guint i = 0; i < g_list_model_get_n_items (sessions); i++)
    {
      g_autoptr (GadgetSession) session = g_list_model_get_item (sessions, i);

      if (gadget_session_get_archived (session))
        n_archived++;
      else if (gadget_session_get_deletion (session) == GADGET_DELETION_NONE)
        g_ptr_array_add (self->all, g_strdup (gadget_session_get_id (session)));
    }
  return n_archived;
}

static void
show_all (GadgetExportDialog *self, guint n_archived)
{
  const guint n = self->all->len;
  g_autofree char *chats = g_strdup_printf (ngettext ("%'u chat", "%'u chats", n), n);
  g_autofree char *archived = g_strdup_printf (
      ngettext ("without %'u archived one", "without %'u archived ones", n_archived), n_archived);
  /* Translators: "3 chats, without 2 archived ones" */
  g_autofree char *both = g_strdup_printf (_ ("%s, %s"), chats, archived);

  adw_action_row_set_subtitle (self->all_row, n_archived > 0 ? both : chats);
  gtk_widget_set_sensitive (GTK_WIDGET (self->all_row), n > 0);
}

static void
show_this (GadgetExportDialog *self)
{
  const gboolean stored =
      gadget_engine_find_session (self->engine, gadget_session_get_id (self->session)) != NULL;

  adw_action_row_set_subtitle (self->this_row, gadget_labels_title (self->session));
  gtk_widget_set_sensitive (GTK_WIDGET (self->this_row), stored);
  gtk_check_button_set_active (stored ? self->this_check : self->all_check, TRUE);
  gtk_widget_set_sensitive (self->export_button, stored || self->all->len > 0);
}

static void
show_selected (GadgetExportDialog *self, GPtrArray *selected)
{
  g_autofree char *title = g_strdup_printf (
      ngettext ("%'u Selected Chat", "%'u Selected Chats", selected->len), selected->len);

  for (guint i = 0; i < selected->len; i++)
    g_ptr_array_add (self->selected,
                     g_strdup (gadget_session_get_id (g_ptr_array_index (selected, i))));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->selected_row), title);
  gtk_widget_set_visible (GTK_WIDGET (self->selected_row), TRUE);
  gtk_check_button_set_active (self->selected_check, TRUE);
  gtk_widget_set_sensitive (self->export_button, TRUE);
}

AdwDialog *
gadget_export_dialog_new (GadgetEngine *engine, GadgetSession *session, GPtrArray *selected)
{
  GadgetExportDialog *self;

  g_return_val_if_fail (GADGET_IS_ENGINE (engine) && GADGET_IS_SESSION (session), NULL);

  self = g_object_new (GADGET_TYPE_EXPORT_DIALOG, NULL);
  self->engine = g_object_ref (engine);
  self->session = g_object_ref (session);
  show_all (self, list_all (self));
  show_this (self);
  if (selected != NULL)
    show_selected (self, selected);
  return ADW_DIALOG (self);
}
