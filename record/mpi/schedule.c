// Replay: MATCHPOINT_SCHEDULE names a file that says which message each receive is to take (docs/formats.md). A receive
// that admits several then admits only that one. As long as all ranks do what was recorded, this makes the run take the
// matches of the schedule, whatever the time does.
//
// A rank that does something else is off the schedule: what it was to send may never come. It says so in a file beside
// the recordings; the others see it while they wait, and their receives admit again what the program says.
#define _GNU_SOURCE
#include "tables.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/// What a call of this rank was in the recorded run.
struct planned {
    char kind; // 's' send, 'r' receive, 0: neither, or it is not known
    int peer, tag;
    bool is_taken, is_probed;
    bool refuses;            // the send waits for its receive
    bool is_withdrawn;       // the receive is cancelled in time
    int from, with_tag;      // what the receive is to take; a rank of MPI_COMM_WORLD
    unsigned place_in_order; // when the rank learned that it was complete; 0: not known
    bool is_also;            // directly after the one before
    bool is_seen;            // probe `number` of this rank, not the call, is to see a message
    int sees_from, sees_tag; // of this rank, with this tag
};

static struct planned* plan;
static unsigned planned;

/// A collective call of this rank waits until another one has made the call, too, or another one waits for this rank,
/// which sends it an empty message when it makes the call.
struct meeting {
    unsigned number; // of the call
    int other;       // a rank of MPI_COMM_WORLD
    int tag;
    bool waits;
    bool has_met;
};
static struct meeting* meetings;
static size_t met;
static MPI_Comm between = MPI_COMM_NULL; // for these messages; only if some rank meets another one
static bool replaying, synchronous, off_schedule;
// The first call of this rank that belongs to a collective whose calls do not match, and whether it has been made. From
// there on the library may do anything, and with blocking calls something else than with nonblocking ones.
static unsigned first_as_written = UINT_MAX;
static bool as_written;
static bool test_has_failed; // one that the schedule wants to succeed
static char flag_file[4096];
static char standing_file[4096]; // written by the launcher (record/launch.cpp): a byte whenever nobody can go on

bool is_replaying(void) { return replaying; }

static struct planned_poll* poll_plan;
static bool* poll_is_planned;
static unsigned planned_polls;

static void plan_poll(unsigned number, struct planned_poll p) {
    if (number >= planned_polls) {
        unsigned const more = 2 * number + 16;
        struct planned_poll* const plans = allocate(more * sizeof *plans);
        bool* const known = allocate(more * sizeof *known);
        for (unsigned i = 0; i < planned_polls; ++i) {
            plans[i] = poll_plan[i];
            known[i] = poll_is_planned[i];
        }
        free(poll_plan);
        free(poll_is_planned);
        poll_plan = plans;
        poll_is_planned = known;
        planned_polls = more;
    }
    poll_plan[number] = p;
    poll_is_planned[number] = true;
}

bool scheduled_poll(unsigned number, struct planned_poll* plan) {
    if (!replaying || number >= planned_polls || !poll_is_planned[number] || is_off_schedule()) return false;
    *plan = poll_plan[number];
    return true;
}

static struct planned* at(unsigned number) {
    if (number >= planned) {
        unsigned const more = 2 * number + 16;
        struct planned* const larger = allocate(more * sizeof *plan);
        for (unsigned i = 0; i < planned; ++i) larger[i] = plan[i];
        free(plan);
        plan = larger;
        planned = more;
    }
    return &plan[number];
}

static void add_meeting(struct meeting m) {
    struct meeting* const more = allocate((met + 1) * sizeof *more);
    if (met != 0) memcpy(more, meetings, met * sizeof *more);
    free(meetings);
    meetings = more;
    meetings[met++] = m;
}

void announce_as_scheduled(unsigned number) {
    for (size_t i = 0; i < met; ++i) {
        struct meeting const* const m = &meetings[i];
        if (m->number != number || m->waits) continue;
        MPI_Request request;
        PMPI_Isend(NULL, 0, MPI_BYTE, m->other, m->tag, between, &request);
        PMPI_Request_free(&request);
    }
}

bool has_met_as_scheduled(unsigned number) {
    for (size_t i = 0; i < met && !is_off_schedule(); ++i) {
        struct meeting* const m = &meetings[i];
        if (m->number != number || !m->waits || m->has_met) continue;
        int has_come = 0;
        PMPI_Iprobe(m->other, m->tag, between, &has_come, MPI_STATUS_IGNORE);
        if (!has_come) return false;
        PMPI_Recv(NULL, 0, MPI_BYTE, m->other, m->tag, between, MPI_STATUS_IGNORE);
        m->has_met = true;
    }
    return true;
}

bool is_made_as_written(unsigned number) {
    if (!replaying) return true;
    if (number != UINT_MAX && number >= first_as_written && !is_off_schedule()) as_written = true;
    return as_written;
}

