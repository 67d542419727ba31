/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A page about all chats, such as the search, takes the place of the chat, which stays as it is
 * below it. It is made when it is first needed, since the first frame of the window would wait for
 * it. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-window-private.h"

#include "store/search/gadget-chat-search-results.h"

#include <glib/gi18n.h>

gboolean
_gadget_window_is_searching (GadgetWindow *self)
{
  return self->search_page != NULL
         && gtk_stack_get_visible_child (self->content) == GTK_WIDGET (self->search_page);
}

void
_gadget_window_show_page (GadgetWindow *self, GtkWidget *page)
{
  const gboolean covered = page != self->chat_page;

  if (_gadget_window_is_searching (self))
    gadget_search_page_end (self->search_page);
  if (_gadget_window_shows_ledger (self))
    gadget_ledger_page_end (self->ledger_page);
  gtk_stack_set_visible_child (self->content, page);
  gadget_chat_set_cover (self->chat, covered ? self->cover_toasts : NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->chat_menu), !covered);
  gtk_widget_set_visible (self->activity_button, !covered);
  gtk_widget_set_visible (self->export_button, _gadget_window_shows_ledger (self));
  _gadget_window_update_title (self);
}

gboolean
_gadget_window_leave_page (GadgetWindow *self)
{
  if (gtk_stack_get_visible_child (self->content) == self->chat_page)
    return FALSE;
  _gadget_window_show_page (self, self->chat_page);
  return TRUE;
}

static void
left_cb (GadgetWindow *self)
{
  _gadget_window_leave_page (self);
  gadget_chat_focus (self->chat);
}

static GadgetRowText
get_row_text (GadgetChatSearchKind kind)
{
  switch (kind)
    {
    case GADGET_CHAT_SEARCH_ANSWER:
    case GADGET_CHAT_SEARCH_REASONING:
      return GADGET_ROW_TEXT_ITEM;
    case GADGET_CHAT_SEARCH_CALL:
    case GADGET_CHAT_SEARCH_CHANGE:
      return GADGET_ROW_TEXT_ARGUMENTS;
    case GADGET_CHAT_SEARCH_OUTPUT:
      return GADGET_ROW_TEXT_OUTPUT;
    case GADGET_CHAT_SEARCH_PROMPT:
    case GADGET_CHAT_SEARCH_ATTACHMENT:
    case GADGET_CHAT_SEARCH_FILE_NAME:
    default:
      return GADGET_ROW_TEXT_PROMPT;
    }
}

/* The first word that was found is found again in the chat, from the place of the match on. */
static void
opened_cb (GadgetWindow *self, GadgetSession *session, const GadgetChatSearchMatch *match,
           gboolean in_window)
{
  g_autofree char *word = NULL;

  if (in_window)
    self = gadget_window_new_beside (self, session);
  else
    gadget_window_open_session (self, session);
  gadget_chat_focus (self->chat);
  if (match->ranges->len == 0 || !g_str_equal (match->session_id, gadget_session_get_id (session)))
    return;
  word = g_strndup (match->text + g_array_index (match->ranges, GadgetChatSearchRange, 0).begin,
                    g_array_index (match->ranges, GadgetChatSearchRange, 0).end
                        - g_array_index (match->ranges, GadgetChatSearchRange, 0).begin);
  gadget_window_find (self, session, word, match->turn_id, match->position,
                      get_row_text (match->kind), 0);
}

static void
make_page (GadgetWindow *self)
{
  self->search_page = g_object_new (GADGET_TYPE_SEARCH_PAGE, NULL);
  g_signal_connect_object (self->search_page, "left", G_CALLBACK (left_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search_page, "opened", G_CALLBACK (opened_cb), self,
                           G_CONNECT_SWAPPED);
  gadget_search_page_set_engine (self->search_page, self->engine);
  gtk_stack_add_child (self->content, GTK_WIDGET (self->search_page));
}

/* Begins with @text, or with what the titles are searched for. */
void
_gadget_window_search (GadgetWindow *self, const char *text)
{
  const char *words = text != NULL ? text : gadget_library_get_search_text (self->library);

  if (self->search_page == NULL)
    make_page (self);
  _gadget_window_uncover_chat (self);
  _gadget_window_show_page (self, GTK_WIDGET (self->search_page));
  gadget_search_page_begin (self->search_page, *words != '\0' ? words : NULL);
}

void
_gadget_window_bind_search (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, content);
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, chat_page);
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, cover_toasts);
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, export_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetWindow, activity_button);
}
