/** What an agent needs to call an operation without trying: values that work, and answers to what does not. */
import { isObject, type Json, type JsonObject, listOf, type Path } from '../../kernel/json.ts'
import type { FunctionContext, LintFunction, Violation } from '../rule.ts'

const isJson = (type: string): boolean => /[/+]json\b/i.test(type)
const given = ['example', 'examples', 'default', 'const', 'enum'] as const

const deepest = 4

/** Whether a schema says a value somewhere: for itself, for a property, or in a part. */
function hasValue(written: Json | undefined, context: FunctionContext, depth = 0): boolean {
  const schema = written === undefined ? undefined : context.deref(written)
  if (!isObject(schema) || depth > deepest) return false
  if (given.some((key) => schema[key] !== undefined)) return true
  const parts = [
    ...Object.values(isObject(schema.properties) ? schema.properties : {}),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...listOf(schema.allOf),
    ...listOf(schema.oneOf),
    ...listOf(schema.anyOf),
  ]
  return parts.some((it) => hasValue(it, context, depth + 1))
}

function exampleMissing(content: Json | undefined, context: FunctionContext): boolean {
  if (!isObject(content)) return false
  const all = Object.entries(content).filter(([type, it]) => isJson(type) && isObject(it))
  return (
    all.length > 0 &&
    !all.some(([, media]) => {
      const { example, examples, schema } = media as JsonObject
      return example !== undefined || examples !== undefined || hasValue(schema, context)
    })
  )
}

/** Where the first good answer is: its status. */
const goodStatus = (responses: JsonObject): string | undefined =>
  Object.keys(responses).find((it) => it.startsWith('2'))

/** The body that is sent in JSON and the first good answer in JSON have an example. */
export const operationExamples: LintFunction = (input, _options, context) => {
  if (!isObject(input)) return []
  const found: Violation[] = []
  const say = (what: string, path: Path): void => {
    found.push({ message: `${what} has no example.`, path: [...context.path, ...path] })
  }
  const body = input.requestBody === undefined ? undefined : context.deref(input.requestBody)
  if (isObject(body) && exampleMissing(body.content, context)) say('The body of the request', ['requestBody'])
  const responses = isObject(input.responses) ? input.responses : {}
  const status = goodStatus(responses)
  const answer = status === undefined ? undefined : context.deref(responses[status] as Json)
  if (status !== undefined && isObject(answer) && exampleMissing(answer.content, context))
    say(`The ${status} response`, ['responses', status])
  return found
}

const isError = (status: string): boolean => status === 'default' || /^[45](?:\d\d|XX)$/i.test(status)

/** Some answer to a wrong request has a schema. */
export const errorShape: LintFunction = (input, _options, context) => {
  if (!isObject(input)) return []
  const answers = Object.entries(input).filter(([status]) => isError(status))
  if (answers.length === 0) return [{ message: 'No response for errors is described.' }]
  const hasShape = answers.some(([, written]) => {
    const answer = context.deref(written)
    if (!isObject(answer)) return false
    // Swagger 2.0 has the schema in the answer itself.
    if (answer.schema !== undefined) return true
    return Object.values(isObject(answer.content) ? answer.content : {}).some(
      (it) => isObject(it) && it.schema !== undefined,
    )
  })
  return hasShape ? [] : [{ message: 'No response for errors has a schema.' }]
}
