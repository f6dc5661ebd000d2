// What `matchpoint mpi` finds beside failures and deadlocks. `findings SCENE 1` has a mistake at each line that ends
// with its kind and the ranks that make it, and `findings SCENE 0` has none.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORLD MPI_COMM_WORLD
#define IGNORED MPI_STATUS_IGNORE

static int rank, wrong;
static int a, b, many[64];
static double x;
static MPI_Request q[4];

static void add(void* in, void* out, int* n, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *n; ++i) ((int*)out)[i] += ((int*)in)[i];
}

static void add_nothing(void* in, void* out, int* n, MPI_Datatype* type) { (void)in, (void)out, (void)n, (void)type; }

static void wait_for(MPI_Request* request) { MPI_Wait(request, IGNORED); }

/// Rank 0 receives what rank 1 sends with this tag.
static void pass(int tag) {
    if (rank == 1)
        MPI_Send(&a, 1, MPI_INT, 0, tag, WORLD);
    else
        MPI_Recv(&b, 1, MPI_INT, 1, tag, WORLD, IGNORED);
}

static void requests(void) {
    if (rank == 0) {
        MPI_Isend(&a, 1, MPI_INT, 1, 1, WORLD, q); // unfinished-request 0
        if (!wrong) wait_for(q);
    } else {
        MPI_Recv(&b, 1, MPI_INT, 0, 1, WORLD, IGNORED);
    }
    MPI_Ibarrier(WORLD, q); // unfinished-request 0 1
    if (!wrong) wait_for(q);
    if (rank == 1) {
        MPI_Send(&a, 1, MPI_INT, 0, 2, WORLD);
    } else {
        MPI_Irecv(&many[63], 1, MPI_INT, 1, 2, WORLD, q); // freed-request 0
        if (wrong)
            MPI_Request_free(q);
        else
            wait_for(q);
    }
    MPI_Send_init(&a, 1, MPI_INT, MPI_PROC_NULL, 3, WORLD, q);
    MPI_Request_free(q);                              // nothing is known of it
    MPI_Recv_init(&b, 1, MPI_INT, rank, 3, WORLD, q); // never-started 0 1
    if (!wrong) {
        MPI_Start(q);
        MPI_Send(&a, 1, MPI_INT, rank, 3, WORLD);
        wait_for(q);
    }
    MPI_Request_free(q);
    if (rank == 0) {
        for (int i = 0; i < 2; ++i) {
            MPI_Send_init(&a, 1, MPI_INT, 1, 4, WORLD, q); // persistent-leak 0
            MPI_Start(q);
            wait_for(q);
            if (!wrong) MPI_Request_free(q);
        }
    } else {
        for (int i = 0; i < 2; ++i) MPI_Recv(&b, 1, MPI_INT, 0, 4, WORLD, IGNORED);
    }
}

static void leaks(void) {
    MPI_Comm comm;
    MPI_Comm_dup(WORLD, &comm); // communicator-leak 0 1
    if (!wrong) MPI_Comm_free(&comm);
    if (rank == 1) return;
    MPI_Group group, none;
    MPI_Comm_group(WORLD, &group); // group-leak 0
    MPI_Group_incl(group, 0, NULL, &none);
    if (none != MPI_GROUP_EMPTY) MPI_Group_free(&none);
    if (!wrong) MPI_Group_free(&group);
    MPI_Datatype type;
    for (int i = 0; i < 3; ++i) {
        MPI_Type_contiguous(3, MPI_INT, &type); // type-leak 0
        MPI_Type_commit(&type);
        if (!wrong) MPI_Type_free(&type);
    }
    MPI_Op op;
    MPI_Op_create(add, 1, &op); // operation-leak 0
    MPI_Allreduce(&a, &b, 1, MPI_INT, op, MPI_COMM_SELF);
    if (!wrong) MPI_Op_free(&op);
}

static void windows(void) {
    MPI_Win win;
    MPI_Win_create(many, sizeof many, 1, MPI_INFO_NULL, WORLD, &win); // window-leak 0 1
    if (!wrong) MPI_Win_free(&win);
}

