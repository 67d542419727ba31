/* SPDX-License-Identifier: GPL-3.0-or-later */

/*     offered ── load ──▶ loading ──▶ loaded
 *        ▲                  │  └────▶ failed ── load ──▶ loading
 *        └──── stopped ─────┘
 *
 * A picture that was loaded and only cannot be shown now is also in the state failed, but is kept;
 * then load leads to loaded without a request.
 *
 * A stop takes effect at once, and the later result of the stopped run is ignored: a result counts
 * only while its run is self->run. */

#define G_LOG_DOMAIN "gadget-picture"

#include "config.h"

#include "gadget-remote-pictures-private.h"

#include "gadget-picture-decode.h"
#include "common/gadget-id.h"
#include "common/gadget-image-info.h"
#include "common/gadget-visible.h"

struct _GadgetRemotePicture
{
  GObject parent_instance;

  GadgetRemotePictures *pictures; /* (nullable) not owned: it owns this object */
  GadgetRemotePictureState state;
  char *address;
  char *server;           /* (nullable) */
  char *elsewhere;        /* (nullable): the address that the server redirects to */
  char *elsewhere_server; /* (nullable) */
  GadgetRun *run;         /* (nullable): the run that is loading it */
  GadgetPicture *picture; /* (nullable) */
  GError *failure;        /* (nullable) */
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetRemotePicture, gadget_remote_picture, G_TYPE_OBJECT)

/* The user data of a run; keeps a reference to the picture. */
typedef struct
{
  GadgetRemotePicture *picture;
  GadgetRun *run; /* only compared */
} LoadData;

static void
set_state (GadgetRemotePicture *self, GadgetRemotePictureState state)
{
  const int was = self->state == GADGET_REMOTE_PICTURE_LOADING;
  const int is = state == GADGET_REMOTE_PICTURE_LOADING;

  self->state = state;
  g_signal_emit (self, signals[CHANGED], 0);
  if (self->pictures != NULL && was != is)
    _gadget_remote_pictures_count (self->pictures, is - was);
}

static void
set_address (GadgetRemotePicture *self, const char *address)
{
  g_set_str (&self->address, address);
  g_free (self->server);
  self->server = gadget_web_picture_dup_server (address);
}

static void
forget_run (GadgetRemotePicture *self)
{
  if (self->run != NULL)
    g_signal_handlers_disconnect_by_data (self->run, self);
  g_clear_object (&self->run);
}

static void
aborted_cb (GadgetRemotePicture *self)
{
  forget_run (self);
  set_state (self, GADGET_REMOTE_PICTURE_OFFERED);
}

/* --- Results --- */

/* Returns the name of the file in an address; NULL if it is not suitable as a name. */
static char *
dup_name (const char *address)
{
  g_autoptr (GUri) uri = g_uri_parse (address, G_URI_FLAGS_ENCODED, NULL);
  const char *path = uri != NULL ? g_uri_get_path (uri) : "";
  const char *last = strrchr (path, '/');
  g_autofree char *name = g_uri_unescape_string (last != NULL ? last + 1 : path, "/");

  if (name == NULL || *name == '\0' || strlen (name) > 100 || !gadget_visible_is_plain (name))
    return NULL;
  return g_steal_pointer (&name);
}

/* Keeps the data as the picture. FALSE if they are not a picture. */
static gboolean
keep (GadgetRemotePicture *self, GBytes *data)
{
  g_autofree char *id = gadget_id_new ();
  g_autofree char *name = dup_name (self->address);
  gsize size;
  const void *bytes = g_bytes_get_data (data, &size);
  GadgetImageInfo info;

  if (!gadget_image_info_read (&info, bytes, size))
    return FALSE;
  self->picture =
      gadget_picture_new_stored (id, name, info.mime_type, info.width, info.height, size);
  gadget_picture_set_data (self->picture, data);
  return TRUE;
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree LoadData *load_data = user_data;
  g_autoptr (GadgetRemotePicture) self = load_data->picture;
  g_autoptr (GError) error = NULL;
  g_autofree char *elsewhere = NULL;
  g_autoptr (GBytes) unchecked = NULL;
  g_autoptr (GBytes) data = gadget_picture_loading_finish (result, &elsewhere, &unchecked, &error);

  if (self->run == NULL || self->run != load_data->run)
    return;
  forget_run (self);
  if (data != NULL)
    {
      /* The data of a successful run were checked before. */
      if (!keep (self, data))
        g_return_if_reached ();
      set_state (self, GADGET_REMOTE_PICTURE_LOADED);
      return;
    }
  if (unchecked != NULL)
    keep (self, unchecked);
  self->elsewhere = g_steal_pointer (&elsewhere);
  if (self->elsewhere != NULL)
    self->elsewhere_server = gadget_web_picture_dup_server (self->elsewhere);
  gadget_remote_picture_fail (self, error);
}

/* --- Object --- */

static void
gadget_remote_picture_dispose (GObject *object)
{
  forget_run (GADGET_REMOTE_PICTURE (object));

  G_OBJECT_CLASS (gadget_remote_picture_parent_class)->dispose (object);
}

