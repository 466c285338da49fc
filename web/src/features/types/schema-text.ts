import { isCollection, isMap, isNode, isScalar, LineCounter, parseDocument, type Document, type Node } from 'yaml'
import { SvcError } from '../../../../src/errors.ts'
import type { Problem } from '../../parts/code-editor.tsx'

export type SchemaValue = Record<string, unknown> | boolean

/** A text read as a schema, with what is wrong with it; the schema is null where it cannot be read. */
export interface ReadText {
  readonly schema: SchemaValue | null
  readonly problems: readonly Problem[]
  /** Where a JSON Pointer (RFC 6901) leads to: the whole text where it cannot be resolved. */
  readonly rangeOf: (pointer: string) => Problem['range']
}

/** As large as the service accepts a schema, with room for spaces. */
const longest = 1024 * 1024

const unescape = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~')

/** The entry of a sequence; null for any other node. */
const itemAt = (node: unknown, key: string): unknown => (isCollection(node) ? node.get(Number(key), true) : null)

/** The node of the last part of a pointer that is there; the key where the value of a property is meant. */
const nodeAt = (document: Document.Parsed, pointer: string): Node | null => {
  let node: unknown = document.contents
  let found: Node | null = isNode(node) ? node : null
  if (pointer === '') return found
  for (const key of pointer.slice(1).split('/').map(unescape)) {
    const pair = isMap(node) ? node.items.find((it) => isScalar(it.key) && String(it.key.value) === key) : undefined
    node = pair ? pair.value : itemAt(node, key)
    if (isNode(node)) found = node
    else if (pair && isNode(pair.key)) found = pair.key
    else break
  }
  return found
}

const finite = (_: string, value: unknown): unknown => {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`JSON has no number ${value}.`)
  return value
}

/** Reads JSON or YAML. Positions count lines and columns from zero. */
export const readSchemaText = (text: string): ReadText => {
  const lines = new LineCounter()
  const at = (offset: number) => {
    const { line, col } = lines.linePos(Math.min(offset, text.length))
    return { line: Math.max(0, line - 1), character: Math.max(0, col - 1) }
  }
  const start = { line: 0, character: 0 }
  if (text.length > longest) {
    const range = { start, end: start }
    return {
      schema: null,
      problems: [{ message: 'The text is longer than a schema may be.', range }],
      rangeOf: () => range,
    }
  }
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, maxAliasCount: 100 } as never)
  const rangeOf = (pointer: string): Problem['range'] => {
    const node = nodeAt(document, pointer)
    const range = node?.range
    return range ? { start: at(range[0]), end: at(range[1]) } : { start, end: start }
  }
  if (document.errors.length > 0) {
    const problems = document.errors.slice(0, 20).map(({ message, pos }) => ({
      message: message.replace(/\s+$/, ''),
      range: { start: at(pos[0]), end: at(pos[1]) },
    }))
    return { schema: null, problems, rangeOf }
  }
  const whole = rangeOf('')
  const refused = (message: string): ReadText => ({ schema: null, problems: [{ message, range: whole }], rangeOf })
  let value: unknown
  try {
    // What is sent is JSON: it has no aliases within their own anchors, and no infinite numbers.
    value = JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }), finite))
  } catch (error) {
    return refused(error instanceof Error ? error.message : 'The text cannot be read.')
  }
  if (typeof value === 'boolean') return { schema: value, problems: [], rangeOf }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refused('A schema is an object, true or false.')
  return { schema: value as SchemaValue, problems: [], rangeOf }
}

/** What the service refuses about a schema, at the places of the text; nothing for every other failure. */
export const refusedAt = (error: unknown, { rangeOf }: Pick<ReadText, 'rangeOf'>): readonly Problem[] =>
  error instanceof SvcError && error.code === 'primitive-schema-invalid'
    ? (error.detail as { errors: readonly { pointer: string; message: string }[] }).errors.map(
        ({ pointer, message }) => ({ message, range: rangeOf(pointer) }),
      )
    : []
