! Programs in Fortran, for each of MPI's interfaces: mpif.h, `use mpi` and `use mpi_f08`. tests/mpi/fortran.py runs them.
! The first argument is the program. `all` writes what it sees into files, whose names begin with the second one.
#if defined(WITH_F08)
#define HANDLE(kind) type(kind)
#define STATUS type(MPI_Status)
#define ONE_STATUS
#define STATUSES(n) (n)
#define SOURCE_OF(s) s%MPI_SOURCE
#define TAG_OF(s) s%MPI_TAG
#define OF_SEVERAL(s, n) s(n)
#define TAG_OF_SEVERAL(s, n) s(n)%MPI_TAG
#else
#define HANDLE(kind) integer
#define STATUS integer
#define ONE_STATUS (MPI_STATUS_SIZE)
#define STATUSES(n) (MPI_STATUS_SIZE, n)
#define SOURCE_OF(s) s(MPI_SOURCE)
#define TAG_OF(s) s(MPI_TAG)
#define OF_SEVERAL(s, n) s(:, n)
#define TAG_OF_SEVERAL(s, n) s(MPI_TAG, n)
#endif
! MPICH 4.0 counts from 0 in one function of one interface.
#if !defined(FIRST_OF_TESTSOME)
#define FIRST_OF_TESTSOME 1
#endif

module programs
#if defined(WITH_F08)
  use mpi_f08
#elif !defined(WITH_MPIF_H)
  use mpi
#endif
  implicit none
#if defined(WITH_MPIF_H)
  include 'mpif.h'
#endif
  integer :: rank, ranks, ierror
