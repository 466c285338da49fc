/** A refused request in the words of the command line: its options and arguments instead of the fields of a body. */
import { ValidationError, type ValidationEntry } from '../src/api/wire.ts'
import type { Argument, Options } from './options.ts'

const parts = new Set<unknown>(['path', 'query', 'header', 'body'])

const kebab = (field: string): string =>
  field.replaceAll('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const argumentWord = (name: string): string => name.toUpperCase()

/** How people write the option or argument that gives a field. */
export const wordOf = (from: 'args' | 'options', name: string): string =>
  from === 'options' ? `--${name}` : argumentWord(name)

/** The option or argument of a command that is called like a field; null where none is. */
export function wordByName(
  field: string,
  { arguments: args, options }: { readonly arguments: readonly Argument[]; readonly options: Options },
): string | null {
  const name = kebab(field)
  if (Object.hasOwn(options, name)) return wordOf('options', name)
  const plain = name.replace(/-(?:id|ref)$/, '')
  const found = args.find((it) => it.name === name || it.name === plain)
  return found === undefined ? null : wordOf('args', found.name)
}

const plainMessage = (message: string): string =>
  message.replace(/^Expected string to match '(.*)'\.$/s, 'The text must match the pattern $1.')

/**
 * The same error with the words of the command in the places of fields; entries that have them already stay.
 * @param wordFor the word for a field of the request; null where the command has none
 */
export function inCommandWords(error: ValidationError, wordFor: (field: string) => string | null): ValidationError {
  const entries = error.entries.map((entry): ValidationEntry => {
    const [part, field, ...deeper] = entry.loc
    if (!parts.has(part) || field === undefined) return entry
    const word = wordFor(String(field)) ?? `"${[field, ...deeper].join('.')}"`
    const within = word.startsWith('"') || deeper.length === 0 ? [] : [deeper.join('.')]
    return { ...entry, loc: [word, ...within], msg: plainMessage(entry.msg) }
  })
  return new ValidationError(entries)
}
