// How each kind of server is spoken to: ours, boardgame.io's, Colyseus', and a bare echo.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loadgen.h"

// Read the digits that stand at a place, and move it behind them.
static long digits(const unsigned char **at, const unsigned char *end) {
  long number = 0;
  for (; *at < end && **at >= '0' && **at <= '9'; (*at)++) number = number * 10 + **at - '0';
  return number;
}

// Return the number that stands after a key, -1 when there is none.
long number_after(const unsigned char *text, size_t length, const char *key) {
  const unsigned char *end = text + length, *at = memmem(text, length, key, strlen(key));
  if (!at) return -1;
  for (at += strlen(key); at < end && strchr("\": ", *at); at++) {}
  if (at == end || *at < '0' || *at > '9') return -1;
  return digits(&at, end);
}

static bool begins(const unsigned char *text, size_t length, const char *with) {
  return length >= strlen(with) && !memcmp(text, with, strlen(with));
}

static void say(Phone *phone, const char *text) { live_say(phone, text, strlen(text), 1); }

// --- Taproom: a cookie opens the socket, a form acts, each push is acknowledged ------------------

// A form names a row by a key that only the page knows: keep the newest that it shows.
static void learn(Table *table, const unsigned char *text, size_t length) {
  static const char key[] = "name=\\\"sequence\\\" value=\\\"";
  const unsigned char *end = text + length, *at = text;
  while ((at = memmem(at, end - at, key, sizeof key - 1))) {
    at += sizeof key - 1;
    long number = digits(&at, end);
    if (at == end) return;  // cut off by the end of a chunk: another phone's push shows it whole
    if (number > table->sequence) table->sequence = number;
  }
}

static void taproom_hear(Phone *phone, unsigned char *text, size_t length) {
  char answer[80];
  if (phone->table->script->learns) learn(phone->table, text, length);
  // A long push comes in chunks, "+" before each and "." before the last; its number is in the
  // first of them, and it is acknowledged when the last is here.
  static long begun[1 << 16];
  int who = phone->table->index * MOST_PHONES + phone->index;
  bool is_first = text[0] == '{';
  if (text[0] == '+') {
    if (begins(text, length, "+{\"epoch\"")) begun[who] = number_after(text, length, "\"seq\"");
    return;
  }
  if (begins(text, length, "{\"pong\"")) {
    long mark = number_after(text, length, "\"mark\"");
    snprintf(answer, sizeof answer, "{\"echo\":%ld}", mark);
    return say(phone, answer);
  }
  if (begins(text, length, "{\"did\"")) {
    char reason[300];
    snprintf(reason, sizeof reason, "%.*s", (int)(length < 290 ? length : 290), text);
    return answered(phone->table, number_after(text, length, "\"status\""), reason);
  }
  if (begins(text, length, "{\"error\""))
    return broke(phone->table, "the socket answered %.*s", (int)length, text);
  long seq = is_first ? number_after(text, length, "\"seq\"") : begun[who];
  snprintf(answer, sizeof answer, "{\"ack\":%ld}", seq);
  say(phone, answer);
  heard(phone, seq);
}

static void taproom_join(Phone *phone) {
  char path[200], headers[600];
  size_t length;
  snprintf(path, sizeof path, "/ws/t/%s/%s/%d/?seq=0&have=", phone->table->code, phone->page, phone->seat);
  snprintf(headers, sizeof headers,
    "Origin: http://127.0.0.1:%d\r\nCookie: %s\r\nUser-Agent: Mozilla/5.0 (Linux; Android 14) Mobile\r\n"
    "Accept-Language: en\r\n", house.port, phone->cookie);
  live_dial(phone, path, headers);
  unsigned char *first = live_await(phone, "\"regions\"", 0, &length);
  taproom_hear(phone, first, length);
  while (first[0] == '+') {
    first = live_await(phone, NULL, '.', &length);
    taproom_hear(phone, first, length);
  }
}

static void form_send(Phone *phone, const char *body) {
  char request[4096];
  int length = snprintf(request, sizeof request,
    "POST /t/%s/act/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: keep-alive\r\nContent-Length: %zu\r\n"
    "HX-Request: true\r\nHX-Current-URL: http://127.0.0.1:%d/t/%s/\r\nX-CSRFToken: %s\r\n"
    "User-Agent: Mozilla/5.0 (Linux; Android 14) Mobile\r\nAccept: */*\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\nOrigin: http://127.0.0.1:%d\r\n"
    "Referer: http://127.0.0.1:%d/t/%s/\r\nAccept-Language: en\r\nCookie: %s\r\n\r\n%s",
    phone->table->code, house.port, strlen(body), house.port, phone->table->code, phone->token,
    house.port, house.port, phone->table->code, phone->cookie, body);
  if (phone->form.fd < 0) line_open(&phone->form), watch(&phone->form);
  line_put(&phone->form, request, length);
}

