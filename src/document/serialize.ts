import { type ExactNumber, isExact } from './exact.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import { sha256 } from '../host/engine.ts'

/** A value as JSON text with a final line break; `indent` 0 writes it on one line. */
export const serializeJson = (value: Json, indent: 0 | 2 = 2): string =>
  `${JSON.stringify(value, null, indent === 0 ? undefined : indent)}\n`

/** Larger texts are written without indentation: it is a third of the text, and people do not read files of this size. */
const longestIndented = 1_000_000

/** A value as JSON text: indented where it is of a size to be read, on one line else. Equal values give equal texts. */
export const serializeReadably = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length > longestIndented ? `${text}\n` : serializeJson(value)
}

// Unquoted only where no reader of YAML 1.1 or 1.2 could take the text for anything but itself.
const plain = /^(?:[A-Za-z_/$][A-Za-z0-9_/]*(?:[ .{}()@+$-][A-Za-z0-9_/{}()@+$-]+)*|\d+\.\d+\.\d+)$/
const reserved = /^(?:null|true|false|yes|no|on|off|y|n)$/i

const quote = (text: string): string =>
  JSON.stringify(text).replaceAll(
    // Characters that YAML does not allow raw, and breaks that YAML 1.1 folds.
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const writeText = (text: string): string =>
  text.length < 1024 && plain.test(text) && !reserved.test(text) ? text : quote(text)

// Line breaks other than \n, lines of spaces and tabs at a line's begin do not survive a literal block.
const isBlock = (text: string): boolean =>
  text.includes('\n') &&
  /^[^\s]/.test(text) &&
  !/[^\n\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]|\n[ \t]+(?:\n|$)|[ \t]\n|[ \t]$/.test(text)

const writeBlock = (text: string, indent: string): string => {
  const trailing = /\n*$/.exec(text)?.[0].length ?? 0
  const chomp = trailing === 0 ? '-' : trailing === 1 ? '' : '+'
  const body = (trailing > 0 ? text.slice(0, -1) : text).split('\n')
  return `|${chomp}\n${body.map((line) => (line === '' ? '' : indent + line)).join('\n')}`
}

const writeScalar = (value: null | boolean | number | string | ExactNumber, indent: string): string => {
  if (typeof value !== 'string') return String(value)
  return isBlock(value) ? writeBlock(value, indent) : writeText(value)
}

const isEmpty = (value: readonly Json[] | JsonObject): boolean =>
  Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0

/** A value as YAML 1.2 in block style with a final line break. Reading it back gives the same value, with YAML 1.1 readers too. */
export const serializeYaml = (value: Json): string => {
  const out: string[] = []
  // `lead` precedes the first line: the indentation, or the "- " of the item that the node is.
  const write = (node: readonly Json[] | JsonObject, indent: string, lead: string): void => {
    let before = lead
    const inner = `${indent}  `
    const entry = (head: string, child: Json, nested: string): void => {
      if (typeof child !== 'object' || child === null || isExact(child))
        out.push(`${before}${head} ${writeScalar(child, inner)}\n`)
      else if (isEmpty(child)) out.push(`${before}${head} ${Array.isArray(child) ? '[]' : '{}'}\n`)
      else if (head === '-') write(child, nested, `${before}- `)
      else {
        out.push(`${before}${head}\n`)
        write(child, nested, nested)
      }
      before = indent
    }
    if (Array.isArray(node)) for (const item of node as readonly Json[]) entry('-', item, inner)
    else for (const [key, child] of Object.entries(node)) entry(`${writeText(key)}:`, child, inner)
  }
  if (typeof value !== 'object' || value === null) return `${writeScalar(value, '  ')}\n`
  if (isEmpty(value)) return Array.isArray(value) ? '[]\n' : '{}\n'
  write(value, '', '')
  return out.join('')
}

/** A value as canonical JSON (RFC 8785): no gaps, keys sorted by UTF-16 code units, numbers as ECMAScript writes them. */
export const canonicalize = (value: Json): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonicalize).join(',')}]`
  const map = value as JsonObject
  const keys = Object.keys(map).sort((a, b) => (a < b ? -1 : 1))
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalize(map[key] as Json)}`).join(',')}}`
}

/** The digest of a text: "sha256:" and 64 hexadecimal digits of its UTF-8 bytes. */
export const digestText = (text: string): string => `sha256:${sha256(text)}`

/** The digest of a value, equal for all texts that mean it: of its canonical JSON. */
export const digestValue = (value: Json): string => digestText(canonicalize(value))
