/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "providers/gadget-provider.h"

G_BEGIN_DECLS

#define FAKE_TYPE_PROVIDER (fake_provider_get_type ())
G_DECLARE_FINAL_TYPE (FakeProvider, fake_provider, FAKE, PROVIDER, GObject)

/* A provider whose answers the test plays. Each request waits until the test feeds it events and
 * ends it, or its cancellable is cancelled. It checks by itself that no request comes of an
 * aborted run, and that every request is one that a strict provider accepts. */
FakeProvider  *fake_provider_new           (void);
guint          fake_provider_get_n_requests (FakeProvider  *self);
GadgetRequest *fake_provider_get_request   (FakeProvider  *self,
                                            guint          index);

/* What it tells of its model, 0 (the default) for nothing; and how often it was asked. */
void           fake_provider_set_context_length (FakeProvider *self,
                                            gint64         tokens);
void           fake_provider_set_images    (FakeProvider  *self,
                                            GadgetModelImages images);
guint          fake_provider_get_n_described (FakeProvider *self);

/* Tells of its model only when it is let, or its cancellable is cancelled. */
void           fake_provider_hold_description (FakeProvider *self);
gboolean       fake_provider_is_describing (FakeProvider  *self);
void           fake_provider_describe      (FakeProvider  *self);
gboolean       fake_provider_is_waiting    (FakeProvider  *self);

/* From now on a request goes on when its cancellable is cancelled, until the test ends it. */
void           fake_provider_set_deaf      (FakeProvider  *self);

/* Takes several requests at a time: that of the last is played, until another one is chosen by how
 * its chat begins. */
void           fake_provider_set_parallel  (FakeProvider  *self);
guint          fake_provider_get_n_waiting (FakeProvider  *self);
gboolean       fake_provider_choose        (FakeProvider  *self,
                                            const char    *prompt);

/* Feed the request that waits. */
void           fake_provider_text          (FakeProvider  *self,
                                            const char    *text);
void           fake_provider_reasoning     (FakeProvider  *self,
                                            const char    *text);
void           fake_provider_call_begin    (FakeProvider  *self,
                                            guint          index,
                                            const char    *call_id,
                                            const char    *name);
void           fake_provider_call_arguments (FakeProvider *self,
                                            guint          index,
                                            const char    *text);
void           fake_provider_call_end      (FakeProvider  *self,
                                            guint          index);
void           fake_provider_call          (FakeProvider  *self,
                                            guint          index,
                                            const char    *call_id,
                                            const char    *name,
                                            const char    *arguments);
void           fake_provider_retry         (FakeProvider  *self,
                                            guint          ms);
void           fake_provider_usage         (FakeProvider  *self,
                                            gint64         input_tokens,
                                            gint64         output_tokens);
void           fake_provider_limit         (FakeProvider  *self);
void           fake_provider_end           (FakeProvider  *self);
void           fake_provider_fail          (FakeProvider  *self,
                                            GError        *error);

G_END_DECLS
