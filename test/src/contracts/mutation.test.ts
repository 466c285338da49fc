/**
 * Whole documents under contract: every operation, status, parameter and field has a consumer that uses it alone. What is
 * deleted from the document is lost by exactly those who use it, for exactly that reason, and by nobody else.
 */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Selection } from '../../../src/contracts/selection.ts'
import { impactOf, type ConsumerImpact } from '../../../src/contracts/impact.ts'
import { resolveSelection } from '../../../src/contracts/selection.ts'
import { Specification } from '../../../src/contracts/specification.ts'
import { availableSurface } from '../../../src/contracts/surface.ts'
import { diff } from '../../../src/diff/diff.ts'
import { isObject, type Json, type JsonObject } from '../../../src/kernel/json.ts'
import { documentOf } from './documents.ts'

const folder = join(import.meta.dir, '..', '..', '..', 'node_modules', '@readme', 'oas-examples')
const examples = [
  '2.0/json/petstore',
  '3.0/json/petstore',
  '3.0/json/polymorphism',
  '3.0/json/schema-circular',
  '3.0/json/http-status-codes',
  '3.0/json/complex-nesting',
  '3.1/json/train-travel',
  '3.1/json/schema-types',
]

/** One thing that a consumer uses, and where the document declares it. */
interface Used {
  readonly handle: string
  readonly kind: 'operation' | 'status' | 'parameter' | 'field'
  readonly operation: string
  /** Status or "request", for fields and statuses. */
  readonly body: string
  readonly name: string
  readonly pointers: readonly string[]
  readonly selection: Selection
}

const steps = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** A copy without what a pointer leads to; a property goes from the list of required ones as well. */
const without = (root: Json, pointer: string): Json => {
  const copy = structuredClone(root)
  const path = steps(pointer)
  const last = path.pop() ?? ''
  let at: Json | undefined = copy
  let above: Json | undefined
  for (const step of path) {
    above = at
    at = Array.isArray(at) ? (at as Json[])[Number(step)] : isObject(at) ? at[step] : undefined
  }
  if (Array.isArray(at)) (at as Json[]).splice(Number(last), 1)
  else if (isObject(at)) delete (at as Record<string, Json>)[last]
  if (path.at(-1) === 'properties' && isObject(above) && Array.isArray(above.required)) {
    const required = (above.required as readonly Json[]).filter((name) => name !== last)
    ;(above as Record<string, Json>).required = required
  }
  return copy
}

const usesOf = (specification: Specification): Used[] => {
  const { operations } = availableSurface(specification, { limit: 1000, offset: 0 })
  return operations.flatMap(({ method, path, request, responses, parameters }): Used[] => {
    const operation = `${method} ${path}`
    const one = { operation, body: '', name: '', pointers: [] }
    const select = (more: object): Selection => ({ operations: [{ method, path, ...more }] })
    return [
      { ...one, handle: operation, kind: 'operation', selection: select({}) },
      ...parameters
        .filter((it) => it.in !== 'path')
        .map(({ name, in: place }): Used => ({
          ...one,
          handle: `${operation} ${place} ${name}`,
          kind: 'parameter',
          name: `${place} ${name}`,
          selection: select({ parameters: [{ name, in: place }] }),
        })),
      ...request.map(({ field, pointers }): Used => ({
        ...one,
        handle: `${operation} > ${field}`,
        kind: 'field',
        body: 'request',
        name: field,
        pointers,
        selection: select({ request: [field] }),
      })),
      ...responses.flatMap(({ status, fields }): Used[] => [
        {
          ...one,
          handle: `${operation} ${status}`,
          kind: 'status',
          body: status,
          selection: select({ responses: { [status]: [] } }),
        },
        ...fields.map(({ field, pointers }): Used => ({
          ...one,
          handle: `${operation} ${status} < ${field}`,
          kind: 'field',
          body: status,
          name: field,
          pointers,
          selection: select({ responses: { [status]: [field] } }),
        })),
      ]),
    ]
  })
}

/** What can be deleted: pointer by kind. Only what is declared in one place alone is lost for sure. */
const mutationsOf = (root: JsonObject, uses: readonly Used[]): { kind: Used['kind']; pointer: string }[] => {
  const found = new Map<string, Used['kind']>()
  for (const it of uses) if (it.kind === 'field' && it.pointers.length === 1) found.set(it.pointers[0]!, 'field')
  for (const [path, item] of Object.entries(isObject(root.paths) ? root.paths : {})) {
    const at = `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}`
    for (const [method, operation] of Object.entries(isObject(item) ? item : {})) {
      if (!isObject(operation) || !isObject(operation.responses)) continue
      found.set(`${at}/${method}`, 'operation')
      for (const status of Object.keys(operation.responses)) found.set(`${at}/${method}/responses/${status}`, 'status')
      const parameters = Array.isArray(operation.parameters) ? (operation.parameters as readonly Json[]) : []
      for (const [i, it] of parameters.entries())
        if (isObject(it) && (it.in === 'query' || it.in === 'header'))
          found.set(`${at}/${method}/parameters/${i}`, 'parameter')
    }
  }
  // Where a map says nothing of its values any more, it takes all of them.
  const isMap = (pointer: string): boolean => /\/(additionalProperties|patternProperties\/[^/]*)$/.test(pointer)
  return [...found].map(([pointer, kind]) => ({ pointer, kind })).filter((it) => !isMap(it.pointer))
}

