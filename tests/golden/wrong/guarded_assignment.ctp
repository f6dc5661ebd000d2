(shared [m 1])
( ( [00 (when (> m 0) (m = 0))] ) )
