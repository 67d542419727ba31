/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Prompts: their content, and the one answer that they can get. Everything runs on the main
 * context. */

#define G_LOG_DOMAIN "gadget-prompt"

#include "config.h"

#include "gadget-prompt.h"

#include "common/gadget-id.h"
#include "common/gadget-pending.h"

struct _GadgetPrompt
{
  GObject parent_instance;

  char *id;
  GadgetPromptKind kind;
  char *title;
  GadgetCallSummary *question; /* (nullable): the data that the title was made of */
  char *tool;
  char *subject;
  char *detail;
  char **choices;
  gboolean allow_text;
  GPtrArray *accesses;                /* (element-type GadgetAccess) */
  char *rule_text;                    /* (nullable) */
  GHashTable *labels;                 /* (nullable) (element-type utf8 utf8): labels of choices, by
                                       * answer */
  char *texts[GADGET_PROMPT_N_TEXTS]; /* each (nullable) */
  GadgetPromptBody body_kind;
  guint n_added;
  guint n_removed;
  GadgetPromptPrepareFunc prepare; /* (nullable) */
  gpointer prepare_data;
  GDestroyNotify prepare_destroy;

  gboolean open;             /* neither answered nor dismissed */
  gboolean refused;          /* no user is there to answer */
  char *answer;              /* (nullable) */
  char *note;                /* (nullable): the user's comment on the answer */
  GadgetPending *waiter;     /* (nullable) */
  GCancellable *cancellable; /* (nullable): the waiter's, until the prompt is closed */
};

enum
{
  PROP_0,
  PROP_OPEN,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_QUARK (gadget-prompt-error-quark, gadget_prompt_error)
G_DEFINE_FINAL_TYPE (GadgetPrompt, gadget_prompt, G_TYPE_OBJECT)

static void
access_free (gpointer data)
{
  GadgetAccess *access = data;

  g_free (access->subject);
  g_free (access->fingerprint);
  g_free (access);
}

/* Closes the prompt and completes the waiter's GTask. @self may be freed when this returns. */
static void
settle (GadgetPrompt *self)
{
  g_autoptr (GTask) waiter = self->waiter != NULL ? gadget_pending_take (self->waiter) : NULL;

  g_clear_object (&self->cancellable);
  if (self->open)
    {
      self->open = FALSE;
      g_object_notify_by_pspec (G_OBJECT (self), props[PROP_OPEN]);
    }
  if (waiter == NULL)
    return;
  if (self->answer != NULL)
    g_task_return_pointer (waiter, g_strdup (self->answer), g_free);
  else if (self->refused)
    g_task_return_new_error_literal (waiter, GADGET_PROMPT_ERROR, GADGET_PROMPT_ERROR_NOBODY,
                                     "nobody is there to answer");
  else
    g_task_return_new_error_literal (waiter, G_IO_ERROR, G_IO_ERROR_CANCELLED, "dismissed");
}

static void
stopped_cb (GadgetPending *waiter, gpointer data)
{
  g_autoptr (GadgetPrompt) self = g_object_ref (data);

  settle (self);
}

static void
clear_prepare (GadgetPrompt *self)
{
  if (self->prepare_destroy != NULL)
    self->prepare_destroy (self->prepare_data);
  self->prepare = NULL;
  self->prepare_data = NULL;
  self->prepare_destroy = NULL;
}

static void
gadget_prompt_finalize (GObject *object)
{
  GadgetPrompt *self = GADGET_PROMPT (object);

  for (guint i = 0; i < GADGET_PROMPT_N_TEXTS; i++)
    g_free (self->texts[i]);
  clear_prepare (self);

  g_free (self->id);
  g_free (self->title);
  g_clear_pointer (&self->question, gadget_call_summary_free);
  g_free (self->tool);
  g_free (self->subject);
  g_free (self->detail);
  g_strfreev (self->choices);
  g_ptr_array_unref (self->accesses);
  g_free (self->rule_text);
  g_clear_pointer (&self->labels, g_hash_table_unref);
  g_free (self->answer);
  g_free (self->note);
  g_clear_pointer (&self->waiter, gadget_pending_free);

  G_OBJECT_CLASS (gadget_prompt_parent_class)->finalize (object);
}

static void
gadget_prompt_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GadgetPrompt *self = GADGET_PROMPT (object);

