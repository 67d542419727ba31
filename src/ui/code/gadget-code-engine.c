/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The engine is a GtkSourceBuffer that no view shows. Lines are added at its end and highlighted at
 * once, before GtkSourceView's own idle highlighting can begin. The result is read from the tags of
 * the buffer; the look of each tag is read once, in both schemes.
 *
 * Loading the rules of a language takes up to several frames, and GtkSourceView does it when a
 * buffer is made. So the first buffer of a language is made in a thread, with a language manager of
 * its own, and is empty when it is handed to the main thread; the thread keeps no reference. The
 * rules live as long as any of their buffers, so the first one is kept.
 *
 * GTK's objects belong to the main thread otherwise. This buffer is not shown, is in no list of
 * other objects, and does not look up a display, a style or a main context when it is made; what
 * all buffers share, their class and the scheme that they begin with, is made before the thread
 * starts. Without the thread, the first block of a language would block a streaming answer for
 * several frames. */

#define G_LOG_DOMAIN "gadget-code"

#include "config.h"

#include "gadget-code-engine.h"

#define SCHEME_LIGHT "Adwaita"
#define SCHEME_DARK "Adwaita-dark"

#define PARAGRAPH_SEPARATOR "\342\200\251"

struct _GadgetCodeEngine
{
  char *id;
  GtkSourceBuffer *buffer;
  GHashTable *style_ids; /* GtkTextTag → GadgetCodeStyleId; the keys are owned by the buffer */
  GArray *sources;       /* of guint32: the offset of each line of the buffer in the source */
  GString *pending;      /* lines that are not in the buffer yet */
  guint n_collected;     /* number of lines whose runs were taken */
};

/* The loaded rules of a language. */
typedef struct
{
  GtkSourceLanguageManager *manager; /* the manager that owns the language */
  GtkSourceBuffer *first;
  GPtrArray *spare; /* of GadgetCodeEngine, owned: engines that are not in use */
} Rules;

static GHashTable *known;   /* id of a language → Rules */
static GHashTable *waiting; /* id of a language that is being loaded → GPtrArray of GTask */
static GMutex reading;      /* the rules parser of GtkSourceView counts in a static variable */

/* --- The look of tags --- */

static guint32
get_color (GtkTextTag *tag)
{
  g_autoptr (GdkRGBA) color = NULL;
  gboolean set;

  g_object_get (tag, "foreground-set", &set, "foreground-rgba", &color, NULL);
  if (!set || color == NULL)
    return 0;
  return GADGET_CODE_COLORED | (guint32) (color->red * 255 + 0.5f) << 16
         | (guint32) (color->green * 255 + 0.5f) << 8 | (guint32) (color->blue * 255 + 0.5f);
}

static void
read_style (GtkTextTag *tag, GadgetCodeStyle *style)
{
  gboolean weight_set, style_set, underline_set, struck, struck_set;
  PangoUnderline underline;
  PangoStyle slant;
  int weight;

  g_object_get (tag, "weight", &weight, "weight-set", &weight_set, "style", &slant, "style-set",
                &style_set, "underline", &underline, "underline-set", &underline_set,
                "strikethrough", &struck, "strikethrough-set", &struck_set, NULL);
  if (weight_set)
    style->weight = weight > PANGO_WEIGHT_NORMAL ? 1 : 2;
  if (style_set)
    style->slant = slant != PANGO_STYLE_NORMAL ? 1 : 2;
  style->underlined = underline_set && underline != PANGO_UNDERLINE_NONE;
  style->struck = struck_set && struck;
}

static void
set_scheme (GadgetCodeEngine *self, const char *id)
{
  GtkSourceStyleSchemeManager *manager = gtk_source_style_scheme_manager_get_default ();

  gtk_source_buffer_set_style_scheme (self->buffer,
                                      gtk_source_style_scheme_manager_get_scheme (manager, id));
}

