/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A layer over SQLite's own file system, in which writing can be made to fail or to wait. */

#include "config.h"

#include "test-faults.h"

#include <pthread.h>
#include <sqlite3.h>

typedef struct
{
  sqlite3_file base;
  sqlite3_file *real; /* in the memory behind this */
} File;

static sqlite3_vfs *real_vfs;
static sqlite3_vfs vfs;

/* Not GLib's, whose condition ThreadSanitizer cannot see through. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static TestFault current;
static guint n_writes;
static guint n_syncs;

static sqlite3_file *
real_of (sqlite3_file *file)
{
  return ((File *) file)->real;
}

/* Waits as long as the disk stalls; then whether it can be written. */
static gboolean
pass (guint *count)
{
  gboolean ok;

  pthread_mutex_lock (&mutex);
  (*count)++;
  while (current == TEST_FAULT_STALL)
    pthread_cond_wait (&cond, &mutex);
  ok = current != TEST_FAULT_FULL;
  pthread_mutex_unlock (&mutex);
  return ok;
}

static int
file_close (sqlite3_file *file)
{
  return real_of (file)->pMethods->xClose (real_of (file));
}

static int
file_read (sqlite3_file *file, void *data, int amount, sqlite3_int64 offset)
{
  return real_of (file)->pMethods->xRead (real_of (file), data, amount, offset);
}

static int
file_write (sqlite3_file *file, const void *data, int amount, sqlite3_int64 offset)
{
  if (!pass (&n_writes))
    return SQLITE_FULL;
  return real_of (file)->pMethods->xWrite (real_of (file), data, amount, offset);
}

static int
file_truncate (sqlite3_file *file, sqlite3_int64 size)
{
  return real_of (file)->pMethods->xTruncate (real_of (file), size);
}

static int
file_sync (sqlite3_file *file, int flags)
{
  if (!pass (&n_syncs))
    return SQLITE_IOERR_FSYNC;
  return real_of (file)->pMethods->xSync (real_of (file), flags);
}

static int
file_size (sqlite3_file *file, sqlite3_int64 *size)
{
  return real_of (file)->pMethods->xFileSize (real_of (file), size);
}

static int
file_lock (sqlite3_file *file, int kind)
{
  return real_of (file)->pMethods->xLock (real_of (file), kind);
}

static int
file_unlock (sqlite3_file *file, int kind)
{
  return real_of (file)->pMethods->xUnlock (real_of (file), kind);
}

static int
file_check_reserved_lock (sqlite3_file *file, int *result)
{
  return real_of (file)->pMethods->xCheckReservedLock (real_of (file), result);
}

static int
file_control (sqlite3_file *file, int operation, void *data)
{
  return real_of (file)->pMethods->xFileControl (real_of (file), operation, data);
}

static int
file_sector_size (sqlite3_file *file)
{
  return real_of (file)->pMethods->xSectorSize (real_of (file));
}

static int
file_device_characteristics (sqlite3_file *file)
{
  return real_of (file)->pMethods->xDeviceCharacteristics (real_of (file));
}

static int
file_shm_map (sqlite3_file *file, int page, int size, int extend, void volatile **memory)
{
  return real_of (file)->pMethods->xShmMap (real_of (file), page, size, extend, memory);
}

static int
file_shm_lock (sqlite3_file *file, int offset, int n, int flags)
{
  return real_of (file)->pMethods->xShmLock (real_of (file), offset, n, flags);
}

static void
file_shm_barrier (sqlite3_file *file)
{
  real_of (file)->pMethods->xShmBarrier (real_of (file));
}

static int
file_shm_unmap (sqlite3_file *file, int delete_flag)
{
  return real_of (file)->pMethods->xShmUnmap (real_of (file), delete_flag);
}

static const sqlite3_io_methods methods = {
  .iVersion = 2,
  .xClose = file_close,
  .xRead = file_read,
  .xWrite = file_write,
  .xTruncate = file_truncate,
  .xSync = file_sync,
  .xFileSize = file_size,
  .xLock = file_lock,
  .xUnlock = file_unlock,
  .xCheckReservedLock = file_check_reserved_lock,
  .xFileControl = file_control,
  .xSectorSize = file_sector_size,
  .xDeviceCharacteristics = file_device_characteristics,
  .xShmMap = file_shm_map,
  .xShmLock = file_shm_lock,
  .xShmBarrier = file_shm_barrier,
  .xShmUnmap = file_shm_unmap,
};

static int
open_file (sqlite3_vfs *self, sqlite3_filename name, sqlite3_file *file, int flags, int *out_flags)
{
  File *wrapper = (File *) file;
  int code;

  wrapper->real = (sqlite3_file *) (wrapper + 1);
  code = real_vfs->xOpen (real_vfs, name, wrapper->real, flags, out_flags);
  wrapper->base.pMethods = wrapper->real->pMethods != NULL ? &methods : NULL;
  return code;
}

void
test_faults_install (void)
{
  if (real_vfs != NULL)
    return;
  real_vfs = sqlite3_vfs_find (NULL);
  g_assert_nonnull (real_vfs);
  vfs = *real_vfs;
  vfs.zName = "faults";
  vfs.szOsFile = (int) sizeof (File) + real_vfs->szOsFile;
  vfs.xOpen = open_file;
  g_assert_cmpint (sqlite3_vfs_register (&vfs, 1), ==, SQLITE_OK);
}

void
test_faults_set (TestFault fault)
{
  pthread_mutex_lock (&mutex);
  current = fault;
  pthread_cond_broadcast (&cond);
  pthread_mutex_unlock (&mutex);
}

static guint
read_count (const guint *count)
{
  guint value;

  pthread_mutex_lock (&mutex);
  value = *count;
  pthread_mutex_unlock (&mutex);
  return value;
}

guint
test_faults_get_n_writes (void)
{
  return read_count (&n_writes);
}

guint
test_faults_get_n_syncs (void)
{
  return read_count (&n_syncs);
}
