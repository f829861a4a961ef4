// What tables there are, who sits there and what they do: read from the plan that bench.tables
// writes, one thing a line. Servers that need no plan get tables with nothing but numbers.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loadgen.h"

Kind kinds[6];

static void of_kind(Phone *phone) {
  int i = 0;
  while (kinds[i].page[0] && strcmp(kinds[i].page, phone->page)) i++;
  strcpy(kinds[i].page, phone->page);
  phone->kind = &kinds[i];
}

static Phone *seat(Table *table) {
  if (table->size == MOST_PHONES) die("more than %d phones at a table", MOST_PHONES);
  Phone *phone = &table->phones[table->size];
  phone->index = table->size++;
  phone->table = table;
  phone->live = (Line){.kind = LIVE, .fd = -1, .phone = phone};
  phone->form = (Line){.kind = FORM, .fd = -1, .phone = phone};
  return phone;
}

void plan_make(int tables) {
  house.table = calloc(tables, sizeof *house.table);
  house.tables = tables;
  for (int i = 0; i < tables; i++) {
    house.table[i].index = i;
    for (int k = 0; k < USUAL_PHONES; k++) {
      Phone *phone = seat(&house.table[i]);
      phone->seat = k;
      strcpy(phone->page, "socket");
      of_kind(phone);
    }
  }
}

static void step_read(Script *script, char *line) {
  Step step;
  int used = 0;
  if (sscanf(line, "step %d %ld %ld %ld %d %n", &step.phone, &step.own, &step.until, &step.saw,
             &step.pause_ms, &used) < 5) die("a step that cannot be read: %s", line);
  step.body = strdup(line + used);
  script->learns |= strstr(step.body, "{sequence}") != NULL;
  if (script->count == script->room)
    script->steps = realloc(script->steps, (script->room = script->room * 2 + 64) * sizeof step);
  script->steps[script->count++] = step;
}

void plan_read(const char *path) {
  static char line[8192];
  FILE *file = fopen(path, "r");
  if (!file) die("no plan at %s", path);
  int tables = 0, scripts = 0;
  while (fgets(line, sizeof line, file))
    tables += !strncmp(line, "table ", 6), scripts += !strncmp(line, "script ", 7);
  house.table = calloc(tables, sizeof *house.table);
  Script *script = calloc(scripts, sizeof *script), *last = script - 1;
  Table *table = house.table - 1;
  char name[40];
  for (rewind(file); fgets(line, sizeof line, file);) {
    line[strcspn(line, "\n")] = 0;
    if (sscanf(line, "script %39s", name) == 1) strcpy((++last)->name, name);
    else if (!strncmp(line, "step ", 5)) step_read(last, line);
    else if (!strncmp(line, "table ", 6)) {
      (++table)->index = house.tables++;
      sscanf(line, "table %39s %39s", table->code, name);
      for (Script *s = script; s <= last; s++) if (!strcmp(s->name, name)) table->script = s;
      if (!table->script) die("table %s plays %s, which is not in the plan", table->code, name);
    } else if (!strncmp(line, "phone ", 6)) {
      Phone *phone = seat(table);
      sscanf(line, "phone %11s %d %299s %99s", phone->page, &phone->seat, phone->cookie, phone->token);
      for (char *c = phone->cookie; *c; c++) if (*c == '|') c[0] = ' ';
      of_kind(phone);
    }
  }
  fclose(file);
}
