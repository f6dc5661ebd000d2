; The sum of 19 times 7 products of 120 bits is longer than the integers of 128 bits that `check` adds up with.
; check infinite: violated
; check zero: violated
; check infinite --limit 1: violated
; check infinite --engine sat: violated
( ( [a0 (rcvi r0 0 x0)] [w0 (wait r0)] [a1 (rcvi r1 0 x1)] [w1 (wait r1)] [a2 (rcvi r2 0 x2)] [w2 (wait r2)]
    [a3 (rcvi r3 0 x3)] [w3 (wait r3)] [a4 (rcvi r4 0 x4)] [w4 (wait r4)] [a5 (rcvi r5 0 x5)] [w5 (wait r5)]
    [a6 (rcvi r6 0 x6)] [w6 (wait r6)] [a7 (rcvi r7 0 x7)] [w7 (wait r7)] [a8 (rcvi r8 0 x8)] [w8 (wait r8)]
    [a9 (rcvi r9 0 x9)] [w9 (wait r9)] [a10 (rcvi r10 0 x10)] [w10 (wait r10)] [a11 (rcvi r11 0 x11)] [w11 (wait r11)]
    [a12 (rcvi r12 0 x12)] [w12 (wait r12)] [a13 (rcvi r13 0 x13)] [w13 (wait r13)]
    [a14 (rcvi r14 0 x14)] [w14 (wait r14)] [a15 (rcvi r15 0 x15)] [w15 (wait r15)]
    [a16 (rcvi r16 0 x16)] [w16 (wait r16)] [a17 (rcvi r17 0 x17)] [w17 (wait r17)]
    [a18 (rcvi r18 0 x18)] [w18 (wait r18)] [c0 (rcvi q0 9 v0)] [d0 (wait q0)] [c1 (rcvi q1 9 v1)] [d1 (wait q1)]
    [c2 (rcvi q2 9 v2)] [d2 (wait q2)] [c3 (rcvi q3 9 v3)] [d3 (wait q3)] [c4 (rcvi q4 9 v4)] [d4 (wait q4)]
    [c5 (rcvi q5 9 v5)] [d5 (wait q5)] [c6 (rcvi q6 9 v6)] [d6 (wait q6)] [c7 (rcvi q7 9 v7)] [d7 (wait q7)]
    [s (s := (* 1152921504606846976 x0))] [s1 (s := (+ s (* 1152921504606846976 x1)))]
    [s2 (s := (+ s (* 1152921504606846976 x2)))] [s3 (s := (+ s (* 1152921504606846976 x3)))]
    [s4 (s := (+ s (* 1152921504606846976 x4)))] [s5 (s := (+ s (* 1152921504606846976 x5)))]
    [s6 (s := (+ s (* 1152921504606846976 x6)))] [s7 (s := (+ s (* 1152921504606846976 x7)))]
    [s8 (s := (+ s (* 1152921504606846976 x8)))] [s9 (s := (+ s (* 1152921504606846976 x9)))]
    [s10 (s := (+ s (* 1152921504606846976 x10)))] [s11 (s := (+ s (* 1152921504606846976 x11)))]
    [s12 (s := (+ s (* 1152921504606846976 x12)))] [s13 (s := (+ s (* 1152921504606846976 x13)))]
    [s14 (s := (+ s (* 1152921504606846976 x14)))] [s15 (s := (+ s (* 1152921504606846976 x15)))]
    [s16 (s := (+ s (* 1152921504606846976 x16)))] [s17 (s := (+ s (* 1152921504606846976 x17)))]
    [s18 (s := (+ s (* 1152921504606846976 x18)))] [p (p := (+ s s))] [q (q := (+ p p))] [t (t := (+ (+ q p) s))]
    [z (assert (=> (and (and (and (and (and (and (and (= v0 7) (= v1 6)) (= v2 5)) (= v3 4)) (= v4 3)) (= v5 2)) (= v6 1)) (= v7 0)) (< t 0)))] bot )
  ( [b0 (sndi u0 1 0 1152921504606846976)] [b1 (sndi u1 1 0 1152921504606846976)]
    [b2 (sndi u2 1 0 1152921504606846976)] [b3 (sndi u3 1 0 1152921504606846976)]
    [b4 (sndi u4 1 0 1152921504606846976)] [b5 (sndi u5 1 0 1152921504606846976)]
    [b6 (sndi u6 1 0 1152921504606846976)] [b7 (sndi u7 1 0 1152921504606846976)]
    [b8 (sndi u8 1 0 1152921504606846976)] [b9 (sndi u9 1 0 1152921504606846976)]
    [b10 (sndi u10 1 0 1152921504606846976)] [b11 (sndi u11 1 0 1152921504606846976)]
    [b12 (sndi u12 1 0 1152921504606846976)] [b13 (sndi u13 1 0 1152921504606846976)]
    [b14 (sndi u14 1 0 1152921504606846976)] [b15 (sndi u15 1 0 1152921504606846976)]
    [b16 (sndi u16 1 0 1152921504606846976)] [b17 (sndi u17 1 0 1152921504606846976)]
    [b18 (sndi u18 1 0 1152921504606846976)] bot )
  ( [e0 (sndi t0 10 9 0)] bot ) ( [e1 (sndi t1 11 9 1)] bot ) ( [e2 (sndi t2 12 9 2)] bot )
  ( [e3 (sndi t3 13 9 3)] bot ) ( [e4 (sndi t4 14 9 4)] bot ) ( [e5 (sndi t5 15 9 5)] bot )
  ( [e6 (sndi t6 16 9 6)] bot ) ( [e7 (sndi t7 17 9 7)] bot ) )
