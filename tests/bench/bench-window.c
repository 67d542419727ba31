/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The first frame is seen as a person sees it, on the screen: the program's window has been mapped,
 * the damage extension says that it was drawn to, and the pixel in its middle is no longer the
 * black of the empty screen. The clock starts before the fork, so that the figure has all of it:
 * loading, linking, initialising, measuring, drawing, and the display server's own work. */

#include "config.h"

#include "bench-window.h"

#include <X11/Xutil.h>
#include <X11/extensions/Xdamage.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#define SMALLEST 300 /* pixels; smaller windows are helpers */
#define FRAME_MS 20000
#define END_MS 5000

struct _BenchWindow
{
  const char *program;
  Display *display;
  int damage_event;
  Window window;
  Damage damage;
  GPid pid;
  gint64 began_us;
};

void
bench_fail (const char *format, ...)
{
  va_list args;

  fputs ("bench: ", stderr);
  va_start (args, format);
  vfprintf (stderr, format, args);
  va_end (args);
  fputc ('\n', stderr);
  exit (2);
}

/* A window can go between its event and what is asked about it. */
static int
ignore_error (Display *display, XErrorEvent *event)
{
  return 0;
}

static gboolean
has_drawn (BenchWindow *self)
{
  XWindowAttributes attributes;
  XImage *image;
  gboolean drawn;

  if (!XGetWindowAttributes (self->display, self->window, &attributes))
    return FALSE;
  image = XGetImage (self->display, self->window, attributes.width / 2, attributes.height / 2, 1, 1,
                     AllPlanes, ZPixmap);
  if (image == NULL)
    return FALSE;
  drawn = (XGetPixel (image, 0, 0) & 0xffffff) != 0;
  XDestroyImage (image);
  return drawn;
}

static void
take_mapped (BenchWindow *self, Window window)
{
  XWindowAttributes attributes;

  if (self->window != None || !XGetWindowAttributes (self->display, window, &attributes)
      || attributes.override_redirect || attributes.width < SMALLEST)
    return;
  self->window = window;
  self->damage = XDamageCreate (self->display, window, XDamageReportNonEmpty);
}

/* Takes what the display server says. TRUE if something may be on the screen now. */
static gboolean
take_events (BenchWindow *self)
{
  gboolean look = FALSE;

  while (XPending (self->display) > 0)
    {
      XEvent event;

      XNextEvent (self->display, &event);
      if (event.type == MapNotify && self->window == None)
        {
          take_mapped (self, event.xmap.window);
          look = TRUE;
        }
      else if (event.type == self->damage_event)
        {
          XDamageSubtract (self->display, self->damage, None, None);
          look = TRUE;
        }
    }
  return look && self->window != None;
}

static void
check_alive (BenchWindow *self)
{
  int status;

  if (waitpid (self->pid, &status, WNOHANG) == 0)
    return;
  self->pid = 0;
  if (WIFSIGNALED (status))
    bench_fail ("%s crashed: %s", self->program, g_strsignal (WTERMSIG (status)));
  bench_fail ("%s ended by itself with status %d", self->program, WEXITSTATUS (status));
}

/* Milliseconds from the start to the first frame on the screen. */
double
bench_window_await_frame (BenchWindow *self)
{
  struct pollfd fd = { ConnectionNumber (self->display), POLLIN, 0 };

  while (g_get_monotonic_time () - self->began_us < FRAME_MS * 1000)
    {
      if (take_events (self) && has_drawn (self))
        {
          const gint64 now_us = g_get_monotonic_time ();

          XDamageDestroy (self->display, self->damage);
          XSync (self->display, TRUE);
          return (double) (now_us - self->began_us) / 1000;
        }
      check_alive (self);
      if (XPending (self->display) == 0)
        poll (&fd, 1, 100);
    }
  bench_fail ("%s has drawn nothing in %d s", self->program, FRAME_MS / 1000);
}

/* Megabytes of memory that are the program's, shared pages divided among those who share them. */
double
bench_window_get_pss (BenchWindow *self)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/smaps_rollup", self->pid);
  g_autofree char *text = NULL;
  const char *line;

  check_alive (self);
  if (!g_file_get_contents (path, &text, NULL, NULL))
    bench_fail ("%s cannot be read", path);
  line = strstr (text, "\nPss:");
  if (line == NULL)
    bench_fail ("%s has no PSS", path);
  return g_ascii_strtod (line + strlen ("\nPss:"), NULL) / 1024;
}

/* There is no window manager to do it. */
void
bench_window_focus (BenchWindow *self)
{
  XRaiseWindow (self->display, self->window);
  XSetInputFocus (self->display, self->window, RevertToPointerRoot, CurrentTime);
  XSync (self->display, FALSE);
}

Display *
bench_window_get_display (BenchWindow *self)
{
  return self->display;
}

BenchWindow *
bench_window_start (const char *program, const char *argument)
{
  BenchWindow *self = g_new0 (BenchWindow, 1);
  char *argv[] = { (char *) program, (char *) argument, NULL };
  g_autoptr (GError) error = NULL;
  int error_base;

  self->program = program;
  self->display = XOpenDisplay (NULL);
  if (self->display == NULL)
    bench_fail ("there is no display; tests/support/with-display makes one");
  if (!XDamageQueryExtension (self->display, &self->damage_event, &error_base))
    bench_fail ("the display has no damage extension");
  self->damage_event += XDamageNotify;
  XSetErrorHandler (ignore_error);
  XSelectInput (self->display, DefaultRootWindow (self->display), SubstructureNotifyMask);
  XSync (self->display, FALSE);

  self->began_us = g_get_monotonic_time ();
  if (!g_spawn_async (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL,
                      NULL, NULL, &self->pid, &error))
    bench_fail ("%s", error->message);
  return self;
}

/* By its id, politely first; the next one may start when it has gone. */
void
bench_window_end (BenchWindow *self)
{
  const gint64 deadline_us = g_get_monotonic_time () + END_MS * 1000;

  check_alive (self);
  kill (self->pid, SIGTERM);
  while (waitpid (self->pid, NULL, WNOHANG) == 0)
    {
      if (g_get_monotonic_time () > deadline_us)
        kill (self->pid, SIGKILL);
      poll (NULL, 0, 10);
    }
  XCloseDisplay (self->display);
  g_free (self);
}
