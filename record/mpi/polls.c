// Tests of requests, and probes that do not wait. Whether one succeeds depends on time, so the file says of each what
// it could have found. A program tests in loops, millions of times: tests of the same requests at the same place are
// one line, with the number of those that failed, as long as the rank does nothing else that is written down. The
// number is counted in place.
//
// In a replay a test comes out as it did: the schedule says how many fail, and whether the next one succeeds. What is
// complete too early is held back; what is to be complete is waited for.
#include "calls.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/// Tests of the same requests at the same place.
struct poll {
    unsigned number; // in the file, from 0
    unsigned place;
    char const* kind;
    unsigned* requests; // their numbers
    unsigned size;
    struct communicator const* comm; // of a probe; null of requests
    int from, tag;                   // what it asks for
    uint64_t failed;
    bool is_hopeless;       // in a replay, which awaited its success
    struct counter counter; // in the file; none before the first one failed
    struct poll* next;      // with the same hash
};

enum { chains = 256 };
static unsigned numbers;
// Each thread has its own: another one may be in a test.
static __thread struct poll* polls[chains]; // since it has done something else
static __thread unsigned long done_before;  // what it had done then
static __thread size_t kept;

static void forget_polls(void) {
    for (unsigned i = 0; i < chains && kept != 0; ++i)
        while (polls[i] != NULL) {
            struct poll* const p = polls[i];
            polls[i] = p->next;
            free(p->requests);
            free(p);
            --kept;
        }
}

static bool is_of(struct poll const* p, struct request* const* requests, int n) {
    unsigned at = 0;
    for (int i = 0; i < n; ++i)
        if (requests[i] != NULL && (at == p->size || p->requests[at++] != requests[i]->number)) return false;
    return at == p->size;
}

struct poll* poll_of(char const* kind, unsigned place, struct request* const* requests, int n) {
    if (!is_recording() || is_cut_off()) return NULL;
    waits_perhaps_for_thread();
    if (done_before != lines_about_calls()) forget_polls();
    done_before = lines_about_calls();
    unsigned size = 0, hash = place;
    for (int i = 0; i < n; ++i)
        if (requests[i] != NULL) {
            ++size;
            hash = 31 * hash + requests[i]->number;
        }
    if (size == 0) return NULL;
    struct poll** const chain = &polls[hash % chains];
    for (struct poll* p = *chain; p != NULL; p = p->next)
        if (p->place == place && strcmp(p->kind, kind) == 0 && is_of(p, requests, n)) return p;
    struct poll* const p = allocate(sizeof *p);
    *p = (struct poll){.number = numbers++, .place = place, .kind = kind, .size = size, .next = *chain};
    p->requests = allocate(size * sizeof *p->requests);
    for (int i = 0, at = 0; i < n; ++i)
        if (requests[i] != NULL) p->requests[at++] = requests[i]->number;
    *chain = p;
    ++kept;
    return p;
}

static struct poll** chain_of_probe(unsigned place, int tag) { return &polls[(31 * place + (unsigned)tag) % chains]; }

static struct poll* new_poll_of_probe(unsigned place, struct communicator const* c, int from, int tag) {
    struct poll** const chain = chain_of_probe(place, tag);
    struct poll* const p = allocate(sizeof *p);
    *p = (struct poll){
        .number = numbers++, .place = place, .kind = "seen", .comm = c, .from = from, .tag = tag, .next = *chain};
    *chain = p;
    ++kept;
    return p;
}

struct poll* poll_of_probe(unsigned place, struct communicator const* c, int from, int tag) {
    if (!is_recording() || is_cut_off() || c == NULL) return NULL;
    waits_perhaps_for_thread();
    if (done_before != lines_about_calls()) forget_polls();
    done_before = lines_about_calls();
    for (struct poll* p = *chain_of_probe(place, tag); p != NULL; p = p->next)
        if (p->place == place && p->comm == c && p->from == from && p->tag == tag) return p;
    return new_poll_of_probe(place, c, from, tag);
}

struct poll* poll_of_cancel(unsigned place, struct request const* r) {
    if (!is_recording() || is_cut_off()) return NULL;
    return new_poll_of_probe(place, r->comm, r->peer, r->tag);
}

static void begin_poll_line(enum told told, char const* word, struct poll const* p) {
    begin_line_of(told, word);
    add_number(p->number);
    add_number(p->place);
    add_text(p->kind);
}

static void end_poll_line(struct poll const* p) {
    if (p->comm != NULL) {
        add_number(p->comm->number);
        add_wanted(p->comm, p->from, p->tag);
    }
    for (unsigned i = 0; i < p->size; ++i) add_number(p->requests[i]);
    end_line();
}

void poll_has_failed(struct poll* p) {
    if (p == NULL) return;
    ++p->failed;
    if (count_in_place(&p->counter, p->failed)) return;
    begin_poll_line(an_aside, "poll", p);
    p->counter = add_counter(p->failed);
    end_poll_line(p);
}

void poll_has_succeeded(struct poll const* p) {
    if (p == NULL) return;
    now_waits_at(p->place);
    begin_poll_line(a_call, "polled", p);
    end_poll_line(p);
}

// ---- replay ---------------------------------------------------------------------------------------------------------

static bool is_planned(struct poll const* p, struct planned_poll* plan) {
    return p != NULL && is_replaying() && scheduled_poll(p->number, plan);
}

bool poll_is_held_back(struct poll const* p) {
    struct planned_poll plan;
    return is_planned(p, &plan) && (plan.then == then_fails || p->failed < plan.fails);
}

bool poll_goes_on(struct poll* p) {
    static struct poll const* waiting;
    static time_t since;
    static long stood;
    struct planned_poll plan;
    bool const waits = is_planned(p, &plan) && plan.then == then_succeeds && p->failed >= plan.fails;
    if (!waits) {
        waiting = NULL;
        return false;
    }
    // A test does not wait. If it should, and what it waits for does not come, the schedule asks for too much: of a
    // send that the library does not buffer, say. It never comes if nobody else can go on.
    enum { most_seconds = 5 };
    if (p->is_hopeless) return false;
    if (waiting != p) {
        waiting = p;
        since = time(NULL);
        stood = times_standing();
        begin_poll_line(an_aside, "awaits", p);
        end_poll_line(p);
    } else if (times_standing() > stood) {
        waiting = NULL;
        p->is_hopeless = true;
        let_test_fail();
        return false;
    } else if (time(NULL) - since > most_seconds) {
        give_up_schedule(p->size == 0 ? next_number() : p->requests[0], p->place);
        return false;
    }
    pause_in_replay();
    return true;
}

void look_at_held_back(MPI_Request const* real, int n) {
    int flag = 0;
    for (int i = 0; i < n; ++i)
        if (real[i] != MPI_REQUEST_NULL) PMPI_Request_get_status(real[i], &flag, MPI_STATUS_IGNORE);
}
