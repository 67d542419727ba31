/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-queued-message"

#include "config.h"

#include "gadget-queued-message.h"

struct _GadgetQueuedMessage
{
  GObject parent_instance;

  char *text;
  gboolean steering;
  gboolean paused;
};

enum
{
  PROP_0,
  PROP_PAUSED,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (GadgetQueuedMessage, gadget_queued_message, G_TYPE_OBJECT)

static void
gadget_queued_message_finalize (GObject *object)
{
  g_free (GADGET_QUEUED_MESSAGE (object)->text);

  G_OBJECT_CLASS (gadget_queued_message_parent_class)->finalize (object);
}

static void
gadget_queued_message_get_property (GObject *object, guint prop_id, GValue *value,
                                    GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_PAUSED:
      g_value_set_boolean (value, GADGET_QUEUED_MESSAGE (object)->paused);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_queued_message_class_init (GadgetQueuedMessageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = gadget_queued_message_finalize;
  object_class->get_property = gadget_queued_message_get_property;

  props[PROP_PAUSED] =
      g_param_spec_boolean ("paused", NULL, NULL, FALSE,
                            G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
gadget_queued_message_init (GadgetQueuedMessage *self)
{
}

/**
 * gadget_queued_message_new:
 * @text: the user's message
 *
 * Returns: (transfer full): a message for a turn of its own, not paused
 */
GadgetQueuedMessage *
gadget_queued_message_new (const char *text)
{
  GadgetQueuedMessage *self = g_object_new (GADGET_TYPE_QUEUED_MESSAGE, NULL);

  self->text = g_strdup (text);
  return self;
}

/**
 * gadget_queued_message_new_steering:
 * @text: the user's message
 *
 * Returns: (transfer full): a message for the turn that is going on, not paused
 */
GadgetQueuedMessage *
gadget_queued_message_new_steering (const char *text)
{
  GadgetQueuedMessage *self = gadget_queued_message_new (text);

  self->steering = TRUE;
  return self;
}

/* gadget_queued_message_get_text: returns the message as the user wrote it; never %NULL.
 * (transfer none) */
const char *
gadget_queued_message_get_text (GadgetQueuedMessage *self)
{
  g_return_val_if_fail (GADGET_IS_QUEUED_MESSAGE (self), NULL);
  return self->text;
}

/* gadget_queued_message_get_steering: returns whether the message is for the turn that is going on.
 * This never changes. */
gboolean
gadget_queued_message_get_steering (GadgetQueuedMessage *self)
{
  g_return_val_if_fail (GADGET_IS_QUEUED_MESSAGE (self), FALSE);
  return self->steering;
}

/**
 * gadget_queued_message_get_paused:
 *
 * Returns: whether the message waits for the user instead of being sent automatically, because a
 *   turn was aborted or failed after it was queued
 */
gboolean
gadget_queued_message_get_paused (GadgetQueuedMessage *self)
{
  g_return_val_if_fail (GADGET_IS_QUEUED_MESSAGE (self), FALSE);
  return self->paused;
}

/**
 * gadget_queued_message_set_paused:
 * @paused: whether the message waits until the user sends it
 *
 * The property "paused" is notified.
 */
void
gadget_queued_message_set_paused (GadgetQueuedMessage *self, gboolean paused)
{
  g_return_if_fail (GADGET_IS_QUEUED_MESSAGE (self));

  if (self->paused == paused)
    return;
  self->paused = paused;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PAUSED]);
}
