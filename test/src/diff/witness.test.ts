/** What the validator is asked about a counterexample, and what schemas are marked for one direction. */
import { expect, test } from 'bun:test'
import { Marks } from '../../../src/diff/marks.ts'
import { Side } from '../../../src/diff/side.ts'
import { confirmWitness } from '../../../src/diff/witness.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { Exhausted } from '../../../src/schema/effort.ts'

const sideOf = (schemas: Record<string, unknown>, more: object = {}) =>
  new Side(
    'base',
    parseDocument(
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'A', version: '1' },
        paths: {},
        components: { schemas },
        ...more,
      }),
      { source: 'test' },
    ),
  )
type Ask = Parameters<ReturnType<typeof confirmWitness>>
const all: Ask[4] = () => ({ schemas: [] }) as never

interface How {
  readonly formats?: 'asserted' | 'remarks'
  readonly spend?: Ask[5]
  readonly direction?: Ask[3]
}

const ask = (
  schemas: Record<string, unknown>,
  value: Json,
  { formats = 'remarks', spend = () => {}, direction = null }: How = {},
) => {
  const side = sideOf(schemas)
  const places = side.namedSchemas().map(([, place]) => place)
  return confirmWitness(formats)(side, places, value, direction, all, spend)
}

test('a value fits where it fits all of the places', () => {
  const [text, short] = [{ type: 'string' }, { maxLength: 2 }]
  expect(ask({ A: text, B: short }, 'ab')).toBe(true)
  expect(ask({ A: text, B: short }, 'abc')).toBe(false)
  expect(ask({ A: short, B: text }, 7)).toBe(false)
})

test('formats count only where they are asserted', () => {
  const schemas = { A: { type: 'string', format: 'date' } }
  expect(ask(schemas, 'never')).toBe(true)
  expect(ask(schemas, 'never', { formats: 'asserted' })).toBe(false)
  expect(ask(schemas, '2026-05-05', { formats: 'asserted' })).toBe(true)
})

test('what is not sent in a direction is not required there', () => {
  const schemas = { A: { type: 'object', required: ['id'], properties: { id: { readOnly: true } } } }
  expect(ask(schemas, {})).toBe(false)
  expect(ask(schemas, {}, { direction: 'response' })).toBe(false)
  expect(ask(schemas, {}, { direction: 'request' })).toBe(true)
})

test('a dynamic reference means what the outermost schema of its name says', () => {
  const side = sideOf({
    List: {
      $id: 'https://a.example/list',
      type: 'array',
      items: { $dynamicRef: '#item' },
      $defs: { any: { $dynamicAnchor: 'item' } },
    },
    Texts: {
      $id: 'https://a.example/texts',
      $ref: 'list',
      $defs: { text: { $dynamicAnchor: 'item', type: 'string' } },
    },
  })
  const place = side.at(['components', 'schemas', 'Texts'])!
  const confirm = (value: Json) => confirmWitness('remarks')(side, [place], value, null, all, () => {})
  expect([confirm(['x']), confirm([7])]).toEqual([true, false])
})

test('identifiers are followed as they are written', () => {
  const schemas = {
    A: { $id: 'https://a.example/a', type: 'array', items: { $ref: 'b' } },
    B: { $id: 'https://a.example/b', type: 'string' },
  }
  const side = sideOf(schemas)
  const place = side.at(['components', 'schemas', 'A'])!
  const confirm = (value: Json) => confirmWitness('remarks')(side, [place], value, null, all, () => {})
  expect([confirm(['x']), confirm([7])]).toEqual([true, false])
})

test('a validator that fails ends the question; a question without steps left says so', () => {
  const failing = () => {
    throw new RangeError('too deep')
  }
  expect(ask({ A: { type: 'string' } }, 'x', { spend: failing })).toBeNull()
  const empty = () => {
    throw new Exhausted()
  }
  expect(() => ask({ A: { type: 'string' } }, 'x', { spend: empty })).toThrow(Exhausted)
  const odd = () => {
    // oxlint-disable-next-line no-throw-literal -- what is no error at all
    throw 'odd'
  }
  expect(() => ask({ A: { type: 'string' } }, 'x', { spend: odd })).toThrow('odd')
})

test('a schema is marked where it, or what it refers to, has a property for one direction', () => {
  const schemas: Record<string, Json> = {
    plain: { properties: { a: { type: 'string' } } },
    no: { properties: { a: { readOnly: false, writeOnly: 'true', type: null } } },
    read: { properties: { a: { readOnly: true } } },
    write: { allOf: [{ properties: { a: { writeOnly: true } } }] },
    near: { properties: { a: { $ref: 'read' } } },
    far: { items: { $ref: 'near' } },
    ring: { properties: { a: { $ref: 'ring' }, b: { $ref: 'plain' } } },
    both: { anyOf: [{ $ref: 'plain' }, { $ref: 'read' }] },
    lost: { $ref: 'nowhere' },
    named: { properties: { $ref: { type: 'string' } } },
  }
  const marked = ['read', 'write', 'near', 'far', 'both']
  const verdicts = (names: readonly string[]) => {
    const marks = new Marks((ref) => schemas[ref])
    return names.filter((name) => marks.isMarked(schemas[name]!))
  }
  const names = Object.keys(schemas)
  expect(verdicts(names).toSorted()).toEqual(marked.toSorted())
  // Whatever was asked before, and asked again.
  expect(verdicts([...names].toReversed()).toSorted()).toEqual(marked.toSorted())
  expect(verdicts(['far', 'far', 'ring', 'ring', 'near'])).toEqual(['far', 'far', 'near'])
  const marks = new Marks((ref) => schemas[ref])
  expect([true, false, null, 'x', []].map((it) => marks.isMarked(it))).toEqual([false, false, false, false, false])
})

test('a schema is read once', () => {
  let reads = 0
  const schema = {
    get properties() {
      reads += 1
      return { a: { readOnly: true } }
    },
  }
  const marks = new Marks(() => undefined)
  expect([marks.isMarked(schema), marks.isMarked(schema), reads]).toEqual([true, true, 1])
})

test('what was found out about a schema is not looked for again', () => {
  const looked: string[] = []
  const schemas: Record<string, Json> = {
    a: { $ref: 'b' },
    b: { $ref: 'c' },
    c: { readOnly: true },
    d: { $ref: 'e' },
    e: { type: 'string' },
  }
  const marks = new Marks((ref) => {
    looked.push(ref)
    return schemas[ref]
  })
  for (const name of ['a', 'a', 'd', 'd']) marks.isMarked(schemas[name]!)
  expect(looked).toEqual(['b', 'c', 'e'])
})
