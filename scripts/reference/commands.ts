/** The reference of commands: a page for each command with the commands below it, from their declarations. */
import type { Command, Registry } from '../../cli/declare.ts'
import { globalOptions } from '../../cli/globals.ts'
import { children, optionRows, usageLine } from '../../cli/help.ts'
import { registry } from '../../cli/registry.gen.ts'
import { cell } from './cell.ts'

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

const table = (heading: string, rows: readonly (readonly [string, string])[]): string[] =>
  rows.length === 0
    ? []
    : [
        `| ${heading} | Meaning |`,
        '|---|---|',
        ...rows.map(([name, text]) => `| \`${cell(name)}\` | ${cell(text)} |`),
        '',
      ]

const commandSection = (name: string, command: Command, level: string): string[] => [
  `${level} svc ${name}`,
  '',
  sentence(command.summary),
  '',
  ...(command.description === undefined ? [] : [command.description, '']),
  '```sh',
  usageLine(name, command),
  '```',
  '',
  ...table(
    'Argument',
    command.arguments.map((one) => [
      one.name.toUpperCase(),
      one.choices === undefined ? one.summary : `${one.summary}: ${one.choices.join(', ')}`,
    ]),
  ),
  ...table('Option', optionRows(command.options)),
  ...(command.examples === undefined || command.examples.length === 0
    ? []
    : ['Examples:', '', '```sh', ...command.examples, '```', '']),
]

/** All commands at or below a name, in order. */
const commandsOf = (all: Registry, first: string): string[] =>
  Object.keys(all)
    .filter((name) => (name === first || name.startsWith(`${first} `)) && all[name]?.hidden !== true)
    .toSorted()

const page = async (first: string): Promise<string> => {
  const names = commandsOf(registry, first)
  const below = names.filter((name) => name !== first && registry[name]?.load !== null)
  const own = registry[first]
  const lines: string[] = []
  const command = await own?.load?.()
  if (command) lines.push(...commandSection(first, command, '#'))
  else lines.push(`# svc ${first}`, '', sentence(own?.summary ?? first), '')
  for (const name of below) {
    const loaded = await registry[name]?.load?.()
    if (loaded) lines.push(...commandSection(name, loaded, '##'))
  }
  if (below.length > 0 || command)
    lines.push('[Options of every command](README.md#options-of-every-command) apply too.', '')
  return lines.join('\n')
}

/** @returns Markdown by path below `docs/`: `reference/commands/lint.md` */
export async function commandPages(): Promise<Record<string, string>> {
  const top = children(registry, '')
  const pages: Record<string, string> = {}
  for (const [name] of top) pages[`reference/commands/${name}.md`] = await page(name)
  pages['reference/commands/README.md'] = [
    '# Commands',
    '',
    'Every command of `svc`. `svc COMMAND --help` prints the same.',
    '',
    '| Command | Meaning |',
    '|---|---|',
    ...top.map(([name, summary]) => `| [svc ${name}](${name}.md) | ${cell(sentence(summary))} |`),
    '',
    '## Options of every command',
    '',
    ...table('Option', [...optionRows(globalOptions), ['--version', 'the version of svc']]),
    'Standard output contains the result, standard error the messages. [Exit codes](../../errors.md#exit-codes)',
    'are the same for all commands.',
    '',
  ].join('\n')
  return pages
}

/** The path of the page of a command: `webhooks list` is reference/commands/webhooks/list.md. */
const pathOf = (name: string): string => `reference/commands/${name.replaceAll(' ', '/')}.md`

/** The commands that are sections of the page of their noun. */
const commandsBelow = (): string[] =>
  Object.keys(registry).filter(
    (name) => name.includes(' ') && registry[name]?.hidden !== true && registry[name]?.load !== null,
  )

/** @returns a page for each command that {@link commandPages} has as a section: Markdown by path below `docs/` */
export async function commandAnswers(): Promise<Record<string, string>> {
  const pages: Record<string, string> = {}
  for (const name of commandsBelow()) {
    const command = await registry[name]?.load?.()
    const [noun = '', ...words] = name.split(' ')
    const up = '../'.repeat(words.length)
    if (command)
      pages[pathOf(name)] = [
        ...commandSection(name, command, '#'),
        `All commands of [svc ${noun}](${up}${noun}.md); [options of every command](${up}README.md#options-of-every-command) apply too.`,
        '',
      ].join('\n')
  }
  return pages
}

/** The page of a noun with a link from each of its sections to the page of the command. */
export function linkedToCommands(path: string, markdown: string): string {
  const noun = /^reference\/commands\/([^/]+)\.md$/.exec(path)?.[1]
  if (noun === undefined) return markdown
  const names = new Set(commandsBelow().filter((name) => name.startsWith(`${noun} `)))
  return markdown.replaceAll(/^## svc (.+)\n/gm, (heading, name: string) =>
    names.has(name) ? `${heading}\n[The page of this command](${name.replaceAll(' ', '/')}.md)\n` : heading,
  )
}
