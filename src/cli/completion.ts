import { Argument, type Command } from 'commander';
import { leaves, pathOf } from './command-help.ts';
import type { Terminal } from './terminal.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

const HELP = `
  bash  source <(grantlog completion bash), or write it to /etc/bash_completion.d/grantlog
  zsh   source <(grantlog completion zsh), after compinit
  fish  grantlog completion fish > ~/.config/fish/completions/grantlog.fish
`;

/** Adds the command `completion`, which prints a script that lets a shell complete commands and their options. */
export function completionCommand(program: Command, { out }: Pick<Terminal, 'out'>): void {
  program
    .command('completion')
    .description('print a script that lets a shell complete the names of commands and options')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', HELP)
    .action(async (shell: Shell) => out(scriptFor(shell, wordsByPath(program))));
}

/** The words that can follow a command: the commands below it, or its options. */
type WordsByPath = readonly (readonly [path: string, words: readonly string[]])[];

function wordsByPath(program: Command): WordsByPath {
  const groups = program.commands.filter(({ commands }) => commands.length > 0);
  const subcommands = [program, ...groups].map((group) => [pathOf(group), group.commands.map(nameOf)] as const);
  const options = leaves(program).map((leaf) => [pathOf(leaf), optionsOf(leaf)] as const);
  return [...subcommands, ...options];
}

const nameOf = (command: Command): string => command.name();
const optionsOf = ({ options }: Command): readonly string[] => [...options.flatMap(({ long }) => long ?? []), '--help'];

function scriptFor(shell: Shell, words: WordsByPath): string {
  return shell === 'bash' ? bash(words) : shell === 'zsh' ? zsh(words) : fish(words);
}

/** The names contain lowercase letters, digits and hyphens only, so nothing needs quoting. */
function cases(words: WordsByPath): string {
  return words.map(([path, next]) => `    '${path}') words='${next.join(' ')}' ;;`).join('\n');
}

function bash(words: WordsByPath): string {
  return `_grantlog() {
  local path='' word words='' at
  for ((at = 1; at < COMP_CWORD && at < 3; at++)); do
    word="\${COMP_WORDS[at]}"
    case "$word" in -*) break ;; esac
    path="\${path:+$path }$word"
  done
  case "$path" in
${cases(words)}
    *) case "\${path%% *}" in
${cases(words.filter(([path]) => path !== '' && !path.includes(' ')))}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _grantlog grantlog
`;
}

function zsh(words: WordsByPath): string {
  return `#compdef grantlog
_grantlog() {
  local path_words='' words_left at words=''
  local -a typed
  typed=("\${(@)argv}")
  for ((at = 2; at < CURRENT && at < 4; at++)); do
    words_left="\${typed_words[at]}"
    [[ "$words_left" == -* ]] && break
    path_words="\${path_words:+$path_words }$words_left"
  done
  case "$path_words" in
${cases(words)}
  esac
  compadd -- \${=words}
}
_grantlog_entry() {
  local -a typed_words
  typed_words=("\${(@)words}")
  _grantlog
}
compdef _grantlog_entry grantlog
`;
}

function fish(words: WordsByPath): string {
  const lines = words.flatMap(([path, next]) => {
    const condition = `test (__grantlog_path) = '${path}'`;
    return next.map((word) =>
      word.startsWith('--')
        ? `complete -c grantlog -n "${condition}" -f -l ${word.slice(2)}`
        : `complete -c grantlog -n "${condition}" -f -a ${word}`,
    );
  });
  return `function __grantlog_path
  set -l path
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and break
    test (count $path) -ge 2; and break
    set -a path $word
  end
  echo "$path"
end
${lines.join('\n')}
`;
}
