/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns that are stopped in a window, and what holds before and after. */

#pragma once

#include "test-window.h"

G_BEGIN_DECLS

GadgetSession *test_stop_get_session    (TestWindow *self);
gboolean       test_stop_is_busy        (TestWindow *self);
GadgetTurn    *test_stop_start          (TestWindow *self);

void           test_stop_assert_button  (TestWindow *self);
void           test_stop_assert_goes_on (TestWindow *self);
void           test_stop_assert_aborted (TestWindow *self);

G_END_DECLS
