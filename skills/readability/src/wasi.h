/*
 * The little that the command needs of a system, straight from WASI preview 1, and the few string functions it uses:
 * so that the module is this folder's code and nothing else.
 */

#include <stddef.h>
#include <stdint.h>

typedef long ssize_t;

#define WASI(name) __attribute__((import_module("wasi_snapshot_preview1"), import_name(#name)))

struct piece {
  const void *bytes;
  size_t length;
};

WASI(fd_read) int wasi_read(int from, const struct piece *pieces, size_t count, size_t *got);
WASI(fd_write) int wasi_write(int to, const struct piece *pieces, size_t count, size_t *wrote);
WASI(args_sizes_get) int wasi_sizes(size_t *count, size_t *bytes);
WASI(args_get) int wasi_arguments(char **list, char *bytes);
WASI(proc_exit) _Noreturn void _exit(int status);

static ssize_t read(int from, void *bytes, size_t length) {
  struct piece piece = {bytes, length};
  size_t got = 0;
  return wasi_read(from, &piece, 1, &got) == 0 ? (ssize_t)got : -1;
}

static ssize_t write(int to, const void *bytes, size_t length) {
  struct piece piece = {bytes, length};
  size_t wrote = 0;
  return wasi_write(to, &piece, 1, &wrote) == 0 ? (ssize_t)wrote : -1;
}

/* The compiler calls these by itself, too; what keeps them from becoming calls of themselves is -fno-builtin. */
void *memcpy(void *to, const void *from, size_t length) {
  for (size_t i = 0; i < length; i++) ((char *)to)[i] = ((const char *)from)[i];
  return to;
}

void *memset(void *to, int value, size_t length) {
  for (size_t i = 0; i < length; i++) ((char *)to)[i] = (char)value;
  return to;
}

int memcmp(const void *one, const void *other, size_t length) {
  const unsigned char *a = one, *b = other;
  for (size_t i = 0; i < length; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

static void *memchr(const void *in, int value, size_t length) {
  const unsigned char *at = in;
  for (; length > 0; length--, at++)
    if (*at == (unsigned char)value) return (void *)at;
  return 0;
}

static size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length]) length++;
  return length;
}

static int strncmp(const char *one, const char *other, size_t most) {
  for (; most > 0; most--, one++, other++) {
    if (*one != *other) return (unsigned char)*one < (unsigned char)*other ? -1 : 1;
    if (*one == 0) return 0;
  }
  return 0;
}

static int strcmp(const char *one, const char *other) { return strncmp(one, other, (size_t)-1); }

static char *strchr(const char *text, int value) {
  for (;; text++) {
    if (*text == (char)value) return (char *)text;
    if (*text == 0) return 0;
  }
}

int main(int argc, char **argv);

/* More arguments than any use of it has are refused, so that they need no memory either. */
void _start(void) {
  static char *list[64], bytes[8192];
  size_t count = 0, length = 0;
  if (wasi_sizes(&count, &length) != 0 || count > 63 || length > sizeof bytes || wasi_arguments(list, bytes) != 0) _exit(2);
  _exit(main((int)count, list));
}
