import type { Json, Path } from '../kernel/json.ts'
import { formatPointer } from '../kernel/pointer.ts'
import type { FormatName } from './formats.ts'

/** The values of the placeholders of a message. */
export interface MessageValues {
  readonly property: string | number
  readonly error: string
  readonly path: string
  readonly description: string
  readonly value: Json | undefined
}

/** A value in one word: texts in quotes, containers by their kind. */
export function printValue(value: unknown): string {
  if (value === undefined) return 'undefined'
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'Array[]' : 'Object{}'
  return JSON.stringify(value)
}

/** A path as a person writes it: info.contact[0]. */
export function printPath(path: Path): string {
  let out = ''
  for (const [index, step] of path.entries()) {
    const text = String(step)
    if (typeof step === 'number' || (text !== '' && !/\s/.test(text) && !Number.isNaN(Number(text)))) out += `[${text}]`
    else if (text === '' || /\s/.test(text)) out += `['${text}']`
    else out += `${index === 0 ? '' : '.'}${text}`
  }
  return out
}

// What Spectral leaves as it is in a pointer: letters, digits, marks, dashes (an en dash, too), and halves of pairs.
const encoded = /[^\w.!~*'()/\-\u2013\u{D800}-\u{DFFF}]/gu

/** A step of a path that may be one of a JSON Pointer: Spectral takes both in results and messages. */
export const unescapeStep = (step: string | number): string => String(step).replaceAll('~1', '/').replaceAll('~0', '~')

/** A path as the fragment of a URI, as Spectral writes it in messages: "#/paths/~1pets~1%7Bid%7D". */
export const printPointer = (path: Path): string =>
  `#${formatPointer(path.map(unescapeStep)).replaceAll(encoded, (it) => encodeURIComponent(it))}`

function print(what: string, values: MessageValues): string {
  if (what === 'property') return values.property === '' ? 'The document ' : `"${values.property}" property `
  if (what === 'value') return printValue(values.value)
  return Object.hasOwn(values, what) ? String(values[what as keyof MessageValues] ?? '') : ''
}

const lookUp = (name: string, values: MessageValues): string => {
  if (!Object.hasOwn(values, name)) return ''
  const value = values[name as keyof MessageValues]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? '[object Object]' : String(value)
}

/** "#{{…}}": calls of print, quoted texts, names and .toUpperCase(), joined by "+". Anything else is empty. */
function evaluate(expression: string, values: MessageValues): string {
  const parts = expression.trim().match(/(?:"[^"]*"|'[^']*'|[^+"'])+/g) ?? []
  return parts
    .map((part) => {
      const [, inner = '', upper] = /^\s*(.*?)(\.toUpperCase\(\))?\s*$/.exec(part) ?? []
      const call = /^print\(\s*["'](\w+)["']\s*\)$/.exec(inner)
      const quoted = /^(["'])(.*)\1$/.exec(inner)
      const text =
        call !== null ? print(call[1] ?? '', values) : quoted !== null ? (quoted[2] ?? '') : lookUp(inner, values)
      return upper === undefined ? text : text.toUpperCase()
    })
    .join('')
}

/**
 * Fills the placeholders of a message: `{{property}}`, `{{error}}`, `{{path}}`, `{{description}}`, `{{value}}` and
 * `#{{print("property")}}`. An unknown name becomes empty.
 */
export const fillMessage = (template: string, values: MessageValues): string =>
  template.replaceAll(/(#?)\{\{([^}\n]+)\}\}/g, (_, hash: string, name: string) =>
    hash === '#' ? evaluate(name, values) : lookUp(name, values),
  )

const longest = 2000

/** A message without what is too long to read: keys and values of a document can have megabytes. */
export function shorten(message: string): string {
  const text = message.trim()
  if (text.length <= longest) return text
  return `${text.slice(0, longest - 500)} … ${text.slice(-500)}`.toWellFormed()
}

/** The page of a rule in the version of OpenAPI that a document has: rules for both link to the newer one. */
export const linkFor = (
  { documentationUrl = null }: { readonly documentationUrl?: string | null },
  formats: ReadonlySet<FormatName>,
): string | null =>
  formats.has('oas2') && documentationUrl !== null
    ? documentationUrl.replace('spec.openapis.org/oas/v3.1.1.html', 'spec.openapis.org/oas/v2.0.html')
    : documentationUrl
