"""The parts of scripts/check_rma_certificate. None of them shares code with Matchpoint. Words, brackets and expressions
are those of the trace language, so certificate_checker/language.py reads them."""
