/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads JSON (RFC 8259) into values that refer to its text. Strings are unescaped where they are,
 * which never makes them longer, and end with a NUL in the place of their quote. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include <string.h>
#include <sys/resource.h>

#include "gadget-import-value.h"

#define BLOCK_SIZE (64 * 1024)
/* The blocks of a memory that is larger than one of these. */
#define LARGE_BLOCK_SIZE (4 * 1024 * 1024)
/* A page fault brings up to 64 KiB of a file into RAM. */
#define MAX_FAULTS 256
/* How much text is parsed before these are counted. */
#define RELAX_BYTES (256 * 1024)

struct _GadgetImportMemory
{
  const char *directory;     /* (nullable) */
  GPtrArray *buffers;        /* of GadgetImportBuffer */
  GadgetImportBuffer *block; /* (nullable): the one that is being filled */
  gsize size;                /* of all that was allocated */
  gboolean has_file;         /* whether a buffer is one */
  glong n_faults;            /* of the thread, when the buffers were taken out of RAM */
};

/* --- Memory ----------------------------------------------------------------------------------- */

static void
free_buffer (gpointer buffer)
{
  _gadget_import_buffer_free (buffer);
}

static void
relax_buffer (gpointer buffer, gpointer user_data)
{
  _gadget_import_buffer_relax (buffer);
}

GadgetImportMemory *
_gadget_import_memory_new (const char *directory)
{
  GadgetImportMemory *self = g_new0 (GadgetImportMemory, 1);

  self->directory = directory;
  self->buffers = g_ptr_array_new_with_free_func (free_buffer);
  return self;
}

void
_gadget_import_memory_free (GadgetImportMemory *self)
{
  g_ptr_array_unref (self->buffers);
  g_free (self);
}

gsize
_gadget_import_memory_get_size (const GadgetImportMemory *self)
{
  return self->size;
}

void
_gadget_import_memory_relax (GadgetImportMemory *self)
{
  struct rusage usage;

  if (!self->has_file)
    return;
  getrusage (RUSAGE_THREAD, &usage);
  if (usage.ru_minflt + usage.ru_majflt - self->n_faults < MAX_FAULTS)
    return;
  self->n_faults = usage.ru_minflt + usage.ru_majflt;
  g_ptr_array_foreach (self->buffers, relax_buffer, NULL);
}

static GadgetImportBuffer *
add_buffer (GadgetImportMemory *self, GadgetImportBuffer *buffer)
{
  _gadget_import_buffer_relax (buffer);
  g_ptr_array_add (self->buffers, buffer);
  self->has_file = self->has_file || buffer->is_mapped;
  return buffer;
}

static gpointer
allocate (GadgetImportMemory *self, gsize size)
{
  const gsize rounded = (size + 7) & ~(gsize) 7;
  const gsize block_size = self->size < LARGE_BLOCK_SIZE ? BLOCK_SIZE : LARGE_BLOCK_SIZE;
  GadgetImportBuffer *buffer = self->block;

  self->size += rounded;
  if (rounded > block_size / 8)
    buffer = add_buffer (self, _gadget_import_buffer_new (self->directory, rounded));
  else if (buffer == NULL || buffer->length + rounded > buffer->size)
    buffer = self->block =
        add_buffer (self, _gadget_import_buffer_new (self->directory, block_size));
  buffer->length += rounded;
  return buffer->data + buffer->length - rounded;
}

const char *
_gadget_import_memory_dup (GadgetImportMemory *self, const char *text, gssize length)
{
  const gsize size = length >= 0 ? (gsize) length : strlen (text);
  char *copy = allocate (self, size + 1);

  memcpy (copy, text, size);
  copy[size] = '\0';
  return copy;
}

const char *
_gadget_import_memory_printf (GadgetImportMemory *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return _gadget_import_memory_dup (self, text, -1);
}

GadgetImportValue *
_gadget_import_memory_new_object (GadgetImportMemory *self)
{
  GadgetImportValue *value = allocate (self, sizeof *value);

  *value = (GadgetImportValue) { .type = GADGET_IMPORT_OBJECT };
  return value;
}

void
_gadget_import_value_append (GadgetImportValue *owner, GadgetImportValue *value)
{
  if (owner->last != NULL)
    owner->last->next = value;
  else
    owner->first = value;
  owner->last = value;
}

