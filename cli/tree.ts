/**
 * The command tree and which command of it a command line names. citty declares and resolves the tree; what it is
 * lenient about (unknown and repeated options, missing values) is read again by cli/parse.ts.
 */
import { defineCommand, runCommand, type ArgsDef, type CommandDef } from 'citty'
import type { Registry } from './declare.ts'
import { globalOptions } from './globals.ts'
import type { Options } from './options.ts'
import { version } from './version.gen.ts'

/** A command or group that a command line names. */
export interface Reached {
  /** The words of the command, "" for the program itself. */
  readonly name: string
  /** What precedes the last of these words, the word included. */
  readonly ahead: readonly string[]
  /** What follows it. */
  readonly rest: readonly string[]
}

/** The options as citty declares arguments; it only learns which of them take a value. */
const argumentsOf = (options: Options): ArgsDef =>
  Object.fromEntries(
    Object.entries(options).map(([name, { type, short, alias, summary }]) => [
      name,
      {
        type: type === 'boolean' ? 'boolean' : 'string',
        description: summary,
        alias: [short, alias].filter((it) => it !== undefined),
      },
    ]),
  )

/** The words that may follow the command `name`, in the order of the registry; hidden commands included. */
const wordsBelow = (registry: Registry, name: string): string[] => {
  const prefix = name === '' ? '' : `${name} `
  const keys = Object.keys(registry).filter((key) => key !== name && key.startsWith(prefix))
  return [...new Set(keys.map((key) => key.slice(prefix.length).split(' ')[0] ?? ''))]
}

/**
 * The tree below `name` as citty resolves it. A level is made when it is reached, and only a command with subcommands
 * of its own is loaded for its options.
 * @param reach called for each command on the way, with the arguments that follow its name
 */
const commandTree = (
  registry: Registry,
  name: string,
  reach: (name: string, rest: readonly string[]) => void,
): CommandDef => {
  const entry = registry[name]
  const below = wordsBelow(registry, name)
  return defineCommand({
    meta: {
      name: name === '' ? 'svc' : name.slice(name.lastIndexOf(' ') + 1),
      ...(name === '' ? { version } : {}),
      ...(entry === undefined ? {} : { description: entry.summary, hidden: entry.hidden === true }),
    },
    args: async () => {
      const own = below.length > 0 ? (await entry?.load?.())?.options : undefined
      return argumentsOf({ ...globalOptions, ...own })
    },
    ...(below.length === 0
      ? {}
      : {
          // Without a prototype: "svc constructor" is not a command.
          subCommands: () => {
            const tree = Object.create(null) as Record<string, CommandDef>
            for (const word of below) tree[word] = commandTree(registry, `${name} ${word}`.trimStart(), reach)
            return tree
          },
        }),
    setup: ({ rawArgs }) => reach(name, rawArgs),
  })
}

/** The command that `argv` names, as far as its words are known: options of the program may be between them. */
export const resolveCommand = async (argv: readonly string[], registry: Registry): Promise<Reached> => {
  let reached: Reached = { name: '', ahead: [], rest: argv }
  const reach = (name: string, rest: readonly string[]): void => {
    reached = { name, ahead: argv.slice(0, argv.length - rest.length), rest }
  }
  await runCommand(commandTree(registry, '', reach), { rawArgs: [...argv] }).catch((error: unknown) => {
    // The next word is unknown, or there is none: what was reached says which.
    const { code } = error as { readonly code?: unknown }
    if (code !== 'E_UNKNOWN_COMMAND' && code !== 'E_NO_COMMAND') throw error
  })
  return reached
}
