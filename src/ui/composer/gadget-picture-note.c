/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The note that the model does not take pictures. The provider is asked again whenever there are
 * pictures where there were none, and when another model is chosen, because a server may have been
 * restarted with other abilities. Nothing waits for the answer, and without one the note is not
 * shown.
 *
 * The note is not about pictures of messages that were sent already: a model that takes none gets
 * the text of those only. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-picture-note.h"

#include "agent/gadget-model-question.h"
#include "session/gadget-attachment.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-labels.h"

#include <glib/gi18n.h>

struct _GadgetPictureNote
{
  AdwBin parent_instance;

  GtkLabel *label;

  GadgetEngine *engine;   /* (nullable) */
  GadgetSession *session; /* (nullable) */
  GListModel *queue;      /* (nullable): the session's queue */
  gboolean attached;

  char *asked;          /* (nullable): the provider and the model of the last question; NULL when
                         * there are no pictures */
  GCancellable *asking; /* (nullable): cancels the question that is not answered yet */
};

G_DEFINE_FINAL_TYPE (GadgetPictureNote, gadget_picture_note, ADW_TYPE_BIN)

static gboolean
stop_asking (GadgetPictureNote *self)
{
  const gboolean any = self->asking != NULL;

  g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  return any;
}

static GadgetProviderList *
get_providers (GadgetPictureNote *self)
{
  return gadget_engine_get_providers (self->engine);
}

static GadgetRegistry *
get_registry (GadgetPictureNote *self)
{
  return gadget_agent_get_registry (gadget_engine_get_agent (self->engine));
}

static gboolean
is_any_queued (GadgetPictureNote *self)
{
  for (guint i = 0; i < g_list_model_get_n_items (self->queue); i++)
    {
      g_autoptr (GObject) message = g_list_model_get_item (self->queue, i);

      if (gadget_attachments_have_picture (gadget_attachments_get (message)))
        return TRUE;
    }
  return FALSE;
}

static void
show (GadgetPictureNote *self)
{
  g_autofree char *model = gadget_labels_model (get_providers (self), self->session);
  /* Translators: %s is the name of a model, "llama3.2" */
  g_autofree char *words = g_strdup_printf (_ ("%s doesn’t support images"), model);

  gtk_label_set_label (self->label, words);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  gadget_announce (GTK_WIDGET (self), words, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetPictureNote) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetModel) model =
      gadget_model_question_ask_finish (GADGET_PROVIDER_LIST (source), result, &error);

  /* A cancelled question fails with this error even when its answer had come; @asking is then of a
   * newer one. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->asking);
  if (model == NULL)
    g_debug ("nothing is known of the model: %s", error->message);
  else if (gadget_model_get_images (model) == GADGET_MODEL_IMAGES_NO)
    show (self);
}

static void
ask (GadgetPictureNote *self)
{
  self->asking = g_cancellable_new ();
  gadget_model_question_ask_async (
      get_providers (self), gadget_session_get_provider (self->session),
      gadget_session_get_model (self->session), self->asking, answered_cb, g_object_ref (self));
}

/* Returns a string that identifies the question: provider and model. NULL when there are no
 * pictures. (transfer full) (nullable) */
static char *
dup_question (GadgetPictureNote *self)
{
  const char *provider;
  const char *model;

  if (self->session == NULL || !(self->attached || is_any_queued (self)))
    return NULL;
  provider = gadget_session_get_provider (self->session);
  model = gadget_session_get_model (self->session);
  if (provider == NULL)
    provider = gadget_provider_list_get_default_id (get_providers (self));
  return g_strdup_printf ("%s\n%s", provider, model != NULL ? model : "");
}

static void
update (GadgetPictureNote *self)
{
  g_autofree char *question = dup_question (self);

  if (g_strcmp0 (question, self->asked) == 0)
    return;
  stop_asking (self);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_set_str (&self->asked, question);
  if (question != NULL)
    ask (self);
}

/* Asks again, because the same id may stand for another configuration now. */
static void
providers_changed_cb (GadgetPictureNote *self)
{
  g_clear_pointer (&self->asked, g_free);
  update (self);
}

static void
set_engine (GadgetPictureNote *self, GadgetEngine *engine)
{
  if (self->engine == engine)
    return;
  if (self->engine != NULL)
    {
      g_signal_handlers_disconnect_by_data (get_providers (self), self);
      g_signal_handlers_disconnect_by_data (get_registry (self), self);
    }
  g_set_object (&self->engine, engine);
  if (engine == NULL)
    return;
  g_signal_connect_object (get_providers (self), "items-changed", G_CALLBACK (providers_changed_cb),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (get_providers (self), "notify::default-id", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (get_registry (self), "abort-all", G_CALLBACK (stop_asking), self,
                           G_CONNECT_SWAPPED);
}

static void
set_session (GadgetPictureNote *self, GadgetSession *session)
{
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  if (self->queue != NULL)
    g_signal_handlers_disconnect_by_data (self->queue, self);
  g_set_object (&self->session, session);
  g_clear_object (&self->queue);
  if (session == NULL)
    return;
  self->queue = g_object_ref (gadget_session_get_queue (session));
  g_signal_connect_object (session, "notify::provider", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::model", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->queue, "items-changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
}

static void
gadget_picture_note_dispose (GObject *object)
{
  GadgetPictureNote *self = GADGET_PICTURE_NOTE (object);

  stop_asking (self);
  set_session (self, NULL);
  set_engine (self, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_PICTURE_NOTE);

  G_OBJECT_CLASS (gadget_picture_note_parent_class)->dispose (object);
}

static void
gadget_picture_note_finalize (GObject *object)
{
  g_free (GADGET_PICTURE_NOTE (object)->asked);

  G_OBJECT_CLASS (gadget_picture_note_parent_class)->finalize (object);
}

static void
gadget_picture_note_class_init (GadgetPictureNoteClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_picture_note_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_picture_note_finalize;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/composer/gadget-picture-note.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetPictureNote, label);
}

static void
gadget_picture_note_init (GadgetPictureNote *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * gadget_picture_note_set_session:
 * @engine: (nullable): knows the models; without it nothing is noted
 * @session: (nullable): the chat whose model gets the message
 *
 * Follows the model of the chat: the note is visible while that cannot see attached pictures.
 */
void
gadget_picture_note_set_session (GadgetPictureNote *self, GadgetEngine *engine,
                                 GadgetSession *session)
{
  g_return_if_fail (GADGET_IS_PICTURE_NOTE (self));

  set_session (self, engine != NULL ? session : NULL);
  set_engine (self, engine);
  update (self);
}

void
gadget_picture_note_set_attached (GadgetPictureNote *self, gboolean attached)
{
  g_return_if_fail (GADGET_IS_PICTURE_NOTE (self));

  self->attached = attached;
  update (self);
}
