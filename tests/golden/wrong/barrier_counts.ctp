( ( [00 (barrier B)] [01 (barrier B)] bot )
  ( [10 (barrier B)] bot ) )
