/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GadgetModelImages:
 * @GADGET_MODEL_IMAGES_UNKNOWN: the provider does not say
 * @GADGET_MODEL_IMAGES_NO: the model accepts text only
 * @GADGET_MODEL_IMAGES_YES: the model accepts images
 *
 * Tells whether a model accepts images.
 */
typedef enum
{
  GADGET_MODEL_IMAGES_UNKNOWN,
  GADGET_MODEL_IMAGES_NO,
  GADGET_MODEL_IMAGES_YES,
} GadgetModelImages;

/* A model, as its provider describes it. Reference-counted; get_name returns (transfer none). */
typedef struct _GadgetModel GadgetModel;

GadgetModel *gadget_model_new                (const char  *name);
GadgetModel *gadget_model_ref                (GadgetModel *self);
void         gadget_model_unref              (GadgetModel *self);
const char  *gadget_model_get_name           (GadgetModel *self);

/* The number of tokens that a chat may have, including the response; 0 if the provider does not
 * say. */
gint64       gadget_model_get_context_length (GadgetModel *self);
void         gadget_model_set_context_length (GadgetModel *self,
                                              gint64       tokens);

/* Unknown unless the provider says. */
GadgetModelImages gadget_model_get_images    (GadgetModel *self);
void         gadget_model_set_images         (GadgetModel *self,
                                              GadgetModelImages images);

/* TRUE if the model makes responses, as far as its name tells. */
gboolean     gadget_model_is_for_chats       (GadgetModel *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetModel, gadget_model_unref)

G_END_DECLS
