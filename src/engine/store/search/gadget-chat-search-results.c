/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-search"

#include "config.h"

#include "gadget-chat-search-results.h"

#include <glib/gi18n-lib.h>

GadgetChatSearchQuery *
gadget_chat_search_query_copy (const GadgetChatSearchQuery *query)
{
  GadgetChatSearchQuery *self = g_memdup2 (query, sizeof *query);

  self->text = g_strdup (query->text);
  self->session_id = g_strdup (query->session_id);
  self->workspace = g_strdup (query->workspace);
  self->chat_folder = g_strdup (query->chat_folder);
  self->tool = g_strdup (query->tool);
  self->provider = g_strdup (query->provider);
  self->status = g_strdup (query->status);
  self->excluded = (const char *const *) g_strdupv ((char **) query->excluded);
  return self;
}

void
gadget_chat_search_query_free (GadgetChatSearchQuery *self)
{
  g_free ((char *) self->text);
  g_free ((char *) self->session_id);
  g_free ((char *) self->workspace);
  g_free ((char *) self->chat_folder);
  g_free ((char *) self->tool);
  g_free ((char *) self->provider);
  g_free ((char *) self->status);
  g_strfreev ((char **) self->excluded);
  g_free (self);
}

char *
gadget_chat_search_match_dup_place (const GadgetChatSearchMatch *match)
{
  const char *subject = match->subject != NULL ? match->subject : "";

  switch (match->kind)
    {
    case GADGET_CHAT_SEARCH_PROMPT:
      return g_strdup (_ ("Prompt"));
    case GADGET_CHAT_SEARCH_REASONING:
      return g_strdup (_ ("Reasoning"));
    case GADGET_CHAT_SEARCH_CALL:
      /* Translators: the name of a tool */
      return g_strdup_printf (_ ("Call of %s"), subject);
    case GADGET_CHAT_SEARCH_CHANGE:
      /* Translators: the name of a file */
      return g_strdup_printf (_ ("Change in %s"), subject);
    case GADGET_CHAT_SEARCH_OUTPUT:
      /* Translators: the name of a tool */
      return g_strdup_printf (_ ("Output of %s"), subject);
    case GADGET_CHAT_SEARCH_ATTACHMENT:
      /* Translators: the name of a file */
      return g_strdup_printf (_ ("Attachment %s"), subject);
    case GADGET_CHAT_SEARCH_FILE_NAME:
      return g_strdup (_ ("Name of an attachment"));
    case GADGET_CHAT_SEARCH_ANSWER:
    default:
      return g_strdup (_ ("Answer"));
    }
}

void
gadget_chat_search_match_free (GadgetChatSearchMatch *match)
{
  g_free (match->session_id);
  g_free (match->turn_id);
  g_free (match->subject);
  g_free (match->text);
  g_clear_pointer (&match->ranges, g_array_unref);
  g_free (match);
}

void
gadget_chat_search_result_free (GadgetChatSearchResult *chat)
{
  g_free (chat->session_id);
  g_free (chat->title);
  g_free (chat->workspace);
  g_ptr_array_unref (chat->matches);
  g_free (chat);
}

void
gadget_chat_search_results_free (GadgetChatSearchResults *self)
{
  g_ptr_array_unref (self->chats);
  g_free (self);
}
