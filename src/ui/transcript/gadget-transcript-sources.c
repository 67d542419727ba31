/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where the rows get what is not in the session: changes of files, pictures, names of providers. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-private.h"

/**
 * gadget_transcript_set_change_cache:
 * @cache: (nullable): the changes that turns made
 */
void
gadget_transcript_set_change_cache (GadgetTranscript *self, GadgetChangeCache *cache)
{
  g_return_if_fail (GADGET_IS_TRANSCRIPT (self));

  g_set_object (&self->cache, cache);
  if (self->model != NULL)
    gadget_transcript_model_set_change_cache (self->model, cache);
}

/**
 * gadget_transcript_set_pictures:
 * @pictures: (nullable): loads the stored pictures of tool results and messages
 */
void
gadget_transcript_set_pictures (GadgetTranscript *self, GadgetPictureLoader *pictures)
{
  g_return_if_fail (GADGET_IS_TRANSCRIPT (self));
  g_set_object (&self->pictures, pictures);
}

/**
 * gadget_transcript_set_remote_pictures:
 * @pictures: (nullable): the remote pictures of the chat that will be shown
 */
void
gadget_transcript_set_remote_pictures (GadgetTranscript *self, GadgetRemotePictures *pictures)
{
  g_return_if_fail (GADGET_IS_TRANSCRIPT (self));

  if (!g_set_object (&self->remote_pictures, pictures))
    return;
  /* Rows look up their remote picture when they are made, so all of them are made anew. */
  _gadget_transcript_clear_rows (self);
  _gadget_transcript_queue_update (self);
}

/**
 * gadget_transcript_set_providers:
 * @providers: (nullable): a #GListModel of #GadgetProviderConfig, for the provider's name in a
 *   failed turn
 */
void
gadget_transcript_set_providers (GadgetTranscript *self, GListModel *providers)
{
  g_return_if_fail (GADGET_IS_TRANSCRIPT (self));

  g_set_object (&self->providers, providers);
  if (self->model != NULL)
    gadget_transcript_model_set_providers (self->model, providers);
}
