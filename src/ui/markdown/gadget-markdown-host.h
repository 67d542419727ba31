/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Tell whether @address is of the web, with a host, and whether a link to it may be opened: mail,
 * too. */
gboolean gadget_markdown_host_is_web     (const char *address);
gboolean gadget_markdown_host_may_open   (const char *address);

/* Returns where @address really leads when @shown, the text of its link, reads like an address that
 * leads elsewhere: the host, or the receiver of a mail. (transfer full) (nullable): NULL when they
 * agree; ASCII only */
char    *gadget_markdown_host_find_other (const char *shown,
                                          const char *address);

G_END_DECLS
