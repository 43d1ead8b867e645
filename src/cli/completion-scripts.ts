import type { CompletionSlots } from './completion-slots.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * Returns a completion script, with a table of the words for every slot and a function that finds the slot at the
 * cursor.
 */
export function createScript(shell: Shell, slots: CompletionSlots): string {
  return { bash, zsh, fish }[shell](slots);
}

/**
 * Returns the functions that look up the words for a slot, and the path of an alias. The words contain no white space,
 * quotes or glob characters, so nothing needs quoting.
 */
function wordTable(slots: CompletionSlots): string {
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
 * A function that walks through the typed words: finds the command, skips the values of options, and counts the
 * arguments. Sets REPLY to the completions of the last word, CUR to the text that they must begin with, and LEAD to the
 * text before CUR, such as `--role=`. The parameters are the words after `grantlog`; the last one is being typed.
 */
const WALK = `_grantlog_walk() {
  local cmd='' word data='' option='' slot argument_count=0 previous=''
  while [ $# -gt 1 ]; do
    word="$1"
    shift
    if [ -n "$option" ]; then
      [ "$option" = --data-dir ] && data="$word"
      option=''
      continue
    fi
    case "$word" in
      --data-dir=*)
        data="\${word#*=}"
        continue
        ;;
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
      argument_count=$((argument_count + 1))
      previous="$word"
    fi
  done
  CUR="$1"
  LEAD=''
  case "$option$CUR" in
    --*=*)
      if [ -z "$option" ]; then
        option="\${CUR%%=*}"
        LEAD="$option="
        CUR="\${CUR#*=}"
      fi
      ;;
  esac
  if [ -n "$option" ]; then
    slot="$cmd|$option"
  else
    case "$CUR" in
      -*) slot="$cmd|opt" ;;
      *)
        slot="$cmd|sub"
        _grantlog_words "$slot"
        [ -z "$REPLY" ] && slot="$cmd|$((argument_count + 1))"
        ;;
    esac
  fi
  _grantlog_words "$slot"
  [ "$option" = --data-dir ] && REPLY=@file
  case "$REPLY" in
    @file) ;;
    @*) REPLY="$(grantlog \${data:+"--data-dir=$data"} complete-names "\${REPLY#@}" "$previous" 2>/dev/null)" ;;
  esac
}
`;

/**
 * A function that joins the parts of words, because bash also splits words at characters such as colons. `_grantlog`
 * removes all parts except the last from the completions, because bash replaces only the last part.
 */
const BASH_WORDS = `_grantlog_join() {
  local rest word i line="\${COMP_LINE:0:COMP_POINT}"
  WORDS=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    rest="\${line#"\${line%%[![:space:]]*}"}"
    word="\${COMP_WORDS[i]}"
    [ "$i" -eq "$COMP_CWORD" ] && word="$rest"
    if [ "$rest" = "$line" ] && [ \${#WORDS[@]} -gt 0 ]; then
      WORDS[\${#WORDS[@]}-1]="\${WORDS[\${#WORDS[@]}-1]}$word"
    else
      WORDS+=("$word")
    fi
    line="\${rest#"$word"}"
  done
}
`;

function bash(slots: CompletionSlots): string {
  return `${wordTable(slots)}
${WALK}
${BASH_WORDS}
_grantlog() {
  local REPLY CUR LEAD WORDS prefix='' breaks='' char
  WORDS=("\${COMP_WORDS[@]:0:COMP_CWORD+1}")
  [ -n "\${COMP_LINE-}" ] && _grantlog_join
  _grantlog_walk "\${WORDS[@]:1}"
  if [ "$REPLY" = @file ]; then
    COMPREPLY=()
    compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$CUR"))
    return
  fi
  COMPREPLY=($(compgen -W "$REPLY" -- "$CUR"))
  if [ -n "\${COMP_LINE-}" ]; then
    case "$COMP_WORDBREAKS" in *=*) LEAD='' ;; esac
    for char in : @; do
      case "$COMP_WORDBREAKS" in *"$char"*) breaks="$breaks$char" ;; esac
    done
    prefix="$LEAD$CUR"
    prefix="\${prefix%"\${prefix##*[$breaks ]}"}"
  fi
  COMPREPLY=("\${COMPREPLY[@]/#/$LEAD}")
  COMPREPLY=("\${COMPREPLY[@]#"$prefix"}")
}
complete -F _grantlog grantlog
`;
}

function zsh(slots: CompletionSlots): string {
  return `#compdef grantlog
${wordTable(slots)}
${WALK}
_grantlog_entry() {
  emulate -L zsh
  local REPLY CUR LEAD
  _grantlog_walk "\${(@)words[2,CURRENT]}"
  if [[ "$REPLY" = @file ]]; then
    _files
  elif [[ -n "$REPLY" ]]; then
    compadd -- $LEAD\${^=REPLY}
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
  set -l previous
  set -l argument_count 0
  for word in (commandline -opc)[2..-1]
    if test -n "$option"
      test "$option" = --data-dir; and set data --data-dir $word
      set option
      continue
    end
    if string match -q -- '--data-dir=*' $word
      set data $word
      continue
    end
    if string match -q -- '-*' $word
      contains -- $word (__grantlog_words "$path|val"); and set option $word
      continue
    end
    test -z "$path"; and test "$word" = help; and continue
    if test -n "$(__grantlog_words "$path|sub")"
      set -l next (string trim -- "$path $word")
      set -l target (__grantlog_words "alias|$next" | string join ' ')
      test -n "$target"; and set path $target; or set path $next
    else
      set argument_count (math $argument_count + 1)
      set previous $word
    end
  end
  set -l last (commandline -ct)
  set -l lead ''
  if test -z "$option"; and string match -q -- '--*=*' $last
    set option (string split -m 1 -f 1 = -- $last)
    set lead "$option="
  end
  set -l words
  if test "$option" = --data-dir
    set words @file
  else if test -n "$option"
    set words (__grantlog_words "$path|$option")
  else if string match -q -- '-*' $last
    set words (__grantlog_words "$path|opt")
  else
    set words (__grantlog_words "$path|sub")
    test (count $words) -gt 0; or set words (__grantlog_words "$path|"(math $argument_count + 1))
  end
  if test (count $words) -eq 0
    return
  else if test "$words[1]" = @file
    test -z "$lead"; and __fish_complete_path $last
  else if string match -q -- '@*' $words[1]
    set words (grantlog $data complete-names (string sub -s 2 -- $words[1]) "$previous" 2>/dev/null)
    printf '%s\\n' $lead$words
  else
    printf '%s\\n' $lead$words
  end
end

complete -c grantlog -f -a '(__grantlog_complete)'
`;
}