static void
gadget_remote_picture_finalize (GObject *object)
{
  GadgetRemotePicture *self = GADGET_REMOTE_PICTURE (object);

  g_free (self->address);
  g_free (self->server);
  g_free (self->elsewhere);
  g_free (self->elsewhere_server);
  g_clear_pointer (&self->picture, gadget_picture_unref);
  g_clear_error (&self->failure);

  G_OBJECT_CLASS (gadget_remote_picture_parent_class)->finalize (object);
}

static void
gadget_remote_picture_class_init (GadgetRemotePictureClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_remote_picture_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_remote_picture_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_remote_picture_init (GadgetRemotePicture *self)
{
}

GadgetRemotePicture *
_gadget_remote_picture_new (GadgetRemotePictures *pictures, const char *address)
{
  GadgetRemotePicture *self = g_object_new (GADGET_TYPE_REMOTE_PICTURE, NULL);

  self->pictures = pictures;
  set_address (self, address);
  return self;
}

void
_gadget_remote_picture_detach (GadgetRemotePicture *self)
{
  self->pictures = NULL;
}

GadgetRemotePictureState
gadget_remote_picture_get_state (GadgetRemotePicture *self)
{
  g_return_val_if_fail (GADGET_IS_REMOTE_PICTURE (self), GADGET_REMOTE_PICTURE_OFFERED);
  return self->state;
}

const char *
gadget_remote_picture_get_address (GadgetRemotePicture *self)
{
  g_return_val_if_fail (GADGET_IS_REMOTE_PICTURE (self), NULL);
  return self->address;
}

const char *
gadget_remote_picture_get_server (GadgetRemotePicture *self)
{
  g_return_val_if_fail (GADGET_IS_REMOTE_PICTURE (self), NULL);
  return self->server;
}

const char *
gadget_remote_picture_get_elsewhere (GadgetRemotePicture *self)
{
  g_return_val_if_fail (GADGET_IS_REMOTE_PICTURE (self), NULL);
  return self->elsewhere_server;
}

/**
 * gadget_remote_picture_get_picture:
 *
 * Returns: (transfer none) (nullable): the loaded picture, even if it cannot be shown now
 */
GadgetPicture *
gadget_remote_picture_get_picture (GadgetRemotePicture *self)
{
  g_return_val_if_fail (GADGET_IS_REMOTE_PICTURE (self), NULL);
  return self->picture;
}

/**
 * gadget_remote_picture_get_failure:
 *
 * Returns: (transfer none) (nullable): a #GadgetWebPictureError or #GadgetPictureError, or
 *   %G_IO_ERROR_BUSY when the picture was loaded and cannot be shown now
 */
const GError *
gadget_remote_picture_get_failure (GadgetRemotePicture *self)
{
  g_return_val_if_fail (GADGET_IS_REMOTE_PICTURE (self), NULL);
  return self->failure;
}

void
gadget_remote_picture_load (GadgetRemotePicture *self)
{
  LoadData *load_data;

  g_return_if_fail (GADGET_IS_REMOTE_PICTURE (self));

  if (self->pictures == NULL || self->server == NULL || self->state == GADGET_REMOTE_PICTURE_LOADING
      || self->state == GADGET_REMOTE_PICTURE_LOADED)
    return;
  if (self->picture != NULL)
    {
      g_clear_error (&self->failure);
      set_state (self, GADGET_REMOTE_PICTURE_LOADED);
      return;
    }
  if (self->elsewhere_server != NULL)
    set_address (self, self->elsewhere);
  g_clear_pointer (&self->elsewhere, g_free);
  g_clear_pointer (&self->elsewhere_server, g_free);
  g_clear_error (&self->failure);
  load_data = g_new0 (LoadData, 1);
  load_data->picture = g_object_ref (self);
  self->run = _gadget_remote_pictures_start (self->pictures, self->address, loaded_cb, load_data);
  if (self->run == NULL)
    {
      g_object_unref (load_data->picture);
      g_free (load_data);
      return;
    }
  load_data->run = self->run;
  g_signal_connect_object (self->run, "aborted", G_CALLBACK (aborted_cb), self, G_CONNECT_SWAPPED);
  set_state (self, GADGET_REMOTE_PICTURE_LOADING);
}

void
_gadget_remote_picture_stop (GadgetRemotePicture *self, GadgetStopReason reason)
{
  if (self->run != NULL && self->pictures != NULL)
    _gadget_remote_pictures_abort (self->pictures, self->run, reason);
}

void
gadget_remote_picture_stop (GadgetRemotePicture *self)
{
  g_return_if_fail (GADGET_IS_REMOTE_PICTURE (self));
  _gadget_remote_picture_stop (self, GADGET_STOP_USER);
}

void
gadget_remote_picture_fail (GadgetRemotePicture *self, const GError *error)
{
  g_return_if_fail (GADGET_IS_REMOTE_PICTURE (self) && error != NULL);

  /* Other errors do not mean that the file is damaged. */
  if (error->domain == GADGET_PICTURE_ERROR)
    g_clear_pointer (&self->picture, gadget_picture_unref);
  g_clear_error (&self->failure);
  self->failure = g_error_copy (error);
  set_state (self, GADGET_REMOTE_PICTURE_FAILED);
}
