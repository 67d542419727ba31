/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Cuts a stream of JSON into values without parsing it: only strings and the depth of brackets are
 * followed, byte by byte. So a file of any size needs the memory of its largest chat, and what is
 * wrong in one value costs that one.
 *
 * The values are the elements of the array that the stream consists of, or of the member "chats" of
 * the object that it consists of (gadget-cli session export), or "conversations" (some exports of
 * ChatGPT). Any other value at the top is one itself; several may follow each other, as in a file
 * with a value on each line. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include <string.h>

#include "gadget-import-json.h"

#define BUFFER_SIZE (64 * 1024)

typedef enum
{
  AT_TOP,    /* between values */
  IN_OBJECT, /* in the object at the top, before a member */
  IN_ARRAY,  /* in the array of values, before an element */
  AFTER,     /* behind the array in the object; its other members are passed over */
  AT_END,
} State;

/* Where the bytes of a value are. */
typedef struct
{
  gsize depth;
  gsize n_string; /* bytes of the string that it is in, or behind */
  gboolean in_string;
  gboolean escaped;
  gboolean whole; /* whether it ended */
} Scan;

struct _GadgetImportJson
{
  GInputStream *stream;
  guint8 buffer[BUFFER_SIZE];
  gsize at;
  gsize length;
  gsize max_bytes;
  State state;
  gboolean in_object;    /* whether the array is a member of an object */
  const char *directory; /* (nullable) */
  GadgetImportBuffer *text;
  guint n_parts;  /* of the text */
  gsize n_string; /* the bytes of its longest string */
};

GadgetImportJson *
_gadget_import_json_new (GInputStream *stream, gsize max_bytes, const char *directory)
{
  GadgetImportJson *self = g_new0 (GadgetImportJson, 1);

  self->stream = g_object_ref (stream);
  self->max_bytes = max_bytes;
  self->directory = directory;
  self->text = _gadget_import_buffer_new (directory, 0);
  return self;
}

void
_gadget_import_json_free (GadgetImportJson *self)
{
  g_object_unref (self->stream);
  _gadget_import_buffer_free (self->text);
  g_free (self);
}

GadgetImportBuffer *
_gadget_import_json_steal_text (GadgetImportJson *self)
{
  GadgetImportBuffer *text = self->text;

  self->text = _gadget_import_buffer_new (self->directory, 0);
  return text;
}

/* Sets @byte to the next byte without taking it; -1 at the end. */
static gboolean
peek (GadgetImportJson *self, int *byte, GCancellable *cancellable, GError **error)
{
  if (self->at == self->length)
    {
      gssize n = g_input_stream_read (self->stream, self->buffer, BUFFER_SIZE, cancellable, error);

      if (n < 0)
        return FALSE;
      self->at = 0;
      self->length = (gsize) n;
    }
  *byte = self->at < self->length ? self->buffer[self->at] : -1;
  return TRUE;
}

/* Skips white space and the byte order mark, and sets @byte to what follows. */
static gboolean
skip_space (GadgetImportJson *self, int *byte, GCancellable *cancellable, GError **error)
{
  while (peek (self, byte, cancellable, error))
    {
      if (*byte < 0 || strchr (" \t\r\n\xef\xbb\xbf", *byte) == NULL || *byte == '\0')
        return TRUE;
      self->at++;
    }
  return FALSE;
}

static gboolean
is_too_large (const GadgetImportJson *self)
{
  return self->text->length > self->max_bytes || self->n_parts > GADGET_IMPORT_JSON_MAX_PARTS
         || self->n_string > GADGET_IMPORT_JSON_MAX_STRING;
}

/* Appends bytes of a value to the text, unless it is too large already. */
static void
take (GadgetImportJson *self, gsize n)
{
  if (!is_too_large (self))
    _gadget_import_buffer_append (self->text, (const char *) self->buffer + self->at, n);
  self->at += n;
}

/* Skips the bytes of a string that mean nothing else. @quote is the next quote from an earlier
 * place on, which is looked for again only when it was passed. */
static const guint8 *
skip_text (Scan *scan, const guint8 *from, const guint8 *end, const guint8 **quote)
{
  const guint8 *at;

  if (*quote == NULL || *quote < from)
    *quote = memchr (from, '"', (gsize) (end - from));
  if (*quote == NULL)
    *quote = end;
  at = memchr (from, '\\', (gsize) (*quote - from));
  if (at == NULL)
    at = *quote;
  scan->n_string += (gsize) (at - from);
  return at;
}

/* Follows the bytes from @from on, up to the end of the buffer or to the one that ends the value.
 * Returns their number. */
