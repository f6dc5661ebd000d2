// Calls that make and free communicators.
#include "seen.h"

/// What was made: how many ranks it has, and which one this is; and that it carries messages. Frees it.
static void made(int error, MPI_Comm* c) {
    int size = 0, own = 0;
    say(" %d", error);
    if (error != MPI_SUCCESS) return;
    say("%d", *c == MPI_COMM_NULL);
    if (*c == MPI_COMM_NULL) return;
    MPI_Comm_size(*c, &size);
    MPI_Comm_rank(*c, &own);
    say("(%d/%d)", own, size);
    in[0] = untouched;
    MPI_Sendrecv(&out[1], 1, MPI_INT, size - 1 - own, tag, &in[0], 1, MPI_INT, size - 1 - own, tag, *c, &s[0]);
    status(&s[0]);
    received(1);
    say("%d", code(MPI_Comm_free(c)));
    say("%d", *c == MPI_COMM_NULL);
}
#define MADE(call) made(code(call), &c)

static void copies(void) {
    MPI_Comm c;
    MADE(MPI_Comm_dup(WORLD, &c));
    MADE(MPI_Comm_dup(MPI_COMM_SELF, &c));
    MADE(MPI_Comm_dup(MPI_COMM_NULL, &c));
    MADE(MPI_Comm_dup_with_info(WORLD, MPI_INFO_NULL, &c));
    MADE(MPI_Comm_dup_with_info(MPI_COMM_NULL, MPI_INFO_NULL, &c));
    int const error = code(MPI_Comm_idup(WORLD, &c, &q[0]));
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    made(error, &c);
    say(" %d", code(MPI_Comm_idup(MPI_COMM_NULL, &c, &q[0])));
}

static void parts(void) {
    MPI_Comm c;
    MADE(MPI_Comm_split(WORLD, 0, -rank, &c));
    MADE(MPI_Comm_split(WORLD, rank, 0, &c));
    MADE(MPI_Comm_split(WORLD, rank == 0 ? 0 : MPI_UNDEFINED, 0, &c));
    MADE(MPI_Comm_split(MPI_COMM_NULL, 0, 0, &c));
    MADE(MPI_Comm_split_type(WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &c));
    MADE(MPI_Comm_split_type(WORLD, MPI_UNDEFINED, rank, MPI_INFO_NULL, &c));
    MADE(MPI_Comm_split_type(MPI_COMM_NULL, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &c));
}

static void of_groups(void) {
    MPI_Comm c;
    MPI_Group all, one;
    int const first = 0;
    say(" %d", code(MPI_Comm_group(WORLD, &all)));
    MPI_Group_incl(all, 1, &first, &one);
    MADE(MPI_Comm_create(WORLD, all, &c));
    MADE(MPI_Comm_create(WORLD, one, &c));
    MADE(MPI_Comm_create(WORLD, MPI_GROUP_EMPTY, &c));
    MADE(MPI_Comm_create(WORLD, MPI_GROUP_NULL, &c));
    MADE(MPI_Comm_create(MPI_COMM_NULL, all, &c));
    MADE(MPI_Comm_create_group(WORLD, all, tag, &c));
    if (rank == 0) MADE(MPI_Comm_create_group(WORLD, one, tag, &c));
    MADE(MPI_Comm_create_group(WORLD, MPI_GROUP_NULL, tag, &c));
    MADE(MPI_Comm_create_group(MPI_COMM_NULL, all, tag, &c));
    MPI_Group_free(&all), MPI_Group_free(&one);
    say(" %d", code(MPI_Comm_group(MPI_COMM_NULL, &all)));
}

static void topologies(void) {
    MPI_Comm c, line;
    int const two = 2, one = 1, three = 3, yes = 1, no = 0, ends[2] = {1, 2}, edges[2] = {1, 0};
    MADE(MPI_Cart_create(WORLD, 1, &two, &yes, 1, &c));
    MADE(MPI_Cart_create(WORLD, 1, &one, &yes, 0, &c)); // one rank is in none
    MADE(MPI_Cart_create(WORLD, 0, NULL, NULL, 0, &c));
    MADE(MPI_Cart_create(WORLD, 1, &three, &yes, 0, &c)); // too many
    MADE(MPI_Cart_create(WORLD, -1, &two, &yes, 0, &c));
    MADE(MPI_Cart_create(MPI_COMM_NULL, 1, &two, &yes, 0, &c));
    MPI_Cart_create(WORLD, 1, &two, &no, 0, &line);
    MADE(MPI_Cart_sub(line, &yes, &c));
    MADE(MPI_Cart_sub(line, &no, &c));
    MADE(MPI_Cart_sub(WORLD, &no, &c)); // has no topology
    MADE(MPI_Cart_sub(MPI_COMM_NULL, &no, &c));
    for (int i = 0; i < 3; ++i) { // MPICH dies of MPI_Cart_get where there is no grid
        MPI_Comm const of = i == 0 ? line : i == 1 ? WORLD : MPI_COMM_NULL;
        int dims = 0, size = 0, period = 0, own = 0, from = 0, to = 0, place = 0;
        say(" %d%d", code(MPI_Cartdim_get(of, &dims)), dims);
        if (i != 1) say("%d%d%d%d", code(MPI_Cart_get(of, 1, &size, &period, &own)), size, period, own);
        say("%d%d", code(MPI_Cart_rank(of, &one, &to)), to);
        say("%d%d", code(MPI_Cart_coords(of, 1, 1, &place)), place);
        say("%d%d%d", code(MPI_Cart_shift(of, 0, 1, &from, &to)), from, to);
    }
    MPI_Comm_free(&line);
    MADE(MPI_Graph_create(WORLD, 2, ends, edges, 0, &c));
    MADE(MPI_Graph_create(WORLD, 3, ends, edges, 0, &c));
    MADE(MPI_Graph_create(MPI_COMM_NULL, 2, ends, edges, 0, &c));
    MADE(MPI_Dist_graph_create(WORLD, 1, &rank, &one, &other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c));
    MADE(MPI_Dist_graph_create(WORLD, 0, NULL, NULL, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c));
    MADE(MPI_Dist_graph_create(WORLD, -1, &rank, &one, &other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c));
    MADE(MPI_Dist_graph_create_adjacent(WORLD, 1, &other, &one, 1, &other, &one, MPI_INFO_NULL, 0, &c));
    MADE(MPI_Dist_graph_create_adjacent(WORLD, -1, &other, &one, 1, &other, &one, MPI_INFO_NULL, 0, &c));
    MADE(MPI_Dist_graph_create_adjacent(MPI_COMM_NULL, 1, &other, &one, 1, &other, &one, MPI_INFO_NULL, 0, &c));
}

