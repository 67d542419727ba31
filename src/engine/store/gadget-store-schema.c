/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The schema is a list of steps. Step n turns version n - 1 into version n, and PRAGMA user_version
 * holds n. A released step is never edited: a change is a new step, and the test opens a database
 * of every version there has been.
 *
 *   session  one chat; "queued" holds its waiting messages. A session with a "parent" belongs to a
 *            subagent: no list shows it, it works under the lease of its topmost ancestor, and it
 *            is deleted with its parent
 *   turn     a prompt and its end; "position" counts from 0 within the session and includes the
 *            turns that were removed from it: see gadget-store-turns.c
 *   item     the parts of a turn, in order; "text" and "arguments" are complete once the item is
 *            settled
 *   run      the id under which other programs know the run of a turn
 *   picture  a picture of an item's result; written once, together with the result
 *   attachment  the bytes of pictures attached to messages; the JSON of the messages refers to them
 *            by id
 *   rule     allows or denies actions without asking: see session/gadget-rule.h
 *   chat_folder  a folder of chats, which may be in another one that is in none
 *   search, search_pending, search_build  the index of the search over all chats: see
 *            search/gadget-chat-search-index.c
 *   import   one import of chats from files; until it ends its chats are hidden, see
 *            import/gadget-import.c. "import" of a chat, a turn or a folder of chats is the import
 *            that added it
 *   usage    one request to a model, which stays when its chat is deleted: "session" and "turn" are
 *            ids without a reference
 *   deleted_session  the ids of deleted sessions; a trigger refuses to store them again
 *   piece    text and arguments of items that still grow: "data" belongs at byte "offset" of
 *            "field". Writing a piece costs its own length, however long the item is, and writing
 *            it twice changes nothing. Sealing an item folds its pieces into its row. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-sql.h"
#include "gadget-store-schema.h"

/* "Gdgt": distinguishes a file of Gadget's from any other SQLite database. */
#define DATABASE_ID 0x47646774

