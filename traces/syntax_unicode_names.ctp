; Locations, actions and variables may be any atoms, Greek, Japanese or dotted ones included: κόμβος is Greek for node, 送 is
; send and 受 receive.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: größe = 42, κόμβος = 84
; matches infinite 1: 受 = 送
( ( [ρ₀ (rcvi 受 0 größe)] [ρ₁ (wait 受)]
    [ρ₂ (κόμβος := (* 2 größe))] [ρ₃ (assert (= κόμβος 84))] ⊥ )
  ( [σ (sndi 送 1 0 42)] ⊥ ) )

( (ρ₀ ⊥) (σ ⊥) (ρ₁ ((0 1) ⊥)) (ρ₂ ⊥) (ρ₃ ⊥) )
