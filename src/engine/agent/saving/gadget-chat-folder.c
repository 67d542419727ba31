/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-engine"

#include "config.h"

#include "gadget-chat-folder.h"

struct _GadgetChatFolder
{
  GObject parent_instance;

  char *id;
  char *name;
  char *parent_id;
};

enum
{
  PROP_0,
  PROP_ID,
  PROP_NAME,
  PROP_PARENT_ID,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (GadgetChatFolder, gadget_chat_folder, G_TYPE_OBJECT)

static void
gadget_chat_folder_finalize (GObject *object)
{
  GadgetChatFolder *self = GADGET_CHAT_FOLDER (object);

  g_free (self->id);
  g_free (self->name);
  g_free (self->parent_id);

  G_OBJECT_CLASS (gadget_chat_folder_parent_class)->finalize (object);
}

static void
gadget_chat_folder_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GadgetChatFolder *self = GADGET_CHAT_FOLDER (object);

  switch (prop_id)
    {
    case PROP_ID:
      g_value_set_string (value, self->id);
      break;
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_PARENT_ID:
      g_value_set_string (value, self->parent_id);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_chat_folder_class_init (GadgetChatFolderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = gadget_chat_folder_finalize;
  object_class->get_property = gadget_chat_folder_get_property;

  props[PROP_ID] = g_param_spec_string ("id", NULL, NULL, NULL, flags);
  props[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);
  props[PROP_PARENT_ID] = g_param_spec_string ("parent-id", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
gadget_chat_folder_init (GadgetChatFolder *self)
{
}

/**
 * gadget_chat_folder_new:
 *
 * Returns: (transfer full): a folder that is in none
 */
GadgetChatFolder *
gadget_chat_folder_new (const char *id, const char *name)
{
  GadgetChatFolder *self = g_object_new (GADGET_TYPE_CHAT_FOLDER, NULL);

  self->id = g_strdup (id);
  self->name = g_strdup (name);
  return self;
}

/* gadget_chat_folder_get_id: (transfer none): the id, which never changes */
const char *
gadget_chat_folder_get_id (GadgetChatFolder *self)
{
  g_return_val_if_fail (GADGET_IS_CHAT_FOLDER (self), NULL);
  return self->id;
}

/* gadget_chat_folder_get_name: (transfer none): the name, which is not empty */
const char *
gadget_chat_folder_get_name (GadgetChatFolder *self)
{
  g_return_val_if_fail (GADGET_IS_CHAT_FOLDER (self), NULL);
  return self->name;
}

/* gadget_chat_folder_get_parent_id: (transfer none) (nullable): NULL for a folder that is in
 * none */
const char *
gadget_chat_folder_get_parent_id (GadgetChatFolder *self)
{
  g_return_val_if_fail (GADGET_IS_CHAT_FOLDER (self), NULL);
  return self->parent_id;
}

void
_gadget_chat_folder_set_name (GadgetChatFolder *self, const char *name)
{
  if (g_set_str (&self->name, name))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_NAME]);
}

void
_gadget_chat_folder_set_parent_id (GadgetChatFolder *self, const char *parent_id)
{
  if (g_set_str (&self->parent_id, parent_id))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PARENT_ID]);
}
