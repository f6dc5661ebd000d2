Thread 0
Recv 0
Recv -2 0
Recv -1
Recv -1x 2
Send -1 0
Send 1 x
Send 1 2 3
Isend 1 2
Wait
Wait -1
Read 99999999999999999999
thread 1
Thread x
Recv -1 0
Thread 1000000
