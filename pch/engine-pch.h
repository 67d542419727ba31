/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The headers that nearly every file of the engine and the command line begins with, compiled once
 * for each library or program ("c_pch" of Meson). No file may rely on it: -Db_pch=false builds
 * without, as ./dev sanitize does, and ./dev lint reads the files without.
 *
 * No header here may depend on what a file defines before it includes something, and those of the
 * system are left out whose names (open, signal) a file may want for itself. GLib gives
 * G_LOG_DOMAIN a value if a file has not; so that is taken back, and each file defines its own. */

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>

#undef G_LOG_DOMAIN
