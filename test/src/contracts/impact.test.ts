/** Field by field: exactly the consumers that use what changed are named. */
import { describe, expect, test } from 'bun:test'
import type { Selection } from '../../../src/contracts/selection.ts'
import { api, impactBetween, list, number, object, reads, ref, selectionOf, sends, text } from './documents.ts'

interface Case {
  readonly name: string
  readonly before: unknown
  readonly after: unknown
  readonly consumers: Readonly<Record<string, Selection>>
  /** Handles and what they have to fear; those that are not named are unaffected. */
  readonly expected: Readonly<Record<string, 'broken' | 'unknown' | 'touched'>>
  readonly reasons?: Readonly<Record<string, readonly string[]>>
}

const cases: readonly Case[] = [
  {
    name: 'a required response field goes',
    before: api(object({ id: text, name: text })),
    after: api(object({ id: text })),
    consumers: { id: reads('id'), name: reads('name') },
    expected: { name: 'broken' },
    reasons: { name: ['field-removed'] },
  },
  {
    name: 'an optional response field goes, which no promise covers',
    before: api(object({ id: text, nick: text }, ['id'])),
    after: api(object({ id: text }, ['id'])),
    consumers: { id: reads('id'), nick: reads('nick') },
    expected: { nick: 'broken' },
    reasons: { nick: ['field-removed'] },
  },
  {
    name: 'the type of a response field changes',
    before: api(object({ id: text, price: number })),
    after: api(object({ id: text, price: text })),
    consumers: { id: reads('id'), price: reads('price') },
    expected: { price: 'broken' },
  },
  {
    name: 'the type of the object above changes',
    before: api(object({ owner: object({ name: text }), id: text })),
    after: api(object({ owner: text, id: text })),
    consumers: { id: reads('id'), name: reads('owner.name'), owner: reads('owner') },
    expected: { name: 'broken', owner: 'broken' },
    reasons: { name: ['field-removed'], owner: [] },
  },
  {
    name: 'a field next to the one that is read within an object goes',
    before: api(object({ owner: object({ name: text, mail: text }) })),
    after: api(object({ owner: object({ name: text }) })),
    consumers: { name: reads('owner.name'), mail: reads('owner', 'owner.mail') },
    expected: { mail: 'broken' },
    reasons: { mail: ['field-removed'] },
  },
  {
    name: 'a response field becomes optional',
    before: api(object({ id: text, name: text })),
    after: api(object({ id: text, name: text }, ['id'])),
    consumers: { id: reads('id'), name: reads('name') },
    expected: { name: 'broken' },
  },
  {
    name: 'a response field may be null',
    before: api(object({ id: text, name: text })),
    after: api(object({ id: text, name: { type: ['string', 'null'] } })),
    consumers: { id: reads('id'), name: reads('name') },
    expected: { name: 'broken' },
  },
  {
    name: 'a field of a component that is read through a list goes',
    before: api(list(ref('Thing')), { schemas: { Thing: object({ id: text, name: text }) } }),
    after: api(list(ref('Thing')), { schemas: { Thing: object({ id: text }) } }),
    consumers: { id: reads('[].id'), name: reads('[].name') },
    expected: { name: 'broken' },
    reasons: { name: ['field-removed'] },
  },
  {
    name: 'the items of a list of texts become numbers',
    before: api(object({ tags: list(text), id: text })),
    after: api(object({ tags: list(number), id: text })),
    consumers: { tags: reads('tags'), items: reads('tags[]'), id: reads('id') },
    expected: { tags: 'broken', items: 'broken' },
  },
  {
    name: 'lists in lists',
    before: api(object({ rows: list(object({ cells: list(object({ v: text, w: text })) })) })),
    after: api(object({ rows: list(object({ cells: list(object({ v: number, w: text })) })) })),
    consumers: { v: reads('rows[].cells[].v'), w: reads('rows[].cells[].w') },
    expected: { v: 'broken' },
  },
  {
    name: 'a member of allOf changes a field',
    before: api({ allOf: [object({ id: text }), object({ name: text })] }),
    after: api({ allOf: [object({ id: text }), object({ name: number })] }),
    consumers: { id: reads('id'), name: reads('name') },
    expected: { name: 'broken' },
  },
  {
    name: 'a member of allOf by reference loses a field',
    before: api(
      { allOf: [ref('Base'), object({ name: text })] },
      { schemas: { Base: object({ id: text, at: text }) } },
    ),
    after: api({ allOf: [ref('Base'), object({ name: text })] }, { schemas: { Base: object({ id: text }) } }),
    consumers: { id: reads('id'), at: reads('at'), name: reads('name') },
    expected: { at: 'broken' },
    reasons: { at: ['field-removed'] },
  },
  {
    name: 'a member moves out of allOf: nothing changed for anybody',
    before: api({ allOf: [object({ id: text }), object({ name: text })] }),
    after: api(object({ id: text, name: text })),
    consumers: { id: reads('id'), name: reads('name') },
    expected: {},
  },
  {
    name: 'a branch of oneOf changes a field that only it declares',
    before: api({
      oneOf: [object({ kind: { const: 'cat' }, meow: text }), object({ kind: { const: 'dog' }, bark: text })],
    }),
    after: api({
      oneOf: [object({ kind: { const: 'cat' }, meow: number }), object({ kind: { const: 'dog' }, bark: text })],
    }),
    consumers: { meow: reads('meow'), bark: reads('bark') },
    expected: { meow: 'broken' },
  },
  {
    name: 'a branch of oneOf by reference loses a field',
    before: api(
      { oneOf: [ref('Cat'), ref('Dog')] },
      { schemas: { Cat: object({ id: text, meow: text }), Dog: object({ id: number, bark: text }) } },
    ),
    after: api(
      { oneOf: [ref('Cat'), ref('Dog')] },
      { schemas: { Cat: object({ id: text }), Dog: object({ id: number, bark: text }) } },
    ),
    consumers: { meow: reads('meow'), bark: reads('bark'), id: reads('id') },
    expected: { meow: 'broken' },
    reasons: { meow: ['field-removed'] },
  },
  {
    name: 'a field that one of two branches loses is still declared, but may be missing',
    before: api({ anyOf: [object({ id: text, a: text }), object({ id: text, b: number })] }),
    after: api({ anyOf: [object({ a: text }), object({ id: text, b: number })] }),
    consumers: { id: reads('id'), b: reads('b') },
    expected: { id: 'broken' },
    reasons: { id: [] },
  },
  {
    name: 'a branch is added to what is read',
    before: api({ oneOf: [object({ a: text }), object({ b: text })] }),
    after: api({ oneOf: [object({ a: text }), object({ b: text }), object({ c: text })] }),
    consumers: { a: reads('a'), b: reads('b') },
    expected: { a: 'broken', b: 'broken' },
  },
  {
    name: 'a branch of what is sent goes',
    before: api(null, { request: { oneOf: [object({ a: text }), object({ b: number }), object({ c: text })] } }),
    after: api(null, { request: { oneOf: [object({ a: text }), object({ c: text })] } }),
    consumers: { a: sends('a'), b: sends('b') },
    expected: { b: 'broken' },
    reasons: { b: ['field-removed'] },
  },
  {
    name: 'the values of an open map change',
    before: api(object({ labels: { type: 'object', additionalProperties: text }, id: text })),
    after: api(object({ labels: { type: 'object', additionalProperties: number }, id: text })),
    consumers: { label: reads('labels.colour'), id: reads('id') },
    expected: { label: 'broken' },
  },
  {
    name: 'an open map is closed',
    before: api(object({ labels: { type: 'object', additionalProperties: text }, id: text })),
    after: api(object({ labels: { type: 'object', additionalProperties: false }, id: text })),
    consumers: { label: reads('labels.colour'), id: reads('id') },
    expected: { label: 'broken' },
    reasons: { label: ['field-removed'] },
  },
  {
    name: 'a path parameter is renamed',
    before: api(object({ id: text }), {
      path: '/things/{id}',
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
    }),
    after: api(object({ id: text }), {
      path: '/things/{thingId}',
      parameters: [{ name: 'thingId', in: 'path', required: true, schema: text }],
    }),
    consumers: { id: selectionOf({ response: ['id'], parameters: ['id'] }, '/things/{id}') },
    expected: {},
  },
  {
    name: 'a path parameter is renamed and a field goes',
    before: api(object({ id: text, name: text }), {
      path: '/things/{id}',
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
    }),
    after: api(object({ id: text }), {
      path: '/things/{thingId}',
      parameters: [{ name: 'thingId', in: 'path', required: true, schema: text }],
    }),
    consumers: {
      id: selectionOf({ response: ['id'] }, '/things/{id}'),
      name: selectionOf({ response: ['name'] }, '/things/{id}'),
    },
    expected: { name: 'broken' },
    reasons: { name: ['field-removed'] },
  },
  {
    name: 'a path parameter takes less than before: everyone sends it',
    before: api(object({ id: text }), {
      path: '/things/{id}',
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
    }),
    after: api(object({ id: text }), {
      path: '/things/{id}',
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    }),
    consumers: { id: selectionOf({ response: ['id'] }, '/things/{id}') },
    expected: { id: 'broken' },
  },
  {
    name: 'a definition moves to another component: nothing changed for anybody',
    before: api(ref('Thing'), { schemas: { Thing: object({ id: text, name: text }) } }),
    after: api(ref('ThingV2'), { schemas: { ThingV2: object({ id: text, name: text }) } }),
    consumers: { id: reads('id'), name: reads('name') },
    expected: {},
  },
  {
    name: 'a definition moves and one field changes',
    before: api(ref('Thing'), { schemas: { Thing: object({ id: text, name: text }) } }),
    after: api(ref('ThingV2'), { schemas: { ThingV2: object({ id: text, name: number }) } }),
    consumers: { id: reads('id'), name: reads('name') },
    expected: { name: 'broken' },
  },
  {
    name: 'a definition is written out in its place and loses a field',
    before: api(object({ owner: ref('Person') }), { schemas: { Person: object({ name: text, mail: text }) } }),
    after: api(object({ owner: object({ name: text }) })),
    consumers: { name: reads('owner.name'), mail: reads('owner.mail') },
    expected: { mail: 'broken' },
    reasons: { mail: ['field-removed'] },
  },
  {
    name: 'a component that is both sent and read changes in a way that only breaks senders',
    before: api(ref('Thing'), { request: ref('Thing'), schemas: { Thing: object({ name: text }) } }),
    after: api(ref('Thing'), {
      request: ref('Thing'),
      schemas: { Thing: object({ name: { type: 'string', maxLength: 5 } }) },
    }),
    consumers: { sender: sends('name') },
    expected: { sender: 'broken' },
  },
  {
    name: 'a request field goes',
    before: api(null, { request: object({ id: text, note: text }, ['id']) }),
    after: api(null, { request: object({ id: text }, ['id']) }),
    consumers: { id: sends('id'), note: sends('note') },
    expected: { note: 'broken' },
    reasons: { note: ['field-removed'] },
  },
  {
    name: 'a request field takes fewer values',
    before: api(null, { request: object({ size: { enum: ['s', 'm', 'l'] }, id: text }) }),
    after: api(null, { request: object({ size: { enum: ['s', 'm'] }, id: text }) }),
    consumers: { size: sends('size'), id: sends('id') },
    expected: { size: 'broken' },
  },
  {
    name: 'a new request field is required: clients that send the body break',
    before: api(object({ ok: text }), { request: object({ id: text }) }),
    after: api(object({ ok: text }), { request: object({ id: text, tax: text }) }),
    consumers: { sender: sends('id'), reader: reads('ok') },
    // The body is required, so that reading the answer means having sent one.
    expected: { sender: 'broken', reader: 'broken' },
  },
  {
    name: 'a new request field below an object is required: only those who send the object are broken',
    before: api(null, { request: object({ id: text, tax: object({ rate: number }) }, ['id']) }),
    after: api(null, { request: object({ id: text, tax: object({ rate: number, code: text }) }, ['id']) }),
    consumers: { id: sends('id'), rate: sends('tax', 'tax.rate') },
    expected: { rate: 'broken' },
  },
  {
    name: 'an optional field is added on both sides',
    before: api(object({ id: text }), { request: object({ id: text }) }),
    after: api(object({ id: text, more: text }, ['id']), { request: object({ id: text, more: text }, ['id']) }),
    consumers: { id: selectionOf({ request: ['id'], response: ['id'] }) },
    expected: {},
  },
  {
    name: 'a query parameter goes',
    before: api(object({ id: text }), {
      parameters: ['limit', 'sort'].map((name) => ({ name, in: 'query', schema: text })),
    }),
    after: api(object({ id: text }), { parameters: [{ name: 'limit', in: 'query', schema: text }] }),
    consumers: { limit: selectionOf({ parameters: ['limit'] }), sort: selectionOf({ parameters: ['sort'] }) },
    expected: { sort: 'broken' },
    reasons: { sort: ['parameter-not-found'] },
  },
  {
    name: 'a query parameter takes fewer values',
    before: api(object({ id: text }), { parameters: [{ name: 'sort', in: 'query', schema: { enum: ['a', 'b'] } }] }),
    after: api(object({ id: text }), { parameters: [{ name: 'sort', in: 'query', schema: { enum: ['a'] } }] }),
    consumers: { sort: selectionOf({ parameters: ['sort'] }), other: reads('id') },
    expected: { sort: 'broken' },
  },
  {
    name: 'a new query parameter is required: everyone is broken',
    before: api(object({ id: text })),
    after: api(object({ id: text }), { parameters: [{ name: 'key', in: 'query', required: true, schema: text }] }),
    consumers: { one: reads('id'), other: selectionOf({}) },
    expected: { one: 'broken', other: 'broken' },
  },
  {
    name: 'the operation goes',
    before: api(object({ id: text })),
    after: api(object({ id: text }), { path: '/other' }),
    consumers: { one: reads('id') },
    expected: { one: 'broken' },
    reasons: { one: ['operation-retired'] },
  },
  {
    name: 'the method goes',
    before: api(object({ id: text })),
    after: api(object({ id: text }), { method: 'put' }),
    consumers: { one: reads('id') },
    expected: { one: 'broken' },
    reasons: { one: ['operation-retired'] },
  },
  {
    name: 'authentication is asked for',
    before: api(object({ id: text })),
    after: {
      ...api(object({ id: text }), { operation: { security: [{ key: [] }] } }),
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'k' } } },
    },
    consumers: { one: reads('id') },
    expected: { one: 'broken' },
  },
  {
    name: 'a recursive component changes far down',
    before: api(ref('Node'), { schemas: { Node: object({ id: text, name: text, next: ref('Node') }, ['id']) } }),
    after: api(ref('Node'), { schemas: { Node: object({ id: text, name: number, next: ref('Node') }, ['id']) } }),
    consumers: { id: reads('next.next.id'), name: reads('next.next.name') },
    expected: { name: 'broken' },
  },
  {
    name: 'a description changes',
    before: api(object({ id: text })),
    after: api(object({ id: { type: 'string', description: 'The id.' } })),
    consumers: { id: reads('id') },
    expected: {},
  },
  {
    name: 'what a consumer uses becomes more than it was',
    before: api(null, { request: object({ size: { enum: ['s', 'm'] }, id: text }) }),
    after: api(null, { request: object({ size: { enum: ['s', 'm', 'l'] }, id: text }) }),
    consumers: { size: sends('size'), id: sends('id') },
    expected: { size: 'touched' },
  },
]

describe('impact, field by field', () => {
  for (const { name, before, after, consumers, expected, reasons = {} } of cases)
    test(name, () => {
      const { consumers: found, ids } = impactBetween(before, after, consumers)
      const seen = Object.fromEntries(
        found.filter((it) => it.status !== 'unaffected').map((it) => [it.handle, it.status]),
      )
      expect(seen, JSON.stringify(Object.keys(consumers).map((it) => [it, ids(it)]))).toEqual({ ...expected })
      for (const { handle, losses } of found) {
        expect([handle, ...losses.map((it): string => it.reason)]).toEqual([handle, ...(reasons[handle] ?? [])])
      }
    })
})
