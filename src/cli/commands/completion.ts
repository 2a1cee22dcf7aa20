import { defineOperation } from '../../engine/operation.ts';
import { defineCommand } from '../command.ts';

/** Each script asks the program itself what fits, so that it never falls behind. */
const scripts = {
  bash: `_repertoire() {
  local word about
  COMPREPLY=()
  while IFS=$'\\t' read -r word about; do
    COMPREPLY+=("$(printf '%q' "$word")")
  done < <("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ "\${#COMPREPLY[@]}" -eq 0 ]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
  fi
}
COMP_WORDBREAKS=\${COMP_WORDBREAKS//:/}
complete -F _repertoire repertoire skill
`,
  zsh: `#compdef repertoire skill
_repertoire() {
  local -a lines candidates
  local line
  lines=("\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    [[ -z $line ]] && continue
    candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#candidates} )); then _describe 'repertoire' candidates; else _files; fi
}
if [ "$funcstack[1]" = "_repertoire" ]; then _repertoire "$@"; else compdef _repertoire repertoire skill; fi
`,
  fish: `function __repertoire_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found ($words[1] __complete $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c repertoire -f -a '(__repertoire_complete)'
complete -c skill -f -a '(__repertoire_complete)'
`,
} as const;

const operation = defineOperation({
  fields: {
    shell: {
      kind: 'choice',
      positional: true,
      required: true,
      value: 'SHELL',
      choices: ['bash', 'zsh', 'fish'],
      description: 'bash, zsh or fish.',
    },
  },
  async run(_engine, { shell }) {
    return { shell, script: scripts[shell] };
  },
});

export const completion = defineCommand({
  operation,
  about: 'Prints a script that makes a shell complete commands, options, skills and providers.',
  examples: [
    { run: 'source <(repertoire completion bash)', what: 'in ~/.bashrc' },
    { run: 'source <(repertoire completion zsh)', what: 'in ~/.zshrc, after compinit' },
    { run: 'repertoire completion fish > ~/.config/fish/completions/repertoire.fish', what: 'once' },
  ],
  print({ script }, { terminal }) {
    terminal.write(script);
  },
});