static void
collect_cb (GtkTextTag *tag, gpointer data)
{
  g_ptr_array_add (data, tag);
}

/* Reads the look of all tags, because an unknown tag is rarely the only one. The colors are read in
 * one scheme and then in the other, since changing the scheme is the costly part. */
static void
read_tags (GadgetCodeEngine *self)
{
  g_autoptr (GPtrArray) tags = g_ptr_array_new ();
  g_autofree GadgetCodeStyle *styles = NULL;

  gtk_text_tag_table_foreach (gtk_text_buffer_get_tag_table (GTK_TEXT_BUFFER (self->buffer)),
                              collect_cb, tags);
  styles = g_new0 (GadgetCodeStyle, tags->len);
  set_scheme (self, SCHEME_DARK);
  for (guint i = 0; i < tags->len; i++)
    styles[i].dark = get_color (g_ptr_array_index (tags, i));
  set_scheme (self, SCHEME_LIGHT);
  for (guint i = 0; i < tags->len; i++)
    {
      GtkTextTag *tag = g_ptr_array_index (tags, i);

      styles[i].light = get_color (tag);
      read_style (tag, &styles[i]);
      g_hash_table_insert (self->style_ids, tag,
                           GUINT_TO_POINTER ((guint) gadget_code_style_id_intern (&styles[i])));
    }
}

static GadgetCodeStyleId
get_style_id (GadgetCodeEngine *self, GtkTextTag *tag)
{
  gpointer style_id;

  if (!g_hash_table_lookup_extended (self->style_ids, tag, NULL, &style_id))
    {
      read_tags (self);
      style_id = g_hash_table_lookup (self->style_ids, tag);
    }
  return (GadgetCodeStyleId) GPOINTER_TO_UINT (style_id);
}

/* --- Runs --- */

static GadgetCodeStyleId
get_style_id_at (GadgetCodeEngine *self, const GtkTextIter *at)
{
  GSList *tags = gtk_text_iter_get_tags (at);
  GadgetCodeStyleId style_id = 0;

  /* Tags are in the order of their priority, the highest last. */
  for (GSList *tag = tags; tag != NULL; tag = tag->next)
    style_id = gadget_code_style_id_combine (style_id, get_style_id (self, tag->data));
  g_slist_free (tags);
  return style_id;
}

static guint32
get_source (GadgetCodeEngine *self, const GtkTextIter *at)
{
  const guint line = (guint) gtk_text_iter_get_line (at);

  if (line >= self->sources->len)
    return G_MAXUINT32;
  return g_array_index (self->sources, guint32, line) + (guint32) gtk_text_iter_get_line_index (at);
}

static void
add_run (GArray *runs, guint32 start, guint32 end, GadgetCodeStyleId style_id)
{
  const GadgetCodeRun run = { start, end, style_id };
  GadgetCodeRun *last = runs->len > 0 ? &g_array_index (runs, GadgetCodeRun, runs->len - 1) : NULL;

  if (style_id == 0 || start >= end)
    return;
  if (last != NULL && last->end == start && last->style_id == style_id)
    last->end = end;
  else
    g_array_append_val (runs, run);
}

static void
read_runs (GadgetCodeEngine *self, GtkTextIter at, const GtkTextIter *end, GArray *runs)
{
  while (gtk_text_iter_compare (&at, end) < 0)
    {
      const GadgetCodeStyleId style_id = get_style_id_at (self, &at);
      const guint32 start = get_source (self, &at);
      GtkTextIter last;

      if (!gtk_text_iter_forward_to_tag_toggle (&at, NULL) || gtk_text_iter_compare (&at, end) > 0)
        at = *end;
      /* The end is taken from the last character, because the next one may begin a line, which may
       * be anywhere in the source. */
      last = at;
      gtk_text_iter_backward_char (&last);
      add_run (runs, start,
               get_source (self, &last)
                   + (guint32) g_unichar_to_utf8 (gtk_text_iter_get_char (&last), NULL),
               style_id);
    }
}

