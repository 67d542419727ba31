/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A table of the remote pictures of one chat. The same image in the same place of an item's text
 * always gives the same object, so that a row which is made again shows the state it had. Each
 * loading is a run of the registry. All functions are for the main context. */

#define G_LOG_DOMAIN "gadget-picture"

#include "config.h"

#include "gadget-picture-decode.h"
#include "gadget-remote-pictures-private.h"

struct _GadgetRemotePictures
{
  GObject parent_instance;

  GadgetRegistry *registry;
  char *session_id;
  const GadgetWebSetup *setup; /* (nullable) not owned */
  GHashTable *table;           /* Key → GadgetRemotePicture, referenced */
  guint n_loading;
  gboolean closed;
};

typedef struct
{
  GadgetItem *item; /* referenced, so that its address cannot be reused by another item */
  gsize begin;
  char *address;
} Key;

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetRemotePictures, gadget_remote_pictures, G_TYPE_OBJECT)

static guint
key_hash (gconstpointer data)
{
  const Key *key = data;

  return g_direct_hash (key->item) ^ (guint) key->begin ^ g_str_hash (key->address);
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const Key *first = a;
  const Key *second = b;

  return first->item == second->item && first->begin == second->begin
         && g_str_equal (first->address, second->address);
}

static void
key_free (gpointer data)
{
  Key *key = data;

  g_object_unref (key->item);
  g_free (key->address);
  g_free (key);
}

static void
drop_picture (gpointer picture)
{
  _gadget_remote_picture_detach (picture);
  g_object_unref (picture);
}

static void
gadget_remote_pictures_finalize (GObject *object)
{
  GadgetRemotePictures *self = GADGET_REMOTE_PICTURES (object);

  g_hash_table_unref (self->table);
  g_object_unref (self->registry);
  g_free (self->session_id);

  G_OBJECT_CLASS (gadget_remote_pictures_parent_class)->finalize (object);
}

static void
gadget_remote_pictures_class_init (GadgetRemotePicturesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_remote_pictures_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_remote_pictures_init (GadgetRemotePictures *self)
{
  self->table = g_hash_table_new_full (key_hash, key_equal, key_free, drop_picture);
}

/**
 * gadget_remote_pictures_new:
 * @registry: the registry of the runs that load pictures
 * @session_id: the id of the chat
 *
 * Returns: (transfer full): an empty table
 */
GadgetRemotePictures *
gadget_remote_pictures_new (GadgetRegistry *registry, const char *session_id)
{
  GadgetRemotePictures *self;

  g_return_val_if_fail (GADGET_IS_REGISTRY (registry) && session_id != NULL, NULL);

  self = g_object_new (GADGET_TYPE_REMOTE_PICTURES, NULL);
  self->registry = g_object_ref (registry);
  self->session_id = g_strdup (session_id);
  return self;
}

void
gadget_remote_pictures_set_setup (GadgetRemotePictures *self, const GadgetWebSetup *setup)
{
  g_return_if_fail (GADGET_IS_REMOTE_PICTURES (self));
  self->setup = setup;
}

/**
 * gadget_remote_pictures_get_picture:
 * @item: the item with the text
 * @begin: where the text of the image begins in the text of @item, in bytes
 * @address: the address of the image
 *
 * Returns: (transfer none): the picture, which is made when it is first asked for
 */
GadgetRemotePicture *
gadget_remote_pictures_get_picture (GadgetRemotePictures *self, GadgetItem *item, gsize begin,
                                    const char *address)
{
  const Key wanted = { item, begin, (char *) address };
  GadgetRemotePicture *picture;
  Key *key;

  g_return_val_if_fail (GADGET_IS_REMOTE_PICTURES (self) && GADGET_IS_ITEM (item), NULL);
  g_return_val_if_fail (address != NULL, NULL);

  picture = g_hash_table_lookup (self->table, &wanted);
  if (picture != NULL)
    return picture;
  picture = _gadget_remote_picture_new (self, address);
  key = g_new0 (Key, 1);
  key->item = g_object_ref (item);
  key->begin = begin;
  key->address = g_strdup (address);
  g_hash_table_insert (self->table, key, picture);
  return picture;
}

gboolean
gadget_remote_pictures_is_loading (GadgetRemotePictures *self)
{
  g_return_val_if_fail (GADGET_IS_REMOTE_PICTURES (self), FALSE);
  return self->n_loading > 0;
}

/* Stops all pictures. Handlers of the signals may add others, so the values are copied and
 * referenced first. */
static gboolean
stop (GadgetRemotePictures *self, GadgetStopReason reason)
{
  g_autoptr (GPtrArray) pictures = g_hash_table_get_values_as_ptr_array (self->table);
  const gboolean any = self->n_loading > 0;

  g_ptr_array_foreach (pictures, (GFunc) (void (*) (void)) g_object_ref, NULL);
  g_ptr_array_set_free_func (pictures, g_object_unref);
  for (guint i = 0; any && i < pictures->len; i++)
    _gadget_remote_picture_stop (g_ptr_array_index (pictures, i), reason);
  return any;
}

gboolean
gadget_remote_pictures_stop (GadgetRemotePictures *self)
{
  g_return_val_if_fail (GADGET_IS_REMOTE_PICTURES (self), FALSE);
  return stop (self, GADGET_STOP_USER);
}

void
gadget_remote_pictures_close (GadgetRemotePictures *self)
{
  g_return_if_fail (GADGET_IS_REMOTE_PICTURES (self));

  self->closed = TRUE;
  stop (self, GADGET_STOP_CLOSED);
}

/* --- For the pictures --- */

/* Checks in a thread whether the picture can be decoded. */
static GBytes *
check_showable (GBytes *data, GError **error)
{
  g_autoptr (GdkTexture) texture = gadget_picture_decode (data, 1, 1, error);

  return texture != NULL ? g_bytes_ref (data) : NULL;
}

GadgetRun *
_gadget_remote_pictures_start (GadgetRemotePictures *self, const char *address,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  return self->closed ? NULL
                      : gadget_picture_loading_start (self->registry, self->session_id, self->setup,
                                                      address, check_showable, callback, user_data);
}

void
_gadget_remote_pictures_abort (GadgetRemotePictures *self, GadgetRun *run, GadgetStopReason reason)
{
  g_autoptr (GadgetAbortAck) ack =
      gadget_registry_abort (self->registry, NULL, gadget_run_get_id (run), reason);

  if (!ack->aborted)
    g_debug ("a picture was here already when it was stopped");
}

void
_gadget_remote_pictures_count (GadgetRemotePictures *self, int change)
{
  const gboolean was = self->n_loading > 0;

  self->n_loading = (guint) ((int) self->n_loading + change);
  if (was != (self->n_loading > 0))
    g_signal_emit (self, signals[CHANGED], 0);
}
