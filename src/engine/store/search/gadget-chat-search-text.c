/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Words, as the tokenizer "unicode61" of FTS5 finds them: runs of letters, digits and characters
 * for private use, compared without case and diacritics. Gadget's database is to be readable with
 * any SQLite, so there is no tokenizer of its own; the texts are prepared for the one that is
 * there:
 *
 * - Han, Kana, Hangul, Thai, Lao, Burmese and Khmer are written without spaces between words, so
 *   these characters are indexed as overlapping pairs, the last one of a run alone. A single one is
 *   the beginning of a pair.
 * - Emoji are no letters for the tokenizer. Each is indexed as a character for private use.
 *
 * An identifier such as "snake_case" is a phrase of two words, one such as "camelCase" is one word,
 * whose beginning is found while it is typed. The index does not know where a word stands in a text
 * (see gadget-chat-search-index.c), so it finds the texts with all words of a phrase, and
 * _gadget_chat_search_words_match () tells in which of them they follow each other.
 *
 * The words of the user are always in quotes, so that no operator of FTS5 is meant by them. */

#define G_LOG_DOMAIN "gadget-search"

#include "config.h"

#include <string.h>

#include "gadget-chat-search-text-private.h"

/* A longer query is cut: nobody types it, and each word costs time. A guint64 has a bit for each.
 */
#define MAX_WORDS 64
/* The least characters of a word for others that begin with it to be found. Fewer begin too many
 * words: "t" 380,000 of 500,000 texts in 300 ms, "tu" 290,000 in 135 ms, "cim" 11,000 in 4 ms. */
#define MIN_PREFIX 3

/* Characters before a match, and in all, of the line that shows it. */
#define MAX_BEFORE 36
#define MAX_LINE 200

/* A match is looked for in so many bytes, and so many matches are compared. */
#define MAX_SCANNED (4 * 1024 * 1024)
#define MAX_MATCHES 256

#define MORE_BEFORE "… "
#define MORE_BEHIND " …"

static gboolean
is_emoji (gunichar c)
{
  return (c >= 0x2600 && c <= 0x27bf) || (c >= 0x1f000 && c <= 0x1faff);
}

/* Tells whether the character is a word of its own. */
static gboolean
is_lone (gunichar c)
{
  static const gunichar ranges[][2] = {
    { 0x0e00, 0x0eff },   /* Thai, Lao */
    { 0x1000, 0x109f },   /* Burmese */
    { 0x1100, 0x11ff },   /* Hangul */
    { 0x1780, 0x17ff },   /* Khmer */
    { 0x2600, 0x27bf },   /* symbols among the emoji */
    { 0x2e80, 0x2fdf },   /* radicals of Han */
    { 0x3005, 0x3007 },   /* Han */
    { 0x3040, 0x31ff },   /* Kana, Bopomofo, Hangul */
    { 0x3400, 0x4dbf },   /* Han */
    { 0x4e00, 0x9fff },   /* Han */
    { 0xa960, 0xa97f },   /* Hangul */
    { 0xac00, 0xd7ff },   /* Hangul */
    { 0xf900, 0xfaff },   /* Han */
    { 0xff66, 0xffdc },   /* narrow Kana and Hangul */
    { 0x1b000, 0x1b16f }, /* Kana */
    { 0x1f000, 0x1faff }, /* emoji */
    { 0x20000, 0x3ffff }, /* Han */
  };

  if (c < ranges[0][0])
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    if (c >= ranges[i][0] && c <= ranges[i][1])
      return TRUE;
  return FALSE;
}

static gboolean
is_letter (gunichar c)
{
  return g_unichar_isalnum (c) || g_unichar_type (c) == G_UNICODE_PRIVATE_USE || is_emoji (c);
}

/* The diacritics that the tokenizer leaves out. */
static gboolean
is_diacritic (gunichar c)
{
  return c >= 0x0300 && c <= 0x0331;
}

/* Returns the character without case and diacritics. */
static gunichar
fold (gunichar c)
{
  gunichar base;
  gunichar mark;

  if (c < 0x80)
    return (gunichar) g_ascii_tolower ((char) c);
  /* The marks of Kana make other letters, and the tokenizer leaves them. */
  while (c < 0x3000 && g_unichar_decompose (c, &base, &mark) && mark != 0
         && g_unichar_type (mark) == G_UNICODE_NON_SPACING_MARK)
    c = base;
  return g_unichar_tolower (c);
}

