import type { CompletionSlots } from './completion-slots.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Each script has the words of every place as a table, and one function that finds the place of the cursor. */
export function scriptFor(shell: Shell, slots: CompletionSlots): string {
  return { bash, zsh, fish }[shell](slots);
}

/** The words contain letters, digits, and hyphens, underscores and `@` only, so nothing needs quoting. */
function table(slots: CompletionSlots): string {
  const cases = slots.map(([key, words]) => `    '${key}') REPLY='${words.join(' ')}' ;;`).join('\n');
  return `_grantlog_words() {
  case "$1" in
${cases}
    *) REPLY='' ;;
  esac
}

_grantlog_alias() {
  _grantlog_words "alias|$1"
  REPLY="\${REPLY:-$1}"
}
`;
}

/**
 * Walks through the typed words: finds the command, skips the values of options, and counts the arguments. Leaves the
 * words that can follow in REPLY. The parameters are the words after \`grantlog\`; the last one is being typed.
 */
const WALK = `_grantlog_walk() {
  local cmd='' word data='' option='' last slot at=0 names=''
  while [ $# -gt 1 ]; do
    word="$1"
    shift
    if [ -n "$option" ]; then
      [ "$option" = --data-dir ] && data="$word"
      option=''
      continue
    fi
    case "$word" in
      -*)
        _grantlog_words "$cmd|val"
        case " $REPLY " in *" $word "*) option="$word" ;; esac
        continue
        ;;
    esac
    [ -z "$cmd" ] && [ "$word" = help ] && continue
    _grantlog_words "$cmd|sub"
    if [ -n "$REPLY" ]; then
      _grantlog_alias "\${cmd:+$cmd }$word"
      cmd="$REPLY"
    else
      at=$((at + 1))
    fi
  done
  last="$1"
  if [ -n "$option" ]; then
    slot="$cmd|$option"
  else
    case "$last" in
      -*) slot="$cmd|opt" ;;
      *)
        slot="$cmd|sub"
        _grantlog_words "$slot"
        [ -z "$REPLY" ] && slot="$cmd|$((at + 1))"
        ;;
    esac
  fi
  _grantlog_words "$slot"
  case "$REPLY" in
    @*)
      names="\${REPLY#@}"
      REPLY="$(grantlog \${data:+"--data-dir=$data"} complete-names "$names" 2>/dev/null)"
      ;;
  esac
}
`;

function bash(slots: CompletionSlots): string {
  return `${table(slots)}
${WALK}
_grantlog() {
  local REPLY
  _grantlog_walk "\${COMP_WORDS[@]:1:COMP_CWORD}"
  COMPREPLY=($(compgen -W "$REPLY" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _grantlog grantlog
`;
}

function zsh(slots: CompletionSlots): string {
  return `#compdef grantlog
${table(slots)}
${WALK}
_grantlog_entry() {
  emulate -L zsh
  local REPLY
  _grantlog_walk "\${(@)words[2,CURRENT]}"
  if [[ -n "$REPLY" ]]; then
    compadd -- \${=REPLY}
  else
    _files
  fi
}
compdef _grantlog_entry grantlog
`;
}

function fish(slots: CompletionSlots): string {
  const cases = slots
    .map(([key, words]) => `    case '${key}'\n      string split ' ' -- '${words.join(' ')}'`)
    .join('\n');
  return `function __grantlog_words
  switch "$argv[1]"
${cases}
  end
end

function __grantlog_complete
  set -l path
  set -l option
  set -l data
  set -l at 0
  for word in (commandline -opc)[2..-1]
    if test -n "$option"
      test "$option" = --data-dir; and set data --data-dir $word
      set option
      continue
    end
    if string match -q -- '-*' $word
      contains -- $word (__grantlog_words "$path|val"); and set option $word
      continue
    end
    test -z "$path"; and test "$word" = help; and continue
    if test -n "$(__grantlog_words "$path|sub")"
      set -l next (string trim -- "$path $word")
      set -l real (__grantlog_words "alias|$next" | string join ' ')
      test -n "$real"; and set path $real; or set path $next
    else
      set at (math $at + 1)
    end
  end
  set -l last (commandline -ct)
  set -l words
  if test -n "$option"
    set words (__grantlog_words "$path|$option")
  else if string match -q -- '-*' $last
    set words (__grantlog_words "$path|opt")
  else
    set words (__grantlog_words "$path|sub")
    test (count $words) -gt 0; or set words (__grantlog_words "$path|"(math $at + 1))
  end
  if test (count $words) -eq 0
    __fish_complete_path $last
  else if string match -q -- '@*' $words[1]
    grantlog $data complete-names (string sub -s 2 -- $words[1]) 2>/dev/null
  else
    printf '%s\\n' $words
  end
end

complete -c grantlog -f -a '(__grantlog_complete)'
`;
}
