import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { notChecked } from '../check-budget.ts'
import { outsideOf } from '../outside.ts'
import { describeErrors } from '../schema-errors.ts'
import type { Violation, FunctionContext, LintFunction } from '../rule.ts'
import { schemaDialect } from './schema-dialect.ts'

interface Example {
  readonly value: Json | undefined
  readonly path: Path
}

function schemaExamples(input: JsonObject, version: Json | undefined, path: Path): Example[] {
  const fields = version === 2 ? ['example', 'x-example', 'default'] : ['example', 'default']
  return fields.filter((it) => it in input).map((it) => ({ value: input[it], path: [...path, it] }))
}

/** `example` takes precedence over `examples`; an `externalValue` cannot be checked. */
function mediaExamples(input: JsonObject, version: Json | undefined, { path, deref }: FunctionContext): Example[] {
  if (version === 3 && 'example' in input) return [{ value: input.example, path: [...path, 'example'] }]
  const { examples } = input
  if (!isObject(examples)) return []
  return Object.keys(examples).flatMap((name) => {
    const written = examples[name] as Json
    if (version === 2) return [{ value: written, path: [...path, 'examples', name] }]
    const example = deref(written)
    if (!isObject(example) || 'externalValue' in example) return []
    // OpenAPI 3.2 (4.20): the data and its serialized form are separate fields; only the data has a schema.
    const field = 'dataValue' in example ? 'dataValue' : 'value'
    if (field === 'value' && 'serializedValue' in example && !('value' in example)) return []
    return [{ value: example[field], path: [...path, 'examples', name, field] }]
  })
}

/** Whether a media type is in a request, in a response, or used in an unknown direction. */
function modeOf(path: Path, version: Json | undefined): 'request' | 'response' | undefined {
  const [first, second, , fourth] = path
  if (first === 'paths' && fourth === 'responses') return 'response'
  if (version === 2) return first === 'responses' ? 'response' : undefined
  if (first === 'paths' && fourth === 'requestBody') return 'request'
  if (first === 'components')
    return second === 'requestBodies' ? 'request' : second === 'responses' ? 'response' : undefined
  return first === 'paths' ? undefined : modeInPart(path)
}

/** The same in a file that a description refers to, where a path begins with the part that the file holds. */
function modeInPart(path: Path): 'request' | 'response' | undefined {
  if (path.includes('webhooks') || path.includes('callbacks')) return undefined
  if (path.at(-2) === 'content' && (path.at(-3) === 'requestBody' || path.at(-4) === 'requestBodies')) return 'request'
  return path.at(-4) === 'responses' && (path.at(-2) === 'content' || path.at(-2) === 'headers')
    ? 'response'
    : undefined
}

/** Swagger 2.0 puts a boolean `required` beside the schema of a parameter. */
const withoutFlag = (schema: JsonObject): JsonObject => {
  if (typeof schema.required !== 'boolean') return schema
  const { required: _, ...rest } = schema
  return rest
}

/**
 * Examples and defaults are valid against their schema. `schemaField` names the member that holds the schema, "$" the input itself;
 * `type` is "schema" or "media", `oasVersion` 2 or 3.
 */
const examples: LintFunction = (input, { schemaField, oasVersion, type }, context) => {
  if (!isObject(input)) return []
  const { path, root, entry, document, documents, formats, deref, budget } = context
  const written = schemaField === '$' ? input : input[String(schemaField)]
  if (!isObject(written)) return []
  const schema = withoutFlag(written)
  const isMedia = type === 'media'
  const all = isMedia ? mediaExamples(input, oasVersion, context) : schemaExamples(input, oasVersion, path)
  const mode = isMedia ? modeOf(path, oasVersion) : undefined
  const violations: Violation[] = []
  for (const example of all) {
    if (example.value === undefined) {
      violations.push({ message: '#{{print("property")}}must exist', path: example.path })
      continue
    }
    const errors = budget.validate(schema, example.value, {
      root,
      ...outsideOf(document, documents),
      dialect: schemaDialect(formats, entry),
      instance: deref,
      ...(mode === undefined ? {} : { mode }),
    })
    if (errors === null) {
      violations.push({ message: notChecked, path: example.path })
      continue
    }
    for (const it of describeErrors(errors, example.value, example.path))
      violations.push({ message: it.message, path: [...example.path, ...it.path] })
  }
  return violations
}
export default examples
