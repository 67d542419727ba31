/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The ask cards (questions and permission requests) that wait for the user: they are announced to
 * screen readers when they appear, and the focus moves to them and back. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-private.h"
#include "common/gadget-visible.h"
#include "ui/common/gadget-announcer.h"
#include "ui/transcript/rows/ask/gadget-ask-row.h"

#include <glib/gi18n.h>
#include <string.h>

#define ANNOUNCED "gadget-transcript-announced"
/* Each part of a card is announced up to this many bytes; the rest can be read on the card. */
#define MAX_SAID 500

/* --- Announcing ---------------------------------------------------------------------------- */

/* A file or a difference is not announced, since it is hard to follow by ear; the title names the
 * file. */
static const char *
get_subject (GadgetPrompt *prompt)
{
  const GadgetPromptBody kind = gadget_prompt_get_body_kind (prompt);

  if (kind == GADGET_PROMPT_BODY_FILE || kind == GADGET_PROMPT_BODY_DIFF)
    return NULL;
  return gadget_prompt_get_body (prompt);
}

static void
append (GString *text, const char *part)
{
  g_autofree char *visible = NULL;

  if (part == NULL || *part == '\0')
    return;
  if (text->len > 0)
    g_string_append_c (text, '\n');
  visible = gadget_visible_escape (part);
  if (strlen (visible) > MAX_SAID)
    {
      *g_utf8_find_prev_char (visible, visible + MAX_SAID) = '\0';
      g_string_append (text, visible);
      g_string_append (text, "…");
    }
  else
    g_string_append (text, visible);
}

/* Only the choices of a question are announced; those of a permission are the same on every
 * card. */
static void
append_choices (GString *text, GadgetPrompt *prompt)
{
  const char *const *choices = gadget_prompt_get_choices (prompt);

  if (gadget_prompt_get_kind (prompt) != GADGET_PROMPT_QUESTION || choices == NULL)
    return;
  for (guint i = 0; choices[i] != NULL; i++)
    {
      /* Translators: a choice of a question, and the digit that chooses it */
      g_autofree char *choice = g_strdup_printf (_ ("%u: %s"), i + 1, choices[i]);

      append (text, choice);
    }
}

static void
announce (GadgetTranscript *self, GadgetPrompt *prompt)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_ASKER));
  append (text, gadget_prompt_get_title (prompt));
  append (text, get_subject (prompt));
  append_choices (text, prompt);
  append (text, gadget_prompt_get_text (prompt, GADGET_PROMPT_WARNING));
  append (text, _ ("Ctrl+J goes to the question."));
  gadget_announce (GTK_WIDGET (self), text->str, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH);
}

void
_gadget_transcript_announce_asks (GadgetTranscript *self, guint position, guint n_rows)
{
  /* All waiting cards are in the last turn, so rows before the first card are skipped. */
  const int first = gadget_transcript_model_find_ask (self->model, -1);

  if (first < 0)
    return;
  for (guint i = MAX (position, (guint) first); i < position + n_rows; i++)
    {
      g_autoptr (GadgetRowData) data = g_list_model_get_item (G_LIST_MODEL (self->model), i);
      GadgetPrompt *prompt = gadget_row_data_get_kind (data) == GADGET_ROW_KIND_ASK
                                 ? gadget_item_get_prompt (gadget_row_data_get_item (data))
                                 : NULL;

      /* A row is made anew when other rows of its turn change, so a prompt that was announced is
       * marked. */
      if (prompt == NULL || g_object_get_data (G_OBJECT (prompt), ANNOUNCED) != NULL)
        continue;
      g_object_set_data (G_OBJECT (prompt), ANNOUNCED, GINT_TO_POINTER (TRUE));
      announce (self, prompt);
    }
}

/* --- The focus ----------------------------------------------------------------------------- */

static int
find_focused_ask (GadgetTranscript *self)
{
  for (guint i = 0; i < self->realized_rows->len; i++)
    {
      GadgetRealizedRow *row = _gadget_transcript_get_nth (self, i);

      if (GADGET_IS_ASK_ROW (row->widget) && _gadget_transcript_has_focus (self, row))
        return (int) row->position;
    }
  return -1;
}

static void
note_origin (GadgetTranscript *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  g_set_weak_pointer (&self->ask_origin, root != NULL ? gtk_root_get_focus (root) : NULL);
}

/**
 * gadget_transcript_focus_ask:
 *
 * Focuses the ask card that has waited longest or, when a card has the focus, the next one.
 *
 * Returns: whether a card waits for an answer
 */
gboolean
gadget_transcript_focus_ask (GadgetTranscript *self)
{
  GadgetRealizedRow *row;
  int focused;
  int position;

  g_return_val_if_fail (GADGET_IS_TRANSCRIPT (self), FALSE);

  if (self->model == NULL)
    return FALSE;
  gadget_transcript_model_flush (self->model);
  _gadget_transcript_place (self);
  focused = find_focused_ask (self);
  position = gadget_transcript_model_find_ask (self->model, focused);
  if (position < 0)
    return FALSE;
  row = _gadget_transcript_get_realized (self, (guint) position);
  if (row == NULL || row->y < 0 || row->y + row->gap + row->height > self->height)
    {
      _gadget_transcript_scroll_to (self, (guint) position, self->height / 4.0);
      _gadget_transcript_place (self);
      row = _gadget_transcript_get_realized (self, (guint) position);
    }
  if (row == NULL)
    return FALSE;
  if (focused < 0)
    note_origin (self);
  _gadget_ask_row_focus (GADGET_ASK_ROW (row->widget));
  return TRUE;
}
