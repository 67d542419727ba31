/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The answers are numbered, and a digit chooses one while the focus is anywhere in the card except
 * in its entry. A card is answered once; then it is insensitive until it is removed, and the focus
 * goes back to the widget that had it before. */

#define G_LOG_DOMAIN "gadget-ask-row"

#include "config.h"

#include "gadget-ask-row-private.h"

#include "gadget-ask-draft.h"
#include "common/gadget-visible.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-resting-pointer.h"
#include "ui/transcript/rows/gadget-card.h"
#include "ui/transcript/rows/gadget-row-host.h"

#include <glib/gi18n.h>

#define MAX_DIGITS 9
#define GUARD_MS 500

struct _GadgetAskRow
{
  GadgetRow parent_instance;

  GadgetPrompt *prompt;
  GtkWidget *card;
  GPtrArray *buttons; /* of a question: not owned, in the order of their digits */
  GtkWidget *first;   /* (nullable): gets the focus when there is no entry */
  gint64 shown_at;    /* in microseconds of the guard's clock */
  GtkWidget *other;   /* (nullable): the place of a question's entry */
  GtkWidget *entry;   /* (nullable) */
  void (*entered) (GadgetAskRow *self, const char *text);
};

G_DEFINE_FINAL_TYPE (GadgetAskRow, gadget_ask_row, GADGET_TYPE_ROW)

/* --- What the two kinds share --- */

GadgetPrompt *
_gadget_ask_row_get_prompt (GadgetAskRow *self)
{
  return self->prompt;
}

GtkWidget *
_gadget_ask_row_get_card (GadgetAskRow *self)
{
  return self->card;
}

/* --- The guard against early answers --- */

static GadgetClock *guard_clock;
static guint guard_ms = GUARD_MS;

static gint64
get_guard_time (void)
{
  return gadget_clock_now (guard_clock != NULL ? guard_clock : gadget_clock_get_default ());
}

void
_gadget_ask_row_set_guard (GadgetClock *clock, guint milliseconds)
{
  g_set_object (&guard_clock, clock);
  guard_ms = milliseconds;
}

static gboolean
is_guarded (GadgetAskRow *self)
{
  return get_guard_time () - self->shown_at < guard_ms * G_TIME_SPAN_MILLISECOND;
}

static void
gadget_ask_row_map (GtkWidget *widget)
{
  GadgetAskRow *self = GADGET_ASK_ROW (widget);
  GadgetRowHost *host = gadget_row_host_find (widget);

  self->shown_at = get_guard_time ();
  /* The draft may be written in another window. */
  if (host != NULL && self->prompt != NULL)
    _gadget_ask_draft_watch (self->prompt, host);
  GTK_WIDGET_CLASS (gadget_ask_row_parent_class)->map (widget);
  gadget_resting_pointer_find (widget);
}

/* --- Answering --- */

void
_gadget_ask_row_set_first (GadgetAskRow *self, GtkWidget *first)
{
  self->first = first;
}

void
_gadget_ask_row_describe (GadgetAskRow *self, const char *description)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  gadget_prompt_get_title (self->prompt),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

/* A widget is not notified that it lost the focus when it becomes insensitive, so it gives up the
 * focus before. */
static void
give_up_focus (GadgetAskRow *self)
{
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (self));

  if (parent == NULL || gtk_widget_get_focus_child (parent) != GTK_WIDGET (self))
    return;
  if (GADGET_IS_ROW_HOST (parent))
    gadget_row_host_leave_ask (GTK_WIDGET (self));
  else
    gtk_widget_grab_focus (parent);
}

/* Returns the answer in words for screen readers. */
static char *
dup_answered (GadgetPrompt *prompt, const char *answer)
{
  g_autofree char *visible = NULL;
  const char *rule;

  if (gadget_prompt_get_kind (prompt) == GADGET_PROMPT_QUESTION)
    {
      visible = gadget_visible_escape (answer);
      /* Translators: said by a screen reader. %s is what was answered */
      return g_strdup_printf (_ ("Answered: %s"), visible);
    }
  rule = gadget_prompt_get_choice_label (prompt, answer);
  if (rule != NULL)
    return gadget_visible_escape (rule);
  return g_strdup (g_str_equal (answer, GADGET_PROMPT_DENY) ? _ ("Denied") : _ ("Allowed once"));
}

