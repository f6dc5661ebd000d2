Thread 0
Recv -1 0
Wait 0
Wait 0
Wait 5
Read 6
Thread 1
Wait 0
