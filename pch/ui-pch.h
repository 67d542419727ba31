/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The same as engine-pch.h for files of the window: reading GTK's headers is most of the work of
 * compiling one of them. */

#include <adwaita.h>
#include <gtksourceview/gtksource.h>

#include "engine-pch.h"
