( ( [00 (a := True)] bot ) )
