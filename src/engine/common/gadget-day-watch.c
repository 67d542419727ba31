/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GLib's timeouts stand still while the computer sleeps and do not follow the calendar. This watch
 * uses a kernel timer on the real-time clock, which does both, and which also fires when that clock
 * is set, as happens on wake-up. */

#define G_LOG_DOMAIN "gadget-day-watch"

#include "config.h"

#include "gadget-day-watch.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <sys/timerfd.h>
#include <unistd.h>

struct _GadgetDayWatch
{
  GObject parent_instance;

  int fd; /* the timer; -1 when it could not be created */
  guint source;
  GFileMonitor *zone; /* monitors /etc/localtime (nullable) */
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetDayWatch, gadget_day_watch, G_TYPE_OBJECT)

static gint64
get_next_midnight (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GDateTime) tomorrow = g_date_time_add_days (now, 1);
  g_autoptr (GDateTime) midnight =
      g_date_time_new_local (g_date_time_get_year (tomorrow), g_date_time_get_month (tomorrow),
                             g_date_time_get_day_of_month (tomorrow), 0, 0, 0);

  /* Some time zones have days without a midnight. */
  return g_date_time_to_unix (midnight != NULL ? midnight : tomorrow);
}

static void
changed (GadgetDayWatch *self)
{
  gadget_day_watch_arm (self, get_next_midnight ());
  g_signal_emit (self, signals[CHANGED], 0);
}

static gboolean
readable_cb (int fd, GIOCondition condition, gpointer user_data)
{
  guint64 n;

  /* read () fails with ECANCELED when the clock was set. */
  if (read (fd, &n, sizeof n) > 0 || errno == ECANCELED)
    changed (user_data);
  return G_SOURCE_CONTINUE;
}

static void
gadget_day_watch_finalize (GObject *object)
{
  GadgetDayWatch *self = GADGET_DAY_WATCH (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_fd (&self->fd, NULL);
  g_clear_object (&self->zone);

  G_OBJECT_CLASS (gadget_day_watch_parent_class)->finalize (object);
}

static void
gadget_day_watch_class_init (GadgetDayWatchClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_day_watch_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_day_watch_init (GadgetDayWatch *self)
{
  g_autoptr (GFile) zone = g_file_new_for_path ("/etc/localtime");

  self->fd = timerfd_create (CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (self->fd >= 0)
    self->source = g_unix_fd_add (self->fd, G_IO_IN, readable_cb, self);
  self->zone = g_file_monitor_file (zone, G_FILE_MONITOR_NONE, NULL, NULL);
  if (self->zone != NULL)
    g_signal_connect_object (self->zone, "changed", G_CALLBACK (changed), self, G_CONNECT_SWAPPED);
  gadget_day_watch_arm (self, get_next_midnight ());
}

GadgetDayWatch *
gadget_day_watch_new (void)
{
  return g_object_new (GADGET_TYPE_DAY_WATCH, NULL);
}

/**
 * gadget_day_watch_get_default:
 *
 * Returns: (transfer none): the watch that the whole program shares
 */
GadgetDayWatch *
gadget_day_watch_get_default (void)
{
  static GadgetDayWatch *watch;

  if (watch == NULL)
    watch = gadget_day_watch_new ();
  return watch;
}

/* Sets the time, in seconds since 1970, at which "changed" is emitted next instead of at
 * midnight. */
void
gadget_day_watch_arm (GadgetDayWatch *self, gint64 unix_s)
{
  const struct itimerspec when = { .it_value.tv_sec = unix_s };

  g_return_if_fail (GADGET_IS_DAY_WATCH (self));
  if (self->fd >= 0)
    timerfd_settime (self->fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &when, NULL);
}