/* --- For the index ---------------------------------------------------------------------------- */

/* Appends a character that is a word of its own. */
static void
add_lone (GString *to, gunichar c)
{
  g_string_append_unichar (to, !is_emoji (c) ? c : c < 0x1f000 ? c + 0xf0000 : c + 0xe0000);
}

/* Appends the pairs of a run of such characters. */
static void
add_run (GString *to, const char *from, const char *end)
{
  for (const char *p = from; p < end;)
    {
      const char *next = g_utf8_next_char (p);

      g_string_append_c (to, ' ');
      add_lone (to, g_utf8_get_char (p));
      if (next < end)
        add_lone (to, g_utf8_get_char (next));
      p = next;
    }
  g_string_append_c (to, ' ');
}

/* Returns the end of the run that begins at @p. */
static const char *
find_run_end (const char *p, const char *end)
{
  while (p < end)
    {
      const gunichar c = g_utf8_get_char_validated (p, end - p);

      if (c == (gunichar) -1 || c == (gunichar) -2 || !is_lone (c))
        break;
      p = g_utf8_next_char (p);
    }
  return p;
}

void
_gadget_chat_search_text_prepare (GString *to, const char *text, gsize length)
{
  const char *end = text + length;
  const char *from = text;

  /* No character that is a word of its own begins with a smaller byte than the Thai ones. */
  for (const char *p = text; p < end;)
    {
      const char *run_end = (guchar) *p >= 0xe0 ? find_run_end (p, end) : p;

      if (run_end == p)
        {
          p++;
          continue;
        }
      g_string_append_len (to, from, p - from);
      add_run (to, p, run_end);
      from = p = run_end;
    }
  g_string_append_len (to, from, end - from);
}

void
_gadget_chat_search_text_add_tool (GString *to, const char *tool)
{
  g_string_append (to, " " GADGET_CHAT_SEARCH_TOOL_MARK);
  for (const char *p = tool; *p != '\0'; p++)
    {
      if (g_ascii_isalnum (*p))
        g_string_append_c (to, *p);
      else
        g_string_append (to, GADGET_CHAT_SEARCH_TOOL_MARK);
    }
  g_string_append_c (to, ' ');
}

/* --- Words ------------------------------------------------------------------------------------ */

/* A word of a text: a range of its bytes. */
typedef struct
{
  const char *begin;
  const char *end;
} Word;

/* Finds the next word from @p on. */
static gboolean
find_word (const char *p, const char *end, Word *word)
{
  gunichar c = 0;

  while (p < end && !is_letter (c = g_utf8_get_char (p)))
    p = g_utf8_next_char (p);
  if (p >= end)
    return FALSE;
  word->begin = p;
  p = g_utf8_next_char (p);
  if (!is_lone (c))
    while (p < end && (is_letter (c = g_utf8_get_char (p)) || is_diacritic (c)) && !is_lone (c))
      p = g_utf8_next_char (p);
  word->end = p;
  return TRUE;
}

/* Words that must follow each other. */
typedef struct
{
  GPtrArray *keys;   /* as the index has them; a "*" behind one that may go on */
  GPtrArray *folded; /* of gunichar arrays, which end with 0 */
  gboolean prefix;   /* whether the last word may go on */
} Phrase;

struct _GadgetChatSearchWords
{
  GPtrArray *phrases;
  guint n_words;
  gboolean inexact; /* whether a phrase has more than one key */
};

static void
phrase_free (gpointer data)
{
  Phrase *phrase = data;

  g_ptr_array_unref (phrase->keys);
  g_ptr_array_unref (phrase->folded);
  g_free (phrase);
}

static gunichar *
dup_folded (const Word *word)
{
  g_autoptr (GArray) folded = g_array_new (TRUE, FALSE, sizeof (gunichar));

  for (const char *p = word->begin; p < word->end; p = g_utf8_next_char (p))
    {
      const gunichar c = fold (g_utf8_get_char (p));

      if (!is_diacritic (c))
        g_array_append_val (folded, c);
    }
  return (gunichar *) g_array_free (g_steal_pointer (&folded), FALSE);
}