  switch (prop_id)
    {
    case PROP_OPEN:
      g_value_set_boolean (value, self->open);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_prompt_class_init (GadgetPromptClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = gadget_prompt_finalize;
  object_class->get_property = gadget_prompt_get_property;

  props[PROP_OPEN] =
      g_param_spec_boolean ("open", NULL, NULL, TRUE,
                            G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
gadget_prompt_init (GadgetPrompt *self)
{
  self->id = gadget_id_new ();
  self->accesses = g_ptr_array_new_with_free_func (access_free);
  self->open = TRUE;
}

/**
 * gadget_prompt_new_question:
 * @text: the question
 * @choices: (nullable) (array zero-terminated=1): answers to choose from
 * @allow_text: whether the user may type another answer; always allowed without choices
 *
 * Returns: (transfer full): an open prompt
 */
GadgetPrompt *
gadget_prompt_new_question (const char *text, const char *const *choices, gboolean allow_text)
{
  static const char *const none[] = { NULL };
  GadgetPrompt *self = g_object_new (GADGET_TYPE_PROMPT, NULL);

  self->kind = GADGET_PROMPT_QUESTION;
  self->title = g_strdup (text);
  self->choices = g_strdupv ((char **) (choices != NULL ? choices : none));
  self->allow_text = allow_text || self->choices[0] == NULL;
  return self;
}

/**
 * gadget_prompt_new_permission:
 * @tool: (nullable): the tool's name
 * @title: the question ("Run this command?")
 * @subject: (nullable): what exactly would be done (the command)
 * @detail: (nullable): what it could reach ("In ~/Projects · may write there · no network")
 *
 * Returns: (transfer full): an open prompt whose choices are GADGET_PROMPT_ALLOW and
 *   GADGET_PROMPT_DENY
 */
GadgetPrompt *
gadget_prompt_new_permission (const char *tool, const char *title, const char *subject,
                              const char *detail)
{
  static const char *const choices[] = { GADGET_PROMPT_ALLOW, GADGET_PROMPT_DENY, NULL };
  GadgetPrompt *self = g_object_new (GADGET_TYPE_PROMPT, NULL);

  self->kind = GADGET_PROMPT_PERMISSION;
  self->tool = g_strdup (tool);
  self->title = g_strdup (title);
  self->subject = g_strdup (subject);
  self->detail = g_strdup (detail);
  self->choices = g_strdupv ((char **) choices);
  return self;
}

/**
 * gadget_prompt_new_permission_for:
 * @tool: the tool's name
 * @question: (transfer full): the data that the title is made of
 * @subject: see gadget_prompt_new_permission ()
 * @detail: see gadget_prompt_new_permission ()
 *
 * Returns: (transfer full): an open prompt
 */
GadgetPrompt *
gadget_prompt_new_permission_for (const char *tool, GadgetCallSummary *question,
                                  const char *subject, const char *detail)
{
  g_autofree char *title = gadget_call_summary_dup_plain_text (question);
  GadgetPrompt *self = gadget_prompt_new_permission (tool, title, subject, detail);

  self->question = question;
  return self;
}

/* gadget_prompt_get_id: returns the id by which another program answers; unique and never %NULL.
 * (transfer none) */
const char *
gadget_prompt_get_id (GadgetPrompt *self)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (self), NULL);
  return self->id;
}

/* gadget_prompt_get_kind: tells how to show the prompt and which answers it takes; see
 * #GadgetPromptKind. */
GadgetPromptKind
gadget_prompt_get_kind (GadgetPrompt *self)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (self), GADGET_PROMPT_QUESTION);
  return self->kind;
}

