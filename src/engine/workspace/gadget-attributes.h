/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The extended attributes of a file or folder that belong to it like its content does, including
 * access lists, as bytes that are equal for equal attributes. Left out are attributes that only
 * describe the content (capabilities of a program, which the kernel drops itself when a file is
 * written; signatures) and those of the system ("trusted."). These functions block. */

/* Returns the attributes of an open file, also of an O_PATH descriptor; NULL if there are none.
 * (transfer full) */
GBytes  *gadget_attributes_read  (int          fd);

/* Gives an open file ATTRIBUTES (nullable), and removes all others except labels ("security.").
 * Labels are set if the kernel permits it; otherwise they stay as its policy set them. Returns
 * FALSE with errno, and in FAILED (transfer full) the name of the attribute that could not be
 * changed. */
gboolean gadget_attributes_write (int          fd,
                                  GBytes      *attributes,
                                  char       **failed);

G_END_DECLS
