/** Anchors on arbitrary documents and edits. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { keyOf, resolveKey } from '../../../src/anchors/key.ts'
import { reanchor } from '../../../src/anchors/reanchor.ts'
import type { Json, Path } from '../../../src/kernel/json.ts'
import { formatPointer, getPath, getPointer } from '../../../src/kernel/pointer.ts'
import { canonicalize, digestValue } from '../../../src/document/serialize.ts'

const words = fc.constantFrom(
  'a',
  'b',
  'paths',
  '/x/{y}',
  '/x/{z}',
  'get',
  'components',
  'schemas',
  'definitions',
  'name',
  'in',
  'url',
  '~/#',
)
const { tree: anyJson } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constantFrom<Json>(null, true, 1, 'query', 'x', ''),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(words, tie('tree'), { maxKeys: 4 }),
  ),
}))
const api = fc.record({
  paths: fc.dictionary(
    fc.constantFrom('/x/{y}', '/x/{z}', '/a'),
    fc.dictionary(fc.constantFrom('get', 'post'), anyJson),
  ),
  components: fc.record({ schemas: fc.dictionary(fc.constantFrom('A', 'B', 'C'), anyJson) }),
  definitions: fc.dictionary(fc.constantFrom('A', 'D'), anyJson),
  rest: anyJson,
}) as fc.Arbitrary<Json>

const pathsOf = (node: Json, path: Path = []): Path[] => {
  if (typeof node !== 'object' || node === null) return [path]
  const isList = Array.isArray(node)
  return [
    path,
    ...Object.entries(node).flatMap(([step, child]) => pathsOf(child, [...path, isList ? Number(step) : step])),
  ]
}

const seekAll = (base: Json) =>
  pathsOf(base).map((path) => {
    const key = keyOf(base, path)
    return { path, key, lastKey: key, nodeDigest: digestValue(getPath(base, path) ?? null) }
  })

const shuffled = (node: Json, seed: number): Json => {
  if (typeof node !== 'object' || node === null) return node
  if (!Array.isArray(node))
    return Object.fromEntries(
      Object.entries(node)
        .toReversed()
        .map(([key, it]) => [key, shuffled(it, seed)]),
    )
  const items = (node as readonly Json[]).map((it) => shuffled(it, seed))
  const by = items.length === 0 ? 0 : seed % items.length
  return [...items.slice(by), ...items.slice(0, by)]
}

test('a key leads back to the place it was made for', () => {
  fc.assert(
    fc.property(api, (document) => {
      for (const path of pathsOf(document)) expect(resolveKey(document, keyOf(document, path))).toEqual([...path])
    }),
    { numRuns: 300 },
  )
})

test('nothing moves in a document that does not change', () => {
  fc.assert(
    fc.property(api, (document) => {
      const sought = seekAll(document)
      const places = reanchor(document, structuredClone(document), sought)
      expect(places.map(({ state, key }) => [state, key])).toEqual(sought.map(({ key }) => ['anchored', key]))
    }),
    { numRuns: 200 },
  )
})

// Items that are alike and hold lists of their own are known by their content, in which the order counts: they may be outdated.
test('whatever order lists and keys are in, an anchor that holds is at the same content', () => {
  fc.assert(
    fc.property(api, fc.nat(7), (document, seed) => {
      const head = shuffled(document, seed)
      const sought = seekAll(document)
      const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
        canonicalize(sortedLists(one ?? null)) === canonicalize(sortedLists(other ?? null))
      for (const [at, { state, pointer }] of reanchor(document, head, sought).entries())
        if (state === 'anchored')
          expect(isSame(getPath(document, sought[at]?.path ?? []), getPointer(head, pointer))).toBe(true)
    }),
    { numRuns: 300 },
  )
})

const sortedLists = (node: Json): Json => {
  if (typeof node !== 'object' || node === null) return node
  if (!Array.isArray(node)) return Object.fromEntries(Object.entries(node).map(([key, it]) => [key, sortedLists(it)]))
  const items = (node as readonly Json[]).map(sortedLists)
  return items.sort((a, b) => (canonicalize(a) < canonicalize(b) ? -1 : 1))
}

test('between any two documents an answer is a place of the head, and its key leads there', () => {
  fc.assert(
    fc.property(api, api, (base, head) => {
      for (const { key, pointer } of reanchor(base, head, seekAll(base))) {
        expect(getPointer(head, pointer)).not.toBe(undefined)
        expect(formatPointer(resolveKey(head, key) ?? ['nowhere'])).toBe(pointer)
      }
    }),
    { numRuns: 200 },
  )
})
