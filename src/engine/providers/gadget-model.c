/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-model"

#include "config.h"

#include "gadget-model.h"

#include "gadget-error-parser.h"

struct _GadgetModel
{
  gatomicrefcount ref_count;
  char *name;
  gint64 context_length;
  GadgetModelImages images;
};

/**
 * gadget_model_new:
 * @name: the name that requests use
 *
 * Returns: (transfer full)
 */
GadgetModel *
gadget_model_new (const char *name)
{
  GadgetModel *self;

  g_return_val_if_fail (name != NULL, NULL);

  self = g_new0 (GadgetModel, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->name = g_strdup (name);
  return self;
}

/* gadget_model_ref () and gadget_model_unref () may be called on any thread; neither accepts
 * %NULL. */
GadgetModel *
gadget_model_ref (GadgetModel *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
gadget_model_unref (GadgetModel *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->name);
  g_free (self);
}

/* gadget_model_get_name: returns the name that requests use for the model, in the provider's own
 * spelling; never %NULL. (transfer none) */
const char *
gadget_model_get_name (GadgetModel *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->name;
}

gint64
gadget_model_get_context_length (GadgetModel *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->context_length;
}

/* A negative number of a provider is treated as unknown. */
void
gadget_model_set_context_length (GadgetModel *self, gint64 tokens)
{
  g_return_if_fail (self != NULL);
  self->context_length = MAX (tokens, 0);
}

GadgetModelImages
gadget_model_get_images (GadgetModel *self)
{
  g_return_val_if_fail (self != NULL, GADGET_MODEL_IMAGES_UNKNOWN);
  return self->images;
}

/* gadget_model_set_images: is for the code that reads the provider's description, before the model
 * is shared. */
void
gadget_model_set_images (GadgetModel *self, GadgetModelImages images)
{
  g_return_if_fail (self != NULL);
  self->images = images;
}

/**
 * gadget_model_is_for_chats:
 *
 * Returns: %FALSE for a model that makes something else than responses, as far as its name tells:
 *   the lists of servers contain such models, too
 */
gboolean
gadget_model_is_for_chats (GadgetModel *self)
{
  static const char *const others[] = { "embed",  "rerank",     "whisper", "tts-",
                                        "dall-e", "moderation", NULL };

  g_return_val_if_fail (self != NULL, FALSE);

  return *self->name != '\0' && !gadget_error_parser_mentions (self->name, others);
}
