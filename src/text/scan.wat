;; Many short needles in one pass, and a count of one byte, 16 bytes at a time and more (Teddy: nibble tables of the first three
;; bytes name the buckets that may match at a place; the needles of a bucket are then compared whole).
;;
;; Memory: 0 six tables of 16 bytes, low and high nibble of the first, second and third byte; 112 scratch;
;; 128 eight buckets, each the start and end of its needles; 192 two bytes of the one needle, each with its place and
;; what is or-ed into the text, and whether there is only one; 1024 needles: length, bytes, and what is or-ed into the
;; text before the comparison (0x20 folds the case of an ASCII letter); 65536 the text; 1179648 the rows of an automaton,
;; 256 numbers each. Loads reach up to 18 bytes behind the end, and for one needle 64 more than it is long.
(module
  (memory (export "memory") 26)

  ;; Of the run of an automaton: the row in which it stands (0: in no line), the lines that it has found, and why it ended
  ;; (0: so does the text).
  (global $row (export "row") (mut i32) (i32.const 0))
  (global $found (export "found") (mut i32) (i32.const 0))
  (global $stop (export "stop") (mut i32) (i32.const 0))

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
  (func $find (export "find") (param $at i32) (param $end i32) (result i32)
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

  ;; The same for one needle, which stands in the first bucket: two of its bytes are compared first, in 16 places at once,
  ;; and in 64 after 64 without a candidate.
  (func $find_one (export "find_one") (param $at i32) (param $end i32) (result i32)
    (local $first_at i32) (local $second_at i32) (local $first i32) (local $second i32) (local $near i32)
    (local $a v128) (local $b v128) (local $fold_a v128) (local $fold_b v128) (local $mask i32) (local $place i32)
    (local.set $a (v128.load8_splat (i32.const 192)))
    (local.set $first_at (i32.load (i32.const 196)))
    (local.set $fold_a (v128.load8_splat (i32.const 200)))
    (local.set $b (v128.load8_splat (i32.const 204)))
    (local.set $second_at (i32.load (i32.const 208)))
    (local.set $fold_b (v128.load8_splat (i32.const 212)))
    (local.set $near (i32.add (local.get $at) (i32.const 64)))
    (block $end_of_text
      (loop $next
        (br_if $end_of_text (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $first (i32.add (local.get $at) (local.get $first_at)))
        (local.set $second (i32.add (local.get $at) (local.get $second_at)))
        (if (i32.ge_u (local.get $at) (local.get $near))
          (then
            (if
              (i32.eqz
                (v128.any_true
                  (v128.or
                    (v128.or
                      (v128.and
                        (i8x16.eq (v128.or (v128.load (local.get $first)) (local.get $fold_a)) (local.get $a))
                        (i8x16.eq (v128.or (v128.load (local.get $second)) (local.get $fold_b)) (local.get $b)))
                      (v128.and
                        (i8x16.eq (v128.or (v128.load offset=16 (local.get $first)) (local.get $fold_a)) (local.get $a))
                        (i8x16.eq (v128.or (v128.load offset=16 (local.get $second)) (local.get $fold_b)) (local.get $b))))
                    (v128.or
                      (v128.and
                        (i8x16.eq (v128.or (v128.load offset=32 (local.get $first)) (local.get $fold_a)) (local.get $a))
                        (i8x16.eq (v128.or (v128.load offset=32 (local.get $second)) (local.get $fold_b)) (local.get $b)))
                      (v128.and
                        (i8x16.eq (v128.or (v128.load offset=48 (local.get $first)) (local.get $fold_a)) (local.get $a))
                        (i8x16.eq (v128.or (v128.load offset=48 (local.get $second)) (local.get $fold_b)) (local.get $b)))))))
              (then
                (local.set $at (i32.add (local.get $at) (i32.const 64)))
                (br $next)))
            (local.set $near (i32.add (local.get $at) (i32.const 64)))))
        (local.set $mask
          (i8x16.bitmask
            (v128.and
              (i8x16.eq (v128.or (v128.load (local.get $first)) (local.get $fold_a)) (local.get $a))
              (i8x16.eq (v128.or (v128.load (local.get $second)) (local.get $fold_b)) (local.get $b)))))
        (if (local.get $mask)
          (then
            (loop $candidate
              (local.set $place (i32.add (local.get $at) (i32.ctz (local.get $mask))))
              (if (call $matches (local.get $place) (local.get $end) (i32.load (i32.const 128)))
                (then (return (local.get $place))))
              (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
              (br_if $candidate (local.get $mask)))
            (local.set $near (i32.add (local.get $at) (i32.const 64)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))
    (i32.const -1))

  ;; The first line feed from $at, or $end.
  (func $feed (param $at i32) (param $end i32) (result i32)
    (local $mask i32)
    (block $none
      (loop $next
        (br_if $none (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $mask (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (i8x16.splat (i32.const 10)))))
        (if (local.get $mask)
          (then
            (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $mask))))
            (br_if $none (i32.ge_u (local.get $at) (local.get $end)))
            (return (local.get $at))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))
    (local.get $end))

  ;; The start of the line of $at, not before $from.
  (func $line_start (param $at i32) (param $from i32) (result i32)
    (local $mask i32)
    (block $short
      (loop $next
        (br_if $short (i32.lt_u (local.get $at) (i32.add (local.get $from) (i32.const 16))))
        (local.set $mask
          (i8x16.bitmask (i8x16.eq (v128.load (i32.sub (local.get $at) (i32.const 16))) (i8x16.splat (i32.const 10)))))
        (if (local.get $mask)
          (then (return (i32.sub (i32.add (local.get $at) (i32.const 16)) (i32.clz (local.get $mask))))))
        (local.set $at (i32.sub (local.get $at) (i32.const 16)))
        (br $next)))
    (block $found
      (loop $next
        (br_if $found (i32.le_u (local.get $at) (local.get $from)))
        (br_if $found (i32.eq (i32.load8_u (i32.sub (local.get $at) (i32.const 1))) (i32.const 10)))
        (local.set $at (i32.sub (local.get $at) (i32.const 1)))
        (br $next)))
    (local.get $at))

  ;; Adds to $found the lines that an automaton finds, up to $most, and gives the place where it stopped. What stands in a
  ;; row for a byte is the next row, or: 0 not known yet, 1 the line is found, 2 the row $start again, which is that at the
  ;; start of a line, 3 the automaton has no bytes like this. Where it is at the start, $look says: 0 it goes on with the next
  ;; byte; 1 with the start of the next line that holds a needle; n + 2: from n bytes before the next needle on. With no
  ;; automaton ($start is 0) each line that holds a needle is found.
  (func (export "find_lines")
    (param $at i32) (param $end i32) (param $start i32) (param $look i32) (param $most i32) (result i32)
    (local $row i32) (local $next i32)
    (global.set $stop (i32.const 0))
    (local.set $row (global.get $row))
    (block $ended
      (loop $line
        (br_if $ended (i32.ge_u (local.get $at) (local.get $end)))
        (if (i32.and (i32.ne (local.get $look) (i32.const 0)) (i32.eq (local.get $row) (local.get $start)))
          (then
            (local.set $next
              (if (result i32) (i32.load (i32.const 216))
                (then (call $find_one (local.get $at) (local.get $end)))
                (else (call $find (local.get $at) (local.get $end)))))
            (if (i32.lt_s (local.get $next) (i32.const 0))
              (then
                (global.set $row (i32.const 0))
                (return (local.get $end))))
            (if (i32.eq (local.get $look) (i32.const 1))
              (then (local.set $at (call $line_start (local.get $next) (local.get $at))))
              (else
                (local.set $next (i32.sub (i32.add (local.get $next) (i32.const 2)) (local.get $look)))
                (if (i32.gt_s (local.get $next) (local.get $at)) (then (local.set $at (local.get $next))))))))
        (local.set $next (i32.const 1))
        (if (local.get $start)
          (then
            (loop $byte
              (local.set $next
                (i32.load (i32.add (local.get $row) (i32.shl (i32.load8_u (local.get $at)) (i32.const 2)))))
              (if (i32.gt_u (local.get $next) (i32.const 3))
                (then
                  (local.set $row (local.get $next))
                  (local.set $at (i32.add (local.get $at) (i32.const 1)))
                  (br_if $byte (i32.lt_u (local.get $at) (local.get $end)))
                  (br $ended))))))
        (if (i32.eq (local.get $next) (i32.const 1))
          (then
            (global.set $found (i32.add (global.get $found) (i32.const 1)))
            (local.set $at (call $feed (local.get $at) (local.get $end)))
            (local.set $row (local.get $start))
            (if
              (i32.or
                (i32.ge_u (local.get $at) (local.get $end))
                (i32.ge_u (global.get $found) (local.get $most)))
              (then
                (global.set $row (i32.const 0))
                (return (local.get $end))))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br $line)))
        (if (i32.eq (local.get $next) (i32.const 2))
          (then
            (local.set $row (local.get $start))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br $line)))
        (global.set $row (local.get $row))
        (global.set $stop (i32.add (local.get $next) (i32.const 1)))
        (return (local.get $at))))
    (global.set $row (local.get $row))
    (local.get $end)))
