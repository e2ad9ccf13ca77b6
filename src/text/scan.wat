;; Many short needles in one pass, and a count of one byte, 16 bytes at a time (Teddy: nibble tables of the first three
;; bytes name the buckets that may match at a place; the needles of a bucket are then compared whole).
;;
;; Memory: 0 six tables of 16 bytes, low and high nibble of the first, second and third byte; 112 scratch;
;; 128 eight buckets, each the start and end of its needles; 1024 needles: length, bytes, and what is or-ed into the
;; text before the comparison (0x20 folds the case of an ASCII letter); 65536 the text. Loads reach up to 18 bytes
;; behind the end, and for one needle as far as it is long.
(module
  (memory (export "memory") 18)

  (func (export "count") (param $at i32) (param $end i32) (param $byte i32) (result i32)
    (local $sum i32) (local $needle v128) (local $left i32)
    (local.set $needle (i8x16.splat (local.get $byte)))
    (block $done
      (loop $more
        (br_if $done (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $end)))
        (local.set $sum
          (i32.add
            (local.get $sum)
            (i32.popcnt (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (local.get $needle))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $more)))
    (local.set $left (i32.sub (local.get $end) (local.get $at)))
    (i32.add
      (local.get $sum)
      (i32.popcnt
        (i32.and
          (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (local.get $needle)))
          (i32.sub (i32.shl (i32.const 1) (local.get $left)) (i32.const 1))))))

  (func $matches (param $at i32) (param $end i32) (param $needle i32) (result i32)
    (local $length i32) (local $i i32)
    (local.set $length (i32.load (local.get $needle)))
    (if (i32.gt_u (i32.add (local.get $at) (local.get $length)) (local.get $end)) (then (return (i32.const 0))))
    (local.set $needle (i32.add (local.get $needle) (i32.const 4)))
    (loop $next
      (if
        (i32.ne
          (i32.or
            (i32.load8_u (i32.add (local.get $at) (local.get $i)))
            (i32.load8_u (i32.add (i32.add (local.get $needle) (local.get $i)) (local.get $length))))
          (i32.load8_u (i32.add (local.get $needle) (local.get $i))))
        (then (return (i32.const 0))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $i) (local.get $length))))
    (i32.const 1))

  (func $verify (param $at i32) (param $end i32) (param $buckets i32) (result i32)
    (local $bucket i32) (local $needle i32) (local $last i32)
    (block $none
      (loop $next
        (br_if $none (i32.eqz (local.get $buckets)))
        (local.set $bucket (i32.add (i32.const 128) (i32.shl (i32.ctz (local.get $buckets)) (i32.const 3))))
        (local.set $buckets (i32.and (local.get $buckets) (i32.sub (local.get $buckets) (i32.const 1))))
        (local.set $needle (i32.load (local.get $bucket)))
        (local.set $last (i32.load offset=4 (local.get $bucket)))
        (block $empty
          (loop $each
            (br_if $empty (i32.ge_u (local.get $needle) (local.get $last)))
            (if (call $matches (local.get $at) (local.get $end) (local.get $needle)) (then (return (i32.const 1))))
            (local.set $needle
              (i32.add
                (i32.add (local.get $needle) (i32.const 4))
                (i32.shl (i32.load (local.get $needle)) (i32.const 1))))
            (br $each)))
        (br $next)))
    (i32.const 0))

  ;; The first place from $at where a needle stands that ends before $end, or -1. The upper nibbles come by a shift of 16
  ;; bits and a mask: no processor shifts bytes.
  (func (export "find") (param $at i32) (param $end i32) (result i32)
    (local $low0 v128) (local $high0 v128) (local $low1 v128) (local $high1 v128) (local $low2 v128) (local $high2 v128)
    (local $nibble v128) (local $text v128) (local $found v128) (local $mask i32) (local $place i32)
    (local.set $low0 (v128.load (i32.const 0)))
    (local.set $high0 (v128.load (i32.const 16)))
    (local.set $low1 (v128.load (i32.const 32)))
    (local.set $high1 (v128.load (i32.const 48)))
    (local.set $low2 (v128.load (i32.const 64)))
    (local.set $high2 (v128.load (i32.const 80)))
    (local.set $nibble (i8x16.splat (i32.const 15)))
    (block $end_of_text
      (loop $next
        (br_if $end_of_text (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $text (v128.load (local.get $at)))
        (local.set $found
          (v128.and
            (i8x16.swizzle (local.get $low0) (v128.and (local.get $text) (local.get $nibble)))
            (i8x16.swizzle (local.get $high0) (v128.and (i16x8.shr_u (local.get $text) (i32.const 4)) (local.get $nibble)))))
        (local.set $text (v128.load offset=1 (local.get $at)))
        (local.set $found
          (v128.and
            (local.get $found)
            (v128.and
              (i8x16.swizzle (local.get $low1) (v128.and (local.get $text) (local.get $nibble)))
              (i8x16.swizzle (local.get $high1) (v128.and (i16x8.shr_u (local.get $text) (i32.const 4)) (local.get $nibble))))))
        (local.set $text (v128.load offset=2 (local.get $at)))
        (local.set $found
          (v128.and
            (local.get $found)
            (v128.and
              (i8x16.swizzle (local.get $low2) (v128.and (local.get $text) (local.get $nibble)))
              (i8x16.swizzle (local.get $high2) (v128.and (i16x8.shr_u (local.get $text) (i32.const 4)) (local.get $nibble))))))
        (if (v128.any_true (local.get $found))
          (then
            (v128.store (i32.const 112) (local.get $found))
            (local.set $mask (i32.xor (i8x16.bitmask (i8x16.eq (local.get $found) (v128.const i64x2 0 0))) (i32.const 0xffff)))
            (loop $candidate
              (local.set $place (i32.ctz (local.get $mask)))
              (if
                (call $verify
                  (i32.add (local.get $at) (local.get $place))
                  (local.get $end)
                  (i32.load8_u offset=112 (local.get $place)))
                (then (return (i32.add (local.get $at) (local.get $place)))))
              (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
              (br_if $candidate (local.get $mask)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))
    (i32.const -1))

  ;; The same for one needle, which stands in the first bucket: two of its bytes, their places in it and what is or-ed
  ;; into the text before each is compared.
  (func (export "find_one") (param $at i32) (param $end i32)
    (param $first i32) (param $first_at i32) (param $first_fold i32)
    (param $second i32) (param $second_at i32) (param $second_fold i32) (result i32)
    (local $a v128) (local $b v128) (local $fold_a v128) (local $fold_b v128) (local $mask i32) (local $place i32)
    (local.set $a (i8x16.splat (local.get $first)))
    (local.set $b (i8x16.splat (local.get $second)))
    (local.set $fold_a (i8x16.splat (local.get $first_fold)))
    (local.set $fold_b (i8x16.splat (local.get $second_fold)))
    (block $end_of_text
      (loop $next
        (br_if $end_of_text (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $mask
          (i8x16.bitmask
            (v128.and
              (i8x16.eq
                (v128.or (v128.load (i32.add (local.get $at) (local.get $first_at))) (local.get $fold_a))
                (local.get $a))
              (i8x16.eq
                (v128.or (v128.load (i32.add (local.get $at) (local.get $second_at))) (local.get $fold_b))
                (local.get $b)))))
        (if (local.get $mask)
          (then
            (loop $candidate
              (local.set $place (i32.add (local.get $at) (i32.ctz (local.get $mask))))
              (if (call $matches (local.get $place) (local.get $end) (i32.load (i32.const 128)))
                (then (return (local.get $place))))
              (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
              (br_if $candidate (local.get $mask)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))
    (i32.const -1)))
