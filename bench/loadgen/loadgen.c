// loadgen -p port -d dialect [-f plan | -t tables] [-z] [-b] [-w]
//   -z offers compression, as browsers do; -b sends beats and clocks, as phones do;
//   -w acts over the socket instead of by form; -l <seconds> until an action counts as lost,
//   -g <seconds> until its table is given up.
// Then orders on standard input, each answered with one line of JSON:
//   connect <tables>
//   load <light|closed|every|open> <tables> <seconds> <rate or gap> <most actions>
//   idle <seconds>
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "loadgen.h"

#define MOST_LATENCIES 2000000

House house = {.dialect = &taproom};
Tally tally;
static int poll_fd, connected;
static double pause_after;  // how long a table rests after an action
static char order[200];
static double lost_after = 3, given_up_after = 60;

static double chance(void) { return drand48(); }

void watch(Line *line) {
  fcntl(line->fd, F_SETFL, O_NONBLOCK);
  struct epoll_event event = {EPOLLIN, {.ptr = line}};
  epoll_ctl(poll_fd, EPOLL_CTL_ADD, line->fd, &event);
}

void broke(Table *table, const char *format, ...) {
  if (table->is_broken) return;
  va_list rest;
  va_start(rest, format);
  table->is_broken = true, tally.broken++;
  if (!tally.reason[0]) {
    int said = snprintf(tally.reason, sizeof tally.reason, "table %s, step %d: ", table->code, table->at);
    vsnprintf(tally.reason + said, sizeof tally.reason - said, format, rest);
  }
  if (table->is_busy) tally.lost++;
  table->is_busy = false, tally.lost += table->queue_length, table->queue_length = 0;
}

// --- one action at one table ---------------------------------------------------------------------

// What only keeps the house from moving by itself when time is up does not count: all tables do it at once.
static void fire(Table *table, double due, bool counts) {
  table->is_busy = true, table->is_late = table->is_heard = false, table->is_answered = true;
  table->counts = counts, table->due = due, table->sent = now(), table->sent_count++, tally.sent += counts;
  for (int i = 0; i < table->size; i++) table->phones[i].has_heard = false;
  house.dialect->act(table);
}

static void want(Table *table, double due) {
  if (table->is_broken || table->queue_length == QUEUE) tally.lost++;
  else if (!table->is_busy && now() >= table->free_at) fire(table, due, true);
  else table->queue[(table->queue_head + table->queue_length++) % QUEUE] = due;
}

static void release(Table *table) {
  double at = now();
  table->is_busy = false;
  bool has_steps = table->script && table->script->count;
  int pause_ms = has_steps ? table->script->steps[table->at].pause_ms : 0;
  table->free_at = at + (pause_ms / 1000.0 > pause_after ? pause_ms / 1000.0 : pause_after);
}

static void take_up(Table *table, double at) {
  if (table->is_busy || table->is_broken || !table->queue_length || at < table->free_at) return;
  double due = table->queue[table->queue_head];
  table->queue_head = (table->queue_head + 1) % QUEUE, table->queue_length--;
  fire(table, due, true);
}

static void look(Table *table) {
  bool all = true, settled = true;
  for (int i = 0; i < table->size; i++) {
    all &= table->phones[i].has_heard;
    settled &= table->phones[i].seq >= table->until;
  }
  if (all && !table->is_heard) {
    table->is_heard = true;
    if (table->counts && ++tally.done <= MOST_LATENCIES) tally.latency[tally.done - 1] = now() - table->due;
  }
  if (all && settled && table->is_answered) release(table);
}

void heard(Phone *phone, long seq) {
  Table *table = phone->table;
  if (seq > phone->seq) phone->seq = seq;
  if (!table->is_busy) return;
  if (seq >= table->wanted) phone->has_heard = true;
  look(table);
}

void answered(Table *table, int status, const char *reason) {
  if (!table->is_busy) return;
  if (status != 204 && status != 200) {
    tally.refused++;
    return broke(table, "refused: %s", reason);
  }
  if (tally.answers < MOST_LATENCIES) tally.answer[tally.answers++] = now() - table->sent;
  table->is_answered = true;
  look(table);
}

