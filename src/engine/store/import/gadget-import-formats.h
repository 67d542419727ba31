/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder and its tests: the chats of other programs, each recognized by its
 * members. */

#pragma once

#include "gadget-import-chat.h"

G_BEGIN_DECLS

/* The functions that convert return a chat to which nothing was added if it has no messages
 * (transfer full), NULL if @object is no chat of that program or is broken. */
gboolean          _gadget_import_is_chatgpt         (JsonObject  *object);
GadgetImportChat *_gadget_import_convert_chatgpt    (JsonObject  *object);

gboolean          _gadget_import_is_claude          (JsonObject  *object);
GadgetImportChat *_gadget_import_convert_claude     (JsonObject  *object);

gboolean          _gadget_import_is_open_webui      (JsonObject  *object);
GadgetImportChat *_gadget_import_convert_open_webui (JsonObject  *object);

G_END_DECLS
