;; The inner product of one query with many rows.
;;
;; The rows begin at 0: int8 components, $dimensions for each row, one row after another.
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
        (br_if $next_row (local.get $rows))))))
