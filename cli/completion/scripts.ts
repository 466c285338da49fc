/** The completion scripts of the shells. They hold all words: pressing Tab starts no svc. */
import type { CompletionNode, CompletionOption } from './model.ts'

const flags = (option: CompletionOption): string[] => [
  `--${option.name}`,
  ...(option.short === null ? [] : [`-${option.short}`]),
]

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const allValued = (nodes: readonly CompletionNode[]): string =>
  [...new Set(nodes.flatMap((node) => node.options.filter((it) => it.takesValue).flatMap(flags)))].sort().join('|')

const places = (nodes: readonly CompletionNode[]): string =>
  nodes
    .filter((node) => node.name !== '')
    .map((node) => quote(node.name))
    .join('|')

// Walks the words before the cursor: options are skipped with their values, the rest is the command as far as one fits.
const walk = (
  nodes: readonly CompletionNode[],
  words: string,
  first: number,
  end: string,
  variable: string,
): string => `\
  local ${variable}="" word skip="" i
  for ((i = ${first}; i < ${end}; i++)); do
    word="\${${words}[i]}"
    if [[ -n $skip ]]; then [[ $word == "=" ]] || skip=""; continue; fi
    case "$word" in
      ${allValued(nodes)}) skip=1; continue ;;
      -*) continue ;;
    esac
    case "\${${variable}:+$${variable} }$word" in
      ${places(nodes)}) ${variable}="\${${variable}:+$${variable} }$word" ;;
    esac
  done
`

// The names below "apis" of the nearest svc.yaml up to the root of the repository, in their first indentation.
const apiNames =
  '/^apis:/{on=1;next}/^[^ #]/{on=0}on&&match($0,/^ +[A-Za-z0-9][A-Za-z0-9_.@-]*:/){n=match($0,/[^ ]/);if(!level)level=n;if(n==level){sub(/^ +/,"");sub(/:.*/,"");print}}'

/** For bash and zsh. */
const apisFunction = `\
_svc_apis() {
  local at="$PWD" file
  while :; do
    for file in "$at/svc.yaml" "$at/svc.yml"; do
      if [[ -f $file ]]; then awk ${quote(apiNames)} "$file" 2>/dev/null; return; fi
    done
    if [[ -z $at || -e $at/.git ]]; then return; fi
    at="\${at%/*}"
  done
}
`

const bashNode = (node: CompletionNode): string => {
  const words = [...node.commands.map(([word]) => word), ...(node.words ?? [])]
  const choices = node.options
    .filter((option) => option.choices.length > 0)
    .map(
      (option) =>
        `        ${flags(option).join('|')}) COMPREPLY=($(compgen -W ${quote(option.choices.join(' '))} -- "$cur")); return ;;\n`,
    )
  const free = node.options.filter((option) => option.takesValue && option.choices.length === 0).flatMap(flags)
  return `\
    ${quote(node.name)})
      case "$prev" in
${choices.join('')}\
${free.length === 0 ? '' : `        ${free.join('|')}) compopt -o default 2>/dev/null; return ;;\n`}\
      esac
      if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W ${quote(node.options.map((option) => `--${option.name}`).join(' '))} -- "$cur"))
      else
        COMPREPLY=($(compgen -W ${quote(words.join(' '))}${node.namesApis ? '" $(_svc_apis)"' : ''} -- "$cur"))
${node.words === null ? '        compopt -o default 2>/dev/null\n' : ''}\
      fi ;;
`
}

/** For `source <(svc completion bash)`; needs bash 4 and nothing else. */
export const bashScript = (nodes: readonly CompletionNode[]): string => `\
# Completion of svc for bash: source <(svc completion bash)
${apisFunction}_svc() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  # "--option=value" comes as three words.
  if [[ $cur == "=" ]]; then cur=""; elif [[ $prev == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
${walk(nodes, 'COMP_WORDS', 1, 'COMP_CWORD', 'place')}\
  case "$place" in
${nodes.map(bashNode).join('')}\
  esac
}
complete -F _svc svc
`

