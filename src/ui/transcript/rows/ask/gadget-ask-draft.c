/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ask-draft"

#include "config.h"

#include "gadget-ask-draft.h"

#define DRAFT_KEY "gadget-ask-draft"
#define WATCH_KEY "gadget-ask-draft-watch"

/* The references are weak, since the chat owns the prompt that owns this. */
typedef struct
{
  GWeakRef host;
  GWeakRef session; /* the chat of the draft; the host may show another one now */
} Watch;

static void
watch_free (gpointer data)
{
  Watch *watch = data;

  g_weak_ref_clear (&watch->host);
  g_weak_ref_clear (&watch->session);
  g_free (watch);
}

static gboolean
is_blank (const char *text)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));

  return *stripped == '\0';
}

static void
ended_cb (GadgetPrompt *prompt, GParamSpec *pspec, Watch *watch)
{
  g_autoptr (GadgetRowHost) host = g_weak_ref_get (&watch->host);
  g_autoptr (GadgetSession) session = g_weak_ref_get (&watch->session);
  const char *draft = _gadget_ask_draft_get (prompt);

  if (host != NULL && session != NULL && draft != NULL && !is_blank (draft))
    gadget_row_host_answer_left (host, session, draft);
}

const char *
_gadget_ask_draft_get (GadgetPrompt *prompt)
{
  return g_object_get_data (G_OBJECT (prompt), DRAFT_KEY);
}

void
_gadget_ask_draft_set (GadgetPrompt *prompt, const char *text)
{
  g_object_set_data_full (G_OBJECT (prompt), DRAFT_KEY, g_strdup (text), g_free);
}

void
_gadget_ask_draft_watch (GadgetPrompt *prompt, GadgetRowHost *host)
{
  Watch *watch;

  if (g_object_get_data (G_OBJECT (prompt), WATCH_KEY) != NULL)
    return;
  watch = g_new0 (Watch, 1);
  g_weak_ref_init (&watch->host, host);
  g_weak_ref_init (&watch->session, gadget_row_host_get_session (GTK_WIDGET (host)));
  g_object_set_data_full (G_OBJECT (prompt), WATCH_KEY, watch, watch_free);
  g_signal_connect (prompt, "notify::open", G_CALLBACK (ended_cb), watch);
}
