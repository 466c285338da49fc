/** Descriptions that were split over files at random come back as one that refers to nothing else and means the same. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { diff } from '../../../src/diff/diff.ts'
import { findLooseReferences } from '../../../src/document/references-in-document.ts'
import { findReferences, findUnresolved } from '../../../src/document/reference.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { parseReferenced } from '../../../src/document/referenced-file.ts'
import { walkReferences } from '../../../src/document/referenced-documents.ts'
import { joinDocuments } from '../../../src/import/bundle/document.ts'
import { getPath } from '../../../src/kernel/pointer.ts'
import type { Json, JsonObject, Path } from '../../../src/kernel/json.ts'

type Files = Map<string, Json>

const count = 4
const schemaNames = Array.from({ length: count }, (_, index) => `S${index}`)
const local = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

const schema: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>({ type: 'string' }, { type: 'integer', minimum: 0 }, { enum: ['a', 'b'] }),
  fc.constantFrom(...schemaNames).map(local),
  fc.record({
    type: fc.constant('object'),
    description: fc.constantFrom('about', 'more'),
    properties: fc.dictionary(fc.constantFrom('p', 'q'), fc.constantFrom(...schemaNames).map(local)),
  }),
  fc.constantFrom(...schemaNames).map((name) => ({ type: 'array', items: local(name) })),
)

const operation: fc.Arbitrary<Json> = fc.record({
  description: fc.constantFrom('reads', 'writes'),
  'x-samples': fc.constantFrom<Json[]>([{ source: 'curl' }], { deep: { list: [1, { two: 2 }] } }),
  responses: fc.constantFrom(...schemaNames).map((name) => ({
    200: {
      description: 'ok',
      content: { 'application/json': { schema: local(name), example: { value: 1 } } },
    },
  })),
})

const whole = fc.record({
  openapi: fc.constant('3.1.0'),
  info: fc.constant({ title: 'A', version: '1', description: 'All of it' }),
  paths: fc.record({
    '/a': fc.record({ get: operation, post: operation }),
    '/b/{id}': fc.record({ get: operation }),
  }),
  components: fc.record({ schemas: fc.tuple(...schemaNames.map(() => schema)).map((all) => named(all)) }),
})

const named = (all: readonly Json[]): JsonObject =>
  Object.fromEntries(all.map((it, index) => [schemaNames[index] ?? '', it]))

/** Where a description can be cut: as the specification allows it, and as it does not. */
const cuts: readonly Path[] = [
  ['info', 'description'],
  ['paths', '/a'],
  ['paths', '/b/{id}'],
  ['paths', '/a', 'get'],
  ['paths', '/a', 'post', 'responses'],
  ['paths', '/a', 'post', 'responses', '200'],
  ['paths', '/a', 'get', 'x-samples'],
  ['paths', '/b/{id}', 'get', 'responses', '200', 'content', 'application/json', 'example'],
  ['paths', '/b/{id}', 'get', 'description'],
  ['components', 'schemas'],
  ...schemaNames.map((name): Path => ['components', 'schemas', name]),
]

const fileNames = ['part.yaml', 'in/a b.json', 'in/100%.yaml', 'q?x=1.yaml', 'deep/er/part.yaml', 'Part.yaml']
const ways = ['encoded', 'as is'] as const

const replace = (value: Json, [key, ...rest]: Path, by: Json): Json => {
  if (key === undefined) return by
  const copy = (Array.isArray(value) ? [...value] : { ...(value as JsonObject) }) as Record<string, Json>
  copy[key] = replace(copy[key] ?? null, rest, by)
  return copy
}

const relative = (from: string, to: string): string => '../'.repeat(from.split('/').length - 1) + to

/** References to the first file, written in another one. */
const fromFile = (value: Json, file: string): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => fromFile(item, file))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, child]) => [
      key,
      key === '$ref' && typeof child === 'string' && child.startsWith('#/components')
        ? `${relative(file, 'api.yaml')}${child}`
        : fromFile(child, file),
    ]),
  )
}

/** Cuts the deepest places first, so that a part may have parts. */
function split(document: Json, chosen: readonly Path[], way: (typeof ways)[number]): Files {
  const files: Files = new Map()
  let rest = document
  const deepest = chosen.toSorted((a, b) => b.length - a.length)
  const nameAt = (index: number): string => `${index}/${fileNames[index % fileNames.length] ?? ''}`
  const fileOf = new Map(deepest.map((path, index) => [path, nameAt(index)]))
  for (const path of deepest) {
    const file = fileOf.get(path) ?? ''
    const part = getPath(rest, path)
    if (part === undefined) continue
    files.set(file, part)
    rest = replace(rest, path, { $ref: `cut:${file}` })
  }
  const written = (name: string): string =>
    way === 'encoded' ? name.split('/').map(encodeURIComponent).join('/') : name.replaceAll('%', '%25')
  const link = (value: Json, file: string): Json =>
    JSON.parse(
      JSON.stringify(value).replaceAll(/"cut:([^"]*)"/g, (_, name: string) =>
        JSON.stringify(relative(file, written(name))),
      ),
    ) as Json
  const all: Files = new Map([['api.yaml', link(rest, 'api.yaml')]])
  for (const [file, part] of files) all.set(file, link(fromFile(part, file), file))
  return all
}

async function join(files: Files) {
  const read = (name: string) => parseReferenced(JSON.stringify(files.get(name)), name)
  const entry = read('api.yaml')
  const others = await walkReferences(entry, {
    holds: () => true,
    read: async (wanted) => wanted.map(({ name }) => (files.has(name) ? JSON.stringify(files.get(name)) : null)),
    most: 100,
    tooMany: () => new Error('too many'),
  })
  return joinDocuments(entry, others, (place) => place)
}

const changesOf = (base: Json, head: Json): string[] =>
  diff(
    parseDocument(JSON.stringify(base), { source: 'base.json' }),
    parseDocument(JSON.stringify(head), { source: 'head.json' }),
  ).changes.map(({ id, message }) => `${id}: ${message}`)

test('a split description is bundled to what it was', async () => {
  await fc.assert(
    fc.asyncProperty(whole, fc.subarray([...cuts]), fc.constantFrom(...ways), async (document, chosen, way) => {
      // Schemas that are nothing but each other have no meaning.
      fc.pre(findUnresolved(parseDocument(JSON.stringify(document), { source: 'a.json' })).length === 0)
      const files = split(document, chosen, way)
      const { value } = await join(files)
      const references = [...findReferences(value), ...findLooseReferences(value)].map(({ ref }) => ref)
      expect(references.filter((ref) => !ref.startsWith('#'))).toEqual([])
      const bundle = parseDocument(JSON.stringify(value), { source: 'bundle.json' })
      expect(findUnresolved(bundle).map(({ message }) => message)).toEqual([])
      // A schema that was a file may get another name.
      const changes = changesOf(document, value)
      expect(changes.filter((it) => !it.startsWith('schema-component-'))).toEqual([])
      expect((await join(new Map([['api.yaml', value]]))).value).toEqual(value)
    }),
  )
})
