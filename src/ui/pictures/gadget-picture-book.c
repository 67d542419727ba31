/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-picture"

#include "config.h"

#include "gadget-picture-book.h"

#include "gadget-picture-decode.h"

#include "common/gadget-blocking.h"
#include "store/gadget-store-pictures.h"

struct _GadgetPictureBook
{
  GObject parent_instance;

  GadgetStore *store; /* (nullable) */
  GQueue waiting;     /* of Wish, the one to be granted next at the head */
  gboolean working;
};

/* A picture that somebody wants to show. */
typedef struct
{
  GadgetPictureBook *book;
  GadgetPicture *picture;
  GBytes *data;
  guint max_width;
  guint max_height;
  GWeakRef owner;
  GadgetPictureFunc func;
} Wish;

G_DEFINE_FINAL_TYPE (GadgetPictureBook, gadget_picture_book, G_TYPE_OBJECT)

static void begin_next (GadgetPictureBook *self); /* one wish after the other */

static void
wish_free (gpointer data)
{
  Wish *wish = data;

  g_weak_ref_clear (&wish->owner);
  gadget_picture_unref (wish->picture);
  g_clear_pointer (&wish->data, g_bytes_unref);
  g_clear_object (&wish->book);
  g_free (wish);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Wish, wish_free)

static void
grant (Wish *granted, GdkTexture *texture, const GError *error)
{
  g_autoptr (Wish) wish = granted;
  g_autoptr (GadgetPictureBook) self = g_object_ref (wish->book);
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

  grant (user_data, texture, error);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Wish *wish = user_data;
  g_autoptr (GObject) owner = g_weak_ref_get (&wish->owner);
  g_autoptr (GError) error = NULL;
  Work *work;

  wish->data = gadget_picture_book_read_finish (GADGET_PICTURE_BOOK (source), result, &error);
  if (wish->data == NULL || owner == NULL)
    {
      grant (wish, NULL, error);
      return;
    }
  work = g_new0 (Work, 1);
  work->data = g_bytes_ref (wish->data);
  work->max_width = wish->max_width;
  work->max_height = wish->max_height;
  gadget_blocking_run_async (NULL, decode, work, work_free, g_object_unref, decoded_cb, wish);
}

static void
begin_next (GadgetPictureBook *self)
{
  while (!self->working && !g_queue_is_empty (&self->waiting))
    {
      Wish *wish = g_queue_pop_head (&self->waiting);
      g_autoptr (GObject) owner = g_weak_ref_get (&wish->owner);

      if (owner == NULL)
        {
          wish_free (wish);
          continue;
        }
      self->working = TRUE;
      wish->book = g_object_ref (self);
      gadget_picture_book_read_async (self, wish->picture, read_cb, wish);
    }
}

static void
gadget_picture_book_dispose (GObject *object)
{
  GadgetPictureBook *self = GADGET_PICTURE_BOOK (object);

  g_queue_clear_full (&self->waiting, wish_free);
  g_clear_object (&self->store);

  G_OBJECT_CLASS (gadget_picture_book_parent_class)->dispose (object);
}

static void
gadget_picture_book_class_init (GadgetPictureBookClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_picture_book_dispose;
}

static void
gadget_picture_book_init (GadgetPictureBook *self)
{
  g_queue_init (&self->waiting);
}

/**
 * gadget_picture_book_new:
 * @store: (nullable): where pictures are that are not in memory
 */
GadgetPictureBook *
gadget_picture_book_new (GadgetStore *store)
{
  GadgetPictureBook *self = g_object_new (GADGET_TYPE_PICTURE_BOOK, NULL);

  g_set_object (&self->store, store);
  return self;
}

/**
 * gadget_picture_book_load:
 * @max_width: in pixels of the display
 * @owner: who waits for it: when it is gone, nothing is done
 * @func: called once, later
 */
void
gadget_picture_book_load (GadgetPictureBook *self, GadgetPicture *picture, guint max_width,
                          guint max_height, GObject *owner, GadgetPictureFunc func)
{
  Wish *wish;

  g_return_if_fail (GADGET_IS_PICTURE_BOOK (self) && picture != NULL && G_IS_OBJECT (owner));

  wish = g_new0 (Wish, 1);
  wish->picture = gadget_picture_ref (picture);
  wish->max_width = max_width;
  wish->max_height = max_height;
  g_weak_ref_init (&wish->owner, owner);
  wish->func = func;
  g_queue_push_head (&self->waiting, wish);
  begin_next (self);
}

gboolean
gadget_picture_book_is_busy (GadgetPictureBook *self)
{
  g_return_val_if_fail (GADGET_IS_PICTURE_BOOK (self), FALSE);
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
gadget_picture_book_read_async (GadgetPictureBook *self, GadgetPicture *picture,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  GBytes *data;

  g_return_if_fail (GADGET_IS_PICTURE_BOOK (self) && picture != NULL);

  g_task_set_source_tag (task, gadget_picture_book_read_async);
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
 * gadget_picture_book_read_finish:
 *
 * Returns: (transfer full): its file, or %NULL with %GADGET_PICTURE_ERROR_GONE
 */
GBytes *
gadget_picture_book_read_finish (GadgetPictureBook *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