GadgetImportValue *
_gadget_import_memory_add (GadgetImportMemory *self, GadgetImportValue *owner, const char *name,
                           GadgetImportType type)
{
  GadgetImportValue *value = _gadget_import_memory_new_object (self);

  value->name = name;
  value->type = type;
  _gadget_import_value_append (owner, value);
  return value;
}

void
_gadget_import_memory_add_string (GadgetImportMemory *self, GadgetImportValue *owner,
                                  const char *name, const char *text)
{
  GadgetImportValue *value = _gadget_import_memory_add (self, owner, name, GADGET_IMPORT_STRING);

  value->text = text;
  value->length = (guint32) strlen (text);
}

void
_gadget_import_memory_add_int (GadgetImportMemory *self, GadgetImportValue *owner, const char *name,
                               gint64 number)
{
  GadgetImportValue *value = _gadget_import_memory_add (self, owner, name, GADGET_IMPORT_NUMBER);
  char digits[32];

  g_snprintf (digits, sizeof digits, "%" G_GINT64_FORMAT, number);
  value->length = (guint32) strlen (digits);
  value->text = _gadget_import_memory_dup (self, digits, value->length);
}

/* --- Parsing ---------------------------------------------------------------------------------- */

/* The text ends with a NUL, which is no part of it and which no value goes beyond. */
typedef struct
{
  GadgetImportMemory *memory;
  char *at;
  const char *end;
  const char *relaxed; /* where the text was when it was taken out of RAM */
} Parser;

static void
skip_space (Parser *self)
{
  while (*self->at == ' ' || *self->at == '\n' || *self->at == '\r' || *self->at == '\t')
    self->at++;
}

/* Reads four hexadecimal digits; -1 if they are none. */
static int
read_hex (const char *digits)
{
  int number = 0;

  for (guint i = 0; i < 4; i++)
    {
      const int digit = g_ascii_xdigit_value (digits[i]);

      if (digit < 0)
        return -1;
      number = number * 16 + digit;
    }
  return number;
}

/* Reads the escape at @from, of which "\u" was seen, and appends its character. Returns what
 * follows; NULL if it is wrong. A character is at most as long as its escape. */
static const char *
read_unicode (const char *from, char **to)
{
  int c = read_hex (from);
  int second = -1;

  if (c < 0)
    return NULL;
  from += 4;
  if (c >= 0xd800 && c < 0xdc00 && from[0] == '\\' && from[1] == 'u')
    second = read_hex (from + 2);
  if (second >= 0xdc00 && second < 0xe000)
    {
      c = 0x10000 + ((c - 0xd800) << 10) + (second - 0xdc00);
      from += 6;
    }
  else if (c == 0 || (c >= 0xd800 && c < 0xe000))
    c = 0xfffd;
  *to += g_unichar_to_utf8 ((gunichar) c, *to);
  return from;
}

/* Reads the escape behind a backslash. */
static const char *
read_escape (const char *from, char **to)
{
  static const char escapes[] = "\"\"\\\\//b\bf\fn\nr\rt\t";

  if (*from == 'u')
    return read_unicode (from + 1, to);
  for (guint i = 0; i + 1 < sizeof escapes; i += 2)
    if (*from == escapes[i])
      {
        *(*to)++ = escapes[i + 1];
        return from + 1;
      }
  return NULL;
}

/* Replaces what is not UTF-8 by U+FFFD, which is longer. */
static const char *
make_valid (Parser *self, const char *text, guint32 *length)
{
  g_autofree char *valid = NULL;

  if (g_utf8_validate_len (text, *length, NULL))
    return text;
  valid = g_utf8_make_valid (text, *length);
  *length = (guint32) strlen (valid);
  return _gadget_import_memory_dup (self->memory, valid, *length);
}

/* Reads the string behind a quote. Returns NULL if it is wrong. */
static const char *
read_string (Parser *self, guint32 *length)
{
  char *begin = self->at;
  char *to = begin + strcspn (begin, "\"\\");
  char *from = to;

  while (*from != '"')
    {
      gsize n;

      if (*from == '\\')
        from = (char *) read_escape (from + 1, &to);
      else if (from < self->end)
        /* A NUL is as wrong as a byte that is not UTF-8. */
        *from = '\xff';
      else
        return NULL;
      if (from == NULL)
        return NULL;
      n = strcspn (from, "\"\\");
      memmove (to, from, n);
      to += n;
      from += n;
    }
  *to = '\0';
  self->at = from + 1;
  *length = (guint32) (to - begin);
  return make_valid (self, begin, length);
}