/// Each group has one rank.
static void intercommunicators(void) {
    MPI_Comm inter, c;
    MPI_Group remote;
    say(" %d", code(MPI_Intercomm_create(MPI_COMM_SELF, 0, WORLD, other, tag, &inter)));
    MPI_Sendrecv(out, 1, MPI_INT, 0, tag, in, 1, MPI_INT, 0, tag, inter, &s[0]);
    status(&s[0]);
    received(1);
    say(" %d", code(MPI_Comm_remote_group(inter, &remote)));
    MPI_Group_free(&remote);
    MPI_Bcast(rank == 0 ? out : in, 1, MPI_INT, rank == 0 ? MPI_ROOT : 0, inter);
    received(1);
    MADE(MPI_Intercomm_merge(inter, rank, &c));
    say(" %d", code(MPI_Comm_disconnect(&inter)));
    say(" %d", code(MPI_Comm_remote_group(WORLD, &remote)) != MPI_SUCCESS);
    say(" %d", code(MPI_Intercomm_create(MPI_COMM_NULL, 0, WORLD, other, tag, &inter)));
    NOT_IN_MPICH(say(" %d", code(MPI_Intercomm_merge(WORLD, 0, &c))));
    say(" %d", code(MPI_Intercomm_merge(MPI_COMM_NULL, 0, &c)));
}

static void freed(void) {
    MPI_Comm c = MPI_COMM_NULL;
    say(" %d", code(MPI_Comm_free(&c)));
    say(" %d", code(MPI_Comm_disconnect(&c)));
    MPI_Comm_dup(WORLD, &c);
    MPI_Irecv(in, 1, MPI_INT, other, tag, c, &q[0]);
    MPI_Send(out, 1, MPI_INT, other, tag, c);
    say(" %d", code(MPI_Comm_free(&c))); // what is pending goes on
    MPI_Wait(&q[0], &s[0]);
    status(&s[0]);
    MPI_Comm_dup(WORLD, &c);
    say(" %d", code(MPI_Comm_disconnect(&c)));
    say(" %d", c == MPI_COMM_NULL);
}

/// Nothing can be started here: what is refused.
static void started(void) {
    MPI_Comm c;
    int const one = 1;
    char* commands[] = {(char[]){"nothing"}};
    MPI_Info infos[] = {MPI_INFO_NULL};
    say(" %d",
        code(MPI_Comm_spawn("nothing", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_NULL, &c, MPI_ERRCODES_IGNORE)));
    say(" %d", code(MPI_Comm_spawn("nothing", MPI_ARGV_NULL, 1, MPI_INFO_NULL, far, WORLD, &c, MPI_ERRCODES_IGNORE)));
    say(" %d", code(MPI_Comm_spawn_multiple(1, commands, MPI_ARGVS_NULL, &one, infos, 0, MPI_COMM_NULL, &c,
                                            MPI_ERRCODES_IGNORE)));
    say(" %d", code(MPI_Comm_accept("nothing", MPI_INFO_NULL, 0, MPI_COMM_NULL, &c)));
    say(" %d", code(MPI_Comm_connect("nothing", MPI_INFO_NULL, 0, MPI_COMM_NULL, &c)));
    NOT_IN_OPEN_MPI(say(" %d", code(MPI_Comm_join(-1, &c)) != MPI_SUCCESS));
    MPI_File file;
    say(" %d", code(MPI_File_open(MPI_COMM_NULL, "nothing", MPI_MODE_RDONLY, MPI_INFO_NULL, &file)) != MPI_SUCCESS);
}

struct section const of_communicators[] = {{"copies", copies},
                                           {"parts", parts},
                                           {"groups of ranks", of_groups},
                                           {"topologies", topologies},
                                           {"intercommunicators", intercommunicators},
                                           {"freed communicators", freed},
                                           {"what would be started", started},
                                           {NULL, NULL}};
