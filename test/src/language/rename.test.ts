import { expect, test } from 'bun:test'
import type { Document } from '../../../src/document/document.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { componentAt } from '../../../src/language/component.ts'
import { renameComponent } from '../../../src/language/rename.ts'
import { usesIn } from '../../../src/language/uses.ts'
import { applyEdits } from '../../../src/kernel/edits.ts'

const parse = (source: string, text: string): Document => parseDocument(text, { source })

/** The texts of some documents after a definition of the first was renamed. */
function renamed(documents: readonly Document[], pointer: string, name: string): Record<string, string> {
  const [first] = documents
  if (first === undefined) throw new Error('no document')
  const known = Object.fromEntries(documents.map((it) => [it.source, it]))
  const all = documents.flatMap((it) => usesIn(it, known))
  const component = componentAt(first.value, pointer.split('/').slice(1))
  if (component === null) throw new Error(`no definition at ${pointer}`)
  const edits = renameComponent(first, component, name, all)
  return Object.fromEntries(edits.map((it) => [it.document.source, applyEdits(it.document.text, it.edits)]))
}

const api = `openapi: 3.1.0
info: { title: Pets, version: '1' } # Pet
paths:
  /pets:
    get:
      security: [{ Pet: [] }]
      responses:
        '200':
          description: Pet
          content:
            application/json:
              schema: { "$ref": "#/components/schemas/Pet" }
components:
  securitySchemes:
    Pet: { type: http, scheme: basic }
  schemas:
    Pet:   # the pet
      discriminator: { propertyName: kind, mapping: { dog: Dog, cat: '#/components/schemas/Cat', pet: Pet } }
      properties:
        Pet: { $ref: '#/components/schemas/Pet/properties/name' }
        name: { type: string, default: Pet, example: { $ref: '#/components/schemas/Pet' } }
    Dog: { $ref: other.yaml#/components/schemas/Big }
    Cat: {}
    Pets: { items: { $ref: "#/components/schemas/Pet" } }
`
const other = `openapi: 3.1.0
info: { title: Other, version: '1' }
components:
  schemas:
    Big: { $ref: 'api.yaml#/components/schemas/Pet' }
    Pet: { type: string }
    Own: { $ref: '#/components/schemas/Pet' }
`

test('a schema is renamed with every reference and mapping that means it, and nothing else', () => {
  const changed = renamed([parse('api.yaml', api), parse('other.yaml', other)], '/components/schemas/Pet', 'Animal')
  const lines = (text: string): string[] => text.split('\n')
  const differing = (before: string, after: string): string[] =>
    lines(after)
      .filter((line, index) => line !== lines(before)[index])
      .map((it) => it.trim())
  expect(differing(api, changed['api.yaml'] ?? '')).toEqual([
    'schema: { "$ref": "#/components/schemas/Animal" }',
    'Animal:   # the pet',
    "discriminator: { propertyName: kind, mapping: { dog: Dog, cat: '#/components/schemas/Cat', pet: Animal } }",
    "Pet: { $ref: '#/components/schemas/Animal/properties/name' }",
    'Pets: { items: { $ref: "#/components/schemas/Animal" } }',
  ])
  expect(differing(other, changed['other.yaml'] ?? '')).toEqual([
    "Big: { $ref: 'api.yaml#/components/schemas/Animal' }",
  ])
})

test('a security scheme is renamed where it is required', () => {
  const changed = renamed([parse('api.yaml', api)], '/components/securitySchemes/Pet', 'basic')
  expect(changed['api.yaml']).toBe(
    api.replace('[{ Pet: [] }]', '[{ basic: [] }]').replace('    Pet: { type: http', '    basic: { type: http'),
  )
})

test('a name that YAML would not take for a text gets quotes, in a key and in a mapping', () => {
  const changed = renamed([parse('api.yaml', api)], '/components/schemas/Dog', '404')
  expect(changed['api.yaml']).toBe(api.replace('dog: Dog', "dog: '404'").replace('    Dog:', "    '404':"))
})

