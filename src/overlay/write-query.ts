/** Paths as JSONPath queries that select exactly them (RFC 9535, section 2.7). */
import type { Path } from '../kernel/json.ts'

const escapes: Readonly<Record<string, string>> = {
  '\b': String.raw`\b`,
  '\f': String.raw`\f`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  "'": String.raw`\'`,
  '\\': String.raw`\\`,
}

/** A text as a literal of a query, in single quotes. */
export const quotedInQuery = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- these are what has to be escaped
  `'${text.replaceAll(/[\x00-\x1f'\\]/g, (it) => escapes[it] ?? `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`

/** One step: ".info", "['/pets']", "[3]". */
const stepQuery = (step: string | number): string => {
  if (typeof step === 'number') return `[${step}]`
  return /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${quotedInQuery(step)}]`
}

/** The query of a path: "$.paths['/pets'].get". */
export const queryOf = (path: Path): string => `$${path.map(stepQuery).join('')}`

/** The query of several children of one node: "$.paths['/a','/b']"; of one, as `queryOf` writes it. */
export const queryOfChildren = (parent: Path, steps: readonly (string | number)[]): string => {
  const [only] = steps
  if (steps.length === 1 && only !== undefined) return queryOf([...parent, only])
  const inside = steps.map((step) => (typeof step === 'number' ? String(step) : quotedInQuery(step)))
  return `${queryOf(parent)}[${inside.join(',')}]`
}
