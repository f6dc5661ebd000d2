Thread 0
Recv -1 0
Thread 1
Send 0 1
Thread 0
Send 1 1