/* Adds the key of a word, which is a pair if the word before was of the same run. */
static void
add_key (Phrase *phrase, const Word *word, const char *run_before)
{
  GString *key = g_string_new ("\"");

  if (!is_lone (g_utf8_get_char (word->begin)))
    {
      g_string_append_len (key, word->begin, word->end - word->begin);
      g_string_append_c (key, '"');
    }
  else if (run_before == NULL)
    {
      /* Alone so far: it is the beginning of a pair, or the end of a run. */
      add_lone (key, g_utf8_get_char (word->begin));
      g_string_append (key, "\"*");
    }
  else
    {
      add_lone (key, g_utf8_get_char (run_before));
      add_lone (key, g_utf8_get_char (word->begin));
      g_string_append_c (key, '"');
      /* The first one of the run is in this pair. */
      if (g_str_has_suffix (g_ptr_array_index (phrase->keys, phrase->keys->len - 1), "*"))
        g_ptr_array_remove_index (phrase->keys, phrase->keys->len - 1);
    }
  g_ptr_array_add (phrase->keys, g_string_free (key, FALSE));
}

static void
add_phrase (GadgetChatSearchWords *self, const char *text, const char *end, gboolean open)
{
  Phrase *phrase = g_new0 (Phrase, 1);
  Word word = { .end = text };
  Word before = { 0 };
  gboolean may_go_on = FALSE;

  phrase->keys = g_ptr_array_new_with_free_func (g_free);
  phrase->folded = g_ptr_array_new_with_free_func (g_free);
  while (self->n_words < MAX_WORDS && find_word (word.end, end, &word))
    {
      const gboolean lone = is_lone (g_utf8_get_char (word.begin));

      add_key (phrase, &word,
               lone && before.end == word.begin && before.end != NULL
                       && is_lone (g_utf8_get_char (before.begin))
                   ? before.begin
                   : NULL);
      g_ptr_array_add (phrase->folded, dup_folded (&word));
      may_go_on = !lone && g_utf8_strlen (word.begin, word.end - word.begin) >= MIN_PREFIX;
      before = word;
      self->n_words++;
    }
  if (phrase->folded->len == 0)
    {
      phrase_free (phrase);
      return;
    }
  phrase->prefix = open && may_go_on && word.end == end;
  if (phrase->prefix)
    {
      g_autofree char *key = g_ptr_array_steal_index (phrase->keys, phrase->keys->len - 1);

      g_ptr_array_add (phrase->keys, g_strconcat (key, "*", NULL));
    }
  self->inexact |= phrase->keys->len > 1;
  g_ptr_array_add (self->phrases, phrase);
}

static const char *
find_end (const char *p, gboolean quoted)
{
  while (*p != '\0' && *p != '"' && (quoted || !g_unichar_isspace (g_utf8_get_char (p))))
    p = g_utf8_next_char (p);
  return p;
}

GadgetChatSearchWords *
_gadget_chat_search_words_new (const char *text)
{
  g_autoptr (GadgetChatSearchWords) self = g_new0 (GadgetChatSearchWords, 1);
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  const char *p = valid;
  gboolean quoted = FALSE;

  self->phrases = g_ptr_array_new_with_free_func (phrase_free);
  while (*p != '\0')
    {
      const char *end = find_end (p, quoted);

      add_phrase (self, p, end, *end == '\0');
      if (*end == '"')
        quoted = !quoted;
      p = *end != '\0' ? g_utf8_next_char (end) : end;
    }
  return self->phrases->len > 0 ? g_steal_pointer (&self) : NULL;
}

void
_gadget_chat_search_words_free (GadgetChatSearchWords *self)
{
  g_ptr_array_unref (self->phrases);
  g_free (self);
}

char *
_gadget_chat_search_words_dup_begin (const GadgetChatSearchWords *self)
{
  const Phrase *phrase = g_ptr_array_index (self->phrases, self->phrases->len - 1);
  const gunichar *folded = g_ptr_array_index (phrase->folded, phrase->folded->len - 1);

  if (!phrase->prefix)
    return NULL;
  /* The tokenizer leaves out fewer diacritics of other scripts. */
  for (const gunichar *p = folded; *p != 0; p++)
    if (*p >= 0x0250)
      return NULL;
  return g_ucs4_to_utf8 (folded, -1, NULL, NULL, NULL);
}

static void
add_ends (GString *match, const GPtrArray *ends)
{
  for (guint i = 0; i < ends->len; i++)
    g_string_append_printf (match, "%s\"%s\"", i > 0 ? " OR " : "(",
                            (const char *) g_ptr_array_index (ends, i));
  g_string_append_c (match, ')');
}

