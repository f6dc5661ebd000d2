Thread 2
Send 0 0
Thread 0
Recv 2 0
