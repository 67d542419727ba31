/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The extended attributes of a file or folder that belong to it as its content does, access lists
 * among them, as one piece of bytes that is the same for the same attributes. Not among them are
 * what speaks of the content alone (capabilities of a program, signatures: the kernel drops the first
 * itself when a file is written) and what belongs to the system ("trusted."). These block. */

/* Of NAME in FOLDER, a link itself; NULL for none. */
GBytes  *gadget_attributes_read  (int          folder,
                                  const char  *name);

/* The same of what is open, whatever for. */
GBytes  *gadget_attributes_read_fd (int        fd);

/* Gives what is open these (nullable) and no others. Labels ("security.") are set where the kernel
 * lets us, and otherwise are what its policy gives. FALSE with errno, and the name of the one that
 * could not be set. */
gboolean gadget_attributes_write (int          fd,
                                  GBytes      *attributes,
                                  char       **failed);

G_END_DECLS