test('names that are invalid or taken are refused', () => {
  const documents = [parse('api.yaml', api)]
  expect(() => renamed(documents, '/components/schemas/Pet', 'a b')).toThrow(
    '"a b" is not a valid name; use only letters, digits, ".", "-" and "_".',
  )
  expect(() => renamed(documents, '/components/schemas/Pet', 'Dog')).toThrow(
    'There already is a "Dog" in components.schemas; choose another name.',
  )
})

test('references through an identifier of JSON Schema are followed', () => {
  const text = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "https://example.com/root",
  "$defs": { "a": { "$id": "inner", "$defs": { "b": true } }, "c": { "$anchor": "see" } },
  "anyOf": [{ "$ref": "#/$defs/a" }, { "$ref": "root#/$defs/a" }, { "$ref": "inner" }, { "$ref": "inner#/$defs/b" }, { "$ref": "#see" }]
}`
  const changed = renamed([parse('schema.json', text)], '/$defs/a', 'z')
  expect(changed['schema.json']).toBe(
    text
      .replace('"a": {', '"z": {')
      .replace('"#/$defs/a"', '"#/$defs/z"')
      .replace('"root#/$defs/a"', '"root#/$defs/z"'),
  )
  expect(renamed([parse('schema.json', text)], '/$defs/c', 'y')).toEqual({
    'schema.json': text.replace('"c": {', '"y": {'),
  })
})

/** A document with a definition renamed, as a value. */
function renamedValue(value: Json, old: string, name: string, path: readonly string[] = []): Json {
  if (typeof value === 'string') {
    const isReference = path.at(-1) === '$ref' || path.at(-2) === 'mapping'
    const [before, after] = [`#/components/schemas/${old}`, `#/components/schemas/${name}`]
    if (!isReference) return value
    if (value === old) return name
    return value === before || value.startsWith(`${before}/`) ? after + value.slice(before.length) : value
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((it: Json, index) => renamedValue(it, old, name, [...path, String(index)]))
  const isSchemas = path.join('/') === 'components/schemas'
  return Object.fromEntries(
    Object.entries(value).map(([key, it]) => [
      isSchemas && key === old ? name : key,
      renamedValue(it, old, name, [...path, key]),
    ]),
  )
}

test('renaming a text and reading it gives the value with the definition renamed', () => {
  let seed = 7
  const below = (n: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return (seed >> 8) % n
  }
  const names = ['Pet', 'Dog', 'A.b', 'null', '12', 'x-y', 'Ref']
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T
  const make = (depth: number): Json => {
    if (depth === 0 || below(3) === 0)
      return { $ref: `#/components/schemas/${pick(names)}${below(4) === 0 ? '/properties/a' : ''}` }
    const properties = Object.fromEntries(['a', pick(names)].map((key) => [key, make(depth - 1)]))
    const mapping = { m: pick(names), n: `#/components/schemas/${pick(names)}` }
    return below(3) === 0 ? { allOf: [make(depth - 1)], discriminator: { propertyName: 'a', mapping } } : { properties }
  }
  for (let round = 0; round < 150; round++) {
    const schemas = Object.fromEntries(names.map((name) => [name, { properties: { a: {} }, anyOf: [make(3)] }]))
    const value: Json = { openapi: '3.1.0', info: { title: 'T', version: '1' }, components: { schemas } }
    const text = round % 2 === 0 ? Bun.YAML.stringify(value, null, 2) : JSON.stringify(value, null, round % 3)
    const document = parse(round % 2 === 0 ? 'a.yaml' : 'a.json', text)
    expect(document.value).toEqual(value)
    const [old, name] = [pick(names), pick(['Animal', 'true', '1.0', '-a', 'Ñ'.normalize('NFD').slice(0, 1)])]
    const changed = renamed([document], `/components/schemas/${old}`, name)
    expect(parse(document.source, changed[document.source] ?? '').value).toEqual(renamedValue(value, old, name))
  }
})
