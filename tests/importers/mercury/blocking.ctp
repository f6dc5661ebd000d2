Thread 0
Send 1 0
Recv 1 1
Thread 1
Send 0 0
Recv 0 1