static gsize
follow (GadgetImportJson *self, Scan *scan)
{
  const guint8 *begin = self->buffer + self->at;
  const guint8 *end = self->buffer + self->length;
  const guint8 *at = begin;
  const guint8 *quote = NULL;

  while (at < end && !scan->whole)
    {
      guint8 byte;

      if (scan->in_string && !scan->escaped)
        at = skip_text (scan, at, end, &quote);
      if (at == end)
        break;
      byte = *at++;
      if (scan->in_string)
        {
          scan->n_string++;
          scan->in_string = byte != '"' || scan->escaped;
          scan->escaped = byte == '\\' && !scan->escaped;
          scan->whole = !scan->in_string && scan->depth == 0;
          continue;
        }
      switch (byte)
        {
        case '"':
          self->n_string = MAX (self->n_string, scan->n_string);
          scan->n_string = 0;
          scan->in_string = TRUE;
          break;
        case '{':
        case '[':
          scan->depth++;
          self->n_parts++;
          break;
        case '}':
        case ']':
          scan->depth--;
          scan->whole = scan->depth == 0;
          break;
        case ',':
          self->n_parts++;
          break;
        default:
          break;
        }
    }
  self->n_string = MAX (self->n_string, scan->n_string);
  return (gsize) (at - begin);
}

/* Appends a string, an object or an array to the text. @whole is set to whether it ended. */
static gboolean
read_enclosed (GadgetImportJson *self, gboolean *whole, GCancellable *cancellable, GError **error)
{
  Scan scan = { 0 };
  int byte = 0;

  while (byte >= 0 && !scan.whole)
    {
      if (!peek (self, &byte, cancellable, error))
        return FALSE;
      take (self, follow (self, &scan));
    }
  *whole = scan.whole;
  return TRUE;
}

/* Appends a number or a word, or whatever is there instead of one, to the text. */
static gboolean
read_word (GadgetImportJson *self, gboolean *whole, GCancellable *cancellable, GError **error)
{
  int byte;

  *whole = TRUE;
  while (peek (self, &byte, cancellable, error))
    {
      if (byte < 0 || (byte != '\0' && strchr (",:]}[{\" \t\r\n", byte) != NULL))
        return TRUE;
      take (self, 1);
    }
  return FALSE;
}

/* Appends the value that begins with @byte to the text. */
static gboolean
read_value (GadgetImportJson *self, int byte, gboolean *whole, GCancellable *cancellable,
            GError **error)
{
  if (byte == '"' || byte == '{' || byte == '[')
    return read_enclosed (self, whole, cancellable, error);
  return read_word (self, whole, cancellable, error);
}

static void
clear_text (GadgetImportJson *self)
{
  _gadget_import_buffer_free (_gadget_import_json_steal_text (self));
  self->n_parts = 0;
  self->n_string = 0;
}

static void
end (GadgetImportJson *self, gboolean whole, GadgetImportJsonEvent *event)
{
  self->state = AT_END;
  *event = whole ? GADGET_IMPORT_JSON_END : GADGET_IMPORT_JSON_CUT;
}

/* Reads a value as an event. */
static gboolean
read_event (GadgetImportJson *self, int byte, GadgetImportJsonEvent *event,
            GCancellable *cancellable, GError **error)
{
  gboolean whole;

  clear_text (self);
  if (!read_value (self, byte, &whole, cancellable, error))
    return FALSE;
  if (!whole)
    end (self, FALSE, event);
  else if (is_too_large (self))
    *event = GADGET_IMPORT_JSON_TOO_LARGE;
  else
    *event = GADGET_IMPORT_JSON_VALUE;
  return TRUE;
}

/* Reads the name of a member and the colon, and appends them to the text. @byte is set to the first
 * one of the value. */
static gboolean
read_name (GadgetImportJson *self, gboolean *is_chats, int *byte, gboolean *whole,
           GCancellable *cancellable, GError **error)
{
  const gsize start = self->text->length;

  if (!read_value (self, *byte, whole, cancellable, error))
    return FALSE;
  *is_chats = g_str_equal (self->text->data + start, "\"chats\"")
              || g_str_equal (self->text->data + start, "\"conversations\"");
  if (!*whole)
    return TRUE;
  if (!skip_space (self, byte, cancellable, error))
    return FALSE;
  if (*byte == ':')
    {
      take (self, 1);
      return skip_space (self, byte, cancellable, error);
    }
  return TRUE;
}