/// A type of an int and a double, in this order or the other way round.
static MPI_Datatype pair(int is_turned) {
    int const lengths[] = {1, 1};
    MPI_Aint const starts[] = {0, 8};
    MPI_Datatype const types[] = {is_turned ? MPI_DOUBLE : MPI_INT, is_turned ? MPI_INT : MPI_DOUBLE};
    MPI_Datatype type;
    MPI_Type_create_struct(2, lengths, starts, types, &type);
    MPI_Type_commit(&type);
    return type;
}

static void matches(void) {
    MPI_Datatype const types[] = {pair(0), pair(1)};
    char data[64] = "", room[64];
    if (rank == 0) {
        MPI_Send(&a, 1, MPI_INT, 1, 10, WORLD); // unreceived-message 0
        MPI_Send(many, 1, wrong ? MPI_FLOAT : MPI_INT, 1, 11, WORLD);
        MPI_Send(data, 2, types[wrong], 1, 12, WORLD);
        MPI_Send(many, wrong ? 4 : 3, MPI_INT, 1, 13, WORLD);
        MPI_Send(many, 4, MPI_INT, 1, 14, WORLD);
        MPI_Send(many, wrong ? 9 : 8, MPI_INT, 1, 15, WORLD);
    } else {
        if (!wrong) MPI_Recv(&b, 1, MPI_INT, 0, 10, WORLD, IGNORED);
        MPI_Recv(&b, 1, MPI_INT, 0, 11, WORLD, IGNORED); // type-mismatch 1
        MPI_Irecv(room, 2, types[0], 0, 12, WORLD, q);   // type-mismatch 1
        wait_for(q);
        MPI_Status seen;
        MPI_Probe(0, 13, WORLD, &seen);
        MPI_Recv(many, 3, MPI_INT, 0, 13, WORLD, IGNORED); // truncation 1
        MPI_Datatype two;
        MPI_Type_vector(2, 1, 2, MPI_INT, &two);
        MPI_Type_commit(&two);
        MPI_Recv(many, 2, two, 0, 14, WORLD, IGNORED); // as the signature of four integers
        MPI_Message message;
        MPI_Mprobe(0, 15, WORLD, &message, &seen);
        MPI_Mrecv(many, 8, MPI_INT, &message, IGNORED); // truncation 1
        MPI_Type_free(&two);
    }
    for (int i = 0; i < 2; ++i) {
        MPI_Datatype type = types[i];
        MPI_Type_free(&type);
    }
}

