/** What runtime expressions are evaluated in. */
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { followPath } from '../kernel/pointer.ts'
import type { Expression, Steps } from './expression.ts'

/** A request or an answer, as expressions see it. */
export interface Message {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, Json>>
  readonly path: Readonly<Record<string, Json>>
  /** JSON that was parsed, or the text of another format; undefined where there is none. */
  readonly body: Json | undefined
}

/** A call and its answer. */
export interface Exchange {
  readonly url: string
  /** Upper-case. */
  readonly method: string
  readonly request: Message
  /** Null before it was answered. */
  readonly response: (Message & { readonly status: number }) | null
}

/** The values of a workflow that ran. */
export interface WorkflowValues {
  readonly inputs: JsonObject
  readonly outputs: JsonObject
}

/** Everything that an expression can name. */
export interface Scope {
  /** The `$self` of the Arazzo document; null for none. */
  readonly self: string | null
  readonly inputs: JsonObject
  readonly outputs: JsonObject
  /** The call of the present step; null where there is none. */
  readonly exchange: Exchange | null
  /** The outputs of steps that ended, by stepId. */
  readonly steps: ReadonlyMap<string, JsonObject>
  /** Workflows of the document that ran, by workflowId. */
  readonly workflows: ReadonlyMap<string, WorkflowValues>
  /** The Source Description Objects, by name. */
  readonly sources: ReadonlyMap<string, JsonObject>
  readonly components: JsonObject
}

/** The value at a place in another one; undefined where there is none. */
export const valueAt = (value: Json | undefined, steps: Steps): Json | undefined =>
  value === undefined || steps.length === 0 ? value : followPath(value, steps)?.value

/**
 * The member of a name: names may have dots, and a dot also leads into a value. The longest name that exists is meant:
 * "user.id" is the member "user.id" or else the `id` of the member "user", and "users.0" is the first item of a list.
 */
export function memberNamed(object: JsonObject | undefined, name: string): Json | undefined {
  if (object === undefined) return undefined
  if (Object.hasOwn(object, name)) return object[name]
  const parts = name.split('.')
  for (let length = parts.length - 1; length > 0; length--) {
    const key = parts.slice(0, length).join('.')
    if (!Object.hasOwn(object, key)) continue
    return memberInside(object[key], parts.slice(length))
  }
  return undefined
}

function memberInside(value: Json | undefined, parts: readonly string[]): Json | undefined {
  if (isObject(value)) return memberNamed(value, parts.join('.'))
  const [index = '', ...rest] = parts
  if (!Array.isArray(value) || !/^\d+$/.test(index)) return undefined
  const item = (value as readonly Json[])[Number(index)]
  return rest.length === 0 ? item : memberInside(item, rest)
}

function ofMessage(
  message: Message | null,
  expression: Extract<Expression, { readonly part: unknown }>,
): Json | undefined {
  if (message === null) return undefined
  switch (expression.part) {
    case 'header':
      return memberOf(message.headers, expression.name.toLowerCase())
    case 'query':
      return memberOf(message.query, expression.name)
    case 'path':
      return memberOf(message.path, expression.name)
    default:
      return valueAt(message.body, expression.pointer)
  }
}

const memberOf = (record: Readonly<Record<string, Json>>, name: string): Json | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

const ofFixed = (kind: 'url' | 'method' | 'statusCode' | 'self', { exchange, self }: Scope): Json | undefined => {
  if (kind === 'self') return self ?? undefined
  if (kind === 'statusCode') return exchange?.response?.status
  return kind === 'url' ? exchange?.url : exchange?.method
}

/** The value of an expression; undefined where nothing is there. */
export function evaluate(expression: Expression, scope: Scope): Json | undefined {
  switch (expression.kind) {
    case 'url':
    case 'method':
    case 'statusCode':
    case 'self':
      return ofFixed(expression.kind, scope)
    case 'request':
      return ofMessage(scope.exchange?.request ?? null, expression)
    case 'response':
      return ofMessage(scope.exchange?.response ?? null, expression)
    case 'message':
      return undefined
    case 'inputs':
    case 'outputs':
      return valueAt(memberNamed(scope[expression.kind], expression.name), expression.pointer)
    case 'steps':
      return valueAt(memberNamed(scope.steps.get(expression.step), expression.output), expression.pointer)
    case 'workflows':
      return valueAt(
        memberNamed(scope.workflows.get(expression.workflow)?.[expression.field], expression.name),
        expression.pointer,
      )
    case 'sourceDescriptions':
      return memberNamed(scope.sources.get(expression.source), expression.reference)
    case 'components': {
      const group = scope.components[expression.type]
      return isObject(group) ? memberOf(group, expression.name) : undefined
    }
  }
}