/* The announcement comes from the window, since the row may have been removed by now. */
static void
announce_answer (GtkWidget *window, GadgetPrompt *prompt, const char *answer)
{
  g_autofree char *text = dup_answered (prompt, answer);

  if (window != NULL)
    gadget_announce (window, text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

void
_gadget_ask_row_answer (GadgetAskRow *self, const char *answer, const char *note)
{
  g_autoptr (GadgetAskRow) hold = NULL;
  GtkEntryBuffer *draft = _gadget_ask_draft_get (self->prompt);
  g_autofree char *text = g_strdup (gtk_entry_buffer_get_text (draft));
  GtkWidget *window;

  if (is_guarded (self))
    return;
  hold = g_object_ref (self);
  window = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (self)));
  give_up_focus (self);
  gtk_widget_set_sensitive (self->card, FALSE);
  gtk_entry_buffer_set_text (draft, "", 0);
  /* The answer is not accepted when the turn was stopped a moment before; the draft is kept
   * then. */
  if (gadget_prompt_answer_with_note (self->prompt, answer, note))
    announce_answer (window, self->prompt, answer);
  else
    gtk_entry_buffer_set_text (draft, text, -1);
}

static void
answer_clicked_cb (GtkWidget *button, GadgetAskRow *self)
{
  _gadget_ask_row_answer (self, g_object_get_data (G_OBJECT (button), "answer"), NULL);
}

static void
add_button (GadgetAskRow *self, GtkWidget *button, const char *answer)
{
  if (answer != NULL)
    {
      g_object_set_data_full (G_OBJECT (button), "answer", g_strdup (answer), g_free);
      g_signal_connect (button, "clicked", G_CALLBACK (answer_clicked_cb), self);
    }
  g_ptr_array_add (self->buttons, button);
}

static void
entry_activate_cb (GtkWidget *widget, GadgetAskRow *self)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry)));

  self->entered (self, g_strstrip (text));
}

void
_gadget_ask_row_show_entry (GadgetAskRow *self, AdwBin *place, const char *placeholder,
                            const char *label,
                            void (*entered) (GadgetAskRow *self, const char *text))
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *button = gtk_button_new_with_label (label);

  self->entered = entered;
  self->entry = gtk_entry_new_with_buffer (_gadget_ask_draft_get (self->prompt));
  gtk_widget_set_hexpand (self->entry, TRUE);
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry), placeholder);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  gadget_prompt_get_title (self->prompt), -1);
  gtk_widget_add_css_class (button, "suggested-action");
  g_signal_connect (self->entry, "activate", G_CALLBACK (entry_activate_cb), self);
  g_signal_connect (button, "clicked", G_CALLBACK (entry_activate_cb), self);
  gtk_box_append (GTK_BOX (box), self->entry);
  gtk_box_append (GTK_BOX (box), button);
  adw_bin_set_child (place, box);
}

/* --- Digits --- */

static gboolean
digit_cb (GtkWidget *widget, GVariant *args, gpointer data)
{
  GadgetAskRow *self = GADGET_ASK_ROW (widget);
  const guint digit = GPOINTER_TO_UINT (data);

  if (gadget_prompt_get_kind (self->prompt) == GADGET_PROMPT_PERMISSION)
    return _gadget_ask_row_press_digit (self, digit);
  if (digit == 0 || digit > self->buttons->len)
    return FALSE;
  g_signal_emit_by_name (g_ptr_array_index (self->buttons, digit - 1), "clicked");
  return TRUE;
}

static void
add_digits (GadgetAskRow *self)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (guint i = 0; i <= MAX_DIGITS; i++)
    {
      GtkShortcutTrigger *trigger = gtk_alternative_trigger_new (
          gtk_keyval_trigger_new (GDK_KEY_0 + i, 0), gtk_keyval_trigger_new (GDK_KEY_KP_0 + i, 0));

      gtk_shortcut_controller_add_shortcut (
          GTK_SHORTCUT_CONTROLLER (controller),
          gtk_shortcut_new (trigger,
                            gtk_callback_action_new (digit_cb, GUINT_TO_POINTER (i), NULL)));
    }
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}

/* --- A question --- */