// --- lines ---------------------------------------------------------------------------------------

static void live_read(Line *line) {
  Phone *phone = line->phone;
  unsigned char *text;
  size_t length, wire;
  int opcode;
  while (live_take(line, &text, &length, &wire, &opcode)) {
    if (opcode == 9) live_say(phone, (char *)text, length, 10);
    if (opcode == 8) broke(phone->table, "a socket was closed with %d", length > 1 ? text[0] << 8 | text[1] : 0);
    if (opcode == 1 || opcode == 2) {
      bool is_push = !length || memcmp(text, "{\"pong", length < 6 ? length : 6);
      bool is_begun = length && text[0] == '+';  // of a push in chunks the last one counts
      Kind *kind = phone->kind;
      if (is_push) kind->frames += !is_begun, kind->wire += wire, kind->plain += length;
      house.dialect->hear(phone, text, length);
    }
    line_drop(line, wire);
  }
}

static void form_read(Line *line) {
  char reason[300];
  int status = form_take(line, reason, sizeof reason);
  if (status) answered(line->phone->table, status, reason);
}

static void read_line(Line *line) {
  long got = line_fill(line);
  if (got < 0 && errno == EAGAIN) return;
  if (got > 0) return line->kind == LIVE ? live_read(line) : form_read(line);
  epoll_ctl(poll_fd, EPOLL_CTL_DEL, line->fd, NULL);
  Table *table = line->phone->table;
  bool is_asked = table->is_busy && !table->is_answered;
  line_close(line);
  if (line->kind == LIVE) tally.closed++, broke(table, "a socket's line broke");
  else if (is_asked) broke(table, "the server hung up on a form");
}

static void beat(Phone *phone, double at) {
  char said[80];
  if (at >= phone->next_ping) {
    snprintf(said, sizeof said, "{\"ping\":%.1f}", at * 1000);
    live_say(phone, said, strlen(said), 1);
    phone->next_ping = at + 5;
  }
  if (at >= phone->next_beat) {
    snprintf(said, sizeof said, "{\"beat\":\"%08lx%08lx%08lx%08lx\"}", lrand48(), lrand48(), lrand48(), lrand48());
    live_say(phone, said, strlen(said), 1);
    phone->next_beat = at + 2;
  }
}

static void tend(double at) {
  static double last;
  if (at < last + 0.01) return;
  last = at;
  for (int t = 0; t < connected; t++) {
    Table *table = &house.table[t];
    if (house.beats && !table->is_broken)
      for (int i = 0; i < table->size; i++) beat(&table->phones[i], at);
    if (!table->is_busy) continue;
    if (at - table->sent > lost_after && !table->is_late && !table->is_heard) table->is_late = true, tally.lost++;
    if (at - table->sent > given_up_after) {
      if (table->is_late) tally.lost--;  // it is counted once more when the table is given up
      broke(table, "nothing came for %.0f s: step %d wants %ld and %ld, phone 0 is at %ld, %s", given_up_after,
            table->at, table->wanted, table->until, table->phones[0].seq,
            table->is_answered ? "answered" : "not answered");
    }
  }
}

// Serve the lines until a moment; true when an order has come instead.
static bool serve(double until, bool hears_orders) {
  struct epoll_event events[256];
  double at = now(), wait = until > at ? until - at : 0;
  if (house.beats && wait > 0.01) wait = 0.01;
  struct timespec patience = {(time_t)wait, (long)((wait - (time_t)wait) * 1e9)};
  int count = epoll_pwait2(poll_fd, events, 256, &patience, NULL);
  for (int i = 0; i < count; i++) {
    if (events[i].data.ptr) read_line(events[i].data.ptr);
    else if (hears_orders) return true;
  }
  tend(now());
  return false;
}

// --- orders --------------------------------------------------------------------------------------

