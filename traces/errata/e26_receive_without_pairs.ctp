; Erratum E26: Definition 11 says nothing for a receive that has no match pair: r1 is unconstrained, SAT, though no run completes.
; expect infinite: error entry 1 at 01: message not there
; expect zero: error entry 1 at 01: message not there
; check infinite: vacuous, deadlock
; check zero: vacuous, deadlock
( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (assert (= x 1))] bot ) )

( (00 bot) (01 bot) )
