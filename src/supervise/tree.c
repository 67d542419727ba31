/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads the children of each process from the lists of its threads. The result of a walk is
 * consistent enough to signal a process through a pidfd whose parentage is checked again, but not
 * for more. */

#include "tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WALK_CPU_MS 50
#define MAX_WALK 32768

static Process walked[MAX_WALK];
static int n_walked;

static int64_t
clock_ms (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t
tree_now_ms (void)
{
  return clock_ms (CLOCK_MONOTONIC);
}

bool
tree_read_stat (int pid, char *state, int *parent)
{
  char path[64];
  char text[512];
  const char *end;
  ssize_t n;
  int fd;

  snprintf (path, sizeof path, "/proc/%d/stat", pid);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  n = read (fd, text, sizeof text - 1);
  close (fd);
  if (n <= 0)
    return false;
  text[n] = '\0';
  /* The name is in parentheses, and may itself contain parentheses or any other characters. */
  end = strrchr (text, ')');
  return end != NULL && sscanf (end + 1, " %c %d", state, parent) == 2;
}

bool
tree_read_name (int pid, char *name)
{
  char path[64];
  ssize_t n;
  int fd;

  snprintf (path, sizeof path, "/proc/%d/comm", pid);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  n = read (fd, name, NAME_SIZE - 1);
  close (fd);
  if (n <= 0)
    return false;
  name[n] = '\0';
  name[strcspn (name, "\n")] = '\0';
  /* A process can choose its name, so the name could otherwise contain a further line of the
   * protocol or an escape sequence. */
  for (char *c = name; *c != '\0'; c++)
    if (*c <= ' ' || *c > '~' || *c == ',')
      *c = '?';
  return *name != '\0';
}

static void
add_children_of_thread (const char *path, int parent)
{
  FILE *file = fopen (path, "re");
  int pid;

  if (file == NULL)
    return;
  while (n_walked < MAX_WALK && fscanf (file, "%d", &pid) == 1)
    if (pid > 0 && pid < MAX_PID)
      walked[n_walked++] = (Process) { .pid = pid, .parent = parent };
  fclose (file);
}

static void
add_children (int parent)
{
  char path[96];
  struct dirent *entry;
  DIR *dir;

  snprintf (path, sizeof path, "/proc/%d/task", parent);
  dir = opendir (path);
  if (dir == NULL)
    return;
  while ((entry = readdir (dir)) != NULL)
    if (entry->d_name[0] != '.')
      {
        snprintf (path, sizeof path, "/proc/%d/task/%.20s/children", parent, entry->d_name);
        add_children_of_thread (path, parent);
      }
  closedir (dir);
}

Bound
tree_bound_new (int milliseconds)
{
  return (Bound) { .time = tree_now_ms () + milliseconds,
                   .cpu = clock_ms (CLOCK_PROCESS_CPUTIME_ID) + WALK_CPU_MS };
}

bool
tree_is_over (const Bound *bound)
{
  return tree_now_ms () >= bound->time || clock_ms (CLOCK_PROCESS_CPUTIME_ID) >= bound->cpu;
}

int
tree_list_children (int self, const Process **found)
{
  n_walked = 0;
  add_children (self);
  *found = walked;
  return n_walked;
}

int
tree_walk (int self, const Bound *bound, const Process **found)
{
  int n_alive = 0;
  int i;

  tree_list_children (self, found);
  for (i = 0; i < n_walked && !tree_is_over (bound); i++)
    {
      Process process = walked[i];
      int parent;

      if (!tree_read_stat (process.pid, &process.state, &parent)
          || strchr ("ZX", process.state) != NULL)
        continue;
      add_children (process.pid);
      walked[n_alive++] = process;
    }
  while (i < n_walked)
    walked[n_alive++] = walked[i++];
  n_walked = n_alive;
  return n_walked;
}
