/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads the tree of processes from /proc. For a single thread. */

#pragma once

#include <stdbool.h>
#include <stdint.h>

#define NAME_SIZE 16      /* the kernel's limit, including the NUL */
#define MAX_PID (1 << 22) /* the kernel's limit */

/* A process; STATE is a letter as in proc(5). */
typedef struct
{
  int pid;
  int parent;
  char state;
} Process;

/* When a walk ends: TIME in monotonic milliseconds, and CPU in milliseconds of this process's
 * processor time. */
typedef struct
{
  int64_t time;
  int64_t cpu;
} Bound;

/* tree_now_ms () returns the monotonic time in milliseconds. tree_bound_new () returns a bound that
 * is over after MILLISECONDS, or after a fixed amount of processor time. tree_is_over () returns
 * whether either has passed. */
int64_t tree_now_ms        (void);
Bound   tree_bound_new     (int             milliseconds);
bool    tree_is_over       (const Bound    *bound);

/* Return false if the process does not exist. tree_read_stat () sets its state and its parent.
 * tree_read_name () sets NAME, an array of NAME_SIZE bytes, to its name with "?" for all but
 * harmless ASCII characters. */
bool    tree_read_stat     (int             pid,
                            char           *state,
                            int            *parent);
bool    tree_read_name     (int             pid,
                            char           *name);

/* Return the number of processes in FOUND, which is valid until the next call of either function.
 * tree_walk () finds the living descendants of SELF, parents before their children; if the bound is
 * over, it includes those that it found but did not examine. tree_list_children () finds the
 * children of SELF, also those that have ended. */
int     tree_walk          (int             self,
                            const Bound    *bound,
                            const Process **found);
int     tree_list_children (int             self,
                            const Process **found);
