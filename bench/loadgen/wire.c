// Bytes in and out: lines, WebSocket frames as a browser sends them, answers to forms.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "loadgen.h"

static unsigned char inflated[1 << 20];

double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

void die(const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  fprintf(stderr, "loadgen: ");
  vfprintf(stderr, format, rest);
  fprintf(stderr, "\n");
  exit(2);
}

void line_open(Line *line) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(house.port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  struct timeval patience = {60, 0};
  int one = 1;
  line->fd = socket(AF_INET, SOCK_STREAM, 0);
  line->in.length = 0;
  setsockopt(line->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(line->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (connect(line->fd, (void *)&address, sizeof address)) die("no server: %s", strerror(errno));
}

void line_close(Line *line) {
  if (line->fd >= 0) close(line->fd);
  line->fd = -1;
  line->in.length = 0;
}

void line_put(Line *line, const void *bytes, size_t length) {
  const char *at = bytes;
  while (length) {
    ssize_t gone = send(line->fd, at, length, MSG_NOSIGNAL);
    if (gone < 0 && errno == EAGAIN) continue;
    if (gone < 0) return;  // its end is read from the line in a moment
    at += gone, length -= gone;
  }
}

// Read what there is; as recv: 0 at the end, negative when there was nothing.
long line_fill(Line *line) {
  Bytes *in = &line->in;
  if (in->room - in->length < 4096) {
    in->room = in->room ? in->room * 2 : 8192;
    in->at = realloc(in->at, in->room);
  }
  ssize_t got = recv(line->fd, in->at + in->length, in->room - in->length, 0);
  if (got > 0) in->length += got;
  return got;
}

void line_drop(Line *line, size_t length) {
  line->in.length -= length;
  if (line->in.length) memmove(line->in.at, line->in.at + length, line->in.length);
  else if (line->in.room > 65536) {  // two thousand sleeping phones should not hold their first page
    free(line->in.at);
    line->in = (Bytes){0};
  }
}

void live_dial(Phone *phone, const char *path, const char *headers) {
  Line *line = &phone->live;
  char asked[2000];
  line_open(line);
  int length = snprintf(asked, sizeof asked,
    "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%s%s\r\n",
    path, house.port, headers,
    house.deflates ? "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n" : "");
  line_put(line, asked, length);
  unsigned char *end = NULL;
  while (!(end = line->in.length ? memmem(line->in.at, line->in.length, "\r\n\r\n", 4) : NULL))
    if (line_fill(line) <= 0) die("%s: closed in the handshake", path);
  size_t head = end + 4 - line->in.at;
  if (!memmem(line->in.at, 16, " 101", 4)) die("%s: %.*s", path, (int)head, line->in.at);
  if (memmem(line->in.at, head, "permessage-deflate", 18)) {
    line->inflater = calloc(1, sizeof *line->inflater);
    inflateInit2(line->inflater, -15);
    line->forgets = memmem(line->in.at, head, "server_no_context_takeover", 26);
  }
  line_drop(line, head);
}

void live_say(Phone *phone, const char *text, size_t length, int opcode) {
  static const unsigned char mask[4] = {0x5a, 0xa7, 0x13, 0x3c};
  unsigned char frame[4096];
  size_t head = 2;
  if (length > sizeof frame - 8) die("a message of %zu bytes", length);
  frame[0] = 0x80 | opcode;
  if (length < 126) frame[1] = 0x80 | length;
  else frame[1] = 0x80 | 126, frame[2] = length >> 8, frame[3] = length, head = 4;
  memcpy(frame + head, mask, 4);
  for (size_t i = 0; i < length; i++) frame[head + 4 + i] = text[i] ^ mask[i & 3];
  line_put(&phone->live, frame, head + 4 + length);
}

// Take one message out of what has come, or answer false when more has to come.
bool live_take(Line *line, unsigned char **text, size_t *length, size_t *wire, int *opcode) {
  unsigned char *in = line->in.at;
  if (line->in.length < 2) return false;
  size_t body = in[1] & 127, head = 2;
  if (body == 126) head = 4;
  if (body == 127) head = 10;
  if (line->in.length < head) return false;
  if (head > 2) {
    body = 0;
    for (size_t i = 2; i < head; i++) body = body << 8 | in[i];
  }
  if (line->in.length < head + body) return false;
  *opcode = in[0] & 15, *text = in + head, *length = body, *wire = head + body;
  if (!(in[0] & 0x40) || !line->inflater) return true;
  static unsigned char tail[4] = {0, 0, 255, 255};
  z_stream *z = line->inflater;
  z->next_out = inflated, z->avail_out = sizeof inflated;
  z->next_in = *text, z->avail_in = body, inflate(z, Z_NO_FLUSH);
  z->next_in = tail, z->avail_in = 4, inflate(z, Z_SYNC_FLUSH);
  *text = inflated, *length = sizeof inflated - z->avail_out;
  if (line->forgets) inflateReset(z);
  return true;
}

// While a phone is seated: wait for the message that holds a text, or begins with a byte.
unsigned char *live_await(Phone *phone, const char *needle, int first_byte, size_t *length) {
  static unsigned char kept[65536];
  unsigned char *text;
  size_t wire;
  int opcode;
  for (;;) {
    while (live_take(&phone->live, &text, length, &wire, &opcode)) {
      if (opcode == 8) die("the server closed a socket that had just been opened");
      bool is_it = needle ? *length && memmem(text, *length, needle, strlen(needle))
                          : *length && text[0] == first_byte;
      if (*length > sizeof kept) *length = sizeof kept;
      memcpy(kept, text, *length);
      line_drop(&phone->live, wire);
      if (is_it) return kept;
    }
    if (line_fill(&phone->live) <= 0) die("closed or silent while a phone sat down");
  }
}

static const char *header(const char *in, const char *end, const char *name) {
  for (const char *at = in; at && at < end; at = memchr(at, '\n', end - at)) {
    at += *at == '\n';
    if (!strncasecmp(at, name, strlen(name))) return at + strlen(name);
  }
  return NULL;
}

// Return the status of a whole answer and drop it, or 0 when more has to come.
int form_take(Line *line, char *reason, size_t room) {
  char *in = (char *)line->in.at;
  char *end = line->in.length ? memmem(in, line->in.length, "\r\n\r\n", 4) : NULL;
  if (!end) return 0;
  int status = atoi(in + 9);
  char *body = end + 4;
  size_t have = line->in.length - (body - in), length = 0;
  const char *said = header(in, end, "content-length:");
  const char *coded = header(in, end, "transfer-encoding:");
  bool hangs_up = false;
  const char *kept = header(in, end, "connection:");
  if (kept) hangs_up = !strncasecmp(kept + strspn(kept, " "), "close", 5);
  if (status == 204 || status == 304) length = 0;
  else if (said) length = strtoul(said, NULL, 10);
  else if (coded) {
    char *last = have >= 5 ? memmem(body, have, "0\r\n\r\n", 5) : NULL;
    if (!last) return 0;
    length = last + 5 - body;
  }
  if (have < length) return 0;
  snprintf(reason, room, "%d %.*s", status, (int)(length < room ? length : room - 8), body);
  line_drop(line, (body - in) + length);
  if (hangs_up) line_close(line);
  return status;
}
