/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GadgetModelImages:
 * @GADGET_MODEL_IMAGES_UNKNOWN: the provider does not say
 * @GADGET_MODEL_IMAGES_NO: it takes words alone
 * @GADGET_MODEL_IMAGES_YES: it reads pictures
 */
typedef enum
{
  GADGET_MODEL_IMAGES_UNKNOWN,
  GADGET_MODEL_IMAGES_NO,
  GADGET_MODEL_IMAGES_YES,
} GadgetModelImages;

/* A model as its provider tells of it. */
typedef struct _GadgetModel GadgetModel;

GadgetModel *gadget_model_new                (const char  *name);
GadgetModel *gadget_model_ref                (GadgetModel *self);
void         gadget_model_unref              (GadgetModel *self);
const char  *gadget_model_get_name           (GadgetModel *self);

/* How many tokens of a chat it can take, its answer included; 0 when the provider does not say. */
gint64       gadget_model_get_context_length (GadgetModel *self);
void         gadget_model_set_context_length (GadgetModel *self,
                                              gint64       tokens);

/* Whether it reads pictures. */
GadgetModelImages gadget_model_get_images    (GadgetModel *self);
void         gadget_model_set_images         (GadgetModel *self,
                                              GadgetModelImages images);

/* Whether it makes answers, as far as its name tells. */
gboolean     gadget_model_is_for_chats       (GadgetModel *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetModel, gadget_model_unref)

G_END_DECLS