static GtkWidget *
make_choice (GadgetAskRow *self, const char *text)
{
  const guint digit = self->buttons->len + 1;
  GtkWidget *button = gtk_button_new ();
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  g_autofree char *digits = g_strdup_printf ("%u", digit);

  if (digit <= MAX_DIGITS)
    gtk_box_append (GTK_BOX (content), _gadget_card_digit_new (digits));
  gtk_box_append (GTK_BOX (content), _gadget_card_text_new (text, NULL));
  gtk_button_set_child (GTK_BUTTON (button), content);
  gtk_widget_add_css_class (button, "choice");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  if (digit <= MAX_DIGITS)
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_KEY_SHORTCUTS,
                                    digits, -1);
  return button;
}

static void
answer_text (GadgetAskRow *self, const char *text)
{
  if (*text != '\0')
    _gadget_ask_row_answer (self, text, NULL);
}

static void
show_entry (GadgetAskRow *self)
{
  _gadget_ask_row_show_entry (self, ADW_BIN (self->other), _ ("Your answer"), _ ("Answer"),
                              answer_text);
}

/* Shows the entry in place of the last button. */
static void
replace_last (GadgetAskRow *self)
{
  const gboolean focused = gtk_widget_get_focus_child (self->other) != NULL;

  g_ptr_array_remove_index (self->buttons, self->buttons->len - 1);
  show_entry (self);
  if (focused)
    gtk_widget_grab_focus (self->entry);
}

static void
something_else_cb (GadgetAskRow *self)
{
  replace_last (self);
  gtk_widget_grab_focus (self->entry);
}

static void
add_free_text (GadgetAskRow *self, GtkWidget *list)
{
  GtkWidget *button;

  self->other = adw_bin_new ();
  gtk_box_append (GTK_BOX (list), self->other);
  if (self->buttons->len == 0)
    {
      show_entry (self);
      return;
    }
  button = make_choice (self, _ ("Something Else…"));
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (something_else_cb), self);
  add_button (self, button, NULL);
  adw_bin_set_child (ADW_BIN (self->other), button);
}

/* A question of Gadget itself is the title. A question of a model or a server is a quotation below
 * a title by Gadget that names its author, which the quoted text cannot imitate. */
static void
add_question (GadgetAskRow *self)
{
  const char *asker = gadget_prompt_get_text (self->prompt, GADGET_PROMPT_ASKER);
  const char *title = gadget_prompt_get_title (self->prompt);

  gtk_box_append (GTK_BOX (self->card), _gadget_card_title_new ("dialog-question-symbolic", NULL,
                                                                asker != NULL ? asker : title));
  if (asker != NULL)
    gtk_box_append (GTK_BOX (self->card),
                    _gadget_card_quote_new (
                        gadget_prompt_get_text (self->prompt, GADGET_PROMPT_QUOTE_SOURCE), title));
}

static void
add_warning (GadgetAskRow *self)
{
  const char *warning = gadget_prompt_get_text (self->prompt, GADGET_PROMPT_WARNING);

  if (warning != NULL)
    gtk_box_append (GTK_BOX (self->card), _gadget_card_warning_new (warning));
}

/* Returns the description for screen readers: the author, the warning, and the choices with their
 * digits. */
