;; What is done with many rows of numbers: "scan" takes the inner product of a query with each, "nearest" finds which of
;; some rows come nearest to some others, "add" sums rows up.
;;
;; scan: the rows begin at 0: int8 components, $dimensions for each row, one row after another.
;; The query is at $query, its components widened to int16, so that a row needs no more than to be read.
;; One int32 for each row goes to $results.
;;
;; $dimensions is a multiple of 16 and not 0. Nothing overflows: products of -128 and -128 are added as int32, and it
;; takes 131,072 of them to fill one.
(module
  (import "host" "memory" (memory 1))

  (func (export "scan") (param $query i32) (param $results i32) (param $rows i32) (param $dimensions i32)
    (local $row i32)
    (local $component i32)
    (local $query_end i32)
    (local $even v128)
    (local $odd v128)

    (local.set $query_end (i32.add (local.get $query) (i32.shl (local.get $dimensions) (i32.const 1))))

    (block $done
      (br_if $done (i32.eqz (local.get $rows)))
      (loop $next_row
        (local.set $component (local.get $query))
        (local.set $even (v128.const i32x4 0 0 0 0))
        (local.set $odd (v128.const i32x4 0 0 0 0))

        ;; Sixteen components in a turn, and two sums, so that one addition does not wait for the other. More in a turn
        ;; was measured and gained nothing.
        (loop $next_components
          (local.set $even
            (i32x4.add
              (local.get $even)
              (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $row)) (v128.load (local.get $component)))))
          (local.set $odd
            (i32x4.add
              (local.get $odd)
              (i32x4.dot_i16x8_s
                (v128.load8x8_s offset=8 (local.get $row))
                (v128.load offset=16 (local.get $component)))))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (local.set $component (i32.add (local.get $component) (i32.const 32)))
          (br_if $next_components (i32.ne (local.get $component) (local.get $query_end))))

        ;; The eight partial sums become one: eight to four, four to two, two to one.
        (local.set $even (i32x4.add (local.get $even) (local.get $odd)))
        (local.set $even
          (i32x4.add
            (local.get $even)
            (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $even) (local.get $even))))
        (i32.store
          (local.get $results)
          (i32.add (i32x4.extract_lane 0 (local.get $even)) (i32x4.extract_lane 1 (local.get $even))))

        (local.set $results (i32.add (local.get $results) (i32.const 4)))
        (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
        (br_if $next_row (local.get $rows)))))

  ;; Rows as for "scan". $list has the numbers of $count of them, int32. $asked has $width others, a multiple of 4, as int16:
  ;; of each four the first 8 components of one after another, then the next 8, and so on. What any listed row reaches at
  ;; most with each asked one goes to $best, a float32 each: their inner product, times what $inverses has for the listed
  ;; row, or what $best has already.
  ;;
  ;; Products are kept for the next list. $slots has an int32 for each row: 0, or where its products stand among those in
  ;; $products, from 1 on; $used is how many do so, and the answer how many do afterwards. Neither $width nor $count is 0.
  (func (export "nearest")
    (param $list i32) (param $count i32) (param $asked i32) (param $width i32) (param $inverses i32) (param $slots i32)
    (param $products i32) (param $best i32) (param $used i32) (param $dimensions i32)
    (result i32)
    (local $list_end i32)
    (local $best_end i32)
    (local $number i32)
    (local $slot i32)
    (local $to i32)
    (local $to_end i32)
    (local $row_end i32)
    (local $left i32)
    (local $right i32)
    (local $inverse v128)
    (local $low v128)
    (local $high v128)
    (local $sum0 v128)
    (local $sum1 v128)
    (local $sum2 v128)
    (local $sum3 v128)

    (local.set $width (i32.shl (local.get $width) (i32.const 2)))
    (local.set $list_end (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $best_end (i32.add (local.get $best) (local.get $width)))

    (loop $next_row
      (local.set $number (i32.load (local.get $list)))
      (local.set $slot (i32.add (local.get $slots) (i32.shl (local.get $number) (i32.const 2))))

      (if (i32.eqz (i32.load (local.get $slot)))
        (then
          (local.set $to (i32.add (local.get $products) (i32.mul (local.get $used) (local.get $width))))
          (local.set $to_end (i32.add (local.get $to) (local.get $width)))
          (local.set $used (i32.add (local.get $used) (i32.const 1)))
          (i32.store (local.get $slot) (local.get $used))
          (local.set $row_end (i32.mul (i32.add (local.get $number) (i32.const 1)) (local.get $dimensions)))
          (local.set $right (local.get $asked))
          (local.set $inverse
            (v128.load32_splat (i32.add (local.get $inverses) (i32.shl (local.get $number) (i32.const 2)))))

          ;; Four asked rows in a turn: what is read of the listed one is used four times.
          (loop $next_four
            (local.set $left (i32.sub (local.get $row_end) (local.get $dimensions)))
            (local.set $sum0 (v128.const i32x4 0 0 0 0))
            (local.set $sum1 (v128.const i32x4 0 0 0 0))
            (local.set $sum2 (v128.const i32x4 0 0 0 0))
            (local.set $sum3 (v128.const i32x4 0 0 0 0))

            (loop $next_components
              (local.set $low (v128.load8x8_s (local.get $left)))
              (local.set $high (v128.load8x8_s offset=8 (local.get $left)))
              (local.set $sum0
                (i32x4.add
                  (local.get $sum0)
                  (i32x4.add
                    (i32x4.dot_i16x8_s (local.get $low) (v128.load (local.get $right)))
                    (i32x4.dot_i16x8_s (local.get $high) (v128.load offset=64 (local.get $right))))))
              (local.set $sum1
                (i32x4.add
                  (local.get $sum1)
                  (i32x4.add
                    (i32x4.dot_i16x8_s (local.get $low) (v128.load offset=16 (local.get $right)))
                    (i32x4.dot_i16x8_s (local.get $high) (v128.load offset=80 (local.get $right))))))
              (local.set $sum2
                (i32x4.add
                  (local.get $sum2)
                  (i32x4.add
                    (i32x4.dot_i16x8_s (local.get $low) (v128.load offset=32 (local.get $right)))
                    (i32x4.dot_i16x8_s (local.get $high) (v128.load offset=96 (local.get $right))))))
              (local.set $sum3
                (i32x4.add
                  (local.get $sum3)
                  (i32x4.add
                    (i32x4.dot_i16x8_s (local.get $low) (v128.load offset=48 (local.get $right)))
                    (i32x4.dot_i16x8_s (local.get $high) (v128.load offset=112 (local.get $right))))))
              (local.set $left (i32.add (local.get $left) (i32.const 16)))
              (local.set $right (i32.add (local.get $right) (i32.const 128)))
              (br_if $next_components (i32.ne (local.get $left) (local.get $row_end))))

            ;; Four partial sums of each of the four become two, and two become one.
            (local.set $sum0
              (i32x4.add
                (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $sum0) (local.get $sum1))
                (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $sum0) (local.get $sum1))))
            (local.set $sum2
              (i32x4.add
                (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $sum2) (local.get $sum3))
                (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $sum2) (local.get $sum3))))
            (v128.store
              (local.get $to)
              (f32x4.mul
                (local.get $inverse)
                (f32x4.convert_i32x4_s
                  (i32x4.add
                    (i8x16.shuffle 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27 (local.get $sum0) (local.get $sum2))
                    (i8x16.shuffle 4 5 6 7 12 13 14 15 20 21 22 23 28 29 30 31 (local.get $sum0) (local.get $sum2))))))

            (local.set $to (i32.add (local.get $to) (i32.const 16)))
            (br_if $next_four (i32.ne (local.get $to) (local.get $to_end))))))

      (local.set $left
        (i32.add
          (local.get $products)
          (i32.mul (i32.sub (i32.load (local.get $slot)) (i32.const 1)) (local.get $width))))
      (local.set $to (local.get $best))
      (loop $next_best
        (v128.store (local.get $to) (f32x4.max (v128.load (local.get $to)) (v128.load (local.get $left))))
        (local.set $left (i32.add (local.get $left) (i32.const 16)))
        (local.set $to (i32.add (local.get $to) (i32.const 16)))
        (br_if $next_best (i32.ne (local.get $to) (local.get $best_end))))

      (local.set $list (i32.add (local.get $list) (i32.const 4)))
      (br_if $next_row (i32.ne (local.get $list) (local.get $list_end))))
    (local.get $used))

  ;; Rows of $bytes bytes, with two components in each byte, the even one in its lower half, both 8 too large. The list
  ;; has the address of a row (int32) and what a component of it is worth (float32), 8 bytes for each. What the rows add
  ;; up to is added to $sums: for every 8 bytes of a row 8 even components and then 8 odd ones, as float32.
  ;;
  ;; $bytes is a multiple of 8 and not 0. Products and sums are rounded to float32 one by one: so the answer is the same
  ;; to the last bit as that of plain arithmetic.
  (func (export "add") (param $list i32) (param $count i32) (param $sums i32) (param $bytes i32)
    (local $at i32)
    (local $entry i32)
    (local $list_end i32)
    (local $eight v128)
    (local $fifteen v128)
    (local $worth v128)
    (local $pairs v128)
    (local $even v128)
    (local $odd v128)
    (local $even0 v128)
    (local $even4 v128)
    (local $odd0 v128)
    (local $odd4 v128)

    (local.set $list_end (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 3))))
    (local.set $eight (v128.const i8x16 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8))
    (local.set $fifteen (v128.const i8x16 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15))

    (block $done
      (br_if $done (i32.eqz (local.get $count)))
      (loop $next_part
        (local.set $entry (local.get $list))
        (local.set $even0 (v128.load (local.get $sums)))
        (local.set $even4 (v128.load offset=16 (local.get $sums)))
        (local.set $odd0 (v128.load offset=32 (local.get $sums)))
        (local.set $odd4 (v128.load offset=48 (local.get $sums)))

        (loop $next_entry
          (local.set $pairs (v128.load64_zero (i32.add (i32.load (local.get $entry)) (local.get $at))))
          (local.set $worth (f32x4.splat (f32.load offset=4 (local.get $entry))))
          (local.set $even
            (i16x8.extend_low_i8x16_s (i8x16.sub (v128.and (local.get $pairs) (local.get $fifteen)) (local.get $eight))))
          (local.set $odd
            (i16x8.extend_low_i8x16_s (i8x16.sub (i8x16.shr_u (local.get $pairs) (i32.const 4)) (local.get $eight))))
          (local.set $even0
            (f32x4.add
              (local.get $even0)
              (f32x4.mul (local.get $worth) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $even))))))
          (local.set $even4
            (f32x4.add
              (local.get $even4)
              (f32x4.mul (local.get $worth) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $even))))))
          (local.set $odd0
            (f32x4.add
              (local.get $odd0)
              (f32x4.mul (local.get $worth) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $odd))))))
          (local.set $odd4
            (f32x4.add
              (local.get $odd4)
              (f32x4.mul (local.get $worth) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $odd))))))
          (local.set $entry (i32.add (local.get $entry) (i32.const 8)))
          (br_if $next_entry (i32.ne (local.get $entry) (local.get $list_end))))

        (v128.store (local.get $sums) (local.get $even0))
        (v128.store offset=16 (local.get $sums) (local.get $even4))
        (v128.store offset=32 (local.get $sums) (local.get $odd0))
        (v128.store offset=48 (local.get $sums) (local.get $odd4))
        (local.set $sums (i32.add (local.get $sums) (i32.const 64)))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br_if $next_part (i32.lt_u (local.get $at) (local.get $bytes)))))))