contains

  ! What a program sees: one line for each thing that has to be the same with the recorder as without it.
  subroutine see(what, n)
    character(len=*), intent(in) :: what
    integer, intent(in) :: n(:)
    write (9, *) what, n
  end subroutine

  subroutine see_status(what, s)
    character(len=*), intent(in) :: what
    STATUS, intent(in) :: s ONE_STATUS
    integer :: n
    call MPI_Get_count(s, MPI_INTEGER, n, ierror)
    call see(what, [SOURCE_OF(s), TAG_OF(s), n])
  end subroutine

  subroutine blocking(other)
    integer, intent(in) :: other
    integer :: a(4), b(6), row(3)
    logical :: truth
    STATUS :: s ONE_STATUS
    a = [1, 2, 3, 4] + 10 * rank
    b = -1
    if (rank == 0) then
       call MPI_Send(a, 4, MPI_INTEGER, other, 7, MPI_COMM_WORLD, ierror)
       call MPI_Ssend(a(1:3:2), 2, MPI_INTEGER, other, 8, MPI_COMM_WORLD, ierror)
       truth = .true.
       call MPI_Send(truth, 1, MPI_LOGICAL, other, 9, MPI_COMM_WORLD, ierror)
    else
       call MPI_Recv(b, 6, MPI_INTEGER, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, s, ierror)
       call see_status('recv', s)
       call see('recv', b)
       call MPI_Recv(b, 6, MPI_INTEGER, other, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
       call see('section', b)
       truth = .false.
       call MPI_Recv(truth, 1, MPI_LOGICAL, other, 9, MPI_COMM_WORLD, s, ierror)
       call see('logical', [merge(1, 0, truth), merge(1, 0, truth .eqv. .true.)])
    end if
    call MPI_Sendrecv(a, 2, MPI_INTEGER, other, 1, b, 6, MPI_INTEGER, other, 1, MPI_COMM_WORLD, s, ierror)
    call see_status('sendrecv', s)
    call see('sendrecv', b)
    row = rank
    call MPI_Sendrecv_replace(row, 3, MPI_INTEGER, other, 2, other, 2, MPI_COMM_WORLD, s, ierror)
    call see('replace', row)
    call MPI_Recv(row, 3, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, s, ierror)
    call see('null', [merge(1, 0, SOURCE_OF(s) == MPI_PROC_NULL), row])
  end subroutine

  ! Six messages, which are received with all functions that complete requests.
  subroutine nonblocking(other)
    integer, intent(in) :: other
    integer, target :: a(6), b(6)
    integer :: i, n, which, indices(6), found(6)
    logical :: flag
    HANDLE(MPI_Request) :: q(12), none
    STATUS :: s ONE_STATUS
    STATUS :: several STATUSES(12)
    do i = 1, 6
       a(i) = 100 * rank + i
       call MPI_Irecv(b(i), 1, MPI_INTEGER, other, i, MPI_COMM_WORLD, q(i), ierror)
    end do
    do i = 1, 6
       call MPI_Isend(a(i), 1, MPI_INTEGER, other, i, MPI_COMM_WORLD, q(6 + i), ierror)
    end do
    call MPI_Waitall(12, q, several, ierror)
    do i = 1, 6
       call see_status('waitall', OF_SEVERAL(several, i))
    end do
    call see('waitall', [b, merge(1, 0, q == MPI_REQUEST_NULL)])

    call post_all()
    found = 0
    do i = 1, 6
       call MPI_Waitany(6, q, which, s, ierror)
       call see('waitany', [merge(1, 0, SOURCE_OF(s) == other .and. TAG_OF(s) == which)])
       found(which) = found(which) + 1
    end do
    call MPI_Waitany(6, q, which, MPI_STATUS_IGNORE, ierror)
    call see('waitany', [found, merge(1, 0, which == MPI_UNDEFINED), merge(1, 0, q(1:6) == MPI_REQUEST_NULL)])
    call MPI_Waitall(6, q(7:12), MPI_STATUSES_IGNORE, ierror)

    call post_all()
    found = 0
    do while (sum(found) < 6)
       call MPI_Testsome(6, q, n, indices, several, ierror)
       do i = 1, n
          which = indices(i) + 1 - FIRST_OF_TESTSOME
          found(which) = found(which) + 1
          if (TAG_OF_SEVERAL(several, i) /= which) call see('wrong status', indices)
       end do
    end do
    call MPI_Testsome(6, q, n, indices, MPI_STATUSES_IGNORE, ierror)
    call see('testsome', [found, merge(1, 0, n == MPI_UNDEFINED), b])
    do while (any(q(7:12) /= MPI_REQUEST_NULL))
       call MPI_Waitsome(6, q(7:12), n, indices, MPI_STATUSES_IGNORE, ierror)
    end do

    call post_all()
    do i = 2, 6
       flag = .false.
       do while (.not. flag)
          call MPI_Test(q(i), flag, s, ierror)
       end do
       call see_status('test', s)
    end do
    flag = .false.
    do while (.not. flag)
       call MPI_Testany(6, q, which, flag, s, ierror)
    end do
    call see('testany', [which, b])
    call MPI_Testany(6, q, which, flag, s, ierror)
    call see('testany', [merge(1, 0, flag), merge(1, 0, which == MPI_UNDEFINED)])
    flag = .false.
    do while (.not. flag)
       call MPI_Testall(6, q(7:12), flag, MPI_STATUSES_IGNORE, ierror)
    end do
    none = MPI_REQUEST_NULL
    call MPI_Wait(none, s, ierror)
    call see('none', [merge(1, 0, SOURCE_OF(s) == MPI_ANY_SOURCE .and. TAG_OF(s) == MPI_ANY_TAG)])
  contains
    subroutine post_all()
      integer :: k
      b = -1
      do k = 1, 6
         call MPI_Irecv(b(k), 1, MPI_INTEGER, other, k, MPI_COMM_WORLD, q(k), ierror)
      end do
      do k = 6, 1, -1
         call MPI_Isend(a(k), 1, MPI_INTEGER, other, k, MPI_COMM_WORLD, q(6 + k), ierror)
      end do
    end subroutine
  end subroutine

  subroutine persistent(other)
    integer, intent(in) :: other
    integer, target :: a(2), b(2)
    integer :: i, which
    HANDLE(MPI_Request) :: q(4)
    STATUS :: several STATUSES(4)
    call MPI_Recv_init(b(1), 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, q(1), ierror)
    call MPI_Recv_init(b(2), 1, MPI_INTEGER, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, q(2), ierror)
    call MPI_Send_init(a(1), 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, q(3), ierror)
    call MPI_Ssend_init(a(2), 1, MPI_INTEGER, other, 2, MPI_COMM_WORLD, q(4), ierror)
    do i = 1, 3
       a = 10 * i + rank
       call MPI_Startall(3, q, ierror)
       call MPI_Start(q(4), ierror)
       if (i == 2) then
          call MPI_Waitany(2, q, which, MPI_STATUS_IGNORE, ierror)
          call MPI_Wait(q(3 - which), MPI_STATUS_IGNORE, ierror)
       end if
       call MPI_Waitall(4, q, several, ierror)
       call see('persistent', [b, merge(1, 0, q == MPI_REQUEST_NULL)])
    end do
    do i = 1, 4
       call MPI_Request_free(q(i), ierror)
    end do
  end subroutine

  subroutine probes(other)
    integer, intent(in) :: other
    integer :: a(3), b(3), n
    logical :: flag
    HANDLE(MPI_Message) :: message
    HANDLE(MPI_Request) :: q
    STATUS :: s ONE_STATUS
    a = [5, 6, 7]
    if (rank == 0) then
       do n = 1, 4
          call MPI_Send(a, min(n, 3), MPI_INTEGER, other, n, MPI_COMM_WORLD, ierror)
       end do
       return
    end if
    call MPI_Probe(other, MPI_ANY_TAG, MPI_COMM_WORLD, s, ierror)
    call see_status('probe', s)
    call MPI_Recv(b, 3, MPI_INTEGER, SOURCE_OF(s), TAG_OF(s), MPI_COMM_WORLD, s, ierror)
    flag = .false.
    do while (.not. flag)
       call MPI_Iprobe(other, 2, MPI_COMM_WORLD, flag, s, ierror)
    end do
    call see_status('iprobe', s)
    call MPI_Recv(b, 3, MPI_INTEGER, other, 2, MPI_COMM_WORLD, s, ierror)
    call MPI_Mprobe(other, 3, MPI_COMM_WORLD, message, s, ierror)
    call see_status('mprobe', s)
    call MPI_Mrecv(b, 3, MPI_INTEGER, message, s, ierror)
    call see_status('mrecv', s)
    flag = .false.
    do while (.not. flag)
       call MPI_Improbe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, flag, message, s, ierror)
    end do
    call MPI_Imrecv(b, 3, MPI_INTEGER, message, q, ierror)
    call MPI_Wait(q, s, ierror)
    call see_status('imrecv', s)
    call see('imrecv', [b, merge(1, 0, message == MPI_MESSAGE_NULL)])
  end subroutine

  subroutine add_squares(in, inout, n, type)
