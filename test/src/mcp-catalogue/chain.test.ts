import { expect, test } from 'bun:test'
import type { Json, JsonObject } from '../../../src/kernel/json.ts'
import { chainMatrix, chainOf } from '../../../src/mcp-catalogue/chain.ts'

const object = (properties: Record<string, Json>, more: Record<string, Json> = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
})
const tool = (name: string, outputSchema: Json | undefined, inputSchema: Json | undefined): JsonObject => ({
  name,
  ...(outputSchema === undefined ? {} : { outputSchema }),
  ...(inputSchema === undefined ? {} : { inputSchema }),
})

const closed = { additionalProperties: false }
const find = tool('find', object({ id: { type: 'integer', minimum: 1 } }, closed), { type: 'object' })
const show = tool('show', object({ title: { type: 'string' } }, closed), object({ id: { type: 'integer' } }))
const strict = tool('strict', undefined, object({ id: { type: 'integer', minimum: 10 } }))

test('an output fits where each of its values is an input; else a value shows that it does not', () => {
  expect(chainOf(find, show)).toEqual({ from: 'find', to: 'show', fits: true })
  const refused = chainOf(find, strict)
  expect(refused).toMatchObject({ from: 'find', to: 'strict', fits: false })
  const { id } = refused.counterexample as { id: number }
  expect(id >= 1 && id < 10).toBe(true)
  // What may be sent beside the declared properties counts too.
  const open = tool('open', object({ id: { type: 'integer' } }), undefined)
  const typed = tool(
    'typed',
    undefined,
    object({ id: { type: 'integer' } }, { properties: { id: { type: 'integer' }, tag: { type: 'string' } } }),
  )
  expect(chainOf(open, typed)).toMatchObject({ fits: false, counterexample: { tag: expect.anything() } })
})

test('a tool that does not say what it answers or takes decides nothing', () => {
  expect(chainOf(strict, show)).toEqual({
    from: 'strict',
    to: 'show',
    fits: null,
    reason: '"strict" has no output schema',
  })
  expect(chainOf(find, tool('none', undefined, undefined))).toMatchObject({
    fits: null,
    reason: '"none" has no input schema',
  })
  // References inside of the schemas are followed.
  const named = tool('named', { $ref: '#/$defs/Id', $defs: { Id: object({ id: { const: 3 } }, closed) } }, undefined)
  expect(chainOf(named, show)).toMatchObject({ fits: true })
})

test('a matrix has each pair of different tools, and names those that say nothing', () => {
  const matrix = chainMatrix([find, show, strict], [find, show, strict])
  expect(matrix.pairs.map(({ from, to, fits }) => [from, to, fits])).toEqual([
    ['find', 'show', true],
    ['find', 'strict', false],
    ['show', 'find', true],
    ['show', 'strict', false],
  ])
  expect(matrix).toMatchObject({ from: ['find', 'show'], silent: ['strict'], more: 0 })
})

test('a matrix compares the first 20 tools of each side, and names the others', () => {
  const many = Array.from({ length: 60 }, (_, at) => ({ ...find, name: `f${at}` }))
  const matrix = chainMatrix(many, many)
  expect([matrix.from.length, matrix.to.length, matrix.pairs.length]).toEqual([20, 20, 20 * 19])
  expect(matrix.more).toBe(60 * 59 - 20 * 19)
  expect(matrix.omitted).toEqual(many.slice(20).map(({ name }) => name))
})

test('a value that is refused comes with the place and the reason; a long one is left out', () => {
  expect(chainOf(show, tool('typed', undefined, object({ title: { type: 'integer' } })))).toMatchObject({
    fits: false,
    counterexample: { title: expect.any(String) },
    reason: expect.stringMatching(/^\/title: /),
  })
  const long = tool('long', object({ id: { const: 'x'.repeat(3000) } }, closed), undefined)
  const [pair] = chainMatrix([long], [show]).pairs
  expect(pair).toEqual({
    from: 'long',
    to: 'show',
    fits: false,
    reason: expect.stringMatching(/^the value is too long/),
  })
})

test('a matrix without time answers what it decided, small schemas first, and the rest as undecided', () => {
  const wide = (name: string) =>
    tool(name, object(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`p${at}`, { type: 'string' }]))), {
      type: 'object',
    })
  const tools = [wide('wide'), find, show]
  let asked = 0
  const { pairs } = chainMatrix(tools, tools, { isOver: () => ++asked > 2 })
  expect(pairs.map(({ from, to, fits }) => [from, to, fits])).toEqual([
    ['wide', 'find', null],
    ['wide', 'show', null],
    ['find', 'wide', null],
    ['find', 'show', null],
    ['show', 'wide', true],
    ['show', 'find', true],
  ])
  expect(pairs.filter(({ fits }) => fits === null).map(({ reason }) => reason)).toEqual(
    Array.from(
      { length: 4 },
      () => 'the time for the matrix was used up before this pair; compare the two tools alone',
    ),
  )
})

test('a matrix leaves schemas undecided that are too large or too deep, and decides the others', () => {
  const large = tool(
    'large',
    object({ id: { enum: Array.from({ length: 9000 }, (_, at) => `value ${at}`) } }),
    undefined,
  )
  let nested: Json = { type: 'integer' }
  for (let depth = 0; depth < 2500; depth++) nested = { allOf: [nested] }
  const deep = tool('deep', object({ id: nested }, closed), undefined)
  const { pairs } = chainMatrix([large, deep, find], [show])
  expect(pairs).toEqual([
    {
      from: 'large',
      to: 'show',
      fits: null,
      reason: 'the output schema of "large" has more than 65,536 characters',
    },
    {
      from: 'deep',
      to: 'show',
      fits: null,
      reason: expect.stringMatching(/^the output schema cannot be read: Arrays and objects are nested deeper than/),
    },
    { from: 'find', to: 'show', fits: true },
  ])
})

test('what is no JSON Schema proves nothing', () => {
  const described = tool('described', { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} }, undefined)
  const other = tool('other', undefined, { openapi: '3.1.0', info: { title: 'T', version: '2' }, paths: {} })
  expect(chainOf(described, other)).toEqual({
    from: 'described',
    to: 'other',
    fits: null,
    reason: 'the output schema is no JSON Schema',
  })
})