/* gadget_prompt_get_title: returns the question; never %NULL. (transfer none) */
const char *
gadget_prompt_get_title (GadgetPrompt *self)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (self), NULL);
  return self->title;
}

/**
 * gadget_prompt_get_question:
 *
 * Returns: (transfer none) (nullable): the question as data; %NULL if only the title is known
 */
const GadgetCallSummary *
gadget_prompt_get_question (GadgetPrompt *self)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (self), NULL);
  return self->question;
}

/**
 * gadget_prompt_get_tool:
 *
 * Returns: (transfer none) (nullable): the tool's name; %NULL for a question
 */
const char *
gadget_prompt_get_tool (GadgetPrompt *self)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (self), NULL);
  return self->tool;
}

/* gadget_prompt_get_subject: returns what exactly would be done, such as the command; %NULL for a
 * question, and if the title says all. (transfer none) */
const char *
gadget_prompt_get_subject (GadgetPrompt *self)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (self), NULL);
  return self->subject;
}

/* gadget_prompt_get_detail: returns what it could reach; %NULL for a question and if nothing needs
 * to be said. (transfer none) */
const char *
gadget_prompt_get_detail (GadgetPrompt *self)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (self), NULL);
  return self->detail;
}

/* gadget_prompt_get_choices: returns the answers to choose from, ended by %NULL. They are texts for
 * the user in a question, and GADGET_PROMPT_ALLOW and so on in a permission, which
 * gadget_prompt_get_choice_label () puts into words. The array may be empty. (transfer none) */
const char *const *
gadget_prompt_get_choices (GadgetPrompt *self)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (self), NULL);
  return (const char *const *) self->choices;
}

/* gadget_prompt_get_allow_text: returns whether an answer need not be one of the choices. */
gboolean
gadget_prompt_get_allow_text (GadgetPrompt *self)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (self), FALSE);
  return self->allow_text;
}

/**
 * gadget_prompt_add_access:
 * @kind: the kind of access
 * @subject: see #GadgetAccessKind
 * @confined: see #GadgetAccess
 *
 * Adds something that the permission is needed for. Must not be called after the prompt was shown.
 */
void
gadget_prompt_add_access (GadgetPrompt *self, GadgetAccessKind kind, const char *subject,
                          gboolean confined)
{
  GadgetAccess *access;

  g_return_if_fail (GADGET_IS_PROMPT (self) && self->kind == GADGET_PROMPT_PERMISSION);
  g_return_if_fail (subject != NULL);

  access = g_new (GadgetAccess, 1);
  *access = (GadgetAccess) { kind, g_strdup (subject), confined, NULL };
  g_ptr_array_add (self->accesses, access);
}

/**
 * gadget_prompt_add_access_as_now:
 * @subject: see #GadgetAccessKind
 * @fingerprint: a digest of what the subject is now: of the name, description and schema of a tool,
 *   or of the text of instructions
 * @confined: see #GadgetAccess
 *
 * Adds an access that a rule allows only as long as the subject is what it is now.
 */
void
gadget_prompt_add_access_as_now (GadgetPrompt *self, GadgetAccessKind kind, const char *subject,
                                 const char *fingerprint, gboolean confined)
{
  GadgetAccess *access;

  g_return_if_fail (GADGET_IS_PROMPT (self) && subject != NULL && fingerprint != NULL);

  gadget_prompt_add_access (self, kind, subject, confined);
  access = g_ptr_array_index (self->accesses, self->accesses->len - 1);
  access->fingerprint = g_strdup (fingerprint);
}

/* gadget_prompt_get_n_accesses: returns how many accesses are asked for; 0 for a question. */
guint
gadget_prompt_get_n_accesses (GadgetPrompt *self)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (self), 0);
  return self->accesses->len;
}

/**
 * gadget_prompt_get_access:
 *
 * Returns: (transfer none): an access, valid as long as the prompt
 */
