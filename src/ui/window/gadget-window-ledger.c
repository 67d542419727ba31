/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page of what was done in all chats, which takes the place of the chat as the search does. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"
#include "gadget-window-private.h"

#include "store/export/gadget-effect-export.h"
#include "ui/common/gadget-error-labels.h"
#include "ui/common/gadget-save.h"
#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>

gboolean
_gadget_window_shows_ledger (GadgetWindow *self)
{
  return self->ledger_page != NULL
         && gtk_stack_get_visible_child (self->content) == GTK_WIDGET (self->ledger_page);
}

void
_gadget_window_refresh_ledger (GadgetWindow *self)
{
  if (_gadget_window_shows_ledger (self))
    gadget_ledger_page_refresh (self->ledger_page);
}

/* Esc is for an undo that goes on first. */
gboolean
_gadget_window_stop_ledger (GadgetWindow *self)
{
  return _gadget_window_shows_ledger (self) && _gadget_chat_is_undoing (self->chat)
         && gadget_chat_press_escape (self->chat);
}

static void
left_cb (GadgetWindow *self)
{
  if (_gadget_window_stop_ledger (self))
    return;
  _gadget_window_leave_page (self);
  gadget_chat_focus (self->chat);
}

static void
opened_cb (GadgetWindow *self, GadgetLedgerEntry *entry)
{
  const GadgetEffectRow *row = gadget_ledger_entry_get_found (entry)->row;
  g_autoptr (GadgetSession) session = g_object_ref (gadget_ledger_entry_get_session (entry));
  g_autofree char *turn_id = g_strdup (row->turn_id);
  /* The call of a subagent is below a row of this turn that is folded. */
  g_autofree char *call_id =
      g_str_equal (row->turn_id, row->call_turn_id) ? g_strdup (row->call_id) : NULL;

  gadget_window_open_session (self, session);
  if (self->session != session)
    return;
  _gadget_window_uncover_chat (self);
  gadget_chat_show_turn (self->chat, turn_id, call_id);
  gadget_chat_focus (self->chat);
}

static void
undo_cb (GadgetWindow *self, GadgetLedgerEntry *entry)
{
  const GadgetFoundEffect *found = gadget_ledger_entry_get_found (entry);

  gadget_chat_undo_call (self->chat, gadget_ledger_entry_get_session (entry), found->row->turn_id,
                         found->row->call_turn_id, found->row->call_id, found->undone_at > 0);
}

static void
make_page (GadgetWindow *self)
{
  self->ledger_page = g_object_new (GADGET_TYPE_LEDGER_PAGE, NULL);
  g_signal_connect_object (self->ledger_page, "left", G_CALLBACK (left_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->ledger_page, "opened", G_CALLBACK (opened_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->ledger_page, "undo", G_CALLBACK (undo_cb), self,
                           G_CONNECT_SWAPPED);
  gadget_ledger_page_set_engine (self->ledger_page, self->engine);
  gtk_stack_add_child (self->content, GTK_WIDGET (self->ledger_page));
}

void
_gadget_window_show_ledger (GadgetWindow *self, const char *turn_id)
{
  if (self->engine == NULL)
    return;
  if (self->ledger_page == NULL)
    make_page (self);
  _gadget_window_uncover_chat (self);
  _gadget_window_show_page (self, GTK_WIDGET (self->ledger_page));
  gadget_ledger_page_begin (self->ledger_page, turn_id);
}

/* --- Exporting -------------------------------------------------------------------------------- */

/* The data of an export. */
typedef struct
{
  GadgetWindow *window;
  GadgetEffectFormat format;
} Export;

static void
exported_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Export *export = user_data;
  g_autoptr (GadgetWindow) self = export->window;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = gadget_effect_export_finish (result, &error);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *day = g_date_time_format (now, "%F");
  g_autofree char *name = NULL;

  if (self->engine == NULL)
    return;
  if (bytes == NULL)
    {
      g_autofree char *text =
          gadget_error_labels_dup (_ ("The actions could not be exported."), error);

      gadget_chat_add_toast (self->chat, gadget_toast_new (text));
      return;
    }
  if (export->format == GADGET_EFFECT_FORMAT_JSON)
    /* Translators: the name of a file; %s is a date */
    name = g_strdup_printf (_ ("Actions %s.json"), day);
  else
    /* Translators: the name of a file; %s is a date */
    name = g_strdup_printf (_ ("Actions %s.csv"), day);
  gadget_save_ask (GTK_WIDGET (self), ADW_TOAST_OVERLAY (self->cover_toasts), _ ("Export Actions"),
                   name, bytes, _ ("The actions were exported"));
}

void
_gadget_window_export_ledger (GadgetWindow *self, gboolean json)
{
  GadgetEffectQuery query;
  Export *export;

  if (!_gadget_window_shows_ledger (self))
    return;
  query = gadget_ledger_page_get_query (self->ledger_page);
  export = g_new0 (Export, 1);
  export->window = g_object_ref (self);
  export->format = json ? GADGET_EFFECT_FORMAT_JSON : GADGET_EFFECT_FORMAT_CSV;
  gadget_effect_export_async (gadget_engine_get_store (self->engine), &query, export->format,
                              exported_cb, export);
}
