/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The kernel closes the files of a dead process, and a lease is a file that is open for writing. So
 * one inotify watch of the folder of leases (IN_CLOSE_WRITE) reports the end of every owner,
 * including one that was killed and one without a bus connection. Nothing polls, and no thread
 * waits.
 *
 * The kernel reports the close a moment before it releases the lock. Therefore a lease that is
 * still held is checked a few more times. A failed attempt to take a lease causes an event as well;
 * the checks then end without a signal. gadget_lease_is_held () opens the file for reading only, so
 * that checking causes no event. */

#define G_LOG_DOMAIN "gadget-lease"

#include "config.h"

#include "gadget-lease-watch.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <sys/inotify.h>
#include <unistd.h>

#define LOOK_AGAIN_MS 20
#define MAX_CHECKS 10
#define SUFFIX ".lock"

struct _GadgetLeaseWatch
{
  GObject parent_instance;

  char *directory;
  int fd; /* inotify descriptor; -1 if there is none */
  guint source;
  guint check_again;
  GHashTable *closing; /* (element-type utf8 guint): session ids, and how often they were checked */
};

enum
{
  ENDED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetLeaseWatch, gadget_lease_watch, G_TYPE_OBJECT)

/* Emits "ended" if the lease is not held. Returns TRUE if no further check is needed. */
static gboolean
look (GadgetLeaseWatch *self, const char *session_id, guint n_looks)
{
  if (gadget_lease_is_held (self->directory, session_id))
    return n_looks >= MAX_CHECKS;
  g_signal_emit (self, signals[ENDED], 0, session_id);
  return TRUE;
}

static gboolean
look_again_cb (gpointer user_data)
{
  g_autoptr (GadgetLeaseWatch) self = g_object_ref (user_data);
  g_autofree gpointer *ids = g_hash_table_get_keys_as_array (self->closing, NULL);

  for (guint i = 0; ids[i] != NULL; i++)
    {
      g_autofree char *id = g_strdup (ids[i]);
      const guint n_looks = GPOINTER_TO_UINT (g_hash_table_lookup (self->closing, id)) + 1;

      if (look (self, id, n_looks))
        g_hash_table_remove (self->closing, id);
      else
        g_hash_table_insert (self->closing, g_steal_pointer (&id), GUINT_TO_POINTER (n_looks));
    }
  if (g_hash_table_size (self->closing) > 0)
    return G_SOURCE_CONTINUE;
  self->check_again = 0;
  return G_SOURCE_REMOVE;
}

static void
handle_close (GadgetLeaseWatch *self, const char *name)
{
  g_autofree char *session_id = NULL;

  if (!g_str_has_suffix (name, SUFFIX))
    return;
  session_id = g_strndup (name, strlen (name) - strlen (SUFFIX));
  if (look (self, session_id, 0))
    return;
  g_hash_table_insert (self->closing, g_steal_pointer (&session_id), GUINT_TO_POINTER (0));
  if (self->check_again != 0)
    return;
  self->check_again = g_timeout_add (LOOK_AGAIN_MS, look_again_cb, self);
  g_source_set_name_by_id (self->check_again, "[gadget] look at a lease that was closed");
}

static gboolean
readable_cb (int fd, GIOCondition condition, gpointer user_data)
{
  g_autoptr (GadgetLeaseWatch) self = g_object_ref (user_data);
  char buffer[4096] __attribute__ ((aligned (__alignof__ (struct inotify_event))));
  const struct inotify_event *event;
  gssize n;

  while ((n = read (fd, buffer, sizeof buffer)) > 0)
    for (const char *at = buffer; at < buffer + n; at += sizeof *event + event->len)
      {
        event = (const struct inotify_event *) (gconstpointer) at;
        if (event->len > 0)
          handle_close (self, event->name);
      }
  return self->source != 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
start (GadgetLeaseWatch *self)
{
  g_autofree char *folder = g_build_filename (self->directory, "leases", NULL);

  self->fd = inotify_init1 (IN_NONBLOCK | IN_CLOEXEC);
  if (self->fd < 0 || g_mkdir_with_parents (folder, 0700) != 0
      || inotify_add_watch (self->fd, folder, IN_CLOSE_WRITE | IN_ONLYDIR) < 0)
    {
      /* Without the watch, the end of another process is noticed later: when a process writes. */
      g_info ("cannot watch %s: %s", folder, g_strerror (errno));
      return;
    }
  self->source = g_unix_fd_add (self->fd, G_IO_IN, readable_cb, self);
  g_source_set_name_by_id (self->source, "[gadget] ends of leases");
}

static void
gadget_lease_watch_dispose (GObject *object)
{
  GadgetLeaseWatch *self = GADGET_LEASE_WATCH (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_handle_id (&self->check_again, g_source_remove);

  G_OBJECT_CLASS (gadget_lease_watch_parent_class)->dispose (object);
}

static void
gadget_lease_watch_finalize (GObject *object)
{
  GadgetLeaseWatch *self = GADGET_LEASE_WATCH (object);

  g_clear_fd (&self->fd, NULL);
  g_hash_table_unref (self->closing);
  g_free (self->directory);

  G_OBJECT_CLASS (gadget_lease_watch_parent_class)->finalize (object);
}

static void
gadget_lease_watch_class_init (GadgetLeaseWatchClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gadget_lease_watch_dispose;
  object_class->finalize = gadget_lease_watch_finalize;

  signals[ENDED] = g_signal_new ("ended", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
gadget_lease_watch_init (GadgetLeaseWatch *self)
{
  self->fd = -1;
  self->closing = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

/**
 * gadget_lease_watch_new:
 * @directory: the data folder, see gadget_store_get_directory ()
 *
 * Returns: (transfer full): a watch, to be used on this main context only
 */
GadgetLeaseWatch *
gadget_lease_watch_new (const char *directory)
{
  GadgetLeaseWatch *self;

  g_return_val_if_fail (directory != NULL, NULL);

  self = g_object_new (GADGET_TYPE_LEASE_WATCH, NULL);
  self->directory = g_strdup (directory);
  start (self);
  return self;
}
