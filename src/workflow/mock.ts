/** Answers that are made from a description, in the place of a server. */
import { isObject, type Json, type JsonObject, textOf } from '../kernel/json.ts'
import type { Received } from './answer.ts'
import { parseCondition, passes, expressionsOf } from './condition.ts'
import { objectsOf } from './document.ts'
import { ConditionInvalid } from './faults.ts'
import { answerKeys, answerOf, deref, derefObject, isJsonType, type Called } from './openapi.ts'
import { sample } from './sample.ts'
import type { Scope } from './scope.ts'
import { headerText } from './serialize.ts'

const statusOf = (key: string): number => {
  if (key === 'default') return 200
  return /^\dXX$/i.test(key) ? Number(key[0]) * 100 : Number(key)
}

const scopeOf = (status: number): Scope => ({
  self: null,
  inputs: {},
  outputs: {},
  exchange: {
    url: '',
    method: '',
    request: { headers: {}, query: {}, path: {}, body: undefined },
    response: { status, headers: {}, query: {}, path: {}, body: undefined },
  },
  steps: new Map(),
  workflows: new Map(),
  sources: new Map(),
  components: {},
})

// What the criteria of a step say of the status alone.
function isWanted(step: JsonObject, status: number): boolean {
  return objectsOf(step.successCriteria).every((criterion) => {
    if (criterion.type !== undefined && criterion.type !== 'simple') return true
    try {
      const condition = parseCondition(textOf(criterion.condition))
      const isOfStatus = expressionsOf(condition).every(
        (it) => it.expression.kind === 'statusCode' && it.steps.length === 0,
      )
      return !isOfStatus || passes(condition, scopeOf(status))
    } catch (error) {
      if (error instanceof ConditionInvalid) return true
      throw error
    }
  })
}

/** The documented status that the step hopes for: the first that its criteria allow, successes before errors. */
function chooseStatus(called: Called, step: JsonObject): number {
  const all = answerKeys(called)
    .map(statusOf)
    .toSorted((a, b) => Number(a >= 400) - Number(b >= 400) || a - b)
  return all.find((it) => isWanted(step, it)) ?? all[0] ?? 200
}

function exampleOf(called: Called, media: JsonObject): Json {
  if (media.example !== undefined) return media.example
  const [first] = Object.values(isObject(media.examples) ? media.examples : {})
  const example = first === undefined ? undefined : deref(called.root, first)
  if (isObject(example) && example.value !== undefined) return example.value
  if (isObject(example) && example.dataValue !== undefined) return example.dataValue
  return media.schema === undefined ? {} : sample(called.root, media.schema).value
}

function headersOf(called: Called, described: JsonObject): [string, string][] {
  return Object.entries(isObject(described.headers) ? described.headers : {}).map(([name, written]) => {
    const header = derefObject(called.root, written)
    const value = header.example ?? (header.schema === undefined ? 'text' : sample(called.root, header.schema).value)
    return [name, headerText({ name, in: 'header', required: false, value: header }, value)]
  })
}

/** The answer to a step, as its description has it. */
export function mockAnswer(called: Called, step: JsonObject): Received {
  const status = chooseStatus(called, step)
  const described = answerOf(called, status)?.value ?? {}
  const content = Object.entries(isObject(described.content) ? described.content : {})
  const [type, media] = content.find(([key]) => isJsonType(key)) ?? content[0] ?? []
  const headers = headersOf(called, described)
  if (type === undefined || !isObject(media) || called.method === 'HEAD' || status === 204 || status === 304)
    return { status, headers, body: new Uint8Array() }
  const value = exampleOf(called, media)
  const named = type.includes('*') ? 'application/json' : type
  const text = isJsonType(named) || typeof value !== 'string' ? JSON.stringify(value) : value
  return { status, headers: [...headers, ['Content-Type', named]], body: new TextEncoder().encode(text) }
}
