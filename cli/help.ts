import { formatDuration } from '../src/kernel/duration.ts'
import { terminalWidth } from '../src/host/native.ts'
import { padCells, wrapText } from './columns.ts'
import type { Command, Registry } from './declare.ts'
import { commandGroups } from './groups.ts'
import { isHidden, type Argument, type Option, type Options } from './options.ts'
import { globalOptions } from './globals.ts'
import { capitalized } from '../src/kernel/text.ts'

const table = (rows: readonly (readonly [string, string])[], width: number): string => {
  const left = Math.min(30, Math.max(0, ...rows.map(([name]) => terminalWidth(name))))
  return rows
    .map(([name, summary]) => {
      const text = wrapText(summary, Math.max(40, width), ' '.repeat(left + 4))
      return terminalWidth(name) > left ? `  ${name}\n${text}` : `  ${padCells(name, left)}  ${text.trimStart()}`
    })
    .join('\n')
}

const argumentUsage = (it: Argument): string => {
  const word = `${it.afterDashes === true ? '-- ' : ''}${it.name.toUpperCase()}${it.variadic === true ? '...' : ''}`
  return it.required === true ? word : `[${word}]`
}

/** `svc lint [OPTIONS] FILE...`: shown below a usage error. */
export const usageLine = (name: string, command: Command | null): string =>
  command === null
    ? `svc ${name === '' ? '' : `${name} `}COMMAND`
    : ['svc', name, Object.keys(command.options).length > 0 ? '[OPTIONS]' : '', ...command.arguments.map(argumentUsage)]
        .filter((part) => part !== '')
        .join(' ')

const optionName = (name: string, option: Option): string => {
  const short = option.short === undefined ? '' : `-${option.short}, `
  const also = option.alias === undefined ? '' : `, --${option.alias}`
  if (option.type === 'boolean') {
    return `${short}--${name}${also}${option.default === true || option.default === null ? `/--no-${name}` : ''}`
  }
  const placeholder = option.placeholder ?? (option.type === 'duration' ? 'TIME' : 'N')
  return `${short}--${name}${also} ${placeholder}`
}

const optionSummary = (option: Option): string => {
  const notes: string[] = []
  if (option.type === 'string' && option.choices) notes.push(`one of ${option.choices.join(', ')}`)
  if (option.type !== 'boolean' && option.required === true) notes.push('required')
  if (option.type !== 'boolean' && option.multiple === true) notes.push('may be repeated')
  if (option.default === true) notes.push('default: yes')
  if (option.type === 'duration' && option.default !== undefined && !option.summary.includes('default')) {
    notes.push(`default: ${formatDuration(option.default)}`)
  } else if (option.type !== 'boolean' && option.type !== 'duration' && option.default !== undefined) {
    notes.push(`default: ${option.default}`)
  }
  if (option.env !== undefined) notes.push(`$${option.env}`)
  return option.summary + (notes.length > 0 ? ` [${notes.join('; ')}]` : '')
}

export const optionRows = (options: Options): [string, string][] =>
  Object.entries(options)
    .filter(([, option]) => !isHidden(option))
    .map(([name, option]) => [optionName(name, option), optionSummary(option)])

/** The names below a group, one level deep, each with its summary; those that are hidden only where they are asked for. */
export const children = (registry: Registry, name: string, withHidden = false): [string, string][] => {
  const prefix = name === '' ? '' : `${name} `
  const found = new Map<string, string>()
  for (const [key, entry] of Object.entries(registry)) {
    if (key === name || !key.startsWith(prefix) || (entry.hidden === true && !withHidden)) continue
    const rest = key.slice(prefix.length)
    const word = rest.split(' ')[0] ?? rest
    if (rest === word) found.set(word, entry.summary)
    else if (!found.has(word)) found.set(word, '')
  }
  for (const [word, summary] of found) {
    if (summary === '')
      found.set(
        word,
        children(registry, prefix + word)
          .map(([it]) => it)
          .join(', '),
      )
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** The commands of the program by what belongs together; what is in no group comes last. */
const groupsOf = (below: readonly (readonly [string, string])[], columns: number): string => {
  const known = new Map(below)
  const rowsOf = (words: readonly string[]): [string, string][] =>
    words.flatMap((word) => (known.has(word) ? [[word, capitalized(known.get(word) ?? '')]] : []))
  const grouped = new Set(commandGroups.flatMap(({ words }) => words))
  const others = [...known.keys()].filter((word) => !grouped.has(word))
  return [...commandGroups, { title: 'Other commands', words: others }]
    .map(({ title, words }) => section(title, table(rowsOf(words), columns)))
    .join('')
}

const section = (title: string, body: string): string => (body === '' ? '' : `\n${title}:\n${body}\n`)

/** Help of the program, of a group, or of a command (`it`). Needs the registry's text alone: nothing is loaded. */
export const renderHelp = (registry: Registry, name: string, command: Command | null, width: number): string => {
  const summary = name === '' ? '' : (command?.summary ?? registry[name]?.summary ?? '')
  const head =
    name === ''
      ? 'svc imports, lints, compares, catalogues, governs and publishes API specifications.'
      : `${capitalized(summary)}${summary === '' ? '' : '.'}`
  const columns = Math.min(110, Math.max(60, width))
  const below = children(registry, name)
  const globals = command === null ? globalOptions : Object.fromEntries(unshadowed(command.options))
  const usages = [
    ...(command === null ? [] : [usageLine(name, command)]),
    ...(below.length > 0 ? [usageLine(name, null)] : []),
  ]
  const rows = optionRows(globals)
  return [
    head === '' ? '' : `${head}\n`,
    command?.description === undefined ? '' : `\n${wrapText(command.description, columns, '')}\n`,
    section('Usage', usages.map((usage) => `  ${usage}`).join('\n')),
    section(
      'Arguments',
      table(
        (command?.arguments ?? []).map((argument) => [
          argument.name.toUpperCase(),
          argument.summary + (argument.choices ? ` [one of ${argument.choices.join(', ')}]` : ''),
        ]),
        columns,
      ),
    ),
    section('Options', command === null ? '' : table(optionRows(command.options), columns)),
    name === ''
      ? groupsOf(below, columns)
      : section(
          'Commands',
          table(
            below.map(([word, text]) => [word, capitalized(text)]),
            columns,
          ),
        ),
    section(
      'Options of every command',
      table(name === '' ? [...rows, ['--version', 'print the version of svc']] : rows, columns),
    ),
    section('Examples', (command?.examples ?? []).map((example) => `  ${example}`).join('\n')),
    command === null
      ? '\n"svc COMMAND --help" shows the options of a command.\n'.replace(
          'svc ',
          name === '' ? 'svc ' : `svc ${name} `,
        )
      : '',
  ].join('')
}

/** The global options that a command does not have under the same name. */
export const unshadowed = (own: Options): [string, Option][] =>
  Object.entries(globalOptions).filter(([name]) => own[name] === undefined)
