/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-queued-message"

#include "config.h"

#include "gadget-queued-message.h"

struct _GadgetQueuedMessage
{
  GObject parent_instance;

  char *text;
  gboolean steering;
};

G_DEFINE_FINAL_TYPE (GadgetQueuedMessage, gadget_queued_message, G_TYPE_OBJECT)

static void
gadget_queued_message_finalize (GObject *object)
{
  g_free (GADGET_QUEUED_MESSAGE (object)->text);

  G_OBJECT_CLASS (gadget_queued_message_parent_class)->finalize (object);
}

static void
gadget_queued_message_class_init (GadgetQueuedMessageClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_queued_message_finalize;
}

static void
gadget_queued_message_init (GadgetQueuedMessage *self)
{
}

GadgetQueuedMessage *
gadget_queued_message_new (const char *text)
{
  GadgetQueuedMessage *self = g_object_new (GADGET_TYPE_QUEUED_MESSAGE, NULL);

  self->text = g_strdup (text);
  return self;
}

GadgetQueuedMessage *
gadget_queued_message_new_steering (const char *text)
{
  GadgetQueuedMessage *self = gadget_queued_message_new (text);

  self->steering = TRUE;
  return self;
}

const char *
gadget_queued_message_get_text (GadgetQueuedMessage *self)
{
  g_return_val_if_fail (GADGET_IS_QUEUED_MESSAGE (self), NULL);
  return self->text;
}

gboolean
gadget_queued_message_get_steering (GadgetQueuedMessage *self)
{
  g_return_val_if_fail (GADGET_IS_QUEUED_MESSAGE (self), FALSE);
  return self->steering;
}
