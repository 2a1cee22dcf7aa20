;; A guest that tries what its arguments say, one by one, and prints what it got; `ALIVE` at its end.
;;   open PATH         from each of its folders; a path that can be opened is printed
;;   link TARGET NAME  in its scratch folder
;;   env               its variables, one on each line
;;   grow              memory, until there is no more or 200 MB; then `took 200 MB`
;;   write             without end
;;   spin              without end
(module
  (import "wasi_snapshot_preview1" "args_sizes_get" (func $args_sizes_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "args_get" (func $args_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "environ_sizes_get" (func $environ_sizes_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "environ_get" (func $environ_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_open" (func $path_open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_symlink" (func $path_symlink (param i32 i32 i32 i32 i32) (result i32)))
  ;; 0: results of calls; 8: how much was written; 16: what is written; 64: texts; 1024: pointers; 8192: arguments; 65536: variables
  (memory (export "memory") 2)
  (data (i32.const 64) "\0aALIVE\0atook 200 MB\0a")
  (global $next (mut i32) (i32.const 0))

  (func $say (param $at i32) (param $length i32)
    (i32.store (i32.const 16) (local.get $at))
    (i32.store (i32.const 20) (local.get $length))
    (drop (call $fd_write (i32.const 1) (i32.const 16) (i32.const 1) (i32.const 8))))

  (func $length (param $at i32) (result i32)
    (local $end i32)
    (local.set $end (local.get $at))
    (block $found
      (loop $on
        (br_if $found (i32.eqz (i32.load8_u (local.get $end))))
        (local.set $end (i32.add (local.get $end) (i32.const 1)))
        (br $on)))
    (i32.sub (local.get $end) (local.get $at)))

  (func $line (param $at i32)
    (call $say (local.get $at) (call $length (local.get $at)))
    (call $say (i32.const 64) (i32.const 1)))

  ;; The next argument
  (func $word (result i32)
    (local $at i32)
    (local.set $at (i32.load (i32.add (i32.const 1024) (i32.mul (global.get $next) (i32.const 4)))))
    (global.set $next (i32.add (global.get $next) (i32.const 1)))
    (local.get $at))

  (func $open (param $path i32)
    (local $folder i32)
    (local.set $folder (i32.const 3))
    (loop $on
      (if (i32.eqz (call $path_open (local.get $folder) (i32.const 1) (local.get $path) (call $length (local.get $path))
            (i32.const 0) (i64.const 2) (i64.const 0) (i32.const 0) (i32.const 0)))
        (then (call $line (local.get $path))))
      (local.set $folder (i32.add (local.get $folder) (i32.const 1)))
      (br_if $on (i32.lt_u (local.get $folder) (i32.const 6)))))

  (func $link (param $target i32) (param $name i32)
    (drop (call $path_symlink (local.get $target) (call $length (local.get $target)) (i32.const 4)
      (local.get $name) (call $length (local.get $name)))))

  (func $env
    (local $at i32)
    (drop (call $environ_sizes_get (i32.const 0) (i32.const 4)))
    (drop (call $environ_get (i32.const 1024) (i32.const 65536)))
    (local.set $at (i32.const 65536))
    (block $done
      (loop $on
        (br_if $done (i32.eqz (i32.load (i32.const 0))))
        (call $line (local.get $at))
        (local.set $at (i32.add (i32.add (local.get $at) (call $length (local.get $at))) (i32.const 1)))
        (i32.store (i32.const 0) (i32.sub (i32.load (i32.const 0)) (i32.const 1)))
        (br $on))))

  (func $grow
    (block $full
      (loop $on
        (br_if $full (i32.eq (memory.grow (i32.const 16)) (i32.const -1)))
        (br_if $on (i32.lt_u (memory.size) (i32.const 3200)))
        (call $say (i32.const 71) (i32.const 12)))))

  (func (export "_start")
    (local $count i32)
    (local $letter i32)
    (drop (call $args_sizes_get (i32.const 0) (i32.const 4)))
    (local.set $count (i32.load (i32.const 0)))
    (drop (call $args_get (i32.const 1024) (i32.const 8192)))
    (drop (call $word)) ;; its own name
    (block $done
      (loop $on
        (br_if $done (i32.ge_u (global.get $next) (local.get $count)))
        (local.set $letter (i32.load8_u (call $word)))
        (if (i32.eq (local.get $letter) (i32.const 111)) (then (call $open (call $word))))
        (if (i32.eq (local.get $letter) (i32.const 108)) (then (call $link (call $word) (call $word))))
        (if (i32.eq (local.get $letter) (i32.const 101)) (then (call $env)))
        (if (i32.eq (local.get $letter) (i32.const 103)) (then (call $grow)))
        (if (i32.eq (local.get $letter) (i32.const 119))
          (then (loop $more (call $say (i32.const 1024) (i32.const 4096)) (br $more))))
        (if (i32.eq (local.get $letter) (i32.const 115)) (then (loop $more (br $more))))
        (br $on)))
    (call $say (i32.const 65) (i32.const 6))))
