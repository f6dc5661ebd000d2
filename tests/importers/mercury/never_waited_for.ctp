Thread 0
Recv 1 0
Recv -1 1
Wait 1
Thread 1
Send 0 0
Send 0 1
