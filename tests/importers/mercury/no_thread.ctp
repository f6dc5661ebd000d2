Recv -1 0
Thread 0
