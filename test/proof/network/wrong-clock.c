/*
 * Loaded into a program before the C library: its wall clock is wrong by as many seconds as stand in the file
 * WRONG_CLOCK, a number of 64 bits. Whoever writes another number there sets the clock while the program runs.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *wrong_by;

__attribute__((constructor)) static void find(void) {
  int file = open(getenv("WRONG_CLOCK"), O_RDONLY);
  void *place = mmap(NULL, sizeof *wrong_by, PROT_READ, MAP_SHARED, file, 0);
  if (place == MAP_FAILED) abort();
  wrong_by = place;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  long failed = syscall(SYS_clock_gettime, clock, now);
  if (!failed && wrong_by && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += *wrong_by;
  return failed;
}

int gettimeofday(struct timeval *now, void *zone) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *now) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now) *now = exact.tv_sec;
  return exact.tv_sec;
}