const zshItem = (word: string, summary: string): string => quote(`${word.replaceAll(':', '\\:')}:${summary}`)

const zshNode = (node: CompletionNode): string => {
  const choices = node.options
    .filter((option) => option.choices.length > 0)
    .map(
      (option) => `        ${flags(option).join('|')}) compadd -- ${option.choices.map(quote).join(' ')}; return ;;\n`,
    )
  const free = node.options.filter((option) => option.takesValue && option.choices.length === 0).flatMap(flags)
  return `\
    ${quote(node.name)})
      case "\${words[CURRENT-1]}" in
${choices.join('')}\
${free.length === 0 ? '' : `        ${free.join('|')}) _files; return ;;\n`}\
      esac
      if [[ "\${words[CURRENT]}" == -* ]]; then
        items=(${node.options.map((option) => zshItem(`--${option.name}`, option.summary)).join(' ')})
        _describe -o option items
      else
        items=(${node.commands.map(([word, summary]) => zshItem(word, summary)).join(' ')})
        (( \${#items} )) && _describe command items
${node.namesApis ? '        compadd -- ${(f)"$(_svc_apis)"}\n' : ''}${node.words === null ? '        _files\n' : node.words.length > 0 ? `        compadd -- ${node.words.map(quote).join(' ')}\n` : ''}\
      fi ;;
`
}

/** For `source <(svc completion zsh)`, or as a file _svc in a folder of $fpath. */
export const zshScript = (nodes: readonly CompletionNode[]): string => `\
#compdef svc
# Completion of svc for zsh: source <(svc completion zsh)
${apisFunction}_svc() {
  local -a items
${walk(nodes, 'words', 2, 'CURRENT', 'place')}\
  case "$place" in
${nodes.map(zshNode).join('')}\
  esac
}
if [[ "$funcstack[1]" == _svc ]]; then _svc "$@"; else compdef _svc svc; fi
`

const fishQuote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const fishNode = (node: CompletionNode): string[] => {
  const at = `complete -c svc -n ${fishQuote(`test (__svc_place) = "${node.name}"`)}`
  return [
    ...node.commands.map(([word, summary]) => `${at} -f -a ${fishQuote(word)} -d ${fishQuote(summary)}`),
    ...node.options.map((option) => {
      const short = option.short === null ? '' : ` -s ${option.short}`
      const choices = option.choices.length > 0 ? ` -x -a ${fishQuote(option.choices.join(' '))}` : ' -r'
      const value = option.takesValue ? choices : ''
      return `${at} -l ${option.name}${short}${value} -d ${fishQuote(option.summary)}`
    }),
    ...(node.namesApis ? [`${at} -a '(__svc_apis)' -d 'API of svc.yaml'`] : []),
    ...(node.words === null ? [`${at} -F`] : node.words.map((word) => `${at} -f -a ${fishQuote(word)}`)),
  ]
}

/** For `svc completion fish | source`. */
export const fishScript = (nodes: readonly CompletionNode[]): string => `\
# Completion of svc for fish: svc completion fish | source
function __svc_apis
    set -l at $PWD
    while true
        for file in $at/svc.yaml $at/svc.yml
            if test -f $file
                awk ${fishQuote(apiNames)} $file 2>/dev/null
                return
            end
        end
        if test -e $at/.git; or test $at = /
            return
        end
        set at (dirname $at)
    end
end
function __svc_place
    set -l place ''
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case ${allValued(nodes).split('|').map(fishQuote).join(' ')}
                set skip 1
                continue
            case '-*'
                continue
        end
        set -l next (string trim "$place $word")
        switch $next
            case ${nodes
              .filter((node) => node.name !== '')
              .map((node) => fishQuote(node.name))
              .join(' ')}
                set place $next
        end
    end
    echo $place
end
complete -c svc -f
${nodes.flatMap(fishNode).join('\n')}
`
