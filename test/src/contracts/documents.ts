/** Small descriptions of APIs for the tests of contracts. */
import { expect, test } from 'bun:test'
import { diff } from '../../../src/diff/diff.ts'
import { resolveSelection, type Selection } from '../../../src/contracts/selection.ts'
import { impactOf, type Impact } from '../../../src/contracts/impact.ts'
import { Specification } from '../../../src/contracts/specification.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import type { Document } from '../../../src/document/document.ts'

export const documentOf = (value: unknown): Document => parseDocument(JSON.stringify(value), { source: 'test' })
export const specificationOf = (value: unknown): Specification => new Specification(documentOf(value))

type Schema = Record<string, unknown> | boolean

/** An API of one operation that answers 200 with a schema, and takes a body where one is given. */
export const api = (
  response: Schema | null,
  options: {
    readonly request?: Schema
    readonly schemas?: Record<string, Schema>
    readonly path?: string
    readonly method?: string
    readonly parameters?: readonly object[]
    readonly operation?: object
    readonly responses?: Record<string, unknown>
  } = {},
) => ({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1.0.0' },
  paths: {
    [options.path ?? '/things']: {
      [options.method ?? 'post']: {
        ...(options.parameters ? { parameters: options.parameters } : {}),
        ...(options.request
          ? { requestBody: { required: true, content: { 'application/json': { schema: options.request } } } }
          : {}),
        responses: options.responses ?? {
          '200': {
            description: 'Good',
            ...(response === null ? {} : { content: { 'application/json': { schema: response } } }),
          },
        },
        ...options.operation,
      },
    },
  },
  components: { schemas: options.schemas ?? {} },
})

export const selectionOf = (
  use: {
    readonly request?: readonly string[]
    readonly response?: readonly string[]
    readonly parameters?: readonly string[]
  },
  path = '/things',
  method = 'POST',
): Selection => ({
  operations: [
    {
      method,
      path,
      ...(use.request ? { request: use.request } : {}),
      ...(use.response ? { responses: { '200': use.response } } : {}),
      ...(use.parameters ? { parameters: use.parameters } : {}),
    },
  ],
})

export const text = { type: 'string' }
export const number = { type: 'number' }
export const object = (properties: Record<string, unknown>, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})
export const list = (items: unknown) => ({ type: 'array', items })
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
export const reads = (...response: string[]): Selection => selectionOf({ response })
export const sends = (...request: string[]): Selection => selectionOf({ request })
export const uses = (...parameters: string[]): Selection => selectionOf({ parameters })

/** What the step from one document to another means for consumers that were declared against the first. */
export const impactBetween = (
  before: unknown,
  after: unknown,
  selections: Readonly<Record<string, Selection>>,
): Impact & { readonly ids: (handle: string) => readonly string[] } => {
  const [base, head] = [documentOf(before), documentOf(after)]
  const { changes } = diff(base, head, {})
  const specification = new Specification(base)
  const consumers = Object.entries(selections).map(([handle, selection]) => {
    const { contract, unresolved } = resolveSelection(selection, specification)
    if (unresolved.length > 0) throw new Error(`${handle}: ${unresolved[0]?.message}`)
    return { handle, contract }
  })
  const impact = impactOf(specification, new Specification(head), changes, consumers)
  return {
    ...impact,
    ids: (handle) => [
      ...new Set(impact.consumers.find((it) => it.handle === handle)?.changes.map((at) => changes[at]!.id)),
    ],
  }
}

/** A step, who uses what, and by handle what they have to fear; those that are not named are unaffected. */
export type ImpactCase = readonly [
  name: string,
  before: unknown,
  after: unknown,
  consumers: Readonly<Record<string, Selection>>,
  expected: Readonly<Record<string, 'broken' | 'unknown' | 'touched'>>,
]

/** A test for each case: exactly the named consumers are hit, together and each alone. */
export const expectImpacts = (cases: readonly ImpactCase[]): void => {
  for (const [name, before, after, consumers, expected] of cases)
    test(name, () => {
      const hit = (given: Readonly<Record<string, Selection>>): [string, string][] =>
        impactBetween(before, after, given).consumers.flatMap((it): [string, string][] =>
          it.status === 'unaffected' ? [] : [[it.handle, it.status]],
        )
      expect(Object.fromEntries(hit(consumers))).toEqual({ ...expected })
      const alone = Object.entries(consumers).flatMap(([handle, selection]) => hit({ [handle]: selection }))
      expect(Object.fromEntries(alone)).toEqual({ ...expected })
    })
}
