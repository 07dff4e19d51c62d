import type { Command } from 'commander';
import { UsageError } from './terminal/failure.ts';

/** Completion for shells, made from the commands: the words that can follow each path of words. */

type Words = ReadonlyMap<string, readonly string[]>;

function wordsOf(command: Command, path: string, globals: readonly string[]): [string, readonly string[]][] {
  const options = command.options.flatMap(({ long }) => long ?? []);
  const names = command.commands.map((child) => child.name());
  const own: [string, readonly string[]] = [path, [...names, ...options, ...globals, '--help']];
  return [
    own,
    ...command.commands.flatMap((child) => wordsOf(child, `${path} ${child.name()}`.trim(), globals)),
  ];
}

/** All words are the program's own, so quotes are enough. */
const bashCase = (words: Words) =>
  [...words].map(([path, next]) => `    '${path}') words='${next.join(' ')}' ;;`).join('\n');

const bash = (words: Words) => `_otl() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in -*) ;; *) [[ $(wc -w <<<"$path") -lt 2 ]] && path="\${path:+$path }\${COMP_WORDS[i]}" ;; esac
  done
  case "$path" in
${bashCase(words)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _otl otl`;

const zsh = (words: Words) => `#compdef otl
autoload -U +X bashcompinit && bashcompinit
${bash(words)}`;

const fish = (words: Words) =>
  [...words]
    .flatMap(([path, next]) => {
      const seen = path.split(' ').filter(Boolean);
      const condition =
        seen.length === 0
          ? '__fish_use_subcommand'
          : seen.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
      return next.map((word) =>
        word.startsWith('--')
          ? `complete -c otl -n '${condition}' -l ${word.slice(2)}`
          : `complete -c otl -n '${condition}' -f -a ${word}`,
      );
    })
    .join('\n');

const SHELLS: Readonly<Record<string, (words: Words) => string>> = { bash, zsh, fish };

/** The script for a shell to read. Errors: `UsageError`. */
export function completionFor(shell: string, program: Command): string {
  const script = SHELLS[shell];
  if (!script) throw new UsageError(`There is completion for ${Object.keys(SHELLS).join(', ')}.`);
  const globals = program.options.flatMap(({ long }) => long ?? []);
  return `${script(new Map(wordsOf(program, '', globals)))}\n`;
}
