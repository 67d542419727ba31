/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The columns of a session, and what follows from their list: a row is taken from a session,
 * applied to one, read, written, compared and merged column by column.
 *
 * A column with a bit to keep is a setting, which more than one process may change. The property of
 * a setting has the name of its column. Columns with the same bit are one setting, like a provider
 * and its model. Recovery files contain the bits, so these never change.
 *
 * Other columns of the table are no part of the row: the draft and its attachments, see
 * gadget-store-drafts.c; the count of edits, see gadget-store-turns.c; and the import that made the
 * chat, see import/gadget-import-writer.c. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-rows.h"

/* How a session gives and takes the value of a column; the functions to set it may be NULL. */
typedef struct
{
  const char *(*get_text) (GadgetSession *session);
  void (*set_text) (GadgetSession *session, const char *text);
  gint64 (*get_number) (GadgetSession *session);
  void (*set_number) (GadgetSession *session, gint64 number);
  void (*apply) (GadgetSession *session, const GadgetSessionRow *row);
} Access;

static void
set_workspace (GadgetSession *session, const char *path)
{
  const gboolean absolute = path != NULL && g_path_is_absolute (path);

  gadget_session_set_workspace (session, absolute ? path : NULL);
}

static void
apply_model (GadgetSession *session, const GadgetSessionRow *row)
{
  gadget_session_set_model (session, row->provider, row->model);
}

static gint64
get_mode (GadgetSession *session)
{
  return gadget_session_get_mode (session);
}

static void
set_mode (GadgetSession *session, gint64 mode)
{
  gadget_session_set_mode (session, (GadgetMode) mode);
}

static gint64
get_pinned (GadgetSession *session)
{
  return gadget_session_get_pinned (session);
}

static void
set_pinned (GadgetSession *session, gint64 pinned)
{
  gadget_session_set_pinned (session, pinned != 0);
}

static gint64
get_archived (GadgetSession *session)
{
  return gadget_session_get_archived (session);
}

static void
set_archived (GadgetSession *session, gint64 archived)
{
  gadget_session_set_archived (session, archived != 0);
}

static gint64
get_unread (GadgetSession *session)
{
  return gadget_session_get_unread (session);
}

static void
set_unread (GadgetSession *session, gint64 unread)
{
  gadget_session_set_unread (session, unread != 0);
}

static gint64
get_queue_paused (GadgetSession *session)
{
  return gadget_session_get_queue_paused (session);
}

GADGET_STORE_DEFINE_WORDS (GadgetMode, gadget_mode);

/* clang-format off */
#define COLUMN(member) GADGET_STORE_COLUMN (GadgetSessionRow, member)
#define TEXT(get, set) .access = &(const Access) { .get_text = get, .set_text = set }
#define NUMBER(get, set) .access = &(const Access) { .get_number = get, .set_number = set }

