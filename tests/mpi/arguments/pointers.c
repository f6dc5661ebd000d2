// Null where a call gives something back, or takes an array; arrays of a negative size.
#include "seen.h"

#define SAY(call) say(" %d", code(call))

static void completed(void) {
    MPI_Request* const none = NULL;
    int* const nowhere = NULL;
    SAY(MPI_Wait(none, s));
    SAY(MPI_Test(none, &flag, s));
    SAY(MPI_Test(q, nowhere, s));
    SAY(MPI_Waitall(2, none, s));
    SAY(MPI_Testall(2, none, &flag, s));
    SAY(MPI_Testall(2, q, nowhere, s));
    SAY(MPI_Waitany(2, none, &index_, s));
    SAY(MPI_Waitany(2, q, nowhere, s));
    SAY(MPI_Testany(2, none, &index_, &flag, s));
    SAY(MPI_Testany(2, q, nowhere, &flag, s));
    SAY(MPI_Testany(2, q, &index_, nowhere, s));
    SAY(MPI_Waitsome(2, none, &n, at, s));
    SAY(MPI_Waitsome(2, q, nowhere, at, s));
    SAY(MPI_Waitsome(2, q, &n, nowhere, s));
    SAY(MPI_Testsome(2, none, &n, at, s));
    SAY(MPI_Testsome(2, q, nowhere, at, s));
    SAY(MPI_Testsome(2, q, &n, nowhere, s));
    SAY(MPI_Waitall(-1, q, s));
    SAY(MPI_Testall(-1, q, &flag, s));
    SAY(MPI_Waitany(-1, q, &index_, s));
    SAY(MPI_Testany(-1, q, &index_, &flag, s));
    SAY(MPI_Waitsome(-1, q, &n, at, s));
    SAY(MPI_Testsome(-1, q, &n, at, s));
    SAY(MPI_Request_get_status(MPI_REQUEST_NULL, nowhere, s));
    SAY(MPI_Request_free(none));
    SAY(MPI_Cancel(none));
    SAY(MPI_Start(none));
    SAY(MPI_Startall(2, none));
    SAY(MPI_Startall(-1, q));
}

static void issued(void) {
    MPI_Request* const none = NULL;
    MPI_Message m = MPI_MESSAGE_NULL, *const no_message = NULL;
    (void)m, (void)no_message;
    SAY(MPI_Isend(out, 1, MPI_INT, other, tag, WORLD, none));
    SAY(MPI_Issend(out, 1, MPI_INT, other, tag, WORLD, none));
    SAY(MPI_Irecv(in, 1, MPI_INT, other, tag, WORLD, none));
    SAY(MPI_Send_init(out, 1, MPI_INT, other, tag, WORLD, none));
    SAY(MPI_Recv_init(in, 1, MPI_INT, other, tag, WORLD, none));
    NOT_IN_OPEN_MPI(SAY(MPI_Iprobe(other, tag, WORLD, NULL, s)));
    NOT_IN_OPEN_MPI(SAY(MPI_Improbe(other, tag, WORLD, NULL, &m, s)));
    NOT_IN_OPEN_MPI(SAY(MPI_Improbe(other, tag, WORLD, &flag, no_message, s)));
    NOT_IN_OPEN_MPI(SAY(MPI_Mrecv(in, 1, MPI_INT, no_message, s)));
    NOT_IN_OPEN_MPI(SAY(MPI_Imrecv(in, 1, MPI_INT, no_message, &q[0])));
    NOT_IN_OPEN_MPI(m = MPI_MESSAGE_NULL);
    NOT_IN_OPEN_MPI(SAY(MPI_Mrecv(in, 1, MPI_INT, &m, s)));
    NOT_IN_OPEN_MPI(SAY(MPI_Imrecv(in, 1, MPI_INT, &m, &q[0])));
}

static void made(void) {
    MPI_Comm* const no_comm = NULL;
    MPI_Group all, *const no_group = NULL;
    MPI_Datatype* const no_type = NULL;
    MPI_Op* const no_op = NULL;
    MPI_Win* const no_win = NULL;
    (void)no_win;
    int const one = 1;
    SAY(MPI_Comm_dup(WORLD, no_comm));
    SAY(MPI_Comm_split(WORLD, 0, 0, no_comm));
    NOT_IN_OPEN_MPI(SAY(MPI_Comm_free(no_comm)));
    NOT_IN_OPEN_MPI(SAY(MPI_Comm_disconnect(no_comm)));
    SAY(MPI_Cart_create(WORLD, 1, NULL, &one, 0, no_comm));
    SAY(MPI_Comm_group(WORLD, no_group));
    MPI_Comm_group(WORLD, &all);
    SAY(MPI_Comm_create(WORLD, all, no_comm));
    SAY(MPI_Group_incl(all, 1, &one, no_group));
    NOT_IN_MPICH(SAY(MPI_Group_incl(all, 1, NULL, &all)));
    SAY(MPI_Group_union(all, all, no_group));
    SAY(MPI_Group_free(no_group));
    MPI_Group_free(&all);
    SAY(MPI_Type_contiguous(1, MPI_INT, no_type));
    SAY(MPI_Type_dup(MPI_INT, no_type));
    NOT_IN_MPICH(SAY(MPI_Type_commit(no_type)));
    NOT_IN_MPICH(SAY(MPI_Type_free(no_type)));
    SAY(MPI_Op_free(no_op));
    NOT_IN_OPEN_MPI(SAY(MPI_Win_free(no_win)));
}

struct section const of_pointers[] = {
    {"completed nowhere", completed}, {"issued nowhere", issued}, {"made nowhere", made}, {NULL, NULL}};
