/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The terminal that gadget-supervise gives to a command. The loops that wait for other events also
 * relay its output: each calls terminal_relay (), and lets terminal_poll () add what to wait for.
 * As long as no terminal is open, these functions do nothing. */

#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

/* Opens a terminal, whose output goes to what is standard output now. NAME, of SIZE bytes, is set
 * to the path of its other side. Returns false with errno. */
bool   terminal_open       (char          *name,
                            size_t         size);
/* Makes the terminal at the path NAME the standard streams. Called in the command's process, after
 * setsid (). */
void   terminal_use        (const char    *name);
/* Relays what can be relayed without waiting. It may leave a rest, since the caller's loop has
 * other duties. */
void   terminal_relay      (void);
/* Fills in FD if there is something to wait for. Returns how many were filled in, 0 or 1. */
nfds_t terminal_poll       (struct pollfd *fd);
/* Called when the tree is gone: relays the rest, as long as a process reads it, and until something
 * arrives at CONTROL_FD. */
void   terminal_relay_rest (int            control_fd);