static const char *const steps[] = {
  "CREATE TABLE session ("
  "  number INTEGER PRIMARY KEY,"
  "  id TEXT NOT NULL UNIQUE,"
  "  title TEXT,"
  "  workspace TEXT,"
  "  provider TEXT,"
  "  model TEXT,"
  "  created_at INTEGER NOT NULL,"
  "  updated_at INTEGER NOT NULL,"
  "  queue_paused INTEGER NOT NULL DEFAULT 0,"
  "  draft TEXT NOT NULL DEFAULT ''"
  ") STRICT;"
  "CREATE INDEX session_updated ON session (updated_at);"
  "CREATE TABLE queued ("
  "  session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,"
  "  position INTEGER NOT NULL,"
  "  text TEXT NOT NULL,"
  "  PRIMARY KEY (session, position)"
  ") STRICT, WITHOUT ROWID;"
  "CREATE TABLE turn ("
  "  number INTEGER PRIMARY KEY,"
  "  id TEXT NOT NULL UNIQUE,"
  "  session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,"
  "  position INTEGER NOT NULL,"
  "  prompt TEXT NOT NULL,"
  "  status TEXT NOT NULL,"
  "  stop_reason TEXT NOT NULL,"
  "  error_code TEXT,"
  "  error_detail TEXT,"
  "  provider TEXT,"
  "  model TEXT,"
  "  started_at INTEGER NOT NULL,"
  "  ended_at INTEGER NOT NULL,"
  "  changed_at INTEGER NOT NULL,"
  "  input_tokens INTEGER NOT NULL,"
  "  output_tokens INTEGER NOT NULL,"
  "  usage_estimated INTEGER NOT NULL,"
  "  receipt TEXT,"
  "  UNIQUE (session, position)"
  ") STRICT;"
  "CREATE INDEX turn_processing ON turn (session) WHERE status = 'processing';"
  "CREATE TABLE item ("
  "  number INTEGER PRIMARY KEY,"
  "  turn INTEGER NOT NULL REFERENCES turn (number) ON DELETE CASCADE,"
  "  position INTEGER NOT NULL,"
  "  kind TEXT NOT NULL,"
  "  status TEXT NOT NULL,"
  "  step INTEGER NOT NULL,"
  "  text TEXT NOT NULL DEFAULT '',"
  "  call_id TEXT,"
  "  name TEXT,"
  "  arguments TEXT NOT NULL DEFAULT '',"
  "  result TEXT,"
  "  summary TEXT,"
  "  started_at INTEGER NOT NULL,"
  "  ended_at INTEGER NOT NULL,"
  "  UNIQUE (turn, position)"
  ") STRICT;"
  "CREATE TABLE piece ("
  "  turn INTEGER NOT NULL REFERENCES turn (number) ON DELETE CASCADE,"
  "  position INTEGER NOT NULL,"
  "  field TEXT NOT NULL,"
  "  offset INTEGER NOT NULL,"
  "  data TEXT NOT NULL,"
  "  PRIMARY KEY (turn, position, field, offset)"
  ") STRICT, WITHOUT ROWID;"
  "CREATE TABLE provider ("
  "  id TEXT NOT NULL PRIMARY KEY,"
  "  name TEXT NOT NULL,"
  "  kind TEXT NOT NULL,"
  "  base_url TEXT,"
  "  model TEXT,"
  "  position INTEGER NOT NULL"
  ") STRICT, WITHOUT ROWID;"
  "CREATE TABLE setting ("
  "  key TEXT NOT NULL PRIMARY KEY,"
  "  value TEXT NOT NULL"
  ") STRICT, WITHOUT ROWID;",

  /* Opaque data that providers want sent back; the sessions of subagents; files attached to a
   * prompt. */
  "ALTER TABLE item ADD COLUMN replay_source TEXT;"
  "ALTER TABLE item ADD COLUMN replay TEXT;"
  "ALTER TABLE session ADD COLUMN parent INTEGER REFERENCES session (number) ON DELETE CASCADE;"
  "CREATE INDEX session_parent ON session (parent) WHERE parent IS NOT NULL;"
  "CREATE TABLE attachment ("
  "  turn INTEGER NOT NULL REFERENCES turn (number) ON DELETE CASCADE,"
  "  position INTEGER NOT NULL,"
  "  name TEXT NOT NULL,"
  "  mime_type TEXT NOT NULL,"
  "  data BLOB NOT NULL,"
  "  PRIMARY KEY (turn, position)"
  ") STRICT, WITHOUT ROWID;",

  /* The subagent that a call started: the ids of its session and of the turn in that session. These
   * are no foreign keys, since the item is written before them. */
  ("ALTER TABLE item ADD COLUMN child TEXT;"
   "ALTER TABLE item ADD COLUMN child_turn TEXT;"),

  /* Effects of turns outside the chat, and the states of files before and after them; see
   * gadget-store-effects.c and gadget-store-changes.c. */
  ("CREATE TABLE effect ("
   "  number INTEGER PRIMARY KEY,"
   "  turn INTEGER NOT NULL REFERENCES turn (number) ON DELETE CASCADE,"
   "  owner TEXT NOT NULL,"
   "  call_turn TEXT NOT NULL,"
   "  call_id TEXT,"
   "  kind TEXT NOT NULL,"
   "  subject TEXT NOT NULL,"
   "  detail TEXT,"
   "  root TEXT,"
   "  started_at INTEGER NOT NULL,"
   "  ended_at INTEGER NOT NULL DEFAULT 0,"
   "  outcome TEXT,"
   "  recording TEXT NOT NULL,"
   "  skipped TEXT"
   ") STRICT;"
   "CREATE INDEX effect_turn ON effect (turn);"
   "CREATE INDEX effect_open ON effect (owner) WHERE outcome IS NULL OR recording = 'pending';"
   "CREATE TABLE change ("
   "  number INTEGER PRIMARY KEY,"
   "  effect INTEGER NOT NULL REFERENCES effect (number) ON DELETE CASCADE,"
   "  path BLOB NOT NULL,"
   "  old_type TEXT NOT NULL,"
   "  old_mode INTEGER NOT NULL,"
   "  old_size INTEGER NOT NULL,"
   "  old_mtime INTEGER NOT NULL,"
   "  old_hash BLOB,"
   "  new_type TEXT NOT NULL,"
   "  new_mode INTEGER NOT NULL,"
   "  new_size INTEGER NOT NULL,"
   "  new_mtime INTEGER NOT NULL,"
   "  new_hash BLOB"
   ") STRICT;"
   "CREATE INDEX change_effect ON change (effect);"
   /* The permission mode of each chat, and permission rules. The rules of a chat are deleted with
    * it. */
   "ALTER TABLE session ADD COLUMN mode TEXT NOT NULL DEFAULT 'ask';"
   "CREATE TABLE rule ("
   "  number INTEGER PRIMARY KEY,"
   "  id TEXT NOT NULL UNIQUE,"
   "  kind TEXT NOT NULL,"
   "  subject TEXT NOT NULL,"
   "  exact INTEGER NOT NULL,"
   "  deny INTEGER NOT NULL,"
   "  unconfined INTEGER NOT NULL,"
   "  scope TEXT NOT NULL,"
   "  session TEXT REFERENCES session (id) ON DELETE CASCADE,"
   "  workspace TEXT,"
   "  origin TEXT NOT NULL,"
   "  made_at INTEGER NOT NULL,"
   "  used_at INTEGER NOT NULL"
   ") STRICT;"
   "CREATE INDEX rule_session ON rule (session) WHERE session IS NOT NULL;"
   /* Pictures that tools returned. The bytes are the last column, so that the others are read
    * without them. */
   "CREATE TABLE picture ("
   "  number INTEGER PRIMARY KEY,"
   "  id TEXT NOT NULL UNIQUE,"
   "  turn INTEGER NOT NULL,"
   "  item INTEGER NOT NULL,"
   "  position INTEGER NOT NULL,"
   "  name TEXT,"
   "  mime_type TEXT NOT NULL,"
   "  width INTEGER NOT NULL,"
   "  height INTEGER NOT NULL,"
   "  data BLOB NOT NULL,"
   "  UNIQUE (turn, item, position),"
   "  FOREIGN KEY (turn, item) REFERENCES item (turn, position) ON DELETE CASCADE"
   ") STRICT;"
   /* MCP servers; see gadget-store-mcp.c. */
   "CREATE TABLE mcp_server ("
   "  id TEXT NOT NULL PRIMARY KEY,"
   "  config TEXT NOT NULL,"
   "  enabled INTEGER NOT NULL,"
   "  tools TEXT,"
   "  position INTEGER NOT NULL"
   ") STRICT, WITHOUT ROWID;"),

  /* The times at which snapshots read the files (microseconds since 1970), since effects may
   * overlap. For older changes the start and the end of the effect are the best approximation. */
  ("ALTER TABLE change ADD COLUMN old_seen_begin INTEGER NOT NULL DEFAULT 0;"
   "ALTER TABLE change ADD COLUMN old_seen_end INTEGER NOT NULL DEFAULT 0;"
   "ALTER TABLE change ADD COLUMN new_seen_begin INTEGER NOT NULL DEFAULT 0;"
   "ALTER TABLE change ADD COLUMN new_seen_end INTEGER NOT NULL DEFAULT 0;"
   "UPDATE change SET (old_seen_begin, old_seen_end, new_seen_begin, new_seen_end) ="
   " (SELECT started_at * 1000, started_at * 1000, max (started_at, ended_at) * 1000,"
   " max (started_at, ended_at) * 1000 FROM effect WHERE effect.number = change.effect);"
   /* "network" tells whether a command could use the network; NULL if unknown. */
   "ALTER TABLE effect ADD COLUMN network INTEGER;"),

  /* Owners, attributes and hard links of files, which earlier versions stored. Nothing uses them
   * now. */
  ("ALTER TABLE change ADD COLUMN old_uid INTEGER;"
   "ALTER TABLE change ADD COLUMN old_gid INTEGER;"
   "ALTER TABLE change ADD COLUMN old_attributes BLOB;"
   "ALTER TABLE change ADD COLUMN old_inode INTEGER;"
   "ALTER TABLE change ADD COLUMN old_links INTEGER;"
   "ALTER TABLE change ADD COLUMN new_uid INTEGER;"
   "ALTER TABLE change ADD COLUMN new_gid INTEGER;"
   "ALTER TABLE change ADD COLUMN new_attributes BLOB;"
   "ALTER TABLE change ADD COLUMN new_inode INTEGER;"
   "ALTER TABLE change ADD COLUMN new_links INTEGER;"),

  /* Turns that were removed from their chat: the time, and the id of the turn that replaced them.
   * Turns with the same time were removed together. "edits" counts the removals and restorations of
   * a chat. */
  ("ALTER TABLE turn ADD COLUMN removed_at INTEGER;"
   "ALTER TABLE turn ADD COLUMN replaced_by TEXT;"
   "CREATE INDEX turn_removed ON turn (session, removed_at) WHERE removed_at IS NOT NULL;"
   "ALTER TABLE session ADD COLUMN edits INTEGER NOT NULL DEFAULT 0;"),
  /* Attachments of messages. An earlier table for the files of turns was never used. Attachments
   * now move from the draft through the queue into a turn; see gadget-store-attachments.c. */
  ("DROP TABLE attachment;"
   "CREATE TABLE attachment ("
   "  number INTEGER PRIMARY KEY,"
   "  id TEXT NOT NULL UNIQUE,"
   "  session INTEGER REFERENCES session (number) ON DELETE CASCADE,"
   "  kept INTEGER NOT NULL DEFAULT 0,"
   "  made_at INTEGER NOT NULL,"
   "  data BLOB NOT NULL"
   ") STRICT;"
   "CREATE INDEX attachment_session ON attachment (session);"
   "CREATE INDEX attachment_loose ON attachment (made_at) WHERE kept = 0;"
   "ALTER TABLE turn ADD COLUMN attachments TEXT;"
   "ALTER TABLE item ADD COLUMN attachments TEXT;"
   "ALTER TABLE queued ADD COLUMN attachments TEXT;"
   "ALTER TABLE session ADD COLUMN draft_attachments TEXT;"),

  /* The id under which other programs know the run of a turn. */
  ("CREATE TABLE run ("
   "  id TEXT NOT NULL PRIMARY KEY,"
   "  turn INTEGER NOT NULL REFERENCES turn (number) ON DELETE CASCADE"
   ") STRICT, WITHOUT ROWID;"
   "CREATE INDEX run_turn ON run (turn);"
   /* "shared" tells whether another turn may have made the change. Earlier versions stored in
    * "ready_at" and "over_at" when a command ran; nothing uses them now. */
   "ALTER TABLE change ADD COLUMN shared INTEGER NOT NULL DEFAULT 0;"
   "ALTER TABLE effect ADD COLUMN ready_at INTEGER;"
   "ALTER TABLE effect ADD COLUMN over_at INTEGER;"
   "CREATE INDEX effect_ended ON effect (kind, ended_at);"),

  /* The cost of a turn, as far as the provider reported it, in billionths of a US dollar. */
  ("ALTER TABLE turn ADD COLUMN cost INTEGER NOT NULL DEFAULT 0;"),

  /* The ids of deleted sessions. No session is ever stored under one of them again, whichever
   * process still has it in memory; see gadget-store-deletion.c. */
  ("CREATE TABLE deleted_session ("
   "  id TEXT NOT NULL PRIMARY KEY"
   ") STRICT, WITHOUT ROWID;"
   "CREATE TRIGGER session_stays_deleted BEFORE INSERT ON session"
   " WHEN EXISTS (SELECT 1 FROM deleted_session WHERE id = NEW.id)"
   " BEGIN SELECT raise (ABORT, '" GADGET_SQL_SESSION_DELETED "'); END;"
   /* A fingerprint of an MCP tool's definition at the time it was allowed. It is unknown for
    * existing rules, so these stop allowing anything and the user is asked about the tools once
    * again. */
   "ALTER TABLE rule ADD COLUMN fingerprint TEXT;"
   "UPDATE rule SET fingerprint = '' WHERE kind = 'mcp' AND exact AND NOT deny;"
   /* The address that a provider's key in the keyring is bound to: '' if there is no key, NULL if
    * the address is unknown. */
   "ALTER TABLE provider ADD COLUMN key_origin TEXT;"),

  /* The summary of a call as language-independent JSON, see gadget-call-summary.c. The summaries of
   * earlier calls stay in "summary", in the language of their time. */
  ("ALTER TABLE item ADD COLUMN call_summary TEXT;"
   /* The headers of a provider as JSON, without their secret values; NULL if there are none. */
   "ALTER TABLE provider ADD COLUMN headers TEXT;"),

  /* The place of a chat in the list, and the folders of chats: see session/gadget-session.h and
   * gadget-store-folders.c. "origin" and "origin_turn" are the ids of the session and the turn that
   * a branch comes from. */
  ("ALTER TABLE session ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;"
   "ALTER TABLE session ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;"
   "ALTER TABLE session ADD COLUMN unread INTEGER NOT NULL DEFAULT 0;"
   "ALTER TABLE session ADD COLUMN chat_folder TEXT;"
   "ALTER TABLE session ADD COLUMN origin TEXT;"
   "ALTER TABLE session ADD COLUMN origin_turn TEXT;"
   "CREATE TABLE chat_folder ("
   "  id TEXT NOT NULL PRIMARY KEY,"
   "  name TEXT NOT NULL,"
   "  parent TEXT"
   ") STRICT, WITHOUT ROWID;"),

  /* The index of all texts; see search/gadget-chat-search-index.c, also for what the numbers are.
   * The turns that are there are indexed after the migration. */
  ("CREATE VIRTUAL TABLE search USING fts5 (text, content = '', contentless_delete = 1,"
   " detail = none, tokenize = 'unicode61 remove_diacritics 2');"
   "CREATE TABLE search_pending ("
   "  number INTEGER PRIMARY KEY"
   ") STRICT;"
   "CREATE TABLE search_build ("
   "  next INTEGER NOT NULL"
   ") STRICT;"
   "INSERT INTO search_build (next) SELECT coalesce (max (number), 0) FROM turn;"
   "CREATE INDEX turn_search ON turn (session, started_at) WHERE removed_at IS NULL;"
   "CREATE TRIGGER search_new_turn AFTER INSERT ON turn"
   " BEGIN INSERT OR IGNORE INTO search_pending (number) VALUES (NEW.number * 65536); END;"
   "CREATE TRIGGER search_changed_turn AFTER UPDATE OF prompt, attachments ON turn"
   " WHEN OLD.prompt IS NOT NEW.prompt OR OLD.attachments IS NOT NEW.attachments"
   " BEGIN INSERT OR IGNORE INTO search_pending (number) VALUES (NEW.number * 65536); END;"
   "CREATE TRIGGER search_deleted_turn AFTER DELETE ON turn"
   " BEGIN INSERT OR IGNORE INTO search_pending (number) VALUES (OLD.number * 65536); END;"
   "CREATE TRIGGER search_new_item AFTER INSERT ON item"
   " WHEN NEW.status NOT IN ('streaming', 'pending', 'running') AND NEW.position < 16382"
   " BEGIN INSERT OR IGNORE INTO search_pending (number)"
   "  VALUES (NEW.turn * 65536 + (NEW.position + 1) * 4); END;"
   "CREATE TRIGGER search_changed_item"
   " AFTER UPDATE OF status, text, name, arguments, result, attachments ON item"
   " WHEN NEW.status NOT IN ('streaming', 'pending', 'running') AND NEW.position < 16382"
   "  AND (OLD.status IN ('streaming', 'pending', 'running') OR OLD.text IS NOT NEW.text"
   "   OR OLD.name IS NOT NEW.name OR OLD.arguments IS NOT NEW.arguments"
   "   OR OLD.result IS NOT NEW.result OR OLD.attachments IS NOT NEW.attachments)"
   " BEGIN INSERT OR IGNORE INTO search_pending (number)"
   "  VALUES (NEW.turn * 65536 + (NEW.position + 1) * 4); END;"
   "CREATE TRIGGER search_deleted_item AFTER DELETE ON item WHEN OLD.position < 16382"
   " BEGIN INSERT OR IGNORE INTO search_pending (number)"
   "  VALUES (OLD.turn * 65536 + (OLD.position + 1) * 4); END;"),

  /* Imports of chats; "ended_at" is NULL as long as one goes on. The numbers in other tables are no
   * foreign keys, since they stay when an import is forgotten. */
  ("CREATE TABLE import ("
   "  number INTEGER PRIMARY KEY,"
   "  name TEXT NOT NULL,"
   "  started_at INTEGER NOT NULL,"
   "  ended_at INTEGER"
   ") STRICT;"
   "ALTER TABLE session ADD COLUMN import INTEGER;"
   "ALTER TABLE turn ADD COLUMN import INTEGER;"
   "ALTER TABLE chat_folder ADD COLUMN import INTEGER;"
   "CREATE INDEX session_import ON session (import) WHERE import IS NOT NULL;"
   "CREATE INDEX turn_import ON turn (import) WHERE import IS NOT NULL;"),

  /* Requests to models; see usage/gadget-store-usage.c. Each turn that is there becomes one. It
   * counts its subagents already, and its copies in branches have its times and tokens. */
  ("CREATE TABLE usage ("
   "  id INTEGER PRIMARY KEY,"
   "  at INTEGER NOT NULL,"
   "  ms INTEGER,"
   "  session TEXT,"
   "  turn TEXT,"
   "  provider TEXT,"
   "  base_url TEXT,"
   "  model TEXT,"
   "  purpose TEXT NOT NULL,"
   "  input_tokens INTEGER NOT NULL,"
   "  cached_tokens INTEGER,"
   "  cache_write_tokens INTEGER,"
   "  output_tokens INTEGER NOT NULL,"
   "  reasoning_tokens INTEGER,"
   "  cost INTEGER,"
   "  estimated INTEGER NOT NULL"
   ") STRICT;"
   "CREATE INDEX usage_at ON usage (at);"
   "INSERT INTO usage SELECT min (turn.number), max (started_at, ended_at), NULL, session.id,"
   " turn.id, turn.provider, (SELECT base_url FROM provider WHERE provider.id = turn.provider),"
   " turn.model, 'reply', input_tokens, NULL, NULL, output_tokens, NULL,"
   " nullif (cost, 0), usage_estimated"
   " FROM turn JOIN session ON session.number = turn.session"
   " WHERE session.parent IS NULL AND turn.import IS NULL AND turn.provider IS NOT 'guide'"
   " AND input_tokens + output_tokens > 0"
   " GROUP BY started_at, ended_at, turn.provider, turn.model, input_tokens, output_tokens;"),

  /* The list of all effects, newest first, and whether one was undone; see gadget-effect-query.c.
   */
  ("CREATE INDEX effect_started ON effect (started_at);"
   "CREATE INDEX effect_reversed ON effect (turn) WHERE kind IN ('undo', 'redo');"),
};

