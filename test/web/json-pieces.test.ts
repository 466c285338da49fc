/** JSON in pieces is the JSON that is written at once. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { jsonInPieces } from '../../web/src/parts/json-pieces.ts'

const written = async (value: unknown): Promise<string> => (await jsonInPieces(value)).text()

test('any value is written as JSON.stringify writes it', () =>
  fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
      expect(await written({ value })).toBe(JSON.stringify({ value }))
    }),
  ))

test('what is undefined is left out of objects and null in lists', async () => {
  expect(await written({ a: undefined, b: [undefined], c: 1 })).toBe('{"b":[null],"c":1}')
})

test('a text of megabytes is the same text when it is read, wherever it was cut', async () => {
  const content = `${'"😀\n'.repeat(400_001)}end`
  const source = { kind: 'inline', content, name: 'a.yaml' }
  const blob = await jsonInPieces({ source, list: [content] })
  expect(blob.type).toStartWith('application/json')
  expect(await blob.json()).toEqual({ source, list: [content] })
})
