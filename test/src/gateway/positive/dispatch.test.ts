import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Json } from '../../../../src/kernel/json.ts'
import { modsecurity } from '../../../../src/gateway/dialects/modsecurity.ts'
import { costDocument, costRequests } from '../../../../scripts/gateway/cost-document.ts'
import { documentWith, gateway, operation } from '../../../fixtures/gateway/positive.ts'

const words = ['a', 'b', 'c', 'aa', '1', '7'] as const
const methods = ['get', 'post', 'delete'] as const
type Method = (typeof methods)[number]

/** Segments: a word, or a variable whose values are integers or anything. */
const segments = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.constantFrom('{any}', '{int}') },
)
const templates = fc.array(fc.array(segments, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 60 })
const paths = fc.array(fc.constantFrom(...words, 'z'), { minLength: 1, maxLength: 4 })

const isVariable = (segment: string): boolean => segment.startsWith('{')
const shapeOf = (template: readonly string[]): string => template.map((it) => (isVariable(it) ? '{}' : it)).join('/')
/** Each variable of a template has a name of its own. */
const named = (template: readonly string[]): string[] =>
  template.map((it, i) => (isVariable(it) ? `{${it.slice(1, -1)}${i}}` : it))

/** Written segments before variables, from the first segment on (OpenAPI 3.1, 4.8.8.1). */
const byPriority = (a: readonly string[], b: readonly string[]): number => {
  const at = a.findIndex((it, i) => isVariable(it) !== isVariable(b[i] ?? ''))
  return at === -1 ? 0 : Number(isVariable(a[at] ?? '')) - Number(isVariable(b[at] ?? ''))
}

const fits = (template: readonly string[], path: readonly string[]): boolean =>
  template.length === path.length && template.every((it, i) => isVariable(it) || it === path[i])

test('a request meets the checks of the first operation that has its path and method, whatever the document looks like', () => {
  const seen = new Set<number>()
  fc.assert(
    fc.property(
      templates,
      fc.array(fc.subarray([...methods], { minLength: 1 }), { minLength: 60, maxLength: 60 }),
      fc.array(fc.tuple(fc.constantFrom(...methods), paths), { minLength: 20, maxLength: 40 }),
      (given, declared, requests) => {
        const unique = [...new Map(given.map((it) => [shapeOf(it), it])).values()]
        const all = unique.map((template, i) => ({ template, methods: declared[i] as Method[] }))
        const parameters = (template: readonly string[]): Json =>
          named(template)
            .filter(isVariable)
            .map((segment) => ({
              name: segment.slice(1, -1),
              in: 'path',
              required: true,
              schema: segment.startsWith('{int') ? { type: 'integer' } : {},
            }))
        const { status } = gateway(
          documentWith(
            Object.fromEntries(
              all.map(({ template, methods: list }) => [
                `/${named(template).join('/')}`,
                { parameters: parameters(template), ...Object.fromEntries(list.map((it) => [it, operation()])) },
              ]),
            ),
          ),
        )
        const ordered = all.toSorted((a, b) => byPriority(a.template, b.template))
        for (const [method, path] of requests) {
          const known = ordered.filter((it) => fits(it.template, path))
          const own = known.find((it) => it.methods.includes(method))
          const isRight = own?.template.every((it, i) => it !== '{int}' || /^\d+$/.test(path[i] ?? '')) === true
          const missing = known.length > 0 ? 405 : 404
          const wrong = own === undefined ? missing : 400
          const expected = isRight ? 0 : wrong
          seen.add(expected)
          expect(`${status(`${method.toUpperCase()} /${path.join('/')}`)} ${method} ${path.join('/')}`).toBe(
            `${expected} ${method} ${path.join('/')}`,
          )
        }
      },
    ),
    { numRuns: 150 },
  )
  expect([...seen].sort((a, b) => a - b)).toEqual([0, 400, 404, 405])
})

test('the rules of many operations are few, and described requests pass all of them', () => {
  for (const [operations, most] of [
    [50, 90],
    [500, 560],
  ] as const) {
    const { compiled, ask } = gateway(costDocument(operations), { dialect: modsecurity })
    expect(compiled.text.split('\n').length).toBeLessThanOrEqual(most)
    const { GET, POST } = costRequests(operations)
    const answers = [...GET, ...POST].map(({ method, uri, body }) =>
      ask({
        method,
        uri,
        body,
        headers: [
          ['Content-Type', 'application/json'],
          ...(body === '' ? [] : [['Content-Length', String(body.length)] as const]),
        ],
      }),
    )
    expect(answers.filter((it) => it.status !== 0)).toEqual([])
  }
})

test('a method never runs into the path', () => {
  const { status } = gateway(documentWith({ '/T/a': { get: operation() }, '/a': { get: operation() } }))
  expect(['GE T/a', 'G ET/a', 'GET T/a', 'GET: /a', 'GET :/a'].map((it) => status(it))).toEqual([
    404, 404, 404, 405, 404,
  ])
})

test('of a path with more variables than an engine keeps, the others are listed', () => {
  const names = Array.from({ length: 11 }, (_, i) => `v${i}`)
  const parameters = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'integer' } }))
  const { status, compiled } = gateway(
    documentWith({ [`/${names.map((it) => `{${it}}`).join('/')}`]: { get: operation({ parameters }) } }),
  )
  const path = (wrong: number): string => `GET /${names.map((_, i) => (i === wrong ? 'x' : i)).join('/')}`
  expect([-1, 0, 8, 9, 10].map((it) => status(path(it)))).toEqual([0, 400, 400, 0, 0])
  expect(compiled.notEnforced.map((it) => it.reason)).toEqual([
    'Of a path the engine keeps the values of nine variables.',
    'Of a path the engine keeps the values of nine variables.',
  ])
})
