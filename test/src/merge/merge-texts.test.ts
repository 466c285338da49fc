/** Texts merged by what they mean: nothing of either side is lost, and marks are only where both changed one thing. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseDocument } from '../../../src/document/parse.ts'
import { serializeYaml } from '../../../src/document/serialize.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../../src/kernel/json.ts'
import { getPath } from '../../../src/kernel/pointer.ts'
import { conflictSentence } from '../../../src/merge/conflict-sentence.ts'
import { mergeTexts, type MergeLines } from '../../../src/merge/merge-texts.ts'

const style = { mine: 'HEAD', theirs: 'feature', size: 7 }
const read = (text: string) => parseDocument(text, { source: 'api.yaml', syntax: 'yaml' })
const merged = (base: string, mine: string, theirs: string, mergeLines: MergeLines = () => null) =>
  mergeTexts(read(base), read(mine), read(theirs), mergeLines, style)

const base = `# ours
openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets:
    get:
      summary: List pets
      parameters:
        - name: limit
          in: query
          schema: { type: integer }
      responses:
        '200': { description: OK }
`

test('edits of neighbouring lines and of one list do not conflict', () => {
  const mine = base
    .replace('summary: List pets', 'summary: All pets')
    .replace(
      '        - name: limit',
      '        - name: q\n          in: query\n          schema: {}\n        - name: limit',
    )
  const theirs = base
    .replace('      responses:', '        - name: cursor\n          in: query\n          schema: {}\n      responses:')
    .replace('summary: List pets', 'summary: List pets\n      operationId: list')
  const { text, conflicts } = merged(base, mine, theirs)
  expect(conflicts).toEqual([])
  expect(text).toBe(
    mine
      .replace(
        '      responses:',
        '        - name: cursor\n          in: query\n          schema: {}\n      responses:',
      )
      .replace(/$/, '      operationId: list\n'),
  )
})

test('a conflict is between marks, in the words of the API, and nothing else is', () => {
  const mine = base.replace('List pets', 'All pets').replace('1.0.0 }', '1.1.0 }')
  const theirs = base.replace('List pets', 'Pets').replace('description: OK', 'description: Fine')
  const { text, conflicts } = merged(base, mine, theirs)
  expect(conflicts.map(conflictSentence)).toEqual(['GET /pets, summary: mine "All pets", theirs "Pets"'])
  expect(text).toBe(
    mine
      .replace('description: OK', 'description: Fine')
      .replace(
        '      summary: All pets\n',
        '<<<<<<< HEAD: GET /pets\n      summary: All pets\n=======\n      summary: Pets\n>>>>>>> feature: GET /pets\n',
      ),
  )
})

test('what only both together break is a conflict with its reason', () => {
  const before = `${base}components:\n  schemas:\n    Pet: { type: object }\n`
  const mine = before.replace('    Pet: { type: object }\n', '    Cat: { type: object }\n')
  const theirs = before.replace(
    '{ description: OK }',
    "{ description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }",
  )
  const { conflicts, text } = merged(before, mine, theirs)
  expect(conflicts.map(conflictSentence)[0]).toContain('"#/components/schemas/Pet" refers to nothing')
  expect(text).toContain('<<<<<<< HEAD')
  expect(text).toContain('    Pet:\n      type: object\n>>>>>>> feature: ')
})

test('comments of both sides stay: a merge by lines that means the same is taken, and what is lost otherwise is said', () => {
  const mine = base.replace('summary: List pets', 'summary: All pets # mine')
  const theirs = base.replace('      parameters:', '      # theirs\n      parameters:')
  const both = mine.replace('      parameters:', '      # theirs\n      parameters:')
  expect(merged(base, mine, theirs, () => both)).toEqual({ text: both, conflicts: [], lostComments: [] })
  // The merge by lines is not taken where it means something else.
  expect(merged(base, mine, theirs, () => base).lostComments).toEqual([{ side: 'theirs', line: 8, text: '# theirs' }])
})

const name = fc.constantFrom('a', 'b', 'c', 'name')
const { node } = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(1, 'x', true, 'y z'),
    fc.array(fc.constantFrom<Json>('p', 'q', 'r'), { maxLength: 3 }),
    fc.dictionary(name, tie('node'), { maxKeys: 3, noNullPrototype: true }),
  ),
}))
const rooted = fc.dictionary(name, node, { minKeys: 2, maxKeys: 4, noNullPrototype: true })

/** The places of values in objects. */
const placesIn = (value: Json, path: Path = []): Path[] =>
  isObject(value) ? Object.entries(value).flatMap(([key, it]) => [[...path, key], ...placesIn(it, [...path, key])]) : []

const edited = (value: JsonObject, edits: readonly (readonly [number, Json | undefined])[]): JsonObject => {
  const copy = structuredClone(value)
  for (const [at, put] of edits) {
    const places = placesIn(copy)
    const path = places[at % Math.max(1, places.length)]
    if (path === undefined) continue
    const holder = getPath(copy, path.slice(0, -1)) as Record<string, Json>
    if (put === undefined) delete holder[path.at(-1)!]
    else holder[path.at(-1)!] = put
  }
  return copy
}
const edits = fc.array(fc.tuple(fc.nat(50), fc.option(node, { nil: undefined })), { minLength: 1, maxLength: 3 })

test('never a silent loss: what one side changed is in the result, or in a conflict', () => {
  let [clean, marks] = [0, 0]
  fc.assert(
    fc.property(rooted, edits, edits, (before, left, right) => {
      const [mine, theirs] = [edited(before, left), edited(before, right)]
      const [a, b, c] = [before, mine, theirs].map((it) => serializeYaml(it)) as [string, string, string]
      const { text, conflicts } = merged(a, b, c)
      if (conflicts.length > 0) {
        marks++
        expect(text).toContain('<<<<<<< HEAD: ')
        return
      }
      clean++
      const result = read(text)
      expect(result.problems).toEqual([])
      // Each value is that of the side that changed it, and of both where none did.
      const check = (
        base: Json | undefined,
        one: Json | undefined,
        other: Json | undefined,
        now: Json | undefined,
      ): void => {
        if (Bun.deepEquals(one, other)) return expect(now).toEqual(one)
        if (Bun.deepEquals(base, one)) return expect(now).toEqual(other)
        if (Bun.deepEquals(base, other)) return expect(now).toEqual(one)
        if (Array.isArray(one) && Array.isArray(other)) {
          const old = Array.isArray(base) ? (base as Json[]) : []
          for (const it of [...(one as Json[]), ...(other as Json[])].filter((item) => !old.includes(item)))
            expect(now).toContain(it)
          return
        }
        if (!isObject(one) || !isObject(other))
          throw new Error('both sides changed one value, and there is no conflict')
        for (const key of new Set([
          ...Object.keys(one),
          ...Object.keys(other),
          ...(isObject(base) ? Object.keys(base) : []),
        ]))
          check(isObject(base) ? base[key] : undefined, one[key], other[key], isObject(now) ? now[key] : undefined)
      }
      check(before, mine, theirs, result.value)
    }),
    { numRuns: 500 },
  )
  expect(clean).toBeGreaterThan(100)
  expect(marks).toBeGreaterThan(50)
})
