/**
 * Programs that need no grant. In a sandbox they can do no more than the script of a skill could: they read and write
 * what the run may, and speak to whom the run may.
 */
export const freeCommands: readonly string[] = [
  // interpreters
  'sh bash dash zsh ash busybox python python3 node deno bun ruby perl php lua luajit Rscript pwsh tclsh awk gawk mawk',
  'fish ksh java julia elixir wasmtime',
  // text and data
  'cat echo printf head tail sort uniq wc cut tr grep egrep fgrep sed jq yq diff cmp comm join paste fold fmt nl rev tac',
  'split csplit tee column expand unexpand od xxd hexdump strings base64 base32 iconv bc dc expr seq shuf',
  'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum',
  // files
  'ls find stat file du df basename dirname realpath readlink pwd test cp mv rm mkdir rmdir touch ln mktemp chmod',
  'tar gzip gunzip zcat bzip2 bunzip2 xz unxz zstd zip unzip',
  // the rest
  'true false date cal sleep timeout uname nproc arch id whoami tty yes factor numfmt',
].flatMap((line) => line.split(' '));
