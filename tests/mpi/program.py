"""Programs in Python, with mpi4py. tests/mpi/python.py runs them: the first argument is the program."""

import atexit
import ctypes
import sys
import threading
import time
from array import array

if sys.argv[1] == "fortran first":
    fortran = ctypes.CDLL("libmpi_mpifh.so.40")
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, other = world.rank, 1 - world.rank


def objects():
    """Rank 0 waits for ever if the message of rank 2 is first."""
    if rank == 0:
        first = world.recv(source=MPI.ANY_SOURCE)  # objects: the first
        second = world.recv(source=2)  # objects: the second
        assert (first, second) == ({"rank": 1}, {"rank": 2})
    else:
        world.send({"rank": rank}, dest=0)  # objects: sends


def buffers():
    if rank == 0:
        numbers = array("i", [0, 0])
        request = world.Irecv(numbers[:1], source=MPI.ANY_SOURCE)
        request.Wait()
        one = array("i", [0])
        world.Recv(one, source=MPI.ANY_SOURCE)  # buffers: the second
        assert one[0] == 2, "rank 2 was first"
    else:
        world.Send(array("i", [rank]), dest=0)


def raises():
    if rank == 1:
        raise ValueError("before any message")


def barrier_in_fortran(library):
    comm, error = ctypes.c_int(world.py2f()), ctypes.c_int(1)
    library.mpi_barrier_(ctypes.byref(comm), ctypes.byref(error))  # Fortran from Python
    assert error.value == 0


def computes(done):
    while not done.is_set():
        sum(range(1000))


def all_of_them(path):
    """What a program sees has to be the same with the recorder as without it."""
    with open(f"{path}-{rank}", "w", encoding="utf-8") as file:

        def see(*what):
            print(*what, file=file)

        status = MPI.Status()
        request = world.isend([rank] * 3, dest=other, tag=1)
        see(world.recv(source=other, tag=1, status=status), status.source, status.tag, status.Get_count(MPI.BYTE) > 0)
        request.wait()
        if rank == 0:
            world.ssend("text", dest=1, tag=2)
        else:
            request = world.irecv(source=0, tag=2)
            see(request.wait())
        see(world.sendrecv((rank, "x"), dest=other, source=other))
        see(world.bcast({"a": rank}, root=1), world.gather(rank, root=0), world.allreduce(rank + 1), world.scatter([5, 6], root=0))
        numbers = array("i", [rank + 1] * 4)
        world.Allreduce(MPI.IN_PLACE, numbers, op=MPI.SUM)
        see(list(numbers))
        if rank == 0:
            world.send("probed", dest=1, tag=3)
            world.Send(numbers, dest=1, tag=4)
        else:
            while not world.iprobe(source=0, tag=3):
                pass
            see(world.mprobe(source=0, tag=3).recv())
            world.Probe(source=0, tag=4, status=status)
            see(status.Get_count(MPI.INT))
            world.Recv(numbers, source=0, tag=4)
        half = world.Split(0, -rank)
        see(half.rank, half.allgather(rank))
        half.Free()
        operation = MPI.Op.Create(lambda a, b, _: memoryview(b).cast("B").__setitem__(0, 7))
        result = array("i", [rank])
        world.Allreduce(MPI.IN_PLACE, result, op=operation)
        operation.Free()
        see(result[0])
        exec("world.Barrier()", {"world": world})  # a frame without a file
        try:
            raise KeyError(rank)
        except KeyError as error:
            see(world.sendrecv(str(error), dest=other, source=other))

        # While a thread calls MPI, another one computes with the lock of the interpreter.
        done = threading.Event()
        thread = threading.Thread(target=computes, args=(done,))
        thread.start()
        see(world.sendrecv(rank, dest=other, source=other))
        done.set()
        thread.join()
    atexit.register(world.Barrier)  # called by no code of Python
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()


def exchanges(tag):
    for i in range(100):
        world.sendrecv(i, dest=other, sendtag=tag, source=other, recvtag=tag)


def several():
    """Two threads call, and a third one computes."""
    done = threading.Event()
    others = [threading.Thread(target=computes, args=(done,)), threading.Thread(target=exchanges, args=(1,))]
    for thread in others:
        thread.start()
    exchanges(0)
    done.set()
    for thread in others:
        thread.join()


if sys.argv[1] == "all":
    all_of_them(sys.argv[2])
elif sys.argv[1] == "fortran first":
    barrier_in_fortran(fortran)
elif sys.argv[1] == "fortran later":
    barrier_in_fortran(ctypes.CDLL("libmpi_mpifh.so.40"))
else:
    {"objects": objects, "buffers": buffers, "raises": raises, "several": several}[sys.argv[1]]()
