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
  GQueue waiting;     /* of Request; the next one is at the head */
  gboolean working;
};

/* A request for a picture. The owner is not kept alive; when it is gone, the request is dropped. */
typedef struct
{
  GadgetPictureLoader *loader;
  GadgetPicture *picture;
  guint max_width;
  guint max_height;
  GWeakRef owner;
  GadgetPictureFunc func;
} Request;

G_DEFINE_FINAL_TYPE (GadgetPictureLoader, gadget_picture_loader, G_TYPE_OBJECT)

static void begin_next (GadgetPictureLoader *self); /* called again after each request */

static void
request_free (gpointer data)
{
  Request *request = data;

  g_weak_ref_clear (&request->owner);
  gadget_picture_unref (request->picture);
  g_clear_object (&request->loader);
  g_free (request);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Request, request_free)

static void
finish_request (Request *granted, GdkTexture *texture, const GError *error)
{
  g_autoptr (Request) request = granted;
  g_autoptr (GadgetPictureLoader) self = g_object_ref (request->loader);
  g_autoptr (GObject) owner = g_weak_ref_get (&request->owner);

  self->working = FALSE;
  if (owner != NULL)
    request->func (owner, texture, error);
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
  Request *request = user_data;
  g_autoptr (GObject) owner = g_weak_ref_get (&request->owner);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) data =
      gadget_picture_loader_read_finish (GADGET_PICTURE_LOADER (source), result, &error);
  Work *work;

  if (data == NULL || owner == NULL)
    {
      finish_request (request, NULL, error);
      return;
    }
  work = g_new0 (Work, 1);
  work->data = g_steal_pointer (&data);
  work->max_width = request->max_width;
  work->max_height = request->max_height;
  gadget_blocking_run_async (NULL, decode, work, work_free, g_object_unref, decoded_cb, request);
}

static void
begin_next (GadgetPictureLoader *self)
{
  while (!self->working && !g_queue_is_empty (&self->waiting))
    {
      Request *request = g_queue_pop_head (&self->waiting);
      g_autoptr (GObject) owner = g_weak_ref_get (&request->owner);

      if (owner == NULL)
        {
          request_free (request);
          continue;
        }
      self->working = TRUE;
      request->loader = g_object_ref (self);
      gadget_picture_loader_read_async (self, request->picture, read_cb, request);
    }
}

static void
gadget_picture_loader_dispose (GObject *object)
{
  GadgetPictureLoader *self = GADGET_PICTURE_LOADER (object);

  g_queue_clear_full (&self->waiting, request_free);
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
  Request *request;

  g_return_if_fail (GADGET_IS_PICTURE_LOADER (self) && picture != NULL && G_IS_OBJECT (owner));

  request = g_new0 (Request, 1);
  request->picture = gadget_picture_ref (picture);
  request->max_width = max_width;
  request->max_height = max_height;
  g_weak_ref_init (&request->owner, owner);
  request->func = func;
  g_queue_push_head (&self->waiting, request);
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