/* Reads members of the object at the top up to its end, or to the array of chats. */
static gboolean
read_members (GadgetImportJson *self, GadgetImportJsonEvent *event, GCancellable *cancellable,
              GError **error)
{
  int byte;

  while (skip_space (self, &byte, cancellable, error))
    {
      gboolean is_chats = FALSE;
      gboolean whole = TRUE;
      const gsize start = self->text->length;

      if (byte == '}')
        {
          take (self, 1);
          self->state = AT_TOP;
          *event = is_too_large (self) ? GADGET_IMPORT_JSON_TOO_LARGE : GADGET_IMPORT_JSON_VALUE;
          return TRUE;
        }
      if (byte == ',' || byte == ']' || byte == ':')
        {
          self->n_parts++;
          take (self, 1);
          continue;
        }
      if (byte >= 0 && !read_name (self, &is_chats, &byte, &whole, cancellable, error))
        return FALSE;
      if (is_chats && byte == '[' && !is_too_large (self))
        {
          /* The members before it become an object without the comma behind the last of them. */
          self->text->length = start > 1 ? start - 1 : start;
          _gadget_import_buffer_append (self->text, "}", 1);
          self->at++;
          self->state = IN_ARRAY;
          self->in_object = TRUE;
          *event = GADGET_IMPORT_JSON_HEAD;
          return TRUE;
        }
      if (byte >= 0 && whole && strchr (",]}", byte) == NULL
          && !read_value (self, byte, &whole, cancellable, error))
        return FALSE;
      if (byte < 0 || !whole)
        {
          end (self, FALSE, event);
          return TRUE;
        }
    }
  return FALSE;
}

/* Passes over what is behind the array of chats, to the end of the object. */
static gboolean
skip_members (GadgetImportJson *self, gboolean *whole, GCancellable *cancellable, GError **error)
{
  int byte;

  *whole = FALSE;
  while (skip_space (self, &byte, cancellable, error))
    {
      gboolean ended;

      clear_text (self);
      if (byte < 0)
        return TRUE;
      if (byte == '}')
        {
          self->at++;
          *whole = TRUE;
          return TRUE;
        }
      if (strchr (",:]", byte) != NULL)
        self->at++;
      else if (!read_value (self, byte, &ended, cancellable, error))
        return FALSE;
      else if (!ended)
        return TRUE;
    }
  return FALSE;
}

/* Reads the next element. @done is set to FALSE if the array has ended within the stream. */
static gboolean
read_element (GadgetImportJson *self, GadgetImportJsonEvent *event, gboolean *done,
              GCancellable *cancellable, GError **error)
{
  int byte;

  *done = TRUE;
  while (skip_space (self, &byte, cancellable, error))
    {
      if (byte < 0)
        {
          end (self, FALSE, event);
          return TRUE;
        }
      if (byte == ']')
        {
          self->at++;
          self->state = self->in_object ? AFTER : AT_TOP;
          *done = FALSE;
          return TRUE;
        }
      if (byte != ',' && byte != ':' && byte != '}')
        return read_event (self, byte, event, cancellable, error);
      self->at++;
    }
  return FALSE;
}

/* Reads what is at the top. @done is set to FALSE if an object or an array begins there. */
static gboolean
read_top (GadgetImportJson *self, GadgetImportJsonEvent *event, gboolean *done,
          GCancellable *cancellable, GError **error)
{
  int byte;

  if (!skip_space (self, &byte, cancellable, error))
    return FALSE;
  *done = byte != '[' && byte != '{';
  self->in_object = FALSE;
  if (byte < 0)
    end (self, TRUE, event);
  else if (byte == '[')
    {
      self->at++;
      self->state = IN_ARRAY;
    }
  else if (byte == '{')
    {
      clear_text (self);
      take (self, 1);
      self->state = IN_OBJECT;
    }
  else if (strchr (",:]}", byte) != NULL)
    {
      clear_text (self);
      take (self, 1);
      *event = GADGET_IMPORT_JSON_VALUE;
    }
  else
    return read_event (self, byte, event, cancellable, error);
  return TRUE;
}

gboolean
_gadget_import_json_next (GadgetImportJson *self, GadgetImportJsonEvent *event,
                          GCancellable *cancellable, GError **error)
{
  gboolean done = FALSE;

  while (!done)
    switch (self->state)
      {
      case AT_TOP:
        if (!read_top (self, event, &done, cancellable, error))
          return FALSE;
        break;
      case IN_OBJECT:
        return read_members (self, event, cancellable, error);
      case IN_ARRAY:
        if (!read_element (self, event, &done, cancellable, error))
          return FALSE;
        break;
      case AFTER:
        {
          gboolean whole;

          if (!skip_members (self, &whole, cancellable, error))
            return FALSE;
          self->state = AT_TOP;
          if (!whole)
            {
              end (self, FALSE, event);
              return TRUE;
            }
          break;
        }
      case AT_END:
      default:
        *event = GADGET_IMPORT_JSON_END;
        done = TRUE;
      }
  return TRUE;
}
