import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../../src/kernel/json.ts'
import { withOperation, withRequest } from '../changes-of.ts'
import { Interpreter } from './interpreter.ts'
import { read, write } from './spelling.ts'

const plain = { style: 'form', explode: true, media: null }

describe('texts', () => {
  const cases: readonly (readonly [style: string, explode: boolean, value: Json, text: string])[] = [
    ['form', true, ['a', 1], 'v=a&v=1'],
    ['form', false, ['a', 1], 'v=a,1'],
    ['form', true, { p: 1, q: true }, 'p=1&q=true'],
    ['form', false, { p: 1, q: true }, 'v=p,1,q,true'],
    ['spaceDelimited', false, [1, 2], 'v=1 2'],
    ['pipeDelimited', false, [1, 2], 'v=1|2'],
    ['deepObject', true, { p: 1 }, 'v[p]=1'],
    ['simple', false, { p: 1 }, 'v=p,1'],
    ['simple', true, { p: 1 }, 'v=p=1'],
    ['label', true, [1, 2], 'v=.1.2'],
    ['label', false, [1, 2], 'v=.1,2'],
    ['matrix', true, [1, 2], 'v=;v=1;v=2'],
    ['matrix', false, { p: 1 }, 'v=;v=p,1'],
  ]
  test.each(cases)('%s %p %j is %s and back', (style, explode, value, text) => {
    const texts = write('v', value, { style, explode, media: null })
    expect(texts?.map((it) => it.join('=')).join('&')).toBe(text)
    const known = Array.isArray(value) ? null : new Set(Object.keys(value as object))
    expect(read('v', texts!, { style, explode, media: null }, known)).toContainEqual(value)
  })

  test('what has no text that all agree on has none', () => {
    expect([null, [], {}, [[1]], 'a,b'].map((it) => write('v', it as Json, plain))).toEqual([
      null,
      null,
      null,
      null,
      null,
    ])
  })
})

describe('messages', () => {
  const [body] = [...new Interpreter(withRequest({ type: 'integer' })).parts.values()]

  test('a body is read as its schema says', () => {
    const side = new Interpreter(withRequest({ type: 'integer' }))
    expect(body?.key).toBe('body application/json')
    expect([1, 'a'].map((it) => side.isRead(body!, { is: 'json', value: it }))).toEqual([true, false])
  })

  test('a form is texts, and a part of a multipart body has its media type', () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'object' } }, required: ['a'] }
    const content = { 'multipart/form-data': { schema }, 'application/x-www-form-urlencoded': { schema } }
    const side = new Interpreter(withOperation({ requestBody: { content } }))
    const sent = [...side.parts.values()].map((part) => side.write(part, { a: 1 }))
    expect(sent).toEqual([
      { is: 'parts', parts: [{ name: 'a', type: 'text/plain', text: '1' }] },
      { is: 'texts', texts: [['a', '1']] },
    ])
    expect([...side.parts.values()].map((part, i) => side.isRead(part, sent[i]!))).toEqual([true, true])
    const form = side.parts.get('body application/x-www-form-urlencoded')!
    expect(side.isRead(form, { is: 'texts', texts: [['a', 'x']] })).toBe(false)
  })

  test('an answer is described by its status, the range of it, or the default', () => {
    const answering = (statuses: readonly string[]): Interpreter =>
      new Interpreter(
        withOperation({
          responses: Object.fromEntries(
            statuses.map((it) => [it, { description: it, content: { 'application/json': { schema: { title: it } } } }]),
          ),
        }),
      )
    const pairs = answering(['200', '404', '500']).pairsWith(answering(['200', '4XX', 'default']), 'response')
    expect(pairs.map(([sent, known]) => `${sent.key} → ${known.key}`)).toEqual([
      '200 application/json → 200 application/json',
      '404 application/json → 4XX application/json',
      '500 application/json → default application/json',
    ])
  })

  test('nullable, exclusive bounds and read-only properties of older versions are read', () => {
    const schema = {
      type: 'object',
      required: ['a', 'id'],
      properties: {
        a: { type: 'integer', nullable: true, minimum: 0, exclusiveMinimum: true },
        id: { type: 'string', readOnly: true },
      },
    }
    const side = new Interpreter(withRequest(schema, '3.0.3'))
    const part = side.parts.get('body application/json')!
    expect([{ a: 1 }, { a: null }, { a: 0 }, {}].map((it) => side.isValid(part, it))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})
