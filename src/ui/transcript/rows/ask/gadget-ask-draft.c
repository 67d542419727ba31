/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ask-draft"

#include "config.h"

#include "gadget-ask-draft.h"

#define DRAFT_KEY "gadget-ask-draft"
#define WATCH_KEY "gadget-ask-draft-watch"

/* The chat of the prompt; the reference is weak, since the chat owns the prompt. */
typedef struct
{
  GWeakRef session;
} Watch;

static void
watch_free (gpointer data)
{
  Watch *watch = data;

  g_weak_ref_clear (&watch->session);
  g_free (watch);
}

static gboolean
is_blank (const char *text)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));

  return *stripped == '\0';
}

/* The host may show another chat now. In each window that has shown the card there is one; the
 * first takes the draft. */
static void
ended_cb (GadgetPrompt *prompt, GParamSpec *pspec, GadgetRowHost *host)
{
  Watch *watch = g_object_get_data (G_OBJECT (prompt), WATCH_KEY);
  GtkEntryBuffer *draft = _gadget_ask_draft_get (prompt);
  g_autoptr (GadgetSession) session = g_weak_ref_get (&watch->session);
  g_autofree char *text = g_strdup (gtk_entry_buffer_get_text (draft));

  if (session == NULL || is_blank (text))
    return;
  gtk_entry_buffer_set_text (draft, "", 0);
  gadget_row_host_answer_left (host, session, text);
}

GtkEntryBuffer *
_gadget_ask_draft_get (GadgetPrompt *prompt)
{
  GtkEntryBuffer *draft = g_object_get_data (G_OBJECT (prompt), DRAFT_KEY);

  if (draft == NULL)
    {
      draft = gtk_entry_buffer_new (NULL, 0);
      g_object_set_data_full (G_OBJECT (prompt), DRAFT_KEY, draft, g_object_unref);
    }
  return draft;
}

void
_gadget_ask_draft_watch (GadgetPrompt *prompt, GadgetRowHost *host)
{
  if (g_signal_handler_find (prompt, G_SIGNAL_MATCH_FUNC | G_SIGNAL_MATCH_DATA, 0, 0, NULL,
                             (gpointer) ended_cb, host)
      != 0)
    return;
  if (g_object_get_data (G_OBJECT (prompt), WATCH_KEY) == NULL)
    {
      Watch *watch = g_new0 (Watch, 1);

      g_weak_ref_init (&watch->session, gadget_row_host_get_session (GTK_WIDGET (host)));
      g_object_set_data_full (G_OBJECT (prompt), WATCH_KEY, watch, watch_free);
    }
  g_signal_connect_object (prompt, "notify::open", G_CALLBACK (ended_cb), host, G_CONNECT_DEFAULT);
}