static void taproom_act(Table *table) {
  Script *script = table->script;
  Step *step = &script->steps[table->at];
  Phone *phone = &table->phones[step->phone];
  char body[2048], said[2200];
  char *named = strstr(step->body, "{sequence}");
  int length = named
    ? snprintf(body, sizeof body, "%.*s%ld%s", (int)(named - step->body), step->body, table->sequence, named + 10)
    : snprintf(body, sizeof body, "%s", step->body);
  length += snprintf(body + length, sizeof body - length, "&tap=%s%lx-%ld", table->code,
                     (long)(now() * 1e6), table->sent_count);
  if (step->saw >= 0) snprintf(body + length, sizeof body - length, "&saw=%ld", table->base + step->saw);
  table->wanted = table->phones[0].seq + step->own;
  for (int i = 1; i < table->size; i++)
    if (table->phones[i].seq + step->own > table->wanted) table->wanted = table->phones[i].seq + step->own;
  table->until = step->until ? table->base + step->until : table->wanted;
  table->is_answered = false;
  if (++table->at == script->count) table->at = 0, table->base = table->until;
  if (!house.on_socket) return form_send(phone, body);
  length = snprintf(said, sizeof said, "{\"do\":\"%s\",\"n\":%ld}", body, table->sent_count);
  live_say(phone, said, length, 1);
}

const Dialect taproom = {"taproom", taproom_join, taproom_act, taproom_hear};

// --- boardgame.io: socket.io over engine.io; a match is made by the first who asks for it ---------

static void boardgame_join(Phone *phone) {
  char asked[200];
  size_t length;
  live_dial(phone, "/socket.io/?EIO=4&transport=websocket", "");
  live_await(phone, NULL, '0', &length);
  say(phone, "40/tavern,");
  live_await(phone, "40/tavern", 0, &length);
  snprintf(asked, sizeof asked, "42/tavern,[\"sync\",\"m%d\",\"%d\",null,%d]", phone->table->index,
           phone->index, phone->table->size);
  say(phone, asked);
  unsigned char *synced = live_await(phone, "\"sync\"", 0, &length);
  phone->seq = number_after(synced, length, "\"_stateID\"");
}

static void boardgame_act(Table *table) {
  char move[300];
  Phone *phone = &table->phones[table->sent_count % table->size];
  long seq = table->phones[0].seq;
  table->wanted = table->until = seq + 1;
  snprintf(move, sizeof move,
    "42/tavern,[\"update\",{\"type\":\"MAKE_MOVE\",\"payload\":{\"type\":\"roll\",\"args\":[%ld],"
    "\"playerID\":\"%d\"}},%ld,\"m%d\",\"%d\"]", seq % 20 + 1, phone->index, seq, table->index, phone->index);
  say(phone, move);
}

static void boardgame_hear(Phone *phone, unsigned char *text, size_t length) {
  if (length == 1 && text[0] == '2') return say(phone, "3");
  if (memmem(text, length < 60 ? length : 60, "\"update\"", 8))
    heard(phone, number_after(text, length, "\"_stateID\""));
}

const Dialect boardgame = {"boardgame", boardgame_join, boardgame_act, boardgame_hear};

// --- Colyseus: seats are reserved beforehand, and the plan says under which path ------------------

static void colyseus_join(Phone *phone) {
  size_t length;
  live_dial(phone, phone->cookie, "");
  live_await(phone, NULL, 10, &length);
  live_say(phone, "\x0a", 1, 2);
}

static void colyseus_act(Table *table) {
  long seq = table->wanted = table->until = table->phones[0].seq + 1;
  unsigned char said[] = {13, 0xa3, 'a', 'c', 't', 0xce, seq >> 24, seq >> 16, seq >> 8, seq};
  live_say(&table->phones[table->sent_count % table->size], (char *)said, sizeof said, 2);
}

static void colyseus_hear(Phone *phone, unsigned char *text, size_t length) {
  long seq = number_after(text, length, "\"seq\"");
  if (seq > 0) heard(phone, seq);
}

const Dialect colyseus = {"colyseus", colyseus_join, colyseus_act, colyseus_hear};

// --- a bare echo to a table's sockets: the limit -------------------------------------------------

static void bare_join(Phone *phone) {
  char path[60];
  snprintf(path, sizeof path, "/%d/%d", phone->table->index, phone->index);
  live_dial(phone, path, "");
}

static void bare_act(Table *table) {
  char said[60];
  long seq = table->wanted = table->until = table->phones[0].seq + 1;
  snprintf(said, sizeof said, "{\"act\":%ld}", seq);
  say(&table->phones[table->sent_count % table->size], said);
}

static void bare_hear(Phone *phone, unsigned char *text, size_t length) {
  heard(phone, number_after(text, length, "\"seq\""));
}

const Dialect bare = {"bare", bare_join, bare_act, bare_hear};
