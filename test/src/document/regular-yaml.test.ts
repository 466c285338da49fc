import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseDocument } from '../../../src/document/parse.ts'
import { readRegularYaml } from '../../../src/document/regular-yaml.ts'
import { scanYaml } from '../../../src/document/scan-yaml.ts'
import { findFirstDocument } from '../../../src/document/yaml-stream.ts'
import type { Outline } from '../../../src/document/outline.ts'

const limits = { maxDepth: 100, maxExpandedNodes: 1_000_000, maxExpansion: 100 }

const columns = ({ count, entries, start, end, keyStart, keyEnd, stop, kind }: Outline) => ({
  entries,
  nodes: [start, end, keyStart, keyEnd, stop, kind].map((it) => [...it.subarray(0, count)]),
})

/** The value as JSON, which shows the order of keys too, and the positions of a regular text; null for others. */
function read(whole: string) {
  const { from, to } = findFirstDocument(whole)
  const text = whole.slice(0, to)
  const regular = readRegularYaml(text, from, limits.maxDepth)
  return regular && { value: JSON.stringify(regular.value), outline: columns(regular.outline) }
}

/** The same by the general readers. */
function readGenerally(whole: string) {
  const { from, to } = findFirstDocument(whole)
  const text = whole.slice(0, to)
  const { outline, notices, aliased } = scanYaml(text, from, limits)
  expect({ notices, aliased }).toEqual({ notices: [], aliased: false })
  return { value: JSON.stringify(Bun.YAML.parse(text)), outline: columns(outline) }
}

const sample = `openapi: 3.0.3
info:
  title: 'It''s "one" \\ API'
  version: 1.2.3
  x-dates: [2020-01-01, '09:00', 4f6c71e2-1e90-4762-9fee-6cc4a0a9f2cf]
  description: |
    First line,
      indented.

    Last – line.
  x-folded: >-
    one
    two

    three
      * four
    five
  x-kept: |+
    kept

tags: []
# A comment
paths:
  /a/{id}:
    get:
      operationId: getA
      tags: [ a, "b" , 'c' ]
      parameters:
      - $ref: '#/components/parameters/id'
      - {in: query, name: q, schema: {"type":"string"}}
      responses:
        200:
          description: some words
            on two lines
        '404': { description: none }   # inline
        default:
          description: "one \\
            line \\u00e9\\n
            end"
components:
  parameters:
    id:
      in: path
      name: id
      required: true
      schema:
        type: integer
        minimum: -1
        maximum: 12.50
        enum:
          - 1
          - ~
          - null
          -
            a: False
            b:
        nullable: yes
  x-nested:
    - - a
      - b
    -
      - c
`

test('a text as people write it is regular, and read as the general readers read it', () => {
  expect(read(sample)).toEqual(readGenerally(sample))
  expect(read(`# first\n---\n${sample}`)).toEqual(readGenerally(`# first\n---\n${sample}`))
})

test('documents that are read so have their value and positions, also of the first of several', () => {
  const document = parseDocument('a: 1\nb: [x, y]\n---\nc: 2\n', { source: 'a.yaml' })
  expect(document.value).toEqual({ a: 1, b: ['x', 'y'] })
  expect(document.problems.map(({ code }) => code)).toEqual(['several-documents'])
  expect(document.locate(['b', 1])).toEqual({ start: { line: 1, character: 7 }, end: { line: 1, character: 8 } })
})

test('whatever can be read in two ways, or may be wrong, is left to the general readers', () => {
  const left = [
    'text',
    '',
    'a: &x 1\nb: *x',
    'a: !!str 1',
    '<<: {a: 1}',
    '? a\n: b',
    'a: b: c',
    'a: 1\n  b: 2',
    '  a: 1\n b: 2',
    'a:\n\t- b',
    'a: 1\r\nb: 2',
    'a: .inf',
    'a: 0x10',
    'a: 1e3',
    'a: +1',
    'a: -0',
    'a: 1_000',
    'a: "\\x41"',
    'a: "open',
    "a: 'x'y",
    'a: [b',
    'a: [b,]',
    'a: [b: c]',
    'a: {b}',
    'a: [b]: c',
    'a: |2\n   b',
    'a: |\nb: 1',
    'a: @b',
    'a: %b',
    '1.0: a',
    'True: a',
    '__proto__: a',
    '"\\u0061": a',
    'a: \u0085',
    'a: \ud800',
    '\ufeffa: 1',
    '%YAML 1.2\n---\na: 1',
    '--- a: 1',
    `${'['.repeat(200)}${']'.repeat(200)}`,
    `a: ${'['.repeat(200)}${']'.repeat(200)}`,
  ]
  expect(left.filter((it) => read(it) !== null)).toEqual([])
})

test('however a text is changed, it is read as the general readers read it, or left to them', () => {
  const pieces = [
    ...'· ·  ·:·: ·-·- ·#· #·\'·"·\\·|·>·|-\n·>+\n·&a ·*a·!x ·? ·[·]·{·}·,·~·null·TRUE·no·@·%·`·\t·\r\n·---·...'.split(
      '·',
    ),
    ...'1·-1·.5·1e3·0x1·-0·.inf·01·12345678901234567890·0.12345678901234567·1.10·2020-01-01·1.2.3·1:2·4f·=·<<'.split(
      '·',
    ),
    ...'\n·\n\n·\n  ·\n    ·\n- ·\u00e9·\u2028·😀·\ufeff·\'\'·\\n·\\u0041·\\x41·\\ ·\\\n·<<: ·a: b·"a": 1'.split('·'),
    ...'[a, b]·{a: 1}·\'x\n  y\'·"x\n  y"·x\n   y'.split('·'),
  ]
  const piece = fc.constantFrom(...pieces)
  const change = fc.record({ at: fc.nat(), cut: fc.nat({ max: 4 }), piece, line: fc.boolean() })
  const changed = (changes: readonly { at: number; cut: number; piece: string; line: boolean }[]): string =>
    changes.reduce((text, { at, cut, piece: put, line }) => {
      if (!line) {
        const from = at % (text.length + 1)
        return text.slice(0, from) + put + text.slice(from + cut)
      }
      const lines = text.split('\n')
      const value = lines[at % lines.length]!.indexOf(': ')
      if (value > 0) lines[at % lines.length] = `${lines[at % lines.length]!.slice(0, value + 2)}${put}`
      else lines.splice(at % lines.length, cut % 2, lines[(at >> 3) % lines.length]!)
      return lines.join('\n')
    }, sample)
  let regular = 0
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const text = changed(changes)
      const found = read(text)
      if (found === null) return
      regular++
      expect(found).toEqual(readGenerally(text))
    }),
    { numRuns: 2000 },
  )
  // Most small changes leave a text regular: otherwise the test would say nothing.
  expect(regular).toBeGreaterThan(200)
})
