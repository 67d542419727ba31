/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A stack of requests. One request at a time is processed: its bytes are read asynchronously,
 * decoded in a thread, and the texture is given to its function on the main context. */

#define G_LOG_DOMAIN "gadget-picture"

#include "config.h"

#include "gadget-picture-loader.h"

#include "gadget-picture-decode.h"

#include "common/gadget-blocking.h"
#include "store/gadget-store-pictures.h"

struct _GadgetPictureLoader
{
  GObject parent_instance;

  GadgetStore *store; /* (nullable) */
  GQueue waiting;     /* of Wish; the next one is at the head */
  gboolean working;
};

/* A request for a picture. The owner is not kept alive; when it is gone, the request is dropped. */
typedef struct
{
  GadgetPictureLoader *loader;
  GadgetPicture *picture;
  GBytes *data;
  guint max_width;
  guint max_height;
  GWeakRef owner;
  GadgetPictureFunc func;
} Request;

G_DEFINE_FINAL_TYPE (GadgetPictureLoader, gadget_picture_loader, G_TYPE_OBJECT)

static void begin_next (GadgetPictureLoader *self); /* called again after each request */

static void
wish_free (gpointer data)
{
  Request *wish = data;

  g_weak_ref_clear (&wish->owner);
  gadget_picture_unref (wish->picture);
  g_clear_pointer (&wish->data, g_bytes_unref);
  g_clear_object (&wish->loader);
  g_free (wish);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Request, wish_free)

static void
finish_request (Request *granted, GdkTexture *texture, const GError *error)
{
  g_autoptr (Request) wish = granted;
  g_autoptr (GadgetPictureLoader) self = g_object_ref (wish->loader);
  g_autoptr (GObject) owner = g_weak_ref_get (&wish->owner);

  self->working = FALSE;
  if (owner != NULL)
    wish->func (owner, texture, error);
  begin_next (self);
}

/* --- In the thread --- */

typedef struct
{
  GBytes *data;
  guint max_width;
  guint max_height;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_bytes_unref (work->data);
  g_free (work);
}

static gpointer
decode (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  const Work *work = data;

  return gadget_picture_decode (work->data, work->max_width, work->max_height, error);
}

/* --- On the main context --- */

static void
decoded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture = gadget_blocking_run_finish (result, &error);

  finish_request (user_data, texture, error);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Request *wish = user_data;
  g_autoptr (GObject) owner = g_weak_ref_get (&wish->owner);
  g_autoptr (GError) error = NULL;
  Work *work;

  wish->data = gadget_picture_loader_read_finish (GADGET_PICTURE_LOADER (source), result, &error);
  if (wish->data == NULL || owner == NULL)
    {
      finish_request (wish, NULL, error);
      return;
    }
  work = g_new0 (Work, 1);
  work->data = g_bytes_ref (wish->data);
  work->max_width = wish->max_width;
  work->max_height = wish->max_height;
  gadget_blocking_run_async (NULL, decode, work, work_free, g_object_unref, decoded_cb, wish);
}

static void
begin_next (GadgetPictureLoader *self)
{
  while (!self->working && !g_queue_is_empty (&self->waiting))
    {
      Request *wish = g_queue_pop_head (&self->waiting);
      g_autoptr (GObject) owner = g_weak_ref_get (&wish->owner);

      if (owner == NULL)
        {
          wish_free (wish);
          continue;
        }
      self->working = TRUE;
      wish->loader = g_object_ref (self);
      gadget_picture_loader_read_async (self, wish->picture, read_cb, wish);
    }
}

static void
gadget_picture_loader_dispose (GObject *object)
{
  GadgetPictureLoader *self = GADGET_PICTURE_LOADER (object);

  g_queue_clear_full (&self->waiting, wish_free);
  g_clear_object (&self->store);

  G_OBJECT_CLASS (gadget_picture_loader_parent_class)->dispose (object);
}

static void
gadget_picture_loader_class_init (GadgetPictureLoaderClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_picture_loader_dispose;
}

static void
gadget_picture_loader_init (GadgetPictureLoader *self)
{
  g_queue_init (&self->waiting);
}

/**
 * gadget_picture_loader_new:
 * @store: (nullable): the store that has the pictures which are not in memory
 *
 * Returns: (transfer full): a loader
 */
GadgetPictureLoader *
gadget_picture_loader_new (GadgetStore *store)
{
  GadgetPictureLoader *self = g_object_new (GADGET_TYPE_PICTURE_LOADER, NULL);

  g_set_object (&self->store, store);
  return self;
}

/**
 * gadget_picture_loader_load:
 * @max_width: in device pixels; a larger picture is scaled down
 * @max_height: in device pixels
 * @owner: the object that waits for the picture; it is not kept alive, and @func is not called
 *   without it
 * @func: called once, later, on the main context
 *
 * Loads a picture. A request that is made later is processed first.
 */
void
gadget_picture_loader_load (GadgetPictureLoader *self, GadgetPicture *picture, guint max_width,
                            guint max_height, GObject *owner, GadgetPictureFunc func)
{
  Request *wish;

  g_return_if_fail (GADGET_IS_PICTURE_LOADER (self) && picture != NULL && G_IS_OBJECT (owner));

  wish = g_new0 (Request, 1);
  wish->picture = gadget_picture_ref (picture);
  wish->max_width = max_width;
  wish->max_height = max_height;
  g_weak_ref_init (&wish->owner, owner);
  wish->func = func;
  g_queue_push_head (&self->waiting, wish);
  begin_next (self);
}

gboolean
gadget_picture_loader_is_busy (GadgetPictureLoader *self)
{
  g_return_val_if_fail (GADGET_IS_PICTURE_LOADER (self), FALSE);
  return self->working;
}

/* --- Bytes --- */

static void
stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  GBytes *data = gadget_store_read_picture_finish (GADGET_STORE (source), result, &error);

  if (data == NULL)
    g_task_return_new_error (task, GADGET_PICTURE_ERROR, GADGET_PICTURE_ERROR_GONE, "%s",
                             error->message);
  else
    g_task_return_pointer (task, data, (GDestroyNotify) g_bytes_unref);
}

void
gadget_picture_loader_read_async (GadgetPictureLoader *self, GadgetPicture *picture,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  GBytes *data;

  g_return_if_fail (GADGET_IS_PICTURE_LOADER (self) && picture != NULL);

  g_task_set_source_tag (task, gadget_picture_loader_read_async);
  data = gadget_picture_get_data (picture);
  if (data != NULL)
    g_task_return_pointer (task, g_bytes_ref (data), (GDestroyNotify) g_bytes_unref);
  else if (self->store == NULL)
    g_task_return_new_error (task, GADGET_PICTURE_ERROR, GADGET_PICTURE_ERROR_GONE,
                             "There is no store.");
  else
    gadget_store_read_picture_async (self->store, gadget_picture_get_id (picture), stored_cb,
                                     g_steal_pointer (&task));
}

/**
 * gadget_picture_loader_read_finish:
 *
 * Returns: (transfer full): the bytes of the file, or %NULL with %GADGET_PICTURE_ERROR_GONE
 */
GBytes *
gadget_picture_loader_read_finish (GadgetPictureLoader *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