/* --- Rules --- */

static void
rules_free (gpointer data)
{
  Rules *rules = data;

  g_clear_object (&rules->first);
  g_clear_object (&rules->manager);
  g_clear_pointer (&rules->spare, g_ptr_array_unref);
  g_free (rules);
}

static void
read_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Rules *rules = g_new0 (Rules, 1);
  GtkSourceLanguage *language;

  g_mutex_lock (&reading);
  rules->manager = gtk_source_language_manager_new ();
  language = gtk_source_language_manager_get_language (rules->manager, data);
  if (language != NULL)
    rules->first = gtk_source_buffer_new_with_language (language);
  g_mutex_unlock (&reading);
  g_task_return_pointer (task, rules, rules_free);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  const char *id = g_task_get_task_data (G_TASK (result));
  Rules *rules = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autofree char *key = NULL;
  g_autoptr (GPtrArray) tasks = NULL;

  rules->spare = g_ptr_array_new ();
  g_hash_table_insert (known, g_strdup (id), rules);
  g_hash_table_steal_extended (waiting, id, (gpointer *) &key, (gpointer *) &tasks);
  for (guint i = 0; i < tasks->len; i++)
    g_task_return_boolean (g_ptr_array_index (tasks, i), TRUE);
}

static void
read_rules (const char *id)
{
  g_autoptr (GTask) reader = g_task_new (NULL, NULL, read_cb, NULL);
  GtkSourceStyleSchemeManager *schemes = gtk_source_style_scheme_manager_get_default ();

  /* Buffers look these up when they are made, so they must exist before the thread starts. */
  gtk_source_style_scheme_manager_get_scheme (schemes, SCHEME_LIGHT);
  g_type_class_unref (g_type_class_ref (GTK_SOURCE_TYPE_BUFFER));
  g_task_set_name (reader, "gadget-code rules");
  g_task_set_task_data (reader, g_strdup (id), g_free);
  g_task_run_in_thread (reader, read_thread);
}

/**
 * gadget_code_engine_prepare:
 * @id: the id of a language in GtkSourceView
 * @callback: called on the main thread when gadget_code_engine_acquire() can return an engine, or
 *   when the language turned out to have no rules; it has no result to read
 *
 * The rules of a language are loaded once, also when several callers ask for them meanwhile: a
 * second buffer that was made in a thread could not be freed, because it may not know yet of the
 * GSource that GtkSourceView has added to the main context for it.
 */
void
gadget_code_engine_prepare (const char *id, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  GPtrArray *tasks;

  g_task_set_source_tag (task, gadget_code_engine_prepare);
  if (known == NULL)
    {
      known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, rules_free);
      waiting = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                       (GDestroyNotify) g_ptr_array_unref);
    }
  if (g_hash_table_contains (known, id))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  tasks = g_hash_table_lookup (waiting, id);
  if (tasks == NULL)
    {
      tasks = g_ptr_array_new_with_free_func (g_object_unref);
      g_hash_table_insert (waiting, g_strdup (id), tasks);
      read_rules (id);
    }
  g_ptr_array_add (tasks, g_steal_pointer (&task));
}

/* --- Engines --- */

static GadgetCodeEngine *
engine_new (const char *id, const Rules *rules)
{
  GadgetCodeEngine *self = g_new0 (GadgetCodeEngine, 1);

  self->id = g_strdup (id);
  self->buffer =
      gtk_source_buffer_new_with_language (gtk_source_buffer_get_language (rules->first));
  gtk_text_buffer_set_enable_undo (GTK_TEXT_BUFFER (self->buffer), FALSE);
  gtk_source_buffer_set_highlight_matching_brackets (self->buffer, FALSE);
  gtk_source_buffer_set_implicit_trailing_newline (self->buffer, FALSE);
  set_scheme (self, SCHEME_LIGHT);
  self->style_ids = g_hash_table_new (NULL, NULL);
  self->sources = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->pending = g_string_new (NULL);
  return self;
}

