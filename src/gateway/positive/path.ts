/** Paths of requests and the templates of a document. */
import { readUrl } from '../../diff/model/url.ts'
import type { Operation } from '../../diff/model/api.ts'
import { literal } from '../pattern.ts'
import { decodedOrSame } from '../../kernel/text.ts'

const bytes = new TextEncoder()

const hexDigit = (digit: string): string => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit)

/** A character of ASCII as an expression; the patterns of routes are shown to people, and stored. */
const readable = (text: string): string => {
  if (/[A-Za-z0-9_/@:=~!<>,;&-]/.test(text)) return text
  return /[.+*?()[\]{}^$|]/.test(text) ? `\\${text}` : literal(text, 'unicode')
}

/** One character of a path as it is sent: itself, or percent-encoded (RFC 3986, section 2.1). */
const sentAs = (text: string): string => {
  if (/[A-Za-z0-9\-._~/]/.test(text)) return readable(text)
  const encoded = Array.from(bytes.encode(text), (byte) => {
    const [first = '', second = ''] = byte.toString(16).padStart(2, '0')
    return `\\x25${hexDigit(first)}${hexDigit(second)}`
  }).join('')
  const isAscii = (text.codePointAt(0) ?? 0) < 0x80
  return isAscii ? `(?:${readable(text)}|${encoded})` : encoded
}

/** A text of a path as an expression. What the document percent-encodes is the character itself. */
const pathText = (text: string): string => Array.from(decodedOrSame(text), sentAs).join('')

/** A piece of a template: text, or a variable with its name. */
export type Piece = { readonly text: string } | { readonly name: string }

export const piecesOf = (template: string): Piece[] =>
  template
    .split(/(\{[^{}]*\})/)
    .filter((it) => it !== '')
    .map((it) => (it.startsWith('{') && it.endsWith('}') ? { name: it.slice(1, -1) } : { text: it }))

/** A variable holds at least one character of one segment. */
export const anyValue = '[^/]+'

/** A template without the anchors, each variable as `value` has it. */
export const templateBody = (
  template: string,
  value: (name: string, position: number) => string = () => anyValue,
): string => {
  let position = 0
  return piecesOf(template)
    .map((it) => ('name' in it ? value(it.name, position++) : pathText(it.text)))
    .join('')
}

/** Prefixes as one expression; one with a variable (`{*}`) allows any text there. */
export const prefixBody = (prefixes: readonly string[]): string => {
  const written = [...new Set(prefixes)].map((it) => it.split('{*}').map(pathText).join('[^?#]*'))
  const [only = ''] = written
  return written.length <= 1 ? only : `(?:${written.sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).join('|')})`
}

/**
 * The expression of the paths that a template describes, as they are sent: without the query, percent-encoded, so that an encoded
 * slash is part of a value. Anchored to the whole text, for RE2 and PCRE.
 *
 * @param template as in `paths`: "/pets/{petId}"
 * @param prefixes what comes before the template; nothing when omitted
 */
export const routePattern = (template: string, prefixes: readonly string[] = ['']): string =>
  `\\A${prefixBody(prefixes)}${templateBody(template)}\\z`

const withoutEnd = (path: string): string => {
  const cut = path.replace(/\/+$/, '')
  return cut === '' || cut.startsWith('/') ? cut : `/${cut}`
}

/** The paths of the servers of an operation (OpenAPI 3.1, 4.8.5), as prefixes of its template. */
const serverPaths = ({ servers }: Pick<Operation, 'servers'>): string[] => [
  ...new Set(
    servers.list
      .flatMap(({ urls, open }) => (open === null ? urls : [open]))
      .map((url) => withoutEnd(readUrl(url).path)),
  ),
]

/** What decides about prefixes beside the document. */
export interface Published {
  /** What the paths of the environment begin with; any when empty. */
  readonly basePaths: readonly string[]
  /** The prefix below which the gateway publishes the document and that it strips; null for none. */
  readonly stripPrefix: string | null
}

/**
 * What paths of an operation begin with at the gateway: the paths of its servers, below the prefix that the gateway strips, as far
 * as they are below the base paths of the environment. Where none is, the base paths count, with and without those of the servers.
 */
export function prefixesOf(operation: Pick<Operation, 'servers'>, { basePaths, stripPrefix }: Published): string[] {
  const outer = withoutEnd(stripPrefix ?? '')
  const paths = serverPaths(operation)
  const all = paths.map((it) => outer + it)
  const bases = basePaths.map(withoutEnd)
  if (bases.length === 0) return all
  const isBelow = (path: string): boolean => bases.some((it) => it === '' || path === it || path.startsWith(`${it}/`))
  const below = all.filter(isBelow)
  if (below.length > 0) return below
  return [...new Set(bases.flatMap((base) => [base, ...paths.map((it) => base + it)]))]
}
