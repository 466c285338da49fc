/** Values that a schema certainly accepts. */
import { diff } from '../../../src/diff/diff.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { type Direction, samplerOf } from '../../../src/render/reference/sample.ts'
import { isValid } from '../../../src/schema/validate.ts'
import type { Root } from './operation.ts'

const dialect = 'https://json-schema.org/draft/2020-12/schema'

const fits = (schema: Json, value: Json, root: Root, mode: Direction): boolean => {
  try {
    return isValid(schema, value, { root, dialect: '2020-12', mode })
  } catch {
    // A reference without end or without target decides nothing.
    return false
  }
}

// A schema that has a value is not contained in one that has none: the counterexample is a value of it.
function solved(schema: Json, root: Root): Json | undefined {
  const { paths: _, ...beside } = root
  const source = 'schema.json'
  const some = parseDocument(JSON.stringify({ $schema: dialect, allOf: [schema], ...beside }), {
    source,
    syntax: 'json',
  })
  const none = parseDocument(JSON.stringify({ $schema: dialect, not: {} }), { source, syntax: 'json' })
  return diff(some, none, { mode: 'backward' }).witness?.value
}

/**
 * A value of a schema: one that the author gives, one that follows from the schema, or one that is solved for. Each is validated.
 * @param schema as OpenAPI 3.1 writes it, with references into `root`
 * @returns undefined where none was found
 */
export function validValue(
  { schema, examples }: { readonly schema: Json; readonly examples: readonly Json[] },
  root: Root,
  direction: Direction,
): Json | undefined {
  const given = examples.find((it) => fits(schema, it, root, direction))
  if (given !== undefined) return given
  const sample = samplerOf(root)(schema, direction)
  if (sample !== undefined && fits(schema, sample, root, direction)) return sample
  const found = solved(schema, root)
  return found !== undefined && fits(schema, found, root, direction) ? found : undefined
}