const GadgetAccess *
gadget_prompt_get_access (GadgetPrompt *self, guint position)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (self) && position < self->accesses->len, NULL);
  return g_ptr_array_index (self->accesses, position);
}

/**
 * gadget_prompt_add_choice:
 * @answer: one of GADGET_PROMPT_ALLOW_… and GADGET_PROMPT_DENY_…
 * @label: what the answer would allow or deny, translated
 *
 * Adds an answer that makes a rule. Must not be called after the prompt was shown.
 */
void
gadget_prompt_add_choice (GadgetPrompt *self, const char *answer, const char *label)
{
  g_autoptr (GStrvBuilder) choices = NULL;

  g_return_if_fail (GADGET_IS_PROMPT (self) && self->kind == GADGET_PROMPT_PERMISSION);
  g_return_if_fail (answer != NULL && label != NULL);

  choices = g_strv_builder_new ();
  g_strv_builder_addv (choices, (const char **) self->choices);
  g_strv_builder_add (choices, answer);
  g_strfreev (self->choices);
  self->choices = g_strv_builder_end (choices);
  if (self->labels == NULL)
    self->labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_insert (self->labels, g_strdup (answer), g_strdup (label));
}

/**
 * gadget_prompt_get_choice_label:
 *
 * Returns: (transfer none) (nullable): the label; %NULL for an answer without one
 */
const char *
gadget_prompt_get_choice_label (GadgetPrompt *self, const char *answer)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (self) && answer != NULL, NULL);
  return self->labels != NULL ? g_hash_table_lookup (self->labels, answer) : NULL;
}

const char *
gadget_prompt_get_rule_text (GadgetPrompt *self)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (self), NULL);
  return self->rule_text;
}

/**
 * gadget_prompt_set_rule_text:
 * @rule_text: (nullable): the text, which is copied
 *
 * The text must not change after the prompt was shown.
 */
void
gadget_prompt_set_rule_text (GadgetPrompt *self, const char *rule_text)
{
  g_return_if_fail (GADGET_IS_PROMPT (self));
  g_set_str (&self->rule_text, rule_text);
}

/**
 * gadget_prompt_get_text:
 *
 * Returns: (transfer none) (nullable): the text; %NULL if the prompt has no such text
 */
const char *
gadget_prompt_get_text (GadgetPrompt *self, GadgetPromptText which)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (self) && which < GADGET_PROMPT_N_TEXTS, NULL);
  return self->texts[which];
}

/**
 * gadget_prompt_set_text:
 * @text: (nullable): %NULL removes the text
 *
 * Sets one of the texts.
 */
void
gadget_prompt_set_text (GadgetPrompt *self, GadgetPromptText which, const char *text)
{
  g_return_if_fail (GADGET_IS_PROMPT (self) && which < GADGET_PROMPT_N_TEXTS);

  g_set_str (&self->texts[which], text);
}

/**
 * gadget_prompt_text_get_name:
 *
 * Returns: (transfer none): the name of the text in events for other programs
 */
const char *
gadget_prompt_text_get_name (GadgetPromptText which)
{
  static const char *const names[GADGET_PROMPT_N_TEXTS] = {
    [GADGET_PROMPT_ASKER] = "asker",     [GADGET_PROMPT_PLACE] = "place",
    [GADGET_PROMPT_WARNING] = "warning", [GADGET_PROMPT_QUOTE_SOURCE] = "quote-source",
    [GADGET_PROMPT_QUOTE] = "quote",     [GADGET_PROMPT_BODY] = "body",
    [GADGET_PROMPT_OMITTED] = "omitted", [GADGET_PROMPT_ONCE] = "once",
    [GADGET_PROMPT_UNDO] = "undo",       [GADGET_PROMPT_DIGEST] = "digest",
  };

  g_return_val_if_fail (which < GADGET_PROMPT_N_TEXTS, NULL);
  return names[which];
}

/**
 * gadget_prompt_add_warning:
 * @warning: a translated sentence
 *
 * Appends a sentence to the warnings.
 */