guint
_gadget_store_schema_get_version (void)
{
  return G_N_ELEMENTS (steps);
}

static gboolean
check_owner (sqlite3 *db, gint64 version, GError **error)
{
  gint64 application_id;
  gint64 n_tables;

  if (!_gadget_sql_get_int (db, "PRAGMA application_id", &application_id, error)
      || !_gadget_sql_get_int (db, "SELECT count(*) FROM sqlite_schema", &n_tables, error))
    return FALSE;
  if (application_id == DATABASE_ID || (version == 0 && n_tables == 0))
    return TRUE;
  g_set_error_literal (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT,
                       "the file is another program's database");
  return FALSE;
}

/* Reads the version, which this Gadget can use or migrate. */
static gboolean
read_version (sqlite3 *db, gint64 *version, GError **error)
{
  if (!_gadget_sql_get_int (db, "PRAGMA user_version", version, error)
      || !check_owner (db, *version, error))
    return FALSE;
  if (*version <= (gint64) G_N_ELEMENTS (steps))
    return TRUE;
  g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NEWER,
               "the database has version %" G_GINT64_FORMAT ", this Gadget knows up to %u",
               *version, (guint) G_N_ELEMENTS (steps));
  return FALSE;
}

gboolean
_gadget_store_schema_check (sqlite3 *db, GError **error)
{
  gint64 version;

  return read_version (db, &version, error);
}

guint
_gadget_store_schema_get_old_version (sqlite3 *db)
{
  gint64 version;

  return read_version (db, &version, NULL) && version < (gint64) G_N_ELEMENTS (steps)
             ? (guint) version
             : 0;
}

static gboolean
migrate (sqlite3 *db, gpointer data, GError **error)
{
  gint64 version;

  if (!read_version (db, &version, error))
    return FALSE;
  if (version == (gint64) G_N_ELEMENTS (steps))
    return TRUE;

  for (gsize i = (gsize) MAX (version, 0); i < G_N_ELEMENTS (steps); i++)
    if (!_gadget_sql_exec (db, steps[i], error))
      return FALSE;

  g_autofree char *sql = g_strdup_printf ("PRAGMA application_id = %d; PRAGMA user_version = %u",
                                          DATABASE_ID, (guint) G_N_ELEMENTS (steps));

  return _gadget_sql_exec (db, sql, error);
}

gboolean
_gadget_store_schema_migrate (sqlite3 *db, GError **error)
{
  return _gadget_sql_transaction (db, migrate, NULL, error);
}