static void buffers(void) {
    MPI_Datatype column;
    MPI_Type_vector(8, 1, 8, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 0) {
        MPI_Isend(many, 2, MPI_INT, 1, 20, WORLD, q);     // buffer-changed 0
        MPI_Isend(many, 1, MPI_INT, 1, 20, WORLD, q + 1); // buffer-changed 0
        if (wrong) many[0] = 7;
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        MPI_Isend(many, 1, column, 1, 20, WORLD, q); // buffer-changed 0
        many[1] = 8;                                 // between its elements
        if (wrong) many[8] = 7;
        wait_for(q);
        for (int i = 0; i < 4; ++i) MPI_Send(&a, 1, MPI_INT, 1, 21, WORLD);
    } else {
        MPI_Recv(&b, 2, MPI_INT, 0, 20, WORLD, IGNORED);
        MPI_Recv(&b, 1, MPI_INT, 0, 20, WORLD, IGNORED);
        MPI_Recv(many, 8, MPI_INT, 0, 20, WORLD, IGNORED);
        MPI_Irecv(many, 2, MPI_INT, 0, 21, WORLD, q);
        MPI_Recv(many + (wrong ? 1 : 2), 1, MPI_INT, 0, 21, WORLD, IGNORED); // buffer-overlap 1
        wait_for(q);
        // Two columns lie in each other's ranges.
        MPI_Irecv(many, 1, column, 0, 21, WORLD, q);
        MPI_Irecv(many + (wrong ? 8 : 1), 1, column, 0, 21, WORLD, q + 1); // buffer-overlap 1
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
    MPI_Type_free(&column);
    int const to = 1 - rank;
    MPI_Sendrecv(many, 1, MPI_INT, to, 22, many + !wrong, 1, MPI_INT, to, 22, WORLD, IGNORED); // buffer-overlap 0 1
    MPI_Sendrecv_replace(many, 1, MPI_INT, to, 22, to, 22, WORLD, IGNORED);
}

static void arguments(void) {
    MPI_Datatype type;
    MPI_Type_contiguous(2, MPI_INT, &type);
    if (!wrong) MPI_Type_commit(&type);
    if (rank == 0) {
        MPI_Send(&a, 1, MPI_INT, wrong ? 7 : MPI_PROC_NULL, 0, WORLD);                                 // argument 0
        MPI_Send(&a, 1, MPI_INT, wrong ? 1 : MPI_PROC_NULL, -5, WORLD);                                // argument 0
        MPI_Send(&a, -1, MPI_INT, wrong ? 1 : MPI_PROC_NULL, 0, WORLD);                                // argument 0
        MPI_Irecv(&a, 1, wrong ? MPI_DATATYPE_NULL : MPI_INT, wrong ? 1 : MPI_PROC_NULL, 0, WORLD, q); // argument 0
        if (!wrong) wait_for(q);
        MPI_Iprobe(wrong ? 2 : MPI_PROC_NULL, 0, WORLD, &b, IGNORED);                          // argument 0
        MPI_Ssend(many, 1, type, wrong ? 1 : MPI_PROC_NULL, 0, wrong ? MPI_COMM_NULL : WORLD); // argument 0
        MPI_Recv_init(many, 1, type, 0, 0, WORLD, q);                                          // argument 0
        if (!wrong) {
            MPI_Start(q);
            MPI_Send(many + 8, 1, type, 0, 0, WORLD);
            wait_for(q);
            MPI_Request_free(q);
        }
        MPI_Bcast(&a, 1, MPI_INT, wrong ? -1 : 0, MPI_COMM_SELF);                           // argument 0
        MPI_Reduce(&a, &b, 1, MPI_INT, wrong ? MPI_OP_NULL : MPI_SUM, 0, MPI_COMM_SELF);    // argument 0
        MPI_Allreduce(&x, many, 1, wrong ? MPI_DOUBLE : MPI_LONG, MPI_BAND, MPI_COMM_SELF); // argument 0
        if (wrong) {
            MPI_Request none = MPI_REQUEST_NULL;
            MPI_Start(&none); // argument 0
        }
    }
    MPI_Request none = MPI_REQUEST_NULL;
    MPI_Wait(&none, IGNORED);
    MPI_Type_free(&type);
}

/// Three ranks. In time, what rank 0 gets first is of rank 1.
static void predicted(void) {
    if (rank == 0) {
        MPI_Recv(&a, 1, MPI_INT, wrong ? MPI_ANY_SOURCE : 1, 0, WORLD, IGNORED);     // type-mismatch 0
        MPI_Recv(many, 2, MPI_FLOAT, wrong ? MPI_ANY_SOURCE : 2, 0, WORLD, IGNORED); // type-mismatch 0
    } else if (rank == 1) {
        MPI_Send(&a, 1, MPI_INT, 0, 0, WORLD);
    } else {
        usleep(300000);
        MPI_Send(many, 2, MPI_FLOAT, 0, 0, WORLD);
    }
}

/// Right: type and length follow what the probe saw. With `wrong`, the length is one too short for one message.
static void probed(void) {
    for (int i = 0; rank == 0 && i < 4; ++i) {
        MPI_Status s;
        MPI_Message m;
        int n;
        if (i % 2 == 0)
            MPI_Probe(MPI_ANY_SOURCE, 0, WORLD, &s);
        else
            MPI_Mprobe(MPI_ANY_SOURCE, 0, WORLD, &m, &s);
        MPI_Datatype const type = s.MPI_SOURCE == 1 ? MPI_INT : MPI_FLOAT;
        MPI_Get_count(&s, type, &n);
        if (i % 2 == 0)
            MPI_Recv(many, wrong && i == 0 ? 2 : n, type, s.MPI_SOURCE, 0, WORLD, &s); // truncation 0
        else
            MPI_Mrecv(many, n, type, &m, &s);
    }
    for (int i = 0; rank != 0 && i < 2; ++i) MPI_Send(many, 1 + rank, rank == 1 ? MPI_INT : MPI_FLOAT, 0, 0, WORLD);
}

/// A length, then as many elements, of either rank: the second receive of a length can get elements.
static void sized(void) {
    for (int i = 1; rank == 0 && i < 3; ++i) {
        MPI_Recv(&a, 1, MPI_INT, wrong ? MPI_ANY_SOURCE : i, 0, WORLD, IGNORED); // truncation 0
        MPI_Recv(many, a, MPI_INT, wrong ? MPI_ANY_SOURCE : i, 0, WORLD, IGNORED);
    }
    if (rank == 0) return;
    a = 1 + rank;
    MPI_Send(&a, 1, MPI_INT, 0, 0, WORLD);
    MPI_Send(many, a, MPI_INT, 0, 0, WORLD);
}

static void collectives(void) {
    MPI_Reduce(&a, &b, 1, MPI_INT, rank == 0 || !wrong ? MPI_SUM : MPI_MAX, 0, WORLD); // collective-mismatch 0
}

static void ready(void) {
    if (rank == 0) {
        if (!wrong) MPI_Recv(&b, 1, MPI_INT, 1, 0, WORLD, IGNORED);
        usleep(100000);
        MPI_Rsend(&a, 1, MPI_INT, 1, 1, WORLD); // ready-send 0
    } else {
        MPI_Irecv(&b, 1, MPI_INT, 0, 1, WORLD, q);
        if (!wrong) MPI_Send(&a, 1, MPI_INT, 0, 0, WORLD);
        wait_for(q);
    }
}

/// Of nonblocking collective calls. Rank 0 is the root.
static void collective_buffers(void) {
    int const ones[] = {1, 1}, starts[] = {0, 8}, turned[] = {8, 0}, none[] = {0, 0};
    int* const share = many + 32;
    MPI_Ibcast(many, 4, MPI_INT, 0, WORLD, q); // buffer-changed 0
    if (wrong && rank == 0) many[3] = 5;
    wait_for(q);
    // Two calls may read one buffer.
    MPI_Iallreduce(many, share, 4, MPI_INT, MPI_SUM, WORLD, q);         // buffer-changed 1
    MPI_Iscan(many, share + 4, 4, MPI_INT, MPI_SUM, WORLD, q + 1);      // buffer-changed 1
    MPI_Ireduce(many, share + 8, 1, MPI_INT, MPI_SUM, 0, WORLD, q + 2); // nothing is changed of it
    MPI_Iexscan(many, share + 9 * rank, 1, MPI_INT, MPI_SUM, WORLD, q + 3);
    if (wrong && rank == 1) many[1] = 6;
    MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
    // Blocks with gaps, and types with gaps.
    MPI_Ialltoallv(many, ones, starts, MPI_INT, share, ones, turned, MPI_INT, WORLD, q); // buffer-changed 0
    many[4] = 9;                                                                         // between its blocks
    if (wrong && rank == 0) many[8] = 17;
    wait_for(q);
    MPI_Datatype column;
    MPI_Type_vector(2, 1, 8, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Datatype const types[] = {column, column};
    int const bytes[] = {0, 4};
    MPI_Ialltoallw(many, ones, bytes, types, share, ones, bytes, types, WORLD, q); // buffer-changed 0
    MPI_Type_free(&column);
    many[3] = 8;
    if (wrong && rank == 0) many[9] = 18;
    wait_for(q);
    MPI_Igatherv(many, 1, MPI_INT, share, ones, starts, MPI_INT, 0, WORLD, q);
    int* const into = share + (wrong ? 8 : 9);
    MPI_Iscatterv(many + 1, ones, starts, MPI_INT, into, 1, MPI_INT, 0, WORLD, q + 1); // buffer-overlap 0
    MPI_Irecv(share + 16, 1, MPI_INT, rank, 50, WORLD, q + 2);
    MPI_Ireduce_scatter(many, share + (wrong ? 16 : 17), ones, MPI_INT, MPI_SUM, WORLD, q + 3); // buffer-overlap 0 1
    MPI_Send(&a, 1, MPI_INT, rank, 50, WORLD);
    MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
    // In place, the input is where the result comes.
    MPI_Iallgather(MPI_IN_PLACE, 0, MPI_INT, share, 2, MPI_INT, WORLD, q);
    MPI_Bcast(share + (wrong ? 3 : 4), 1, MPI_INT, 0, WORLD); // buffer-overlap 0 1
    wait_for(q);
    MPI_Ireduce_scatter_block(MPI_IN_PLACE, share, 2, MPI_INT, MPI_SUM, WORLD, q);
    MPI_Ialltoallv(many, none, starts, MPI_INT, share, none, turned, MPI_INT, WORLD, q + 1);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    MPI_Iallgatherv(many, 1, MPI_INT, share, ones, starts, MPI_INT, WORLD, q);
    MPI_Igather(share + (wrong ? 8 : 7), 1, MPI_INT, share + 16, 1, MPI_INT, 0, WORLD, q + 1); // buffer-overlap 0 1
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    // The buffers of one call: a block may lie in a gap.
    MPI_Alltoall(many, 1, MPI_INT, many + (wrong ? 1 : 2), 1, MPI_INT, WORLD); // buffer-overlap 0 1
    MPI_Allgatherv(many + 4, 1, MPI_INT, many, ones, starts, MPI_INT, WORLD);
    MPI_Alltoallv(many, ones, starts, MPI_INT, many + 1, ones, turned, MPI_INT, WORLD);
    // A send may have elements that overlap each other.
    MPI_Datatype bent;
    MPI_Type_create_hvector(2, 2, wrong ? 4 : 8, MPI_INT, &bent);
    MPI_Type_commit(&bent);
    if (rank == 0)
        MPI_Send(many, 1, bent, 1, 23, WORLD);
    else
        MPI_Recv(many, 1, bent, 0, 23, WORLD, IGNORED); // buffer-overlap 1
    MPI_Type_free(&bent);
}

/// What collective calls carry. Beside each mistake, what says the same in other ways.
static void carried(void) {
    MPI_Datatype const types[] = {pair(0), pair(1)};
    MPI_Datatype two;
    MPI_Type_vector(2, 1, 2, MPI_INT, &two);
    MPI_Type_commit(&two);
    int const ones[] = {1, 1}, starts[] = {0, 8}, bytes[] = {0, 32}, none[] = {0, 0}, next[] = {0, 1};
    int const is_0 = wrong && rank == 0, is_1 = wrong && rank == 1;
    int const counts[] = {1, is_0 ? 2 : 1};
    char data[96] = "", room[96] = "";
    int* const share = many + 32;
    MPI_Bcast(data, 2, types[is_1], 0, WORLD);                                          // type-mismatch 1
    MPI_Allgather(many, 1, MPI_INT, share, 1, is_0 ? MPI_FLOAT : MPI_INT, WORLD);       // type-mismatch 0
    MPI_Alltoall(many, 2, MPI_INT, share, is_1 ? 2 : 1, is_1 ? MPI_FLOAT : two, WORLD); // type-mismatch 1
    MPI_Gather(data, 1, types[is_1], room, 1, types[0], 0, WORLD);                      // type-mismatch 0
    MPI_Scatter(data, 1, types[0], room, 1, types[is_1], 0, WORLD);                     // type-mismatch 1
    MPI_Alltoallv(many, counts, starts, MPI_INT, share, ones, starts, MPI_INT, WORLD);  // count-mismatch 1
    MPI_Datatype const whats[] = {is_1 ? MPI_FLOAT : MPI_INT, MPI_INT}, integers[] = {MPI_INT, MPI_INT};
    MPI_Ialltoallw(many, ones, bytes, integers, share, ones, bytes, whats, WORLD, q); // type-mismatch 1
    wait_for(q);
    // The root's own share, and a block in place.
    MPI_Igatherv(many, 1, is_0 ? MPI_FLOAT : MPI_INT, share, ones, starts, MPI_INT, 0, WORLD, q); // type-mismatch 0
    wait_for(q);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_FLOAT, data, ones, next, types[is_1], WORLD); // type-mismatch 0 1
    MPI_Op op;
    MPI_Op_create(add_nothing, 1, &op);
    MPI_Allreduce(data, room, 1, types[is_1], op, WORLD);                // type-mismatch 1
    MPI_Ireduce_scatter_block(data, room, 1, types[is_1], op, WORLD, q); // type-mismatch 1
    wait_for(q);
    MPI_Op_free(&op);
    // What is packed may have any length, and where nothing is sent, types mean nothing.
    int position = 0;
    MPI_Pack(many, 2, MPI_INT, data, sizeof data, &position, WORLD);
    MPI_Bcast(data, rank == 0 ? position : 2, rank == 0 ? MPI_PACKED : MPI_INT, 0, WORLD);
    MPI_Allgather(many, 0, rank == 0 ? MPI_FLOAT : MPI_INT, share, 0, MPI_CHAR, WORLD);
    MPI_Alltoallw(many, none, bytes, (MPI_Datatype[]){MPI_CHAR, MPI_INT}, share, none, bytes, integers, WORLD);
    MPI_Bcast(many, rank == 0 ? 4 : 2, rank == 0 ? MPI_INT : two, 0, WORLD);
    // Each rank sends the other one something else, and nothing to itself.
    int const other[] = {rank == 0 ? 0 : 1, rank == 0 ? 1 : 0};
    MPI_Datatype const sent = rank == 0 ? MPI_INT : MPI_FLOAT, taken = rank == 0 ? MPI_FLOAT : MPI_INT;
    MPI_Alltoallv(many, other, starts, sent, share, other, starts, taken, WORLD);
    if (rank == 0) MPI_Gather(MPI_IN_PLACE, 9, MPI_FLOAT, share, 1, MPI_INT, 0, WORLD);
    if (rank == 1) MPI_Gather(many, 1, MPI_INT, NULL, 9, MPI_FLOAT, 0, WORLD);
    for (int i = 0; i < 2; ++i) {
        MPI_Datatype type = types[i];
        MPI_Type_free(&type);
    }
    MPI_Type_free(&two);
}

/// What types are made of.
static void parts(void) {
    MPI_Datatype const of = wrong ? MPI_DATATYPE_NULL : MPI_INT, types[] = {MPI_FLOAT, of};
    int const lengths[] = {1, 1};
    MPI_Aint const starts[] = {0, 4};
    MPI_Datatype made[3];
    MPI_Type_vector(2, 1, 2, of, made);                          // argument 0 1
    MPI_Type_dup(of, made + 1);                                  // argument 0 1
    MPI_Type_create_struct(2, lengths, starts, types, made + 2); // argument 0 1
    for (int i = 0; !wrong && i < 3; ++i) MPI_Type_free(made + i);
}

/// Of groups, graphs, grids, attached buffers, and what is cancelled.
static void topologies(void) {
    int const once[] = {0, 1}, twice[] = {1, 1}, beyond[] = {0, 2};
    int const index[] = {1, 2}, falls[] = {2, 1}, edges[] = {1, 0}, leads_out[] = {1, 2}, sizes[] = {2},
              periods[] = {0};
    int found[2];
    MPI_Group all, group = MPI_GROUP_EMPTY;
    MPI_Comm comm = MPI_COMM_NULL, other;
    MPI_Comm_group(WORLD, &all);
    if (MPI_Group_incl(all, 2, wrong ? twice : once, &group) == MPI_SUCCESS) MPI_Group_free(&group);  // argument 0 1
    if (MPI_Group_incl(all, 2, wrong ? beyond : once, &group) == MPI_SUCCESS) MPI_Group_free(&group); // argument 0 1
    if (MPI_Group_excl(all, 1, wrong ? beyond + 1 : once, &group) == MPI_SUCCESS)                     // argument 0 1
        MPI_Group_free(&group);
    MPI_Comm_create(MPI_COMM_SELF, wrong ? all : MPI_GROUP_EMPTY, &other); // argument 0 1
    MPI_Group_free(&all);
    MPI_Graph_create(WORLD, 2, wrong ? falls : index, edges, 0, &comm); // argument 0 1
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    MPI_Graph_create(WORLD, 2, index, wrong ? leads_out : edges, 0, &comm); // argument 0 1
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    MPI_Cart_create(WORLD, 1, sizes, periods, 0, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Cart_shift(comm, wrong, 1, found, found + 1); // argument 0 1
    MPI_Comm_free(&comm);
    void* detached;
    if (wrong) MPI_Buffer_detach(&detached, found); // argument 0 1
    MPI_Buffer_attach(many, sizeof many);
    if (wrong) MPI_Buffer_attach(many, sizeof many); // argument 0 1
    MPI_Buffer_detach(&detached, found);
    q[0] = MPI_REQUEST_NULL;
    if (wrong) MPI_Cancel(q); // argument 0 1
    MPI_Recv_init(&a, 1, MPI_INT, rank, 0, WORLD, q);
    if (wrong) MPI_Cancel(q); // argument 0 1
    MPI_Start(q);
    MPI_Send(&b, 1, MPI_INT, rank, 0, WORLD);
    wait_for(q);
    MPI_Request_free(q);
}

/// Libraries crash, or return an error.
static void translates(void) {
    int const below[] = {MPI_PROC_NULL, -7};
    int found[2];
    MPI_Group all;
    MPI_Comm_group(WORLD, &all);
    MPI_Group_translate_ranks(all, 1 + wrong, below, all, found); // argument 0 1
    MPI_Group_free(&all);
}

static void frees_operation(void) {
    MPI_Op op;
    MPI_Op_create(add, 1, &op);
    MPI_Op again = op;
    MPI_Op_free(&op);
    if (wrong && rank == 0) MPI_Op_free(&again); // argument 0
}

static void frees_type(void) {
    MPI_Datatype type, pairs;
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_contiguous(2, type, &pairs);
    MPI_Datatype again = type, contents;
    int count;
    MPI_Aint none;
    MPI_Type_get_contents(pairs, 1, 0, 1, &count, &none, &contents); // it may have the same handle
    MPI_Type_free(&contents);
    MPI_Type_free(&type);
    MPI_Type_free(&pairs);
    if (wrong && rank == 0) MPI_Type_free(&again); // argument 0
}

static void frees_communicator(void) {
    MPI_Comm comm;
    MPI_Comm_dup(WORLD, &comm);
    MPI_Comm again = comm;
    MPI_Comm_free(&comm);
    if (wrong) MPI_Comm_free(&again); // argument 0 1
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    wrong = atoi(argv[2]);
    char const* const scene = argv[1];
    if (strcmp(scene, "dies") != 0 && strcmp(scene, "sized") != 0) {
        MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    } else if (rank == 0 && wrong && strcmp(scene, "dies") == 0) {
        MPI_Send(&a, 1, MPI_INT, 9, 0, WORLD); // argument 0
    }
    if (strcmp(scene, "own") == 0) {
        requests();
        leaks();
        matches();
        buffers();
        collective_buffers();
        pass(30);
    }
    if (strcmp(scene, "windows") == 0) windows();
    if (strcmp(scene, "arguments") == 0) arguments();
    if (strcmp(scene, "predicted") == 0) predicted();
    if (strcmp(scene, "probed") == 0) probed();
    if (strcmp(scene, "sized") == 0) sized();
    if (strcmp(scene, "collectives") == 0) collectives();
    if (strcmp(scene, "ready") == 0) ready();
    if (strcmp(scene, "carried") == 0) carried();
    if (strcmp(scene, "parts") == 0) parts();
    if (strcmp(scene, "topologies") == 0) topologies();
    if (strcmp(scene, "frees_operation") == 0) frees_operation();
    if (strcmp(scene, "translates") == 0) translates();
    if (strcmp(scene, "frees_type") == 0) frees_type();
    if (strcmp(scene, "frees_communicator") == 0) frees_communicator();
    MPI_Finalize();
    return 0;
}