void
gadget_prompt_add_warning (GadgetPrompt *self, const char *warning)
{
  char *before;

  g_return_if_fail (GADGET_IS_PROMPT (self) && warning != NULL);

  before = self->texts[GADGET_PROMPT_WARNING];
  self->texts[GADGET_PROMPT_WARNING] =
      before != NULL ? g_strconcat (before, "\n", warning, NULL) : g_strdup (warning);
  g_free (before);
}

/* gadget_prompt_set_title () and gadget_prompt_set_detail () copy the text and notify nobody: they
 * are for the preparation of a prompt that is not shown yet. */
void
gadget_prompt_set_title (GadgetPrompt *self, const char *title)
{
  g_return_if_fail (GADGET_IS_PROMPT (self) && title != NULL);
  g_set_str (&self->title, title);
}

void
gadget_prompt_set_detail (GadgetPrompt *self, const char *detail)
{
  g_return_if_fail (GADGET_IS_PROMPT (self));
  g_set_str (&self->detail, detail);
}

/**
 * gadget_prompt_get_body:
 *
 * Returns: (transfer none) (nullable): all of what would be done: the body, or the subject if there
 *   is no body; %NULL for a question
 */
const char *
gadget_prompt_get_body (GadgetPrompt *self)
{
  const char *body;

  g_return_val_if_fail (GADGET_IS_PROMPT (self), NULL);

  body = self->texts[GADGET_PROMPT_BODY];
  return body != NULL ? body : self->subject;
}

/* gadget_prompt_get_body_kind: returns the format of gadget_prompt_get_body ();
 * %GADGET_PROMPT_BODY_PLAIN if none was set. */
GadgetPromptBody
gadget_prompt_get_body_kind (GadgetPrompt *self)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (self), GADGET_PROMPT_BODY_PLAIN);
  return self->body_kind;
}

/**
 * gadget_prompt_set_body:
 * @kind: the format of @body
 * @body: (nullable): all of what would be done; %NULL shows the subject instead
 *
 * Copies the text. It must not change after the prompt was shown.
 */
void
gadget_prompt_set_body (GadgetPrompt *self, GadgetPromptBody kind, const char *body)
{
  g_return_if_fail (GADGET_IS_PROMPT (self));

  self->body_kind = kind;
  gadget_prompt_set_text (self, GADGET_PROMPT_BODY, body);
}

void
gadget_prompt_get_counts (GadgetPrompt *self, guint *n_added, guint *n_removed)
{
  g_return_if_fail (GADGET_IS_PROMPT (self));

  *n_added = self->n_added;
  *n_removed = self->n_removed;
}

/**
 * gadget_prompt_set_counts:
 * @n_added: lines that the change adds
 * @n_removed: lines that it removes
 *
 * This is for the preparation of a prompt that is not shown yet.
 */
void
gadget_prompt_set_counts (GadgetPrompt *self, guint n_added, guint n_removed)
{
  g_return_if_fail (GADGET_IS_PROMPT (self));

  self->n_added = n_added;
  self->n_removed = n_removed;
}

/**
 * gadget_prompt_set_prepare:
 * @prepare: (nullable): completes the prompt; called at most once
 * @data: (transfer full): for @prepare
 * @destroy: (nullable): frees @data
 *
 * Sets a function that completes the prompt before it is shown.
 */
void
gadget_prompt_set_prepare (GadgetPrompt *self, GadgetPromptPrepareFunc prepare, gpointer data,
                           GDestroyNotify destroy)
{
  g_return_if_fail (GADGET_IS_PROMPT (self));

  clear_prepare (self);
  self->prepare = prepare;
  self->prepare_data = data;
  self->prepare_destroy = destroy;
}

/**
 * gadget_prompt_prepare_async:
 * @cancellable: (nullable): passed to the function
 *
 * Completes the prompt before it is shown. The function of gadget_prompt_set_prepare () is called
 * once; without one the operation succeeds at once.
 */
