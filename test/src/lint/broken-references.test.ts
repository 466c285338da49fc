import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { brokenReferences } from '../../../src/lint/broken-references.ts'
import type { Json } from '../../../src/kernel/json.ts'

const brokenIn = (value: Json, everywhere: boolean): readonly string[] =>
  brokenReferences(parseDocument(JSON.stringify(value), { source: 'a.json' }), {}, { everywhere, types: false }).map(
    (it) => it.path.join('/'),
  )

const schema = 'https://json-schema.org/draft/2020-12/schema'

// A relative reference is resolved against the nearest `$id` above it (JSON Schema 2020-12, core, section 8.2.1).
test.each([true, false])('references are resolved against the nearest $id (everywhere: %p)', (everywhere) => {
  const document = (name: string): Json => ({
    $schema: schema,
    $id: 'https://schemas.example/root/main',
    $defs: {
      near: {
        $id: 'https://schemas.example/other/near',
        $defs: { deep: { $ref: name } },
      },
      leaf: { $id: 'https://schemas.example/other/leaf', type: 'string' },
    },
    $ref: '#/$defs/near',
  })
  expect(brokenIn(document('leaf'), everywhere)).toEqual([])
  expect(brokenIn(document('../root/leaf'), everywhere)).toEqual(['$defs/near/$defs/deep/$ref'])
})

test('a reference to a reference is resolved where the second one is', () => {
  const document = (name: string): Json => ({
    $schema: schema,
    $id: 'https://schemas.example/main',
    $defs: {
      near: { $id: 'https://schemas.example/other/near', $ref: name },
      leaf: { $id: 'https://schemas.example/other/leaf', type: 'string' },
    },
    $ref: 'other/near',
  })
  expect(brokenIn(document('leaf'), true)).toEqual([])
  expect(brokenIn(document('gone'), true)).toEqual(['$ref'])
})