static gboolean
read_word (Parser *self, const char *word)
{
  const gsize length = strlen (word);

  if (strncmp (self->at, word, length) != 0)
    return FALSE;
  self->at += length;
  return TRUE;
}

static gboolean
read_number (Parser *self, GadgetImportValue *value)
{
  const char *begin = self->at;

  value->text = begin;
  self->at += *self->at == '-';
  if (!g_ascii_isdigit (*self->at))
    return FALSE;
  self->at += strspn (self->at, G_CSET_DIGITS);
  if (*self->at == '.')
    self->at += 1 + strspn (self->at + 1, G_CSET_DIGITS);
  if (*self->at == 'e' || *self->at == 'E')
    {
      self->at++;
      self->at += *self->at == '-' || *self->at == '+';
      self->at += strspn (self->at, G_CSET_DIGITS);
    }
  value->length = (guint32) (self->at - begin);
  value->type = GADGET_IMPORT_NUMBER;
  return TRUE;
}

static gboolean parse_value (Parser *self, GadgetImportValue *value, guint depth); /* recursive */

/* Parses what is behind the bracket of an object or an array. */
static gboolean
parse_container (Parser *self, GadgetImportValue *value, guint depth)
{
  const char end = value->type == GADGET_IMPORT_OBJECT ? '}' : ']';

  skip_space (self);
  if (*self->at == end)
    {
      self->at++;
      return TRUE;
    }
  for (; depth > 0;)
    {
      const char *name = NULL;
      GadgetImportValue part;
      guint32 length;

      if (end == '}')
        {
          skip_space (self);
          if (*self->at++ != '"' || (name = read_string (self, &length)) == NULL)
            return FALSE;
          skip_space (self);
          if (*self->at++ != ':')
            return FALSE;
        }
      part = (GadgetImportValue) { .type = GADGET_IMPORT_NULL };
      if (!parse_value (self, &part, depth - 1))
        return FALSE;
      part.name = name;
      if (self->at - self->relaxed > RELAX_BYTES)
        {
          self->relaxed = self->at;
          _gadget_import_memory_relax (self->memory);
        }
      /* A member that is null is as good as none. */
      if (part.type != GADGET_IMPORT_NULL || name == NULL)
        {
          GadgetImportValue *copy = _gadget_import_memory_new_object (self->memory);

          *copy = part;
          _gadget_import_value_append (value, copy);
        }
      skip_space (self);
      if (*self->at == end)
        {
          self->at++;
          return TRUE;
        }
      if (*self->at++ != ',')
        return FALSE;
    }
  return FALSE;
}

static gboolean
parse_value (Parser *self, GadgetImportValue *value, guint depth)
{
  skip_space (self);
  switch (*self->at)
    {
    case '"':
      self->at++;
      value->type = GADGET_IMPORT_STRING;
      value->text = read_string (self, &value->length);
      return value->text != NULL;
    case '{':
    case '[':
      value->type = *self->at++ == '{' ? GADGET_IMPORT_OBJECT : GADGET_IMPORT_ARRAY;
      return parse_container (self, value, depth);
    case 't':
      value->type = GADGET_IMPORT_TRUE;
      return read_word (self, "true");
    case 'f':
      value->type = GADGET_IMPORT_FALSE;
      return read_word (self, "false");
    case 'n':
      return read_word (self, "null");
    default:
      return read_number (self, value);
    }
}

static GadgetImportValue *
parse (GadgetImportMemory *self, char *text, gsize length)
{
  GadgetImportValue *value = _gadget_import_memory_new_object (self);
  Parser parser = { self, text, text + length, text };

  value->type = GADGET_IMPORT_NULL;
  if (!parse_value (&parser, value, GADGET_IMPORT_MAX_DEPTH))
    return NULL;
  skip_space (&parser);
  return parser.at == parser.end ? value : NULL;
}

GadgetImportValue *
_gadget_import_memory_parse (GadgetImportMemory *self, GadgetImportBuffer *text)
{
  add_buffer (self, text);
  return parse (self, text->data, text->length);
}