void
gadget_prompt_prepare_async (GadgetPrompt *self, GCancellable *cancellable,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  GadgetPromptPrepareFunc prepare;

  g_return_if_fail (GADGET_IS_PROMPT (self));

  prepare = g_steal_pointer (&self->prepare);
  if (prepare != NULL)
    {
      prepare (self, self->prepare_data, cancellable, callback, user_data);
      return;
    }

  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, gadget_prompt_prepare_async);
  g_task_return_boolean (task, TRUE);
}

/**
 * gadget_prompt_prepare_finish:
 *
 * Returns: whether the prompt can be shown; else %FALSE: the call cannot be done at all, and the
 *   message of @error tells the model why
 */
gboolean
gadget_prompt_prepare_finish (GadgetPrompt *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

gboolean
gadget_prompt_is_open (GadgetPrompt *self)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (self), FALSE);
  return self->open;
}

/**
 * gadget_prompt_answer:
 * @answer: one of the choices, or any text if that is allowed
 *
 * Answers the prompt without a comment.
 *
 * Returns: whether the answer was taken; %FALSE if the prompt was answered or dismissed already,
 *   and for an answer that is not among the choices
 */
gboolean
gadget_prompt_answer (GadgetPrompt *self, const char *answer)
{
  return gadget_prompt_answer_with_note (self, answer, NULL);
}

/**
 * gadget_prompt_answer_with_note:
 * @answer: see gadget_prompt_answer ()
 * @note: (nullable): the user's comment, which the model gets
 *
 * Answers the prompt.
 *
 * Returns: see gadget_prompt_answer ()
 */
gboolean
gadget_prompt_answer_with_note (GadgetPrompt *self, const char *answer, const char *note)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (self) && answer != NULL, FALSE);

  /* The dismissal follows the abort a moment later; an answer in between must not be taken
   * either. */
  if (!self->open || g_cancellable_is_cancelled (self->cancellable))
    return FALSE;
  if (!self->allow_text && !g_strv_contains ((const char *const *) self->choices, answer))
    return FALSE;

  g_autoptr (GadgetPrompt) hold = g_object_ref (self);

  self->answer = g_strdup (answer);
  self->note = g_strdup (note);
  settle (hold);
  return TRUE;
}

/**
 * gadget_prompt_get_note:
 *
 * Returns: (transfer none) (nullable): the user's comment on the answer
 */
const char *
gadget_prompt_get_note (GadgetPrompt *self)
{
  g_return_val_if_fail (GADGET_IS_PROMPT (self), NULL);
  return self->note;
}

/**
 * gadget_prompt_refuse:
 *
 * Closes the prompt with %GADGET_PROMPT_ERROR_NOBODY, if it is open.
 */
void
gadget_prompt_refuse (GadgetPrompt *self)
{
  g_return_if_fail (GADGET_IS_PROMPT (self));

  if (!self->open)
    return;

  g_autoptr (GadgetPrompt) hold = g_object_ref (self);

  self->refused = TRUE;
  settle (hold);
}

/**
 * gadget_prompt_wait_async:
 * @cancellable: (nullable): dismisses the prompt: it is closed, and later answers are not taken
 *
 * Waits for the answer. To be called at most once.
 */
void
gadget_prompt_wait_async (GadgetPrompt *self, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_PROMPT (self) && self->waiter == NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_prompt_wait_async);
  self->waiter = gadget_pending_new (task, cancellable, stopped_cb, self);
  if (!self->open || g_cancellable_is_cancelled (cancellable))
    settle (self);
  else
    g_set_object (&self->cancellable, cancellable);
}

/**
 * gadget_prompt_wait_finish:
 *
 * Returns: (transfer full): the answer; or %NULL with %G_IO_ERROR_CANCELLED when the prompt was
 *   dismissed, or %GADGET_PROMPT_ERROR_NOBODY when no user is there to answer
 */
char *
gadget_prompt_wait_finish (GadgetPrompt *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
