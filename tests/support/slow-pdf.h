/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A PDF that takes as long to read as a test wants: pdftotext is a program that sleeps. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* First of all in main (): puts the program where the user's own are, which the sandbox can see, in
 * a home of the test's own; and after the tests, which takes that away. */
void     slow_pdf_init       (void);
void     slow_pdf_clear      (void);

/* Where it is. (transfer full) */
char    *slow_pdf_make       (const char *folder);

/* Whether it is being read. */
gboolean slow_pdf_is_read    (void);

G_END_DECLS
