import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument as parseReference } from 'yaml'
import fc from 'fast-check'
import { getPath } from '../../../src/kernel/pointer.ts'
import { Lines } from '../../../src/document/lines.ts'
import { parseDocument } from '../../../src/document/parse.ts'

const folder = join(import.meta.dir, '../../../node_modules/@readme/oas-examples')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(json|ya?ml)$/.test(name) && name !== 'package.json')
  .sort()

interface Place {
  readonly path: readonly (string | number)[]
  readonly key: readonly [number, number] | null
  readonly value: readonly [number, number]
}

// Every node as the reference parser places it. Its collections in block style end at the start of the next line: ours end
// with their last character.
const places = (text: string): Place[] => {
  const document = parseReference(text, { merge: true, uniqueKeys: false, keepSourceTokens: false })
  const found: Place[] = []
  const visit = (node: Node | null, path: readonly (string | number)[], key: Place['key']): number => {
    if (node === null) return 0
    const [start, end] = node.range ?? [0, 0]
    const place = { path, key, value: [start, end] as [number, number] }
    found.push(place)
    let last = end
    if (isMap(node))
      for (const pair of node.items) {
        const name = pair.key as Node
        const [keyStart, keyEnd] = name.range ?? [0, 0]
        const spelled = isScalar(name) ? String(name.value) : ''
        last = visit(pair.value as Node | null, [...path, spelled], [keyStart, keyEnd]) || keyEnd
      }
    if (isSeq(node)) node.items.forEach((item, index) => (last = visit(item as Node, [...path, index], null)))
    const flow = (isMap(node) || isSeq(node)) && node.flow === true
    if ((isMap(node) || isSeq(node)) && !flow) place.value[1] = last
    return isAlias(node) || flow ? end : place.value[1]
  }
  visit(document.contents, [], null)
  return found
}

const differences = (text: string, source: string): string[] => {
  const document = parseDocument(text, { source })
  if (document.value === null) return [`not read: ${document.problems[0]?.message}`]
  const lines = new Lines(text)
  const wrong: string[] = []
  for (const { path, key, value } of places(text)) {
    const got = JSON.stringify(document.locate(path))
    const wanted = JSON.stringify(lines.range(value[0], value[1]))
    if (got !== wanted) wrong.push(`${path.join('/')}: ${got} instead of ${wanted}`)
    if (key === null) continue
    const gotKey = JSON.stringify(document.locate(path, { key: true }))
    const wantedKey = JSON.stringify(lines.range(key[0], key[1]))
    if (gotKey !== wantedKey) wrong.push(`${path.join('/')} (key): ${gotKey} instead of ${wantedKey}`)
  }
  return wrong
}

describe('every node of real documents lies where a position-keeping parser finds it', () => {
  const extra = process.env.TEST_DOCUMENTS
  const all = files.map((name) => join(folder, name))
  if (extra !== undefined)
    for (const name of readdirSync(extra, { recursive: true, encoding: 'utf8' }))
      if (/\.(json|ya?ml)$/.test(name)) all.push(join(extra, name))
  for (const file of all)
    test(file.slice(folder.length + 1), () => {
      expect(differences(readFileSync(file, 'utf8'), file).slice(0, 5)).toEqual([])
    })
})

test('the odd corners of YAML', () => {
  const text = `# head
%TAG ! tag:example.com,2000:
---
anchors: &a
  x: 1 # one
  'quoted key' : "multi
    line"
use: *a
flow: { a: [1, 2 , {b: c}], "d":e, f, ? g : h }
pairs: [a: 1, b, "c":2]
? explicit
: - nested
  -   - deeper
      - {}
text: >-
  folded

    more

literal: |
  a
   b

plain: spans
  several

  lines # end
empty:
next: ''
tagged: !!str 5
list:
- a
-
  k: v
- - x
- ? y
dashes: - not a list
"esc\\u0061ped": 1
`.replace('dashes: - not a list', 'dashes: -not-a-list')
  expect(differences(text.slice(text.indexOf('anchors')), 'a.yaml')).toEqual([])
})

// Scalars that are written out and not blocks, with their keys: what both parsers place by the same rule.
const scalarPlaces = (text: string) =>
  places(text).filter(({ value }) => value[0] < value[1] && !/^[|>[{&!*?-]/.test(text.slice(value[0], value[1])))

test('any YAML that two parsers read is outlined as they read it', () => {
  const noise = fc
    .array(
      fc.constantFrom(
        'a',
        'b',
        ': ',
        '- ',
        '\n',
        '\n  ',
        '\n    ',
        '{',
        '}',
        '[',
        ']',
        '"x"',
        "'y'",
        ', ',
        ' #k',
        '|\n',
        '>-\n   ',
        '!t ',
        '1',
        'k1: ',
        'k2: ',
        '"q": ',
        '\r\n',
      ),
      { minLength: 2, maxLength: 24 },
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(noise, (text) => {
      const document = parseDocument(text, { source: 'a.yaml' })
      if (document.problems.length > 0 || typeof document.value !== 'object' || document.value === null) return
      if (parseReference(text, { uniqueKeys: false, logLevel: 'silent' }).errors.length > 0) return
      const lines = new Lines(text)
      for (const { path, value } of scalarPlaces(text)) {
        if (path.some((step) => typeof step === 'string' && /^(?:null|)$/.test(step))) continue
        const node = getPath(document.value, path)
        if (typeof node !== 'object' && node !== undefined)
          expect({ path, range: document.locate(path) }).toEqual({ path, range: lines.range(value[0], value[1]) })
      }
    }),
    { numRuns: 3000 },
  )
})

test('as Spectral places them: containers behind their key, to their last leaf; aliases where they stand', () => {
  const text = '# head\na: { b: [ 1, { c: 2 } ] }\nd:\n  - &x { e: }\n  - *x\nf: "q"\n'
  const document = parseDocument(text, { source: 'a.yaml' })
  const at = (...path: (string | number)[]) => {
    const { start, end } = document.locate(path, { spectral: true })
    return `${start.line}:${start.character}-${end.line}:${end.character}`
  }
  expect(at()).toBe('0:0-5:6')
  expect(at('a')).toBe('1:2-1:19')
  expect(at('a', 'b', 1)).toBe('1:13-1:19')
  expect(at('d')).toBe('2:2-4:6')
  expect(at('d', 1, 'e')).toBe('4:4-4:6')
  expect(at('f')).toBe('5:3-5:6')
})
