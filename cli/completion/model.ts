/** What can be typed where: the commands, their options and choices, as the completion scripts need it. */
import type { Registry } from '../declare.ts'
import { isHidden, type Argument, type Options } from '../options.ts'
import { globalOptions } from '../globals.ts'
import { children, unshadowed } from '../help.ts'

export interface CompletionOption {
  readonly name: string
  readonly short: string | null
  readonly summary: string
  readonly takesValue: boolean
  readonly choices: readonly string[]
}

/** One place in the tree of commands; "" is the program itself. */
export interface CompletionNode {
  readonly name: string
  readonly commands: readonly (readonly [word: string, summary: string])[]
  readonly options: readonly CompletionOption[]
  /** What the arguments may be; null where they are free, as a file name. */
  readonly words: readonly string[] | null
  /** Whether an argument may be the name of an API of svc.yaml. */
  readonly namesApis: boolean
}

const optionsOf = (options: Options): CompletionOption[] =>
  Object.entries(options)
    .filter(([, it]) => !isHidden(it))
    .flatMap(([name, it]) => {
      const choices = it.type === 'string' ? (it.choices ?? []) : []
      const option = {
        name,
        short: it.short ?? null,
        summary: it.summary,
        takesValue: it.type !== 'boolean',
        choices,
      }
      const also = it.alias === undefined ? [] : [{ ...option, name: it.alias, short: null }]
      const negatable = it.type === 'boolean' && (it.default === true || it.default === null)
      return negatable
        ? [option, ...also, { ...option, name: `no-${name}`, short: null, summary: `not: ${it.summary}` }]
        : [option, ...also]
    })

const wordsOf = (given: readonly Argument[]): readonly string[] | null => {
  if (given.length === 0) return []
  return given[0]?.choices ?? given[0]?.suggestions ?? null
}

// Answered before any command is loaded, so that no command declares it.
const versionOption: CompletionOption = {
  name: 'version',
  short: null,
  summary: 'print the version of svc',
  takesValue: false,
  choices: [],
}

/** Loads every command and gives the tree, the program itself first. */
export const completionTree = async (registry: Registry): Promise<CompletionNode[]> => {
  const names = new Set<string>([''])
  for (const [key, { hidden }] of Object.entries(registry)) {
    if (hidden === true) continue
    const words = key.split(' ')
    for (let end = 1; end <= words.length; end++) names.add(words.slice(0, end).join(' '))
  }
  return Promise.all(
    [...names].sort().map(async (name) => {
      const it = (await registry[name]?.load?.()) ?? null
      const options = it === null ? globalOptions : { ...it.options, ...Object.fromEntries(unshadowed(it.options)) }
      return {
        name,
        commands: children(registry, name),
        options: name === '' ? [...optionsOf(options), versionOption] : optionsOf(options),
        words: it === null ? [] : wordsOf(it.arguments),
        namesApis: it !== null && it.arguments.some((argument) => argument.namesApis === true),
      }
    }),
  )
}