char *
_gadget_chat_search_words_dup_match (const GadgetChatSearchWords *self, const char *tool,
                                     const GPtrArray *ends)
{
  GString *match = g_string_new (NULL);

  for (guint i = 0; i < self->phrases->len; i++)
    {
      const Phrase *phrase = g_ptr_array_index (self->phrases, i);

      for (guint j = 0; j < phrase->keys->len; j++)
        {
          if (match->len > 0)
            g_string_append (match, " AND ");
          if (ends != NULL && phrase->prefix && j + 1 == phrase->keys->len)
            add_ends (match, ends);
          else
            g_string_append (match, g_ptr_array_index (phrase->keys, j));
        }
    }
  if (tool != NULL)
    {
      g_string_append (match, " AND \"");
      _gadget_chat_search_text_add_tool (match, tool);
      g_string_append_c (match, '"');
    }
  return g_string_free (match, FALSE);
}

/* --- The line of a match ---------------------------------------------------------------------- */

typedef struct
{
  const char *begin;
  const char *end;
  guint phrase;
} Found;

/* Returns the end of what was matched, or NULL. With @prefix the word may go on, and only its
 * beginning is a match. */
static const char *
match_word (const Word *word, const gunichar *folded, gboolean prefix)
{
  const char *p = word->begin;

  for (; p < word->end && *folded != 0; p = g_utf8_next_char (p))
    {
      const gunichar c = fold (g_utf8_get_char (p));

      if (is_diacritic (c))
        continue;
      if (c != *folded)
        return NULL;
      folded++;
    }
  while (p < word->end && is_diacritic (g_utf8_get_char (p)))
    p = g_utf8_next_char (p);
  return *folded == 0 && (prefix || p == word->end) ? p : NULL;
}

static const char *
match_phrase (const Phrase *phrase, Word word, const char *end)
{
  for (guint i = 0;; i++)
    {
      const gboolean last = i + 1 == phrase->folded->len;
      const char *matched =
          match_word (&word, g_ptr_array_index (phrase->folded, i), last && phrase->prefix);

      if (matched == NULL || last)
        return matched;
      if (!find_word (word.end, end, &word))
        return NULL;
    }
}

static GArray *
find_all (const GadgetChatSearchWords *self, const char *text, const char *end)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Found));
  Word word = { .end = text };

  while (all->len < MAX_MATCHES && find_word (word.end, end, &word))
    for (guint i = 0; i < self->phrases->len; i++)
      {
        const char *matched = match_phrase (g_ptr_array_index (self->phrases, i), word, end);
        const Found found = { word.begin, matched, i };

        if (matched == NULL)
          continue;
        g_array_append_val (all, found);
        word.end = MAX (word.end, matched);
        break;
      }
  return all;
}

gboolean
_gadget_chat_search_words_are_inexact (const GadgetChatSearchWords *self)
{
  return self->inexact;
}

gboolean
_gadget_chat_search_words_match (const GadgetChatSearchWords *self, const char *text, gsize length)
{
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) MIN (length, MAX_SCANNED));
  const char *end = valid + strlen (valid);
  guint64 missing = 0;
  Word word = { .end = valid };

  for (guint i = 0; i < self->phrases->len; i++)
    missing |= G_GUINT64_CONSTANT (1) << i;
  while (missing != 0 && find_word (word.end, end, &word))
    for (guint i = 0; i < self->phrases->len; i++)
      if ((missing & (G_GUINT64_CONSTANT (1) << i)) != 0
          && match_phrase (g_ptr_array_index (self->phrases, i), word, end) != NULL)
        missing &= ~(G_GUINT64_CONSTANT (1) << i);
  return missing == 0;
}

/* Returns the index of the match that is followed by the most different phrases in its line. */
static guint
find_best (const GadgetChatSearchWords *self, GArray *all)
{
  guint best = 0;
  guint most = 0;

  for (guint i = 0; i < all->len && most < self->phrases->len; i++)
    {
      const Found *first = &g_array_index (all, Found, i);
      guint64 seen = 0;
      guint n = 0;

      for (guint j = i; j < all->len; j++)
        {
          const Found *found = &g_array_index (all, Found, j);

          if (found->begin - first->begin > MAX_LINE)
            break;
          n += (seen & (G_GUINT64_CONSTANT (1) << found->phrase)) == 0;
          seen |= G_GUINT64_CONSTANT (1) << found->phrase;
        }
      if (n > most)
        {
          most = n;
          best = i;
        }
    }
  return best;
}

