( ( [00 (rcvi reply 0 x)] [01 (wait replay)] bot ) )