static char *
dup_choices (GadgetAskRow *self)
{
  const char *const *choices = gadget_prompt_get_choices (self->prompt);
  const char *asker = gadget_prompt_get_text (self->prompt, GADGET_PROMPT_ASKER);
  const char *warning = gadget_prompt_get_text (self->prompt, GADGET_PROMPT_WARNING);
  g_autoptr (GString) text = g_string_new (asker);

  if (warning != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", warning);
  for (guint i = 0; choices != NULL && choices[i] != NULL; i++)
    g_string_append_printf (text, "%s%u: %s", text->len > 0 ? "\n" : "", i + 1, choices[i]);
  return g_string_free_and_steal (g_steal_pointer (&text));
}

static void
build_question (GadgetAskRow *self)
{
  const char *const *choices = gadget_prompt_get_choices (self->prompt);
  GtkWidget *list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  g_autofree char *description = dup_choices (self);

  add_question (self);
  add_warning (self);
  for (guint i = 0; choices != NULL && choices[i] != NULL; i++)
    {
      GtkWidget *button = make_choice (self, choices[i]);

      add_button (self, button, choices[i]);
      gtk_box_append (GTK_BOX (list), button);
    }
  if (gadget_prompt_get_allow_text (self->prompt))
    add_free_text (self, list);
  gtk_box_append (GTK_BOX (self->card), list);
  _gadget_ask_row_describe (self, description);
}

/* --- The row --- */

static GadgetItem *
get_item (GadgetAskRow *self)
{
  return gadget_row_data_get_item (gadget_row_get_data (GADGET_ROW (self)));
}

/* The entry is shown of what is typed in another window, or was typed before the card went out of
 * sight. */
static void
follow_draft (GadgetAskRow *self)
{
  if (self->entry != NULL
      || gtk_entry_buffer_get_length (_gadget_ask_draft_get (self->prompt)) == 0)
    return;
  if (gadget_prompt_get_kind (self->prompt) == GADGET_PROMPT_PERMISSION)
    _gadget_ask_row_show_why (self);
  else
    replace_last (self);
}

static void
build (GadgetAskRow *self)
{
  if (gadget_prompt_get_kind (self->prompt) == GADGET_PROMPT_PERMISSION)
    _gadget_ask_row_build_permission (self);
  else
    build_question (self);
  gtk_widget_set_sensitive (self->card, gadget_prompt_is_open (self->prompt));
  g_signal_connect_object (_gadget_ask_draft_get (self->prompt), "notify::length",
                           G_CALLBACK (follow_draft), self, G_CONNECT_SWAPPED);
  follow_draft (self);
}

static void
make_card (GadgetAskRow *self)
{
  self->card = _gadget_card_new ("quiet");
  gadget_row_set_child (GADGET_ROW (self), self->card);
}

static void
gadget_ask_row_bind (GadgetRow *row)
{
  GadgetAskRow *self = GADGET_ASK_ROW (row);

  self->prompt = gadget_item_get_prompt (get_item (self));
  /* The prompt was answered in this frame, and the card is about to be removed. */
  if (self->prompt == NULL)
    return;
  g_object_ref (self->prompt);
  build (self);
  add_digits (self);
}

static void
say_why_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  _gadget_ask_row_say_why (GADGET_ASK_ROW (widget));
}

static void
answer_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  _gadget_ask_row_answer (GADGET_ASK_ROW (widget), g_variant_get_string (parameter, NULL), NULL);
}

/* Denies the call first, then stops the turn. */
static void
deny_and_stop_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (GtkWidget) transcript = NULL;

  if (is_guarded (GADGET_ASK_ROW (widget)))
    return;
  transcript = g_object_ref (gtk_widget_get_parent (widget));
  _gadget_ask_row_answer (GADGET_ASK_ROW (widget), GADGET_PROMPT_DENY, NULL);
  gtk_widget_activate_action (transcript, "session.stop", NULL);
}

static void
gadget_ask_row_dispose (GObject *object)
{
  g_clear_object (&GADGET_ASK_ROW (object)->prompt);
  G_OBJECT_CLASS (gadget_ask_row_parent_class)->dispose (object);
}

static void
gadget_ask_row_finalize (GObject *object)
{
  g_ptr_array_unref (GADGET_ASK_ROW (object)->buttons);
  G_OBJECT_CLASS (gadget_ask_row_parent_class)->finalize (object);
}

static void
gadget_ask_row_class_init (GadgetAskRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_ask_row_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_ask_row_finalize;
  GADGET_ROW_CLASS (klass)->bind = gadget_ask_row_bind;
  GTK_WIDGET_CLASS (klass)->map = gadget_ask_row_map;
  /* A screen reader reads the label and description of a group when the focus enters it. */
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);

  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "ask.say-why", NULL, say_why_action);
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "ask.answer", "s", answer_action);
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "ask.deny-and-stop", NULL,
                                   deny_and_stop_action);
}

static void
gadget_ask_row_init (GadgetAskRow *self)
{
  self->buttons = g_ptr_array_new ();
  make_card (self);
}

void
_gadget_ask_row_focus (GadgetAskRow *self)
{
  if (self->entry != NULL)
    gtk_widget_grab_focus (self->entry);
  else if (self->first != NULL)
    gtk_widget_grab_focus (self->first);
  else if (self->buttons->len > 0)
    gtk_widget_grab_focus (g_ptr_array_index (self->buttons, 0));
}
