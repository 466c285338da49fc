/**
 * The command tree. citty resolves it: a level is made when it is reached, and options of the program may come before and between
 * the words of a command. cli/parse.ts then reads the options of the command, where citty is lenient: it takes unknown and
 * repeated options and missing values, and has neither variables nor bounds nor "did you mean".
 */
import { defineCommand, runCommand, type ArgsDef, type CommandDef } from 'citty'
import type { Registry } from './declare.ts'
import { formerNames } from './former-names.ts'
import { globalOptions } from './globals.ts'
import { children } from './help.ts'
import type { Options } from './options.ts'

/** A command or group that a command line names. */
export interface Reached {
  /** The words of the command, "" for the program itself. */
  readonly name: string
  /** What precedes the last of these words, the word included. */
  readonly ahead: readonly string[]
  /** What follows it. */
  readonly rest: readonly string[]
}

/** The options as far as citty needs them: the word behind one that takes a value is not a command. */
const argumentsOf = (options: Options): ArgsDef =>
  Object.fromEntries(
    Object.entries(options).map(([name, { type, short, alias, former }]) => [
      name,
      { type: type === 'boolean' ? type : 'string', alias: [short, alias, former].filter((it) => it !== undefined) },
    ]),
  )

/** The words below a command that were its commands formerly, each with the present name of the command. */
const formerBelow = (name: string): (readonly [word: string, present: string])[] =>
  Object.entries(formerNames).flatMap(([former, present]) => {
    const words = former.split(' ')
    const word = words.pop() ?? ''
    return words.join(' ') === name ? [[word, present] as const] : []
  })

const commandTree = (
  registry: Registry,
  [name, summary]: readonly [name: string, summary: string],
  reach: (name: string, rest: readonly string[]) => void,
): CommandDef => {
  const below = children(registry, name, true)
  return defineCommand({
    meta: { name: `svc ${name}`.trimEnd(), description: summary },
    args: async () => {
      // Only a command with commands below it is loaded for its options.
      const own = below.length > 0 ? (await registry[name]?.load?.())?.options : undefined
      return argumentsOf({ ...globalOptions, ...own })
    },
    subCommands: () => {
      // Without a prototype: "svc constructor" is not a command.
      const tree = Object.create(null) as Record<string, CommandDef>
      for (const [word, text] of below) tree[word] = commandTree(registry, [`${name} ${word}`.trimStart(), text], reach)
      for (const [word, present] of formerBelow(name)) tree[word] = commandTree(registry, [present, ''], reach)
      return tree
    },
    setup: ({ rawArgs }) => reach(name, rawArgs),
  })
}

/** The command that `argv` names, as far as its words are known: options of the program may be between them. */
export const resolveCommand = async (argv: readonly string[], registry: Registry): Promise<Reached> => {
  let reached: Reached = { name: '', ahead: [], rest: argv }
  const tree = commandTree(registry, ['', ''], (name, rest) => {
    reached = { name, ahead: argv.slice(0, argv.length - rest.length), rest }
  })
  await runCommand(tree, { rawArgs: [...argv] }).catch((error: unknown) => {
    // The next word is unknown, or there is none: what was reached says which, and "did you mean" follows from it.
    const { code } = error as { readonly code?: unknown }
    if (code !== 'E_UNKNOWN_COMMAND' && code !== 'E_NO_COMMAND') throw error
  })
  return reached
}
