(communicators [w 1 2])
( ( [00 (collective K0 w barrier)] bot )
  ( [10 (collective K1 w barrier)] bot ) )
