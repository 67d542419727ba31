/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Descendants, as /proc shows them. */

#pragma once

#include <stdbool.h>
#include <stdint.h>

#define NAME_SIZE 16      /* the kernel's own limit */
#define MAX_PID (1 << 22) /* the same */

typedef struct
{
  int pid;
  int parent;
  char state;
} Process;

/* Until when to look: by the clock, and in processor time of our own. */
typedef struct
{
  int64_t time;
  int64_t cpu;
} Bound;

int64_t tree_now_ms        (void);
Bound   tree_bound_new     (int             milliseconds);
bool    tree_is_over       (const Bound    *bound);

bool    tree_read_stat     (int             pid,
                            char           *state,
                            int            *parent);
bool    tree_read_name     (int             pid,
                            char           *name);

/* Return how many there are; FOUND is good until the next call of either. Those of SELF that live,
 * parents before their children; those that were found but not looked at before the bound are among
 * them. */
int     tree_walk          (int             self,
                            const Bound    *bound,
                            const Process **found);
int     tree_list_children (int             self,
                            const Process **found);
