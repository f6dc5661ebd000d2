// The race of two messages.
Thread 0
Recv -1 0
Wait 0
Recv -1 1
Wait 1
Thread 1
Send 0 0
Wait 0
Thread 2
Send 0 0
Wait 0
