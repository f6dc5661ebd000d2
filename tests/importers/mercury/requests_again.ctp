Thread 0
Recv -1 0
Wait 0
Recv -1 0
Wait 0
Thread 1
Send 0 0
Send 0 0
Wait 0