gboolean
gadget_code_engine_is_spare (const char *id)
{
  const Rules *rules = known != NULL ? g_hash_table_lookup (known, id) : NULL;

  return rules != NULL && rules->spare->len > 0;
}

GadgetCodeEngine *
gadget_code_engine_acquire (const char *id)
{
  Rules *rules = known != NULL ? g_hash_table_lookup (known, id) : NULL;

  if (rules == NULL || rules->first == NULL)
    return NULL;
  if (rules->spare->len > 0)
    return g_ptr_array_steal_index_fast (rules->spare, rules->spare->len - 1);
  return engine_new (id, rules);
}

void
gadget_code_engine_release (GadgetCodeEngine *self)
{
  Rules *rules = g_hash_table_lookup (known, self->id);

  gtk_text_buffer_set_text (GTK_TEXT_BUFFER (self->buffer), "", 0);
  g_array_set_size (self->sources, 0);
  g_string_truncate (self->pending, 0);
  self->n_collected = 0;
  g_ptr_array_add (rules->spare, self);
}

/* Replaces characters that end a line for the buffer but not here. */
static void
blank_line_ends (char *line)
{
  for (char *at = line; *at != '\0'; at++)
    {
      if (*at == '\r' || *at == '\n')
        *at = ' ';
      else if (g_str_has_prefix (at, PARAGRAPH_SEPARATOR))
        memset (at, ' ', strlen (PARAGRAPH_SEPARATOR));
    }
}

void
gadget_code_engine_add_line (GadgetCodeEngine *self, const char *line, gsize length, guint32 source)
{
  if (length > GADGET_CODE_LINE_BYTES)
    {
      length = GADGET_CODE_LINE_BYTES;
      while (length > 0 && (line[length] & 0xc0) == 0x80)
        length--;
    }
  g_array_append_val (self->sources, source);
  g_string_append_len (self->pending, line, (gssize) length);
  blank_line_ends (self->pending->str + self->pending->len - length);
  g_string_append_c (self->pending, '\n');
}

void
gadget_code_engine_take_runs (GadgetCodeEngine *self, GArray *runs)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->buffer);
  GtkTextIter start, end;

  if (self->pending->len == 0)
    return;
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_insert (buffer, &end, self->pending->str, (int) self->pending->len);
  g_string_truncate (self->pending, 0);
  gtk_text_buffer_get_iter_at_line (buffer, &start, (int) self->n_collected);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_source_buffer_ensure_highlight (self->buffer, &start, &end);
  /* gtk_source_buffer_ensure_highlight () need not keep iterators valid, although it changes no
   * text. */
  gtk_text_buffer_get_iter_at_line (buffer, &start, (int) self->n_collected);
  gtk_text_buffer_get_end_iter (buffer, &end);
  read_runs (self, start, &end, runs);
  self->n_collected = self->sources->len;
}

/* --- Runs of a block --- */

static guint
find_run (const GArray *runs, gsize source)
{
  guint low = 0;
  guint high = runs->len;

  while (low < high)
    {
      const guint middle = (low + high) / 2;

      if (g_array_index (runs, GadgetCodeRun, middle).end <= source)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

void
gadget_code_runs_add (const GArray *runs, gsize start, gsize end, GadgetCodeGround ground,
                      PangoAttrList *attributes, guint at)
{
  for (guint i = find_run (runs, start); i < runs->len; i++)
    {
      const GadgetCodeRun *run = &g_array_index (runs, GadgetCodeRun, i);

      if (run->start >= end)
        break;
      gadget_code_style_id_add (run->style_id, ground, attributes,
                                at + (guint) (MAX (run->start, start) - start),
                                at + (guint) (MIN (run->end, end) - start));
    }
}
