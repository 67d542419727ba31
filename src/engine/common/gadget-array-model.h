/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

/**
 * GADGET_DEFINE_ARRAY_MODEL:
 * @ITEM_TYPE: the #GType of the items
 * @array: the member of the struct that holds the items, a #GPtrArray of objects
 *
 * Defines a final subclass of #GObject, like G_DEFINE_FINAL_TYPE, that also implements #GListModel.
 * Code that changes the array must call g_list_model_items_changed().
 */
#define GADGET_DEFINE_ARRAY_MODEL(TypeName, type_name, ITEM_TYPE, array)                           \
  static GType                                                                                     \
  type_name##_model_get_item_type (GListModel *model)                                              \
  {                                                                                                \
    return ITEM_TYPE;                                                                              \
  }                                                                                                \
                                                                                                   \
  static guint                                                                                     \
  type_name##_model_get_n_items (GListModel *model)                                                \
  {                                                                                                \
    return ((TypeName *) model)->array->len;                                                       \
  }                                                                                                \
                                                                                                   \
  static gpointer                                                                                  \
  type_name##_model_get_item (GListModel *model, guint position)                                   \
  {                                                                                                \
    GPtrArray *items = ((TypeName *) model)->array;                                                \
                                                                                                   \
    return position < items->len ? g_object_ref (g_ptr_array_index (items, position)) : NULL;      \
  }                                                                                                \
                                                                                                   \
  static void                                                                                      \
  type_name##_model_init (GListModelInterface *iface)                                              \
  {                                                                                                \
    iface->get_item_type = type_name##_model_get_item_type;                                        \
    iface->get_n_items = type_name##_model_get_n_items;                                            \
    iface->get_item = type_name##_model_get_item;                                                  \
  }                                                                                                \
                                                                                                   \
  G_DEFINE_FINAL_TYPE_WITH_CODE (TypeName, type_name, G_TYPE_OBJECT,                               \
                                 G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, type_name##_model_init))
