import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a new thing needs: files by path from the root of the project, and what its author does next. */
export interface Plan {
  readonly created: Readonly<Record<string, string>>
  readonly changed: Readonly<Record<string, string>>
  readonly next: readonly string[]
}

/** `archive-all` as `archiveAll`. */
export const camel = (name: string): string =>
  name.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** `archive-all` as `ArchiveAll`. */
export const pascal = (name: string): string => camel(`-${name}`)

/** `archive-all` as `Archive all`. */
export const words = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')

/** @throws Error where `name` is not in kebab case, letters first */
export const assertKebab = (name: string): void => {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new Error(`"${name}" must be in kebab case: letters, digits, "-".`)
}

/** The text of a file; null where there is none. */
export const readIfThere = (root: string, path: string): string | null =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null

/**
 * The text with `line` inserted before the line that closes the block which `opening` begins: the next line of the
 * indentation of `opening` that begins with a closing bracket.
 * @throws Error where the block is not found
 */
export const insertInBlock = (text: string, opening: RegExp, line: string, path: string): string => {
  const lines = text.split('\n')
  const start = lines.findIndex((it) => opening.test(it))
  const indent = /^ */.exec(lines[start] ?? '')?.[0] ?? ''
  const end = lines.findIndex(
    (it, index) => index > start && it.startsWith(indent) && /^[}\])]/.test(it.slice(indent.length)),
  )
  if (start < 0 || end < 0) throw new Error(`${path}: expected a block that begins with ${opening.source}`)
  return [...lines.slice(0, end), line, ...lines.slice(end)].join('\n')
}

/** The text with `line`, an import of one symbol, after its last import; unchanged where it imports that symbol. */
export const addImport = (text: string, line: string): string => {
  const symbol = /\{ (\w+) \}/.exec(line)?.[1] ?? ''
  if (new RegExp(`^import [^;']*\\b${symbol}\\b[^;']* from '`, 'm').test(text)) return text
  const lines = text.split('\n')
  const last = lines.findLastIndex((it) => /^(import .* from '|\} from ')/.test(it))
  return [...lines.slice(0, last + 1), line, ...lines.slice(last + 1)].join('\n')
}