void read_schedule(char const* folder, int me) {
    char const* const name = getenv("MATCHPOINT_SCHEDULE");
    if (name == NULL || *name == '\0') return;
    FILE* const file = fopen(name, "re");
    if (file == NULL) {
        perror("matchpoint: the schedule cannot be read");
        return;
    }
    replaying = true;
    snprintf(flag_file, sizeof flag_file, "%s/off-schedule", folder);
    snprintf(standing_file, sizeof standing_file, "%s/standing", folder);
    char* line = NULL;
    size_t size = 0;
    unsigned in_order = 0;
    bool some_meet = false;
    while (getline(&line, &size, file) > 0) {
        int rank = 0, a = 0, b = 0, used = 0;
        unsigned number = 0;
        char word[16];
        if (strncmp(line, "synchronous", 11) == 0) synchronous = true;
        if (strncmp(line, "meet", 4) == 0) some_meet = true;
        if (sscanf(line, "%15s %d %u%n", word, &rank, &number, &used) < 3 || rank != me) continue;
        sscanf(line + used, "%d %d", &a, &b);
        if (strcmp(word, "poll") == 0) {
            unsigned long long fails = 0;
            char then[16];
            if (sscanf(line + used, "%llu %15s", &fails, then) == 2)
                plan_poll(number, (struct planned_poll){fails, strcmp(then, "succeeds") == 0 ? then_succeeds
                                                               : strcmp(then, "free") == 0   ? then_free
                                                                                             : then_fails});
            continue;
        }
        struct planned* const p = at(number);
        if (strcmp(word, "written") == 0) {
            first_as_written = number;
        } else if (strcmp(word, "meet") == 0 || strcmp(word, "met") == 0) {
            add_meeting((struct meeting){number, a, b, word[2] == 'e', false});
        } else if (strcmp(word, "send") == 0 || strcmp(word, "recv") == 0) {
            p->kind = word[0];
            p->peer = a;
            p->tag = b;
        } else if (strcmp(word, "take") == 0 || strcmp(word, "probe") == 0) {
            p->is_taken = true;
            p->is_probed = word[0] == 'p';
            p->from = a;
            p->with_tag = b;
        } else if (strcmp(word, "look") == 0) {
            p->is_seen = true;
            p->sees_from = a;
            p->sees_tag = b;
        } else if (strcmp(word, "refuse") == 0) {
            p->refuses = true;
        } else if (strcmp(word, "withdraw") == 0) {
            p->is_withdrawn = true;
        } else if (strcmp(word, "done") == 0 || strcmp(word, "also") == 0) {
            p->place_in_order = ++in_order;
            p->is_also = word[0] == 'a';
        }
    }
    free(line);
    fclose(file);
    if (some_meet) PMPI_Comm_dup(MPI_COMM_WORLD, &between);
}

static void leave_schedule(unsigned number, unsigned place) {
    begin_line_of(a_note, "off"); // tests go on as they were
    add_number(number);
    add_number(place);
    end_line();
    off_schedule = true;
    int const file = open(flag_file, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
    if (file >= 0) close(file);
}

/// Whether some rank is off the schedule. Calls of several threads have numbers in the order of this run.
bool is_off_schedule(void) {
    if (!replaying || off_schedule) return off_schedule;
    unsigned place = 0;
    if (second_thread_calls(&place)) leave_schedule(next_number(), place);
    off_schedule = off_schedule || access(flag_file, F_OK) == 0;
    return off_schedule;
}

bool send_waits(struct request const* r) {
    if (!replaying || r->kind != is_send || r->mode == 'S') return false;
    bool const is_planned = r->number < planned && plan[r->number].kind == 's' && !is_off_schedule();
    if (is_planned) return plan[r->number].refuses;
    return synchronous && r->mode != 'b';
}

void give_up_schedule(unsigned number, unsigned place) {
    if (replaying && !off_schedule) leave_schedule(number, place);
}

long times_standing(void) {
    struct stat of;
    return stat(standing_file, &of) == 0 ? (long)of.st_size : 0;
}

void let_test_fail(void) { test_has_failed = true; }

void compare_with_schedule(struct request const* r, unsigned place) {
    if (test_has_failed) give_up_schedule(r->number, place); // and the rank did not test until it succeeded
    if (!replaying || is_off_schedule() || r->number >= planned) return;
    struct planned const* const p = &plan[r->number];
    if (p->kind == 0) return;
    int const peer = r->peer == MPI_ANY_SOURCE ? -1 : world_rank(r->comm, r->peer);
    char const kind = r->kind == is_send ? 's' : r->kind == is_receive ? 'r' : 'c';
    // A receive that follows a probe takes what the probe admits: its own source and tag follow from that. A receive of
    // any tag has no tag in the plan, and neither has any receive of a program without tags.
    bool const same = kind == p->kind && (p->is_probed || (peer == p->peer && (p->tag < 0 || r->tag == p->tag)));
    if (!same) leave_schedule(r->number, place);
}

bool is_withdrawn_as_scheduled(struct request const* r) {
    return replaying && !is_off_schedule() && r->number < planned && plan[r->number].is_withdrawn;
}

static int rank_in(struct communicator const* c, int world) {
    for (int i = 0; i < c->size; ++i)
        if (c->world[i] == world) return i;
    return MPI_ANY_SOURCE;
}

bool scheduled(struct request const* r, int* from, int* tag) {
    if (!replaying || is_off_schedule() || r->number >= planned) return false;
    struct planned const* const p = &plan[r->number];
    if (!p->is_taken || (*from != MPI_ANY_SOURCE && *tag != MPI_ANY_TAG)) return false;
    *from = rank_in(r->comm, p->from);
    *tag = p->with_tag;
    return true;
}

bool scheduled_probe(struct communicator const* c, unsigned n, int* from, int* tag) {
    if (!replaying || is_off_schedule() || n >= planned || !plan[n].is_seen) return false;
    *from = rank_in(c, plan[n].sees_from);
    *tag = plan[n].sees_tag;
    return true;
}

unsigned place_in_order(unsigned number) { return number < planned ? plan[number].place_in_order : 0; }

bool is_next_in_order(unsigned number, unsigned next) {
    unsigned const place = place_in_order(number);
    return place != 0 && place_in_order(next) == place + 1 && plan[next].is_also;
}

void nap(void) {
    static struct timespec const pause = {0, 200000};
    static __thread unsigned naps;
    end_turn();
    sched_yield();
    if (++naps % 16 == 0) nanosleep(&pause, NULL);
    take_turn();
}
