/** An agent without a model: it does what the tools' descriptions tell to do, and counts what that costs. */
import { callTool } from '../../mcp/call-tool.ts'
import { sizeOf } from '../../mcp/budget.ts'
import { cursorSeal } from '../../mcp/cursor-seal.ts'
import { tools } from '../../mcp/tools.gen.ts'
import type { Call } from '../../src/api/endpoint.ts'
import { isObject, type Json } from '../../src/kernel/json.ts'

/** What an agent has to know before it can call an operation. */
export interface Learned {
  readonly spec: string
  readonly ref: string
  /** Names of required parameters and of required fields of the body, sorted. */
  readonly required: readonly string[]
  /** Statuses from 400 on, and "default", sorted. */
  readonly errors: readonly string[]
  readonly calls: number
  readonly tokens: number
}

interface Found {
  readonly items: readonly { readonly spec: string; readonly ref: string }[]
}
interface Part {
  readonly definition: Json
  readonly referenced: Readonly<Record<string, Json>>
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [])

/** What a reference leads to; undefined where it was not shown. */
export type Follow = (ref: string) => Promise<Json | undefined>

async function target(value: Json | undefined, follow: Follow): Promise<Json | undefined> {
  return isObject(value) && typeof value.$ref === 'string' ? target(await follow(value.$ref), follow) : value
}

/** Required fields of a schema, those of its `allOf` included. */
async function requiredFields(schema: Json | undefined, follow: Follow): Promise<string[]> {
  const it = await target(schema, follow)
  if (!isObject(it)) return []
  const inherited = await Promise.all(listOf(it.allOf).map((one) => requiredFields(one, follow)))
  return [...listOf(it.required).map(String), ...inherited.flat()]
}

/** Reads what a call of an operation needs, and how it fails, out of its definition. */
export async function needsOf(definition: Json, follow: Follow): Promise<Pick<Learned, 'required' | 'errors'>> {
  if (!isObject(definition)) return { required: [], errors: [] }
  const required = new Set<string>()
  for (const one of listOf(definition.parameters)) {
    const parameter = await target(one, follow)
    if (!isObject(parameter)) continue
    if (parameter.in === 'body') for (const name of await requiredFields(parameter.schema, follow)) required.add(name)
    else if (parameter.required === true) required.add(String(parameter.name))
  }
  const body = await target(definition.requestBody, follow)
  const content = isObject(body) && isObject(body.content) ? Object.values(body.content) : []
  for (const media of content.slice(0, 1))
    for (const name of await requiredFields(isObject(media) ? media.schema : undefined, follow)) required.add(name)
  const statuses = isObject(definition.responses) ? Object.keys(definition.responses) : []
  return { required: [...required].sort(), errors: statuses.filter((it) => !/^[123]/.test(it)).sort() }
}

/** Solves a task: searches, looks at the best hit, and asks for what that refers to and did not show. */
export async function solve(call: Call, task: string, within?: string): Promise<Learned> {
  const seal = cursorSeal('a secret of the test')
  let calls = 0
  let tokens = 0
  const use = async (name: string, args: object): Promise<unknown> => {
    const reply = await callTool({
      tools,
      name,
      args,
      call,
      seal,
      onFault: (fault) => {
        throw fault
      },
    })
    calls += 1
    tokens += Math.ceil((sizeOf(args) + sizeOf(reply)) / 4)
    if ('isError' in reply) throw new Error(`${name} ${JSON.stringify(args)}: ${reply.content[0]?.text}`)
    return reply.structuredContent
  }
  const found = (await use('spec.search', { q: task, limit: 5, ...(within && { spec: within }) })) as Found
  const [hit] = found.items
  if (!hit) throw new Error(`nothing was found for "${task}"`)
  const { spec, ref } = hit
  const part = (await use('spec.describe', { spec, operation: ref })) as Part
  const known = new Map(Object.entries(part.referenced))
  const follow: Follow = async (name) => {
    if (!known.has(name)) {
      const more = (await use('spec.describe', { spec, schema: name })) as Part
      known.set(name, more.definition)
      for (const [other, definition] of Object.entries(more.referenced)) known.set(other, definition)
    }
    return known.get(name)
  }
  const needs = await needsOf(part.definition, follow)
  return { spec, ref, ...needs, calls, tokens }
}