static const GadgetStoreColumn columns[] = {
  { COLUMN (id), .flags = GADGET_STORE_IMMUTABLE | GADGET_STORE_NOT_BRANCHED,
    TEXT (gadget_session_get_id, NULL) },

  { COLUMN (parent), .flags = GADGET_STORE_IMMUTABLE | GADGET_STORE_NOT_BRANCHED,
    .read = "(SELECT id FROM session AS above WHERE above.number = session.parent)",
    .write = "(SELECT number FROM session WHERE id = ?)",
    TEXT (gadget_session_get_parent_id, gadget_session_set_parent_id) },

  { COLUMN (title), .flags = GADGET_STORE_NOT_BRANCHED, .setting_bit = 1 << 0,
    TEXT (gadget_session_get_title, gadget_session_set_title) },

  { COLUMN (workspace), .setting_bit = 1 << 1,
    TEXT (gadget_session_get_workspace, set_workspace) },

  { COLUMN (provider), .setting_bit = 1 << 2,
    TEXT (gadget_session_get_provider, NULL) },

  { COLUMN (model), .setting_bit = 1 << 2,
    .access = &(const Access) { .get_text = gadget_session_get_model, .apply = apply_model } },

  { COLUMN (mode), .setting_bit = 1 << 3, .words = &gadget_mode_words,
    NUMBER (get_mode, set_mode) },

  { COLUMN (pinned), .flags = GADGET_STORE_NOT_BRANCHED, .setting_bit = 1 << 4,
    NUMBER (get_pinned, set_pinned) },

  { COLUMN (archived), .flags = GADGET_STORE_NOT_BRANCHED, .setting_bit = 1 << 5,
    NUMBER (get_archived, set_archived) },

  { COLUMN (unread), .flags = GADGET_STORE_NOT_BRANCHED, .setting_bit = 1 << 6,
    NUMBER (get_unread, set_unread) },

  { COLUMN (chat_folder), .setting_bit = 1 << 7,
    TEXT (gadget_session_get_chat_folder, gadget_session_set_chat_folder) },

  { COLUMN (origin), .flags = GADGET_STORE_IMMUTABLE | GADGET_STORE_NOT_BRANCHED,
    TEXT (gadget_session_get_origin_id, gadget_session_set_origin_id) },

  { COLUMN (origin_turn), .flags = GADGET_STORE_IMMUTABLE | GADGET_STORE_NOT_BRANCHED,
    TEXT (gadget_session_get_origin_turn_id, gadget_session_set_origin_turn_id) },

  { COLUMN (created_at), .flags = GADGET_STORE_IMMUTABLE | GADGET_STORE_NOT_BRANCHED,
    NUMBER (gadget_session_get_created_at, gadget_session_set_created_at) },

  { COLUMN (updated_at), .flags = GADGET_STORE_GREATEST | GADGET_STORE_NOT_BRANCHED,
    NUMBER (gadget_session_get_updated_at, gadget_session_set_updated_at) },

  /* The queue of a session that was loaded is paused unless it is empty, whatever is stored. */
  { COLUMN (queue_paused), .flags = GADGET_STORE_NOT_BRANCHED,
    NUMBER (get_queue_paused, NULL) },
};
/* clang-format on */

const GadgetStoreTable _gadget_session_table = { "session", columns, G_N_ELEMENTS (columns) };

/* --- Settings --------------------------------------------------------------------------------- */

GadgetSessionSettings
_gadget_session_get_all_settings (void)
{
  GadgetSessionSettings all = 0;

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    all |= columns[i].setting_bit;
  return all;
}

GadgetSessionSettings
_gadget_session_find_setting (const char *property)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      g_autofree char *name = g_strdelimit (g_strdup (columns[i].name), "_", '-');

      if (g_str_equal (name, property))
        return columns[i].setting_bit;
    }
  return 0;
}

GadgetSessionSettings
_gadget_session_row_compare (const GadgetSessionRow *a, const GadgetSessionRow *b)
{
  GadgetSessionSettings changed = 0;

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (!_gadget_store_column_equal (&columns[i], a, b))
      changed |= columns[i].setting_bit;
  return changed;
}

void
_gadget_session_row_replace (GadgetSessionRow *to, const GadgetSessionRow *from,
                             GadgetSessionSettings which)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if ((columns[i].setting_bit & which) != 0)
      _gadget_store_column_copy (&columns[i], to, from);
}

/* --- From and to a session -------------------------------------------------------------------- */

void
_gadget_session_row_copy_columns (GadgetSessionRow *self, GadgetSession *session)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      const Access *access = columns[i].access;

      if (access->get_text != NULL)
        G_STRUCT_MEMBER (char *, self, columns[i].offset) = g_strdup (access->get_text (session));
      else
        _gadget_store_column_set_number (&columns[i], self, access->get_number (session));
    }
}

static void
apply (const GadgetSessionRow *self, GadgetSession *session, const GadgetStoreColumn *column)
{
  const Access *access = column->access;

  if (access->set_text != NULL)
    access->set_text (session, G_STRUCT_MEMBER (const char *, self, column->offset));
  else if (access->set_number != NULL)
    access->set_number (session, _gadget_store_column_get_number (column, self));
  else if (access->apply != NULL)
    access->apply (session, self);
}

void
_gadget_session_row_apply (const GadgetSessionRow *self, GadgetSession *session)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    apply (self, session, &columns[i]);
}

void
_gadget_session_row_apply_settings (const GadgetSessionRow *self, GadgetSession *session)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (columns[i].setting_bit != 0)
      apply (self, session, &columns[i]);
}