static void sit(int tables) {
  double begun = now();
  if (tables > house.tables) die("the plan has only %d tables", house.tables);
  for (; connected < tables; connected++) {
    Table *table = &house.table[connected];
    for (int i = 0; i < table->size; i++) {
      Phone *phone = &table->phones[i];
      house.dialect->join(phone);
      watch(&phone->live);
      phone->next_beat = now() + 2 * chance(), phone->next_ping = now() + 5 * chance();
    }
    serve(now(), false);
    for (int i = 0; i < table->size; i++)
      if (table->phones[i].seq > table->base) table->base = table->phones[i].seq;
  }
  printf("{\"connected\":%d,\"seconds\":%.2f}\n", connected, now() - begun);
}

static int by_size(const void *a, const void *b) {
  double difference = *(double *)a - *(double *)b;
  return (difference > 0) - (difference < 0);
}

// A lost action counts as one that took for ever.
static double quantile(double *sorted, long count, long lost, double q) {
  long at = q * (count + lost);
  return at < count ? sorted[at] * 1000 : -1;
}

static void report(double begun, double finished, double cpu) {
  double wall = finished - begun;
  if (tally.done > MOST_LATENCIES) tally.done = MOST_LATENCIES;
  qsort(tally.latency, tally.done, sizeof(double), by_size);
  qsort(tally.answer, tally.answers, sizeof(double), by_size);
  printf("{\"done\":%ld,\"sent\":%ld,\"lost\":%ld,\"refused\":%ld,\"broken\":%ld,\"closed\":%ld,\"seconds\":%.3f,"
         "\"per_s\":%.1f,\"p50\":%.3f,\"p90\":%.3f,\"p99\":%.3f,\"max\":%.3f,\"answer_p50\":%.3f,\"answer_p99\":%.3f,"
         "\"client_cpu\":%.3f,\"pages\":{", tally.done, tally.sent, tally.lost, tally.refused, tally.broken,
         tally.closed, wall, tally.done / wall, quantile(tally.latency, tally.done, tally.lost, .5),
         quantile(tally.latency, tally.done, tally.lost, .9), quantile(tally.latency, tally.done, tally.lost, .99),
         quantile(tally.latency, tally.done, tally.lost, 1 - 1e-12), quantile(tally.answer, tally.answers, 0, .5),
         quantile(tally.answer, tally.answers, 0, .99), cpu / wall);
  for (Kind *kind = kinds; kind->page[0]; kind++)
    printf("%s\"%s\":{\"frames\":%ld,\"wire\":%.0f,\"plain\":%.0f}", kind == kinds ? "" : ",", kind->page,
           kind->frames, kind->frames ? (double)kind->wire / kind->frames : 0,
           kind->frames ? (double)kind->plain / kind->frames : 0);
  printf("},\"reason\":\"");
  for (char *c = tally.reason; *c; c++) putchar(*c == '"' || *c == '\\' || *c < ' ' ? ' ' : *c);
  printf("\"}\n");
}

