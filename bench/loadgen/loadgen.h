// Plays tables against a live server and measures when the last of a table's phones has heard.
//
// A table has several phones, each with a socket of its own; one action is under way at a table at
// a time. Its latency runs from the send (in the open modes from when it was due, so that waiting
// in here counts) until the last phone has the push that carries it. One thread, one epoll.
#ifndef LOADGEN_H
#define LOADGEN_H

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

#define MOST_PHONES 8
#define USUAL_PHONES 7  // at a table that no plan describes
#define QUEUE 4096

typedef struct { unsigned char *at; size_t length, room; } Bytes;

// One connection: a phone's socket, or the kept connection that its forms go out on.
typedef struct {
  enum { LIVE, FORM } kind;
  int fd;
  Bytes in;
  z_stream *inflater;
  bool forgets;  // the server deflates every message afresh
  struct Phone *phone;
} Line;

// What all phones with one kind of page were sent.
typedef struct { char page[12]; long frames, wire, plain; } Kind;
extern Kind kinds[6];

typedef struct Phone {
  struct Table *table;
  int index, seat;
  char page[12], cookie[300], token[100];
  Line live, form;
  long seq;             // the newest number heard
  bool has_heard;       // since the present action was sent, what it asked for
  double next_beat, next_ping;
  Kind *kind;
} Phone;

// What a phone does, and what comes of it. Numbers count from the log's number when a cycle began.
typedef struct {
  int phone, pause_ms;  // negative: no pause, and it must follow though the load ends here
  long own;    // how many events the action itself writes
  long until;  // the number that the table must have reached before the next step
  long saw;    // the scene that the form answers; negative: it names none
  char *body;
} Step;

// `learns`: its forms name a row that the pages show, `{sequence}`.
typedef struct { char name[40]; Step *steps; int count, room; bool learns; } Script;

typedef struct Table {
  int index;
  char code[40];
  Phone phones[MOST_PHONES];
  int size, at;
  Script *script;
  long base, wanted, until, sent_count, sequence;
  bool is_busy, is_answered, is_broken, is_late, is_heard, counts;
  double due, sent, free_at, queue[QUEUE];
  int queue_head, queue_length;
} Table;

// How one kind of server is spoken to.
typedef struct {
  const char *name;
  void (*join)(Phone *);                                         // dial, and wait until seated
  void (*act)(Table *);                                          // send the table's next action
  void (*hear)(Phone *, unsigned char *text, size_t length);     // one whole message
} Dialect;

extern const Dialect taproom, boardgame, colyseus, bare;

typedef struct {
  int port, tables;
  bool deflates, beats, on_socket;
  const Dialect *dialect;
  Table *table;
} House;
extern House house;

typedef struct {
  long done, lost, refused, broken, closed, sent;
  double *latency, *answer;
  long answers;
  char reason[400];
} Tally;
extern Tally tally;

double now(void);
void die(const char *format, ...);

// wire.c: bytes in and out
void line_open(Line *);
void line_close(Line *);
void line_put(Line *, const void *, size_t);
long line_fill(Line *);
void line_drop(Line *, size_t);
void live_dial(Phone *, const char *path, const char *headers);
void live_say(Phone *, const char *text, size_t length, int opcode);
bool live_take(Line *, unsigned char **text, size_t *length, size_t *wire, int *opcode);
unsigned char *live_await(Phone *, const char *needle, int first_byte, size_t *length);
int form_take(Line *, char *reason, size_t room);

// plan.c: what tables there are and what is played at them
void plan_read(const char *path);
void plan_make(int tables);

// dialects.c
long number_after(const unsigned char *, size_t, const char *key);

// loadgen.c: what the dialects tell the play
void watch(Line *);
void heard(Phone *, long seq);
void answered(Table *, int status, const char *reason);
void broke(Table *, const char *format, ...);

#endif
