
	// tabs, and a comment behind a command
	Thread	0 // the first
	Recv	1	7// request 7
	Wait	7

Thread 1
	Send 0 3
	Wait 3
