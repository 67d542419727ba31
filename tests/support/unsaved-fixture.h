/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine-fixture.h"
#include "session/gadget-picture.h"
#include "store/recovery/gadget-recovery.h"

G_BEGIN_DECLS

/* Turns that cannot be saved, and starts that recover them. */
GadgetUnsavedTurns *unsaved_get             (EngineFixture *fixture);

/* Starts a turn, and ends it when the disk has become full. It is in a file then. */
GadgetTurn         *unsaved_make            (EngineFixture *fixture,
                                             const char    *prompt);
char               *unsaved_dup_path        (EngineFixture *fixture,
                                             GadgetTurn    *turn);

/* As a start after a crash, with room on the disk: what the process had in memory is gone. */
void                unsaved_start_again     (EngineFixture *fixture);

/* (transfer full) (element-type GadgetRecoveredChat) */
GPtrArray          *unsaved_restore         (EngineFixture *fixture);
/* N: of those that the user is to be told of. */
void                unsaved_assert_recovers (EngineFixture *fixture,
                                             guint          n);
/* The same by the engine, which tells the chats that are shown. */
void                unsaved_recover         (EngineFixture *fixture,
                                             guint          n);
void                unsaved_load            (EngineFixture *fixture,
                                             GadgetSession *session);

/* One that decoders take. (transfer full) */
GadgetPicture      *unsaved_make_picture    (void);

/* Whatever is stored of turns, but for numbers and times of writing. */
char               *unsaved_dump            (const char    *directory);

G_END_DECLS
