/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loads a picture of the web that the user asked for. Its address was written by a model, which
 * others may have misled. The model learns nothing about the response, but the mere request can be
 * useful to whoever wrote the address. A picture on this computer or in the local network is
 * therefore never requested, even if the address plainly says that it is there: a GET may have an
 * effect there, and no chat needs such a picture. When a redirect leads to another server, the user
 * is asked again.
 *
 * The content type decides whether the body is read at all; its first bytes decide what it is. */

#define G_LOG_DOMAIN "gadget-web"

#include "config.h"

#include "gadget-web-picture.h"

#include "common/gadget-image-info.h"
#include "http/gadget-http.h"

G_DEFINE_QUARK (gadget-web-picture-error, gadget_web_picture_error)

/* Accepts the pictures that can be decoded, by their usual types and by some wrong ones. Drawings
 * (SVG) are not accepted, because they are programs. */
static gboolean
is_accepted (const GadgetWebPage *page)
{
  static const char *const types[] = {
    "",
    "image/png",
    "image/x-png",
    "image/apng",
    "image/jpg",
    "image/jpeg",
    "image/pjpeg",
    "image/gif",
    "image/webp",
    "application/octet-stream",
    "binary/octet-stream",
    NULL,
  };

  return g_strv_contains (types, page->type)
         && page->length <= (gint64) GADGET_WEB_PICTURE_MAX_BYTES;
}

static gboolean
is_safe (const char *url)
{
  return g_str_has_prefix (url, "https:");
}

/* Why the received page is not a picture that can be shown. */
static GadgetWebPictureError
judge_page (const GadgetWebPage *page)
{
  if (page->length > (gint64) GADGET_WEB_PICTURE_MAX_BYTES || page->cut == GADGET_WEB_CUT_TOO_LARGE)
    return GADGET_WEB_PICTURE_ERROR_TOO_LARGE;
  if (page->cut == GADGET_WEB_CUT_TOO_SLOW)
    return GADGET_WEB_PICTURE_ERROR_SLOW;
  if (page->cut != GADGET_WEB_WHOLE)
    return GADGET_WEB_PICTURE_ERROR_BROKEN;
  return GADGET_WEB_PICTURE_ERROR_KIND;
}

static GadgetWebPictureError
judge_redirect (const GadgetWebPage *page)
{
  g_autoptr (GUri) uri = gadget_web_address_parse (page->elsewhere, NULL);

  if (uri == NULL || gadget_web_address_guess (uri) != GADGET_ADDRESS_PUBLIC)
    return GADGET_WEB_PICTURE_ERROR_LOCAL;
  return is_safe (page->url) && !is_safe (page->elsewhere) ? GADGET_WEB_PICTURE_ERROR_UNSAFE
                                                           : GADGET_WEB_PICTURE_ERROR_ELSEWHERE;
}

static GadgetWebPictureError
judge_failure (const GadgetWebPage *page, const GError *error)
{
  if (page->elsewhere != NULL)
    return judge_redirect (page);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
    return GADGET_WEB_PICTURE_ERROR_LOCAL;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_HOST_NOT_FOUND))
    return GADGET_WEB_PICTURE_ERROR_NAME;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    return GADGET_WEB_PICTURE_ERROR_PROXY;
  if (g_error_matches (error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_TIMEOUT))
    return GADGET_WEB_PICTURE_ERROR_SLOW;
  if (page->status == 404 || page->status == 410)
    return GADGET_WEB_PICTURE_ERROR_MISSING;
  return page->status >= 300 ? GADGET_WEB_PICTURE_ERROR_REFUSED : GADGET_WEB_PICTURE_ERROR_BROKEN;
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetWebPage) page = NULL;
  const gboolean good = gadget_web_load_finish (result, &page, &error);
  GadgetImageInfo info;

  if (g_task_return_error_if_cancelled (task))
    return;
  if (!good)
    {
      g_task_set_task_data (task, g_strdup (page->elsewhere), g_free);
      g_task_return_new_error_literal (task, GADGET_WEB_PICTURE_ERROR,
                                       (int) judge_failure (page, error), error->message);
    }
  else if (page->cut != GADGET_WEB_WHOLE || !is_accepted (page)
           || !gadget_image_info_read (&info, page->body->data, page->body->len))
    g_task_return_new_error_literal (task, GADGET_WEB_PICTURE_ERROR, (int) judge_page (page),
                                     "It is not a picture that can be shown.");
  else
    g_task_return_pointer (task, g_byte_array_free_to_bytes (g_steal_pointer (&page->body)),
                           (GDestroyNotify) g_bytes_unref);
}

char *
gadget_web_picture_dup_server (const char *address)
{
  g_autoptr (GUri) uri = gadget_web_address_parse (address, NULL);

  return uri != NULL ? gadget_web_address_dup_server (uri) : NULL;
}

/**
 * gadget_web_picture_load_async:
 * @setup: its limits are used where they are narrower than those of pictures; 0 for none
 * @address: http or https
 *
 * Loads a picture from a public server.
 */
void
gadget_web_picture_load_async (const GadgetWebSetup *setup, const char *address,
                               GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GUri) uri = gadget_web_address_parse (address, &error);
  GadgetWebSetup own = *setup;

  g_task_set_source_tag (task, gadget_web_picture_load_async);
  if (uri == NULL)
    {
      g_task_return_new_error_literal (task, GADGET_WEB_PICTURE_ERROR,
                                       GADGET_WEB_PICTURE_ERROR_ADDRESS, error->message);
      return;
    }
  if (gadget_web_address_guess (uri) != GADGET_ADDRESS_PUBLIC)
    {
      g_task_return_new_error_literal (task, GADGET_WEB_PICTURE_ERROR,
                                       GADGET_WEB_PICTURE_ERROR_LOCAL,
                                       "It is on this computer or in the local network.");
      return;
    }
  own.max_bytes = own.max_bytes > 0 ? MIN (own.max_bytes, GADGET_WEB_PICTURE_MAX_BYTES)
                                    : GADGET_WEB_PICTURE_MAX_BYTES;
  own.total_ms = own.total_ms > 0 ? MIN (own.total_ms, GADGET_WEB_PICTURE_TOTAL_MS)
                                  : GADGET_WEB_PICTURE_TOTAL_MS;
  own.accept = "image/png,image/jpeg,image/webp,image/gif";
  own.accepts = is_accepted;
  gadget_web_load_async (&own, uri, FALSE, cancellable, loaded_cb, g_steal_pointer (&task));
}

/**
 * gadget_web_picture_load_finish:
 * @elsewhere: (out) (transfer full) (nullable): the address that the server redirects to, which may
 *   be loaded if the user agrees; only set with %GADGET_WEB_PICTURE_ERROR_ELSEWHERE
 *
 * Returns: (transfer full): the file, which begins like a picture; or %NULL with a
 *   #GadgetWebPictureError, or %G_IO_ERROR_CANCELLED
 */
GBytes *
gadget_web_picture_load_finish (GAsyncResult *result, char **elsewhere, GError **error)
{
  g_autoptr (GError) failure = NULL;
  GBytes *data;

  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  data = g_task_propagate_pointer (G_TASK (result), &failure);
  *elsewhere =
      g_error_matches (failure, GADGET_WEB_PICTURE_ERROR, GADGET_WEB_PICTURE_ERROR_ELSEWHERE)
          ? g_strdup (g_task_get_task_data (G_TASK (result)))
          : NULL;
  if (failure != NULL)
    g_propagate_error (error, g_steal_pointer (&failure));
  return data;
}
