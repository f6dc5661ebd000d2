Thread 0
Thread 1
Send 0 1
