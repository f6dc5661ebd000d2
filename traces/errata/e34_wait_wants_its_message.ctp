; Erratum E34: the rule for a wait on a send has no premise and its action is only a name, so by the paper's letter it consumes
; the wait at 01 too: nothing is ever sent, yet the trace would end with a failure.  Here the wait on a receive needs a message.
; expect infinite: error entry 1 at 01: message not there
; expect zero: error entry 1 at 01: message not there
; check infinite: vacuous, deadlock
; check zero: vacuous, deadlock
( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (assert false)] bot ) )

( (00 bot) (01 bot) (02 bot) )
