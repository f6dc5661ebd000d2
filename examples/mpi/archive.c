// An office and a laboratory send papers to an archive. The office tells the laboratory first that it does so, and the
// laboratory signs what it has sent.
//
// Truth: the archive takes a paper from anybody, and then waits for the signature. If the paper is the office's, the
// laboratory signs only once its own paper is off its hands. So the program hangs under a library that buffers what the
// office tells the laboratory, and does not buffer the laboratory's paper. It does not hang if everything is buffered,
// nor if nothing is: then the laboratory has sent everything before the office sends its paper.
// verify -n 3: buffering
// With `both` the archive is ready for both papers from the beginning.
// verify -n 3 both: nothing
#include <mpi.h>
#include <string.h>

enum { office, laboratory, archive };
enum { paper, notice, signature };

static void file_papers(int* papers, int is_ready_for_both) {
    int signed_by = 0;
    if (is_ready_for_both) {
        MPI_Request requests[2];
        for (int i = 0; i < 2; ++i)
            MPI_Irecv(&papers[i], 1, MPI_INT, MPI_ANY_SOURCE, paper, MPI_COMM_WORLD, &requests[i]);
        MPI_Recv(&signed_by, 1, MPI_INT, laboratory, signature, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        return;
    }
    MPI_Recv(&papers[0], 1, MPI_INT, MPI_ANY_SOURCE, paper, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&signed_by, 1, MPI_INT, laboratory, signature, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&papers[1], 1, MPI_INT, MPI_ANY_SOURCE, paper, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, papers[2] = {0}, told = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == office) {
        MPI_Send(&rank, 1, MPI_INT, laboratory, notice, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, archive, paper, MPI_COMM_WORLD);
    } else if (rank == laboratory) {
        MPI_Send(&rank, 1, MPI_INT, archive, paper, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, archive, signature, MPI_COMM_WORLD);
        MPI_Recv(&told, 1, MPI_INT, office, notice, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        file_papers(papers, argc > 1 && strcmp(argv[1], "both") == 0);
    }
    MPI_Finalize();
    return 0;
}
