import { choice } from '../../../../core/schema/schema.ts';
import { aliasName, hasAlias } from '../../../../engine/alias.ts';
import { defineOperation } from '../../../../engine/operation.ts';
import { defineCommand } from '../../command.ts';

/**
 * Completion scripts. Each asks the program itself for candidates, so that it never falls behind. It calls the program
 * by the name that was typed, so only names which mean this program may be given here.
 */
const scripts = {
  bash: (names: string) => `_repertoire() {
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
complete -F _repertoire ${names}
`,
  zsh: (names: string) => `#compdef ${names}
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
if [ "$funcstack[1]" = "_repertoire" ]; then _repertoire "$@"; else compdef _repertoire ${names}; fi
`,
  fish: (names: string) => `function __repertoire_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found ($words[1] __complete $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
for name in ${names}
  complete -c $name -f -a '(__repertoire_complete)'
end
`,
} as const;

const operation = defineOperation({
  name: 'completion',
  effect: 'reads',
  input: { shell: choice(['bash', 'zsh', 'fish'], 'bash, zsh or fish.') },
  async run({ environment }, { shell }) {
    const names = ['repertoire', ...(hasAlias(environment) ? [aliasName] : [])];
    return { shell, script: scripts[shell](names.join(' ')) };
  },
});

export const completion = defineCommand({
  operation,
  spelling: { shell: { positional: true, value: 'SHELL' } },
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