static double cpu_seconds(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return used.ru_utime.tv_sec + used.ru_stime.tv_sec + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

static void begin(void) {
  free(tally.latency), free(tally.answer);
  tally = (Tally){.latency = malloc(sizeof(double) * MOST_LATENCIES), .answer = malloc(sizeof(double) * MOST_LATENCIES)};
  for (Kind *kind = kinds; kind->page[0]; kind++) kind->frames = kind->wire = kind->plain = 0;
}

static void idle(double seconds) {
  double begun = now(), cpu = cpu_seconds();
  begin();
  while (now() < begun + seconds) serve(begun + seconds, false);
  report(begun, now(), cpu_seconds() - cpu);
}

// light and closed: each table acts again as soon as it has rested. every: each table acts in its
// own moment of a common period. open: actions fall like rain on all tables together.
static void load(const char *mode, int tables, double seconds, double rate, long most) {
  bool is_closed = !strcmp(mode, "light") || !strcmp(mode, "closed"), is_open = !strcmp(mode, "open");
  double begun = now(), end = begun + seconds, finished = begun, cpu = cpu_seconds(), next = begun;
  double moment[tables], period = is_closed ? 0 : tables / rate;
  long round = 0;
  int turn = 0;
  begin();
  if (tables > connected) die("only %d tables are connected", connected);
  pause_after = is_closed ? rate : 0;
  for (int t = 0; t < tables; t++) {
    moment[t] = (t + chance()) * period / tables;
    if (house.table[t].is_broken) tally.broken++;
  }
  for (;;) {
    double at = now(), wake = at + 0.05;
    bool goes_on = at < end && tally.sent < most;
    while (goes_on && !is_closed) {
      if (!is_open) next = begun + round * period + moment[turn];
      if (next > at || next >= end) break;
      want(&house.table[is_open ? (int)(chance() * tables) : turn], next);
      if (is_open) next += -log(1 - chance()) / rate;
      else if (++turn == tables) turn = 0, round++;
    }
    if (!is_closed && next < wake) wake = next;
    int left = 0, whole = 0;
    for (int t = 0; t < tables; t++) {
      Table *table = &house.table[t];
      if (table->is_broken) continue;
      whole++;
      if (goes_on && is_closed && !table->is_busy && at >= table->free_at) fire(table, at, true);
      if (!is_closed) take_up(table, at);
      bool is_free = !table->is_busy && !table->queue_length;
      // What the house would soon do by itself must not be left to it.
      if (!goes_on && is_free && table->script && table->script->count &&
          table->script->steps[table->at].pause_ms < 0) fire(table, at, false);
      left += table->is_busy || table->queue_length;
      bool is_waiting = !table->is_busy && (is_closed ? goes_on : table->queue_length);
      if (is_waiting && table->free_at < wake) wake = table->free_at;
    }
    if (!whole || (!goes_on && !left)) break;
    long before = tally.done;
    serve(wake, false);
    if (tally.done > before) finished = now();
    if (at > end + given_up_after + 20) break;
  }
  pause_after = 0;
  report(begun, finished > begun ? finished : now(), cpu_seconds() - cpu);
}

static void options(int count, char **words) {
  const Dialect *all[] = {&taproom, &boardgame, &colyseus, &bare};
  const char *plan = NULL;
  int tables = 0;
  for (int word; (word = getopt(count, words, "p:d:f:t:l:g:zbw")) != -1;) switch (word) {
    case 'p': house.port = atoi(optarg); break;
    case 'd': for (int i = 0; i < 4; i++) if (!strcmp(all[i]->name, optarg)) house.dialect = all[i]; break;
    case 'f': plan = optarg; break;
    case 't': tables = atoi(optarg); break;
    case 'l': lost_after = atof(optarg); break;
    case 'g': given_up_after = atof(optarg); break;
    case 'z': house.deflates = true; break;
    case 'b': house.beats = true; break;
    case 'w': house.on_socket = true; break;
    default: die("see the head of loadgen.c for what it takes");
  }
  if (plan) plan_read(plan);
  else plan_make(tables);
}

int main(int count, char **words) {
  srand48(time(NULL) ^ getpid());
  setvbuf(stdout, NULL, _IOLBF, 0);
  poll_fd = epoll_create1(0);
  options(count, words);
  begin();
  struct epoll_event orders = {EPOLLIN, {.ptr = NULL}};
  epoll_ctl(poll_fd, EPOLL_CTL_ADD, 0, &orders);
  for (;;) {
    if (!serve(now() + 0.25, true)) continue;
    char mode[20];
    int tables;
    double seconds, rate;
    long most;
    if (!fgets(order, sizeof order, stdin)) return 0;
    if (sscanf(order, "connect %d", &tables) == 1) sit(tables);
    else if (sscanf(order, "idle %lf", &seconds) == 1) idle(seconds);
    else if (sscanf(order, "load %19s %d %lf %lf %ld", mode, &tables, &seconds, &rate, &most) == 5)
      load(mode, tables, seconds, rate, most);
    else die("an order that cannot be read: %s", order);
  }
}
