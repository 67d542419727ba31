/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder and its tests: values of JSON, and of rows that are made of them.
 *
 * They need a fifth of the time and the memory that JsonNode needs: the strings of a text stay in
 * it, and all values of a chat are freed at once. Nothing here trusts the text. */

#pragma once

#include "gadget-import-buffer.h"

G_BEGIN_DECLS

/* Levels of objects and arrays that a text may have. */
#define GADGET_IMPORT_MAX_DEPTH 64

typedef enum
{
  GADGET_IMPORT_NULL,
  GADGET_IMPORT_FALSE,
  GADGET_IMPORT_TRUE,
  GADGET_IMPORT_NUMBER,
  GADGET_IMPORT_STRING,
  GADGET_IMPORT_BYTES, /* in rows only */
  GADGET_IMPORT_ARRAY,
  GADGET_IMPORT_OBJECT,
} GadgetImportType;

/**
 * GadgetImportValue:
 * @name: (nullable): the name of a member of an object
 * @next: (nullable): the next member or element
 * @type: what it is
 * @length: the bytes of a string, a number or bytes
 * @first: (nullable): the first member or element of a container
 * @last: (nullable): the last one
 * @text: a string, which is valid UTF-8 and has no NUL but the one behind it, a number as it is
 *   written, or bytes
 */
typedef struct _GadgetImportValue GadgetImportValue;
struct _GadgetImportValue
{
  const char *name;
  GadgetImportValue *next;
  GadgetImportType type;
  guint32 length;
  union
  {
    struct
    {
      GadgetImportValue *first;
      GadgetImportValue *last;
    };
    const char *text;
  };
};

/* The memory of values, which live as long as it. */
typedef struct _GadgetImportMemory GadgetImportMemory;

/* Makes a memory; what is large in it is in files in the folder, see gadget-import-buffer.h. */
GadgetImportMemory *_gadget_import_memory_new          (const char         *directory);
void                _gadget_import_memory_free         (GadgetImportMemory *self);
/* The bytes of all values and copies, without the texts that were parsed. */
gsize               _gadget_import_memory_get_size     (const GadgetImportMemory *self);
/* Takes what is in files out of RAM, if much of it may be there. To be called again and again by
 * whoever reads the values of a chat, in the thread that made them. */
void                _gadget_import_memory_relax        (GadgetImportMemory *self);
/* Returns copies: of a text, formatted, and of bytes. */
const char         *_gadget_import_memory_dup          (GadgetImportMemory *self,
                                                        const char         *text,
                                                        gssize              length);
const char         *_gadget_import_memory_printf       (GadgetImportMemory *self,
                                                        const char         *format,
                                                        ...) G_GNUC_PRINTF (2, 3);

/* Parse JSON: a text (transfer full), whose bytes are changed, or a copy of one. In strings, what is
 * not UTF-8, lone surrogates and NUL become U+FFFD. Return NULL if it is no JSON. */
GadgetImportValue  *_gadget_import_memory_parse        (GadgetImportMemory *self,
                                                        GadgetImportBuffer *text);
GadgetImportValue  *_gadget_import_memory_parse_copy   (GadgetImportMemory *self,
                                                        const char         *text,
                                                        gsize               length);
/* Make values: members of an object, or elements of an array if the name is NULL. Names and texts
 * are not copied. */
GadgetImportValue  *_gadget_import_memory_new_object   (GadgetImportMemory *self);
GadgetImportValue  *_gadget_import_memory_add          (GadgetImportMemory *self,
                                                        GadgetImportValue  *owner,
                                                        const char         *name,
                                                        GadgetImportType    type);
/* Adds a value that is no part of another one. */
void                _gadget_import_value_append        (GadgetImportValue  *owner,
                                                        GadgetImportValue  *value);
void                _gadget_import_memory_add_string   (GadgetImportMemory *self,
                                                        GadgetImportValue  *owner,
                                                        const char         *name,
                                                        const char         *text);
void                _gadget_import_memory_add_int      (GadgetImportMemory *self,
                                                        GadgetImportValue  *owner,
                                                        const char         *name,
                                                        gint64              number);

/* Return a member, which is NULL, or FALSE with @value untouched, if @object is NULL or no object,
 * or has no such member of that type. */
GadgetImportValue  *_gadget_import_get                 (const GadgetImportValue *object,
                                                        const char              *name);
GadgetImportValue  *_gadget_import_get_object          (const GadgetImportValue *object,
                                                        const char              *name);
GadgetImportValue  *_gadget_import_get_array           (const GadgetImportValue *object,
                                                        const char              *name);
const char         *_gadget_import_get_string          (const GadgetImportValue *object,
                                                        const char              *name);
gboolean            _gadget_import_get_flag            (const GadgetImportValue *object,
                                                        const char              *name);
gboolean            _gadget_import_get_double          (const GadgetImportValue *object,
                                                        const char              *name,
                                                        double                  *value);
gboolean            _gadget_import_get_int             (const GadgetImportValue *object,
                                                        const char              *name,
                                                        gint64                  *value);
/* The first element of an array, or member of an object; NULL if there is none. */
GadgetImportValue  *_gadget_import_get_first           (const GadgetImportValue *container);
/* The text of a value that is a string, else NULL. */
const char         *_gadget_import_to_string           (const GadgetImportValue *value);
/* Writes the value as JSON. */
void                _gadget_import_write               (const GadgetImportValue *value,
                                                        GString                 *json);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetImportMemory, _gadget_import_memory_free)

G_END_DECLS
