Thread 0
Recv 4 0
Send 3 1