GadgetImportValue *
_gadget_import_memory_parse_copy (GadgetImportMemory *self, const char *text, gsize length)
{
  return parse (self, (char *) _gadget_import_memory_dup (self, text, (gssize) length), length);
}

/* --- Getting ---------------------------------------------------------------------------------- */

GadgetImportValue *
_gadget_import_get_first (const GadgetImportValue *container)
{
  return container != NULL && container->type >= GADGET_IMPORT_ARRAY ? container->first : NULL;
}

GadgetImportValue *
_gadget_import_get (const GadgetImportValue *object, const char *name)
{
  GadgetImportValue *found = NULL;

  if (object == NULL || object->type != GADGET_IMPORT_OBJECT)
    return NULL;
  /* Of several with the name the last one counts. */
  for (GadgetImportValue *member = object->first; member != NULL; member = member->next)
    if (strcmp (member->name, name) == 0)
      found = member;
  return found;
}

static GadgetImportValue *
get_typed (const GadgetImportValue *object, const char *name, GadgetImportType type)
{
  GadgetImportValue *member = _gadget_import_get (object, name);

  return member != NULL && member->type == type ? member : NULL;
}

GadgetImportValue *
_gadget_import_get_object (const GadgetImportValue *object, const char *name)
{
  return get_typed (object, name, GADGET_IMPORT_OBJECT);
}

GadgetImportValue *
_gadget_import_get_array (const GadgetImportValue *object, const char *name)
{
  return get_typed (object, name, GADGET_IMPORT_ARRAY);
}

const char *
_gadget_import_to_string (const GadgetImportValue *value)
{
  return value != NULL && value->type == GADGET_IMPORT_STRING ? value->text : NULL;
}

const char *
_gadget_import_get_string (const GadgetImportValue *object, const char *name)
{
  return _gadget_import_to_string (_gadget_import_get (object, name));
}

gboolean
_gadget_import_get_flag (const GadgetImportValue *object, const char *name)
{
  return get_typed (object, name, GADGET_IMPORT_TRUE) != NULL;
}

gboolean
_gadget_import_get_double (const GadgetImportValue *object, const char *name, double *value)
{
  const GadgetImportValue *member = get_typed (object, name, GADGET_IMPORT_NUMBER);

  if (member == NULL)
    return FALSE;
  *value = g_ascii_strtod (member->text, NULL);
  return TRUE;
}

gboolean
_gadget_import_get_int (const GadgetImportValue *object, const char *name, gint64 *value)
{
  const GadgetImportValue *member = get_typed (object, name, GADGET_IMPORT_NUMBER);

  if (member == NULL)
    return FALSE;
  *value = g_ascii_strtoll (member->text, NULL, 10);
  return TRUE;
}

/* --- Writing ---------------------------------------------------------------------------------- */

static void
write_string (const char *text, GString *json)
{
  g_string_append_c (json, '"');
  for (; *text != '\0'; text++)
    if (*text == '"' || *text == '\\')
      g_string_append_printf (json, "\\%c", *text);
    else if (*text == '\n')
      g_string_append (json, "\\n");
    else if ((guchar) *text < 0x20)
      g_string_append_printf (json, "\\u%04x", *text);
    else
      g_string_append_c (json, *text);
  g_string_append_c (json, '"');
}

void
_gadget_import_write (const GadgetImportValue *value, GString *json)
{
  static const char *const words[] = { "null", "false", "true" };
  const gboolean is_object = value->type == GADGET_IMPORT_OBJECT;

  if (value->type <= GADGET_IMPORT_TRUE)
    g_string_append (json, words[value->type]);
  else if (value->type == GADGET_IMPORT_NUMBER)
    g_string_append_len (json, value->text, value->length);
  else if (value->type == GADGET_IMPORT_STRING)
    write_string (value->text, json);
  else
    {
      g_string_append_c (json, is_object ? '{' : '[');
      for (const GadgetImportValue *part = value->first; part != NULL; part = part->next)
        {
          if (part != value->first)
            g_string_append_c (json, ',');
          if (is_object)
            {
              write_string (part->name, json);
              g_string_append_c (json, ':');
            }
          _gadget_import_write (part, json);
        }
      g_string_append_c (json, is_object ? '}' : ']');
    }
}