#if defined(WITH_F08)
    use, intrinsic :: iso_c_binding
    type(c_ptr), value :: in, inout
    integer :: n
    type(MPI_Datatype) :: type
    integer, pointer :: x(:), y(:)
    call c_f_pointer(in, x, [n])
    call c_f_pointer(inout, y, [n])
    y = y + x * x
    if (type /= MPI_INTEGER) y = -1
#else
    integer :: n, type
    integer :: in(n), inout(n)
    inout = inout + in * in
    if (type /= MPI_INTEGER) inout = -1
#endif
  end subroutine

  subroutine collectives()
    integer :: a(4), b(4), pair(2), least(2), counts(2), starts(2)
    logical :: truth
    HANDLE(MPI_Op) :: op
    HANDLE(MPI_Request) :: q
    STATUS :: s ONE_STATUS
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    truth = rank == 0
    call MPI_Bcast(truth, 1, MPI_LOGICAL, 0, MPI_COMM_WORLD, ierror)
    a = rank + 1
    call MPI_Allreduce(MPI_IN_PLACE, a, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    call see('allreduce', [a, merge(1, 0, truth)])
    a = rank
    b = -1
    if (rank == 0) then
       b(1:2) = 40
       call MPI_Gather(MPI_IN_PLACE, 2, MPI_INTEGER, b, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    else
       call MPI_Gather(a, 2, MPI_INTEGER, b, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    end if
    call see('gather', b)
    counts = [1, 3]
    starts = [3, 0]
    call MPI_Allgatherv(a, 1 + 2 * rank, MPI_INTEGER, b, counts, starts, MPI_INTEGER, MPI_COMM_WORLD, ierror)
    call see('allgatherv', b)
    if (rank == 0) then
       call MPI_Scatter(b, 2, MPI_INTEGER, MPI_IN_PLACE, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    else
       call MPI_Scatter(b, 2, MPI_INTEGER, a, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    end if
    call see('scatter', a)
    pair = [5 - rank, rank]
    call MPI_Reduce(pair, least, 1, MPI_2INTEGER, MPI_MINLOC, 0, MPI_COMM_WORLD, ierror)
    if (rank == 0) call see('minloc', least)
    call MPI_Op_create(add_squares, .true., op, ierror)
    a = rank + 2
    call MPI_Allreduce(a, b, 4, MPI_INTEGER, op, MPI_COMM_WORLD, ierror)
    call see('op', b)
    call MPI_Op_free(op, ierror)
    call MPI_Ibcast(a, 4, MPI_INTEGER, 1, MPI_COMM_WORLD, q, ierror)
    call MPI_Wait(q, s, ierror)
    call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, 2, MPI_INTEGER, MPI_COMM_WORLD, ierror)
    call see('alltoall', a)
  end subroutine

  subroutine types_and_communicators(other)
    integer, intent(in) :: other
    integer :: matrix(3, 3), me, i
    integer, volatile :: x, y ! by MPI_BOTTOM
    integer(MPI_ADDRESS_KIND) :: at(2)
    HANDLE(MPI_Datatype) :: row, both
    HANDLE(MPI_Comm) :: half, copy, line
    HANDLE(MPI_Group) :: group
    STATUS :: s ONE_STATUS
    matrix = reshape([(i, i = 1, 9)], [3, 3]) * (1 + 9 * rank)
    call MPI_Type_vector(3, 1, 3, MPI_INTEGER, row, ierror)
    call MPI_Type_commit(row, ierror)
    call MPI_Sendrecv(matrix(1, 1), 1, row, other, 3, matrix(2, 1), 1, row, other, 3, MPI_COMM_WORLD, s, ierror)
    call see('row', reshape(matrix, [9]))
    call MPI_Type_free(row, ierror)
    x = rank
    y = 2 * rank
    call MPI_Get_address(x, at(1), ierror)
    call MPI_Get_address(y, at(2), ierror)
    call MPI_Type_create_hindexed(2, [1, 1], at, MPI_INTEGER, both, ierror)
    call MPI_Type_commit(both, ierror)
    call MPI_Bcast(MPI_BOTTOM, 1, both, 1, MPI_COMM_WORLD, ierror)
    call see('bottom', [x, y])
    call MPI_Type_free(both, ierror)

    call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, half, ierror)
    call MPI_Comm_rank(half, me, ierror)
    call MPI_Comm_dup(half, copy, ierror)
    call MPI_Cart_create(copy, 1, [2], [.true.], .false., line, ierror)
    x = me
    call MPI_Sendrecv_replace(x, 1, MPI_INTEGER, 1 - me, 0, 1 - me, 0, line, s, ierror)
    call see_status('communicator', s)
    call see('communicator', [me, x])
    call MPI_Comm_group(line, group, ierror)
    call MPI_Group_free(group, ierror)
    call MPI_Comm_free(line, ierror)
    call MPI_Comm_free(copy, ierror)
    call MPI_Comm_free(half, ierror)
  end subroutine

  ! Rank 0 relies on the message of rank 1 to be first.
  subroutine race()
    integer :: a, b, round
    HANDLE(MPI_Request) :: q
    STATUS :: s ONE_STATUS
    if (rank /= 0) then
       do round = 1, rank
          call MPI_Barrier(MPI_COMM_SELF, ierror)
       end do
       call MPI_Send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierror) ! the race: sends
       return
    end if
    call MPI_Irecv(a, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, q, ierror) ! the race: the first
    call MPI_Wait(q, s, ierror)
    call MPI_Recv(b, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, s, ierror) ! the race: the second
    if (a /= SOURCE_OF(s) + 1 .and. a == 1) return
    error stop 'the message of rank 2 was first'
  end subroutine

  ! One of the others sends two more messages, for which receives from anybody are there already. Which one it is, an
  ! argument says.
  subroutine leaves(sender)
    integer, intent(in) :: sender
    integer :: one, more(2), n
    HANDLE(MPI_Request) :: q(4)
    STATUS :: s ONE_STATUS
    if (rank /= 0) then
       call MPI_Recv(one, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
       if (sender /= rank) then
          call MPI_Send(rank, 1, MPI_INTEGER, 0, 4, MPI_COMM_WORLD, ierror)
          return
       end if
       call MPI_Send(10 * rank, 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, ierror)
       call MPI_Send(20 * rank, 1, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, ierror)
       return
    end if
    call MPI_Irecv(more(1), 1, MPI_INTEGER, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, q(1), ierror)
    call MPI_Irecv(more(2), 1, MPI_INTEGER, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, q(2), ierror)
    one = 1
    call MPI_Isend(one, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, q(3), ierror)
    call MPI_Isend(one, 1, MPI_INTEGER, 2, 1, MPI_COMM_WORLD, q(4), ierror)
    call MPI_Wait(q(2), s, ierror)
    call MPI_Waitall(2, q(3:4), MPI_STATUSES_IGNORE, ierror)
    call MPI_Irecv(n, 1, MPI_INTEGER, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, q(3), ierror)
    call MPI_Wait(q(1), s, ierror)
    call MPI_Wait(q(3), MPI_STATUS_IGNORE, ierror)
    if (any(more /= [10, 20] * sender) .or. SOURCE_OF(s) /= sender .or. TAG_OF(s) /= 2) error stop 'wrong messages'
  end subroutine

  subroutine mistakes()
    integer, target :: a(4), b(2)
    HANDLE(MPI_Request) :: q
    HANDLE(MPI_Comm) :: copy
    STATUS :: s ONE_STATUS
    a = rank
    if (rank == 0) then
       call MPI_Isend(a, 4, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, q, ierror) ! unfinished-request 0
       call MPI_Send(a, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, ierror)
       call MPI_Send(a, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, ierror) ! unreceived-message 0
    else
       call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
       call MPI_Recv(b, 2, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, s, ierror) ! truncation 1
       call MPI_Recv(b, 1, MPI_REAL, 0, 1, MPI_COMM_WORLD, s, ierror) ! type-mismatch 1
    end if
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierror) ! communicator-leak 0 1
  end subroutine
end module

program tests
  use programs
  implicit none
  character(len=256) :: what, file
  character(len=8) :: number
  integer :: granted
  call get_command_argument(1, what)
  call get_command_argument(2, file)
  if (what == 'all') then
     call MPI_Init_thread(MPI_THREAD_FUNNELED, granted, ierror)
  else
     call MPI_Init(ierror)
  end if
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  select case (what)
  case ('all')
     write (number, '(i0)') rank
     open (9, file=trim(file) // '-' // trim(number))
     call blocking(1 - rank)
     call nonblocking(1 - rank)
     call persistent(1 - rank)
     call probes(1 - rank)
     call collectives()
     call types_and_communicators(1 - rank)
  case ('race')
     call race()
  case ('leaves')
     call leaves(merge(1, 2, file == '1'))
  case ('mistakes')
     call mistakes()
  case ('stops')
     call MPI_Barrier(MPI_COMM_WORLD, ierror)
     if (rank == 1) stop 3
  case ('dies')
     call MPI_Send(rank, 1, MPI_INTEGER, 9, 0, MPI_COMM_WORLD, ierror) ! dies
  end select
  call MPI_Finalize(ierror)
end program