const isBelow = (field: string, above: string): boolean =>
  field.startsWith(`${above}.`) || field.startsWith(`${above}[`)

/** By handle, what the consumer loses with a pointer: decided by the surface alone. */
const lossesOf = (uses: readonly Used[], root: Json, { pointer, kind }: { kind: Used['kind']; pointer: string }) => {
  const path = steps(pointer)
  const operation = path[0] === 'paths' ? `${path[2]?.toUpperCase()} ${path[1]}` : ''
  if (kind === 'operation')
    return new Map(uses.filter((it) => it.operation === operation).map((it) => [it.handle, 'operation-retired']))
  if (kind === 'status') {
    const status = path.at(-1) ?? ''
    const mine = uses.filter((it) => it.operation === operation && it.body === status)
    return new Map(mine.map((it) => [it.handle, 'status-not-declared']))
  }
  if (kind === 'parameter') {
    const at = path.reduce<Json | undefined>(
      (value, step) =>
        Array.isArray(value) ? (value as Json[])[Number(step)] : isObject(value) ? value[step] : undefined,
      root,
    )
    const name = isObject(at) ? `${String(at.in)} ${String(at.name)}` : ''
    const mine = uses.filter((it) => it.operation === operation && it.kind === 'parameter' && it.name === name)
    return new Map(mine.map((it) => [it.handle, 'parameter-not-found']))
  }
  const gone = uses.filter((it) => it.kind === 'field' && it.pointers.length === 1 && it.pointers[0] === pointer)
  const mine = uses.filter((it) =>
    gone.some(
      (one) =>
        one.operation === it.operation && one.body === it.body && (one.name === it.name || isBelow(it.name, one.name)),
    ),
  )
  return new Map(mine.filter((it) => it.kind === 'field').map((it) => [it.handle, 'field-removed']))
}

/** Who may break without losing a field: it is declared in several places, and one of them is gone. */
const suspectsOf = (uses: readonly Used[], pointer: string): ReadonlySet<string> => {
  const hit = uses.filter((it) => it.pointers.includes(pointer))
  const near = uses.filter((it) =>
    hit.some(
      (one) => one.operation === it.operation && one.body === it.body && (one === it || isBelow(it.name, one.name)),
    ),
  )
  return new Set(near.map((it) => it.handle))
}

const tell = (losses: ReadonlyMap<string, string>): string[] =>
  [...losses].map(([handle, why]) => `${handle}: ${why}`).sort()
const toldBy = (found: readonly ConsumerImpact[]): string[] =>
  found
    .flatMap((it) => (it.losses.length === 0 ? [] : [`${it.handle}: ${it.losses.map((loss) => loss.reason).join()}`]))
    .sort()

for (const example of examples)
  test(`deletions from ${example}`, () => {
    const root = JSON.parse(readFileSync(join(folder, `${example}.json`), 'utf8')) as JsonObject
    const base = documentOf(root)
    const specification = new Specification(base)
    const uses = usesOf(specification)
    const mutations = mutationsOf(root, uses)
    expect(mutations.length).toBeGreaterThan(4)
    const consumers = uses.map(({ handle, selection }) => {
      const { contract, unresolved } = resolveSelection(selection, specification)
      expect(unresolved).toEqual([])
      return { handle, contract }
    })
    fc.assert(
      fc.property(fc.constantFrom(...mutations), fc.nat(), (mutation, number) => {
        const head = documentOf(without(root, mutation.pointer))
        const { changes } = diff(base, head, {})
        const after = new Specification(head)
        const { consumers: found } = impactOf(specification, after, changes, consumers)
        const expected = lossesOf(uses, root, mutation)
        expect([mutation.pointer, ...toldBy(found)]).toEqual([mutation.pointer, ...tell(expected)])
        const suspects = suspectsOf(uses, mutation.pointer)
        const broken = found
          .filter((it) => it.status === 'broken' && (expected.has(it.handle) || !suspects.has(it.handle)))
          .map((it) => it.handle)
        expect([mutation.pointer, ...broken.sort()]).toEqual([mutation.pointer, ...[...expected.keys()].sort()])
        // What is said of a consumer does not depend on who else there is.
        const at = number % consumers.length
        const [alone] = impactOf(specification, after, changes, [consumers[at]!]).consumers
        expect(alone).toEqual(found[at])
      }),
      { numRuns: Math.min(30, mutations.length), seed: 8 },
    )
  })