/* Tells whether a sentence ends with @c before @next. */
static gboolean
ends_sentence (gunichar c, gunichar next)
{
  return c == '\n' || c == 0x3002 || c == 0xff01 || c == 0xff1f
         || ((c == '.' || c == '!' || c == '?') && g_unichar_isspace (next));
}

/* Returns where the line begins: with the sentence, if that is not too far before @match, or else
 * between two words. */
static const char *
find_begin (const char *text, const char *match, gboolean *cut)
{
  const char *word = match;
  gunichar next = g_utf8_get_char (match);

  *cut = FALSE;
  for (guint n = 0; match > text; n++)
    {
      const char *before = g_utf8_prev_char (match);
      const gunichar c = g_utf8_get_char (before);

      if (ends_sentence (c, next))
        return match;
      if (n == MAX_BEFORE)
        {
          *cut = TRUE;
          return word;
        }
      if (g_unichar_isspace (c) || is_lone (c))
        word = match;
      match = before;
      next = c;
    }
  return text;
}

static gboolean
is_shown (gunichar c)
{
  return !g_unichar_iscntrl (c) && c != 0xfffd && g_unichar_type (c) != G_UNICODE_FORMAT;
}

/* Where each copied byte comes from is not kept: the ranges are noted while their bytes are
 * copied. */
typedef struct
{
  GString *line;
  GArray *all; /* of Found */
  guint next;  /* the match whose bytes come next */
  GArray *ranges;
} Copy;

static void
note_range (Copy *copy, const char *p)
{
  while (copy->next < copy->all->len)
    {
      const Found *found = &g_array_index (copy->all, Found, copy->next);

      if (p >= found->end)
        {
          GadgetChatSearchRange *range =
              copy->ranges->len > 0
                  ? &g_array_index (copy->ranges, GadgetChatSearchRange, copy->ranges->len - 1)
                  : NULL;

          if (range != NULL && range->end == 0)
            range->end = copy->line->len;
          copy->next++;
          continue;
        }
      if (p == found->begin)
        {
          const GadgetChatSearchRange range = { copy->line->len, 0 };

          g_array_append_val (copy->ranges, range);
        }
      return;
    }
}

static void
copy_line (Copy *copy, const char *from, const char *end)
{
  gunichar last = ' ';
  const char *p = from;

  for (guint n = 0; p < end; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);

      note_range (copy, p);
      if (c == '\n' && copy->next > 0)
        break;
      if (n == MAX_LINE)
        {
          g_string_append (copy->line, MORE_BEHIND);
          break;
        }
      if (g_unichar_isspace (c))
        {
          if (last != ' ')
            g_string_append_c (copy->line, ' ');
          last = ' ';
          continue;
        }
      if (!is_shown (c))
        continue;
      g_string_append_unichar (copy->line, c);
      last = c;
      n++;
    }
  note_range (copy, p);
}

gboolean
_gadget_chat_search_words_cut (const GadgetChatSearchWords *self, const char *text,
                               GadgetChatSearchMatch *match)
{
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) strnlen (text, MAX_SCANNED));
  const char *end = valid + strlen (valid);
  g_autoptr (GArray) all = find_all (self, valid, end);
  Copy copy = { .line = g_string_new (NULL), .all = all };
  const char *from = valid;
  gboolean cut = FALSE;

  copy.ranges = g_array_new (FALSE, FALSE, sizeof (GadgetChatSearchRange));
  if (all->len > 0)
    {
      copy.next = find_best (self, all);
      from = find_begin (valid, g_array_index (all, Found, copy.next).begin, &cut);
      while (copy.next > 0 && g_array_index (all, Found, copy.next - 1).begin >= from)
        copy.next--;
      g_array_remove_range (all, 0, copy.next);
      copy.next = 0;
    }
  if (cut)
    g_string_append (copy.line, MORE_BEFORE);
  copy_line (&copy, from, end);
  for (guint i = 0; i < copy.ranges->len; i++)
    {
      GadgetChatSearchRange *range = &g_array_index (copy.ranges, GadgetChatSearchRange, i);

      /* The line ends within the last match. */
      if (range->end == 0)
        range->end = copy.line->len;
    }
  match->text = g_string_free (copy.line, FALSE);
  match->ranges = copy.ranges;
  return all->len > 0;
}
