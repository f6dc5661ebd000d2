Thread 0
Recv -1 0
Thread 1
Send 0 1