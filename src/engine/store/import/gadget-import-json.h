/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder and its tests: a stream of JSON, cut into the values that are read one by
 * one. */

#pragma once

#include <gio/gio.h>

#include "gadget-import-buffer.h"

G_BEGIN_DECLS

/* A value of more bytes, of more parts, or with a longer string is passed over: a string is in RAM
 * as a whole, and the others would need too much of the disk. */
#define GADGET_IMPORT_JSON_MAX_BYTES (512 * 1024 * 1024)
#define GADGET_IMPORT_JSON_MAX_PARTS (10 * 1000 * 1000)
#define GADGET_IMPORT_JSON_MAX_STRING (16 * 1024 * 1024)

/**
 * GadgetImportJsonEvent:
 * @GADGET_IMPORT_JSON_HEAD: the text is an object with the members that are before the array of
 *   chats in an object
 * @GADGET_IMPORT_JSON_VALUE: the text is an element of the array, or a value that is in none
 * @GADGET_IMPORT_JSON_TOO_LARGE: such a value was passed over
 * @GADGET_IMPORT_JSON_CUT: the stream ended within a value or an array; nothing follows
 * @GADGET_IMPORT_JSON_END: nothing follows
 */
typedef enum
{
  GADGET_IMPORT_JSON_HEAD,
  GADGET_IMPORT_JSON_VALUE,
  GADGET_IMPORT_JSON_TOO_LARGE,
  GADGET_IMPORT_JSON_CUT,
  GADGET_IMPORT_JSON_END,
} GadgetImportJsonEvent;

typedef struct _GadgetImportJson GadgetImportJson;

/* Texts that are large are files in the folder (nullable), which is not copied. */
GadgetImportJson *_gadget_import_json_new      (GInputStream          *stream,
                                                gsize                  max_bytes,
                                                const char            *directory);
void              _gadget_import_json_free     (GadgetImportJson      *self);
/* Reads the next event. Returns FALSE with an error of the stream. */
gboolean          _gadget_import_json_next     (GadgetImportJson      *self,
                                                GadgetImportJsonEvent *event,
                                                GCancellable          *cancellable,
                                                GError               **error);
/* Takes the text of the event (transfer full). It need not be valid JSON or UTF-8. */
GadgetImportBuffer *_gadget_import_json_steal_text (GadgetImportJson  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetImportJson, _gadget_import_json_free)

G_END_DECLS
