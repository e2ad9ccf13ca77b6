;; Products of one vector with many, 8 numbers at a time, each a signed byte. Sums are exact: vectors have the length 127, so
;; that no product of two is more than its square.
;;
;; Memory: 0 the vector of the question; 65536 the products, a 32-bit number each; 131072 a block of rows (vector-file.ts).
;; Vectors are filled up to a multiple of eight with zeros.
(module
  (memory (export "memory") 6)

  ;; The product of `size` bytes at 0 with those at `at`, and at every `stride` from there, `rows` times.
  (func (export "multiply") (param $at i32) (param $rows i32) (param $stride i32) (param $size i32)
    (local $out i32) (local $i i32) (local $sum v128)
    (local.set $out (i32.const 65536))
    (block $done
      (loop $more
        (br_if $done (i32.eqz (local.get $rows)))
        (local.set $sum (i32x4.splat (i32.const 0)))
        (local.set $i (i32.const 0))
        (block $summed
          (loop $next
            (br_if $summed (i32.ge_u (local.get $i) (local.get $size)))
            (local.set $sum
              (i32x4.add
                (local.get $sum)
                (i32x4.dot_i16x8_s
                  (v128.load8x8_s (local.get $i))
                  (v128.load8x8_s (i32.add (local.get $at) (local.get $i))))))
            (local.set $i (i32.add (local.get $i) (i32.const 8)))
            (br $next)))
        (i32.store
          (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $at (i32.add (local.get $at) (local.get $stride)))
        (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
        (br $more)))))
