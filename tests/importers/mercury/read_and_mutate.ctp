Thread 0
Recv -1 0
Read 0
Wait 0
Thread 1
Send 0 0
Mutate 0
Wait 0
