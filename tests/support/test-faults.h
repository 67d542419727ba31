/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  TEST_FAULT_NONE,
  TEST_FAULT_FULL,  /* every write of a file fails: no space left */
  TEST_FAULT_STALL, /* every write waits until the fault is taken back */
} TestFault;

/* A disk that fails on demand, below SQLite: for every database opened after the installation. The
 * code under test has no part in it. */
void  test_faults_install      (void);
void  test_faults_set          (TestFault  fault);
guint test_faults_get_n_writes (void);
guint test_faults_get_n_syncs  (void);

G_END_DECLS
