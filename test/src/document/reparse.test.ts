import { expect, test } from 'bun:test'
import { outlineOf, parseDocument } from '../../../src/document/parse.ts'
import { getPath } from '../../../src/kernel/pointer.ts'
import { faultOfPart, reparse, type Difference } from '../../../src/document/reparse.ts'

const source = 'a.yaml'
const text = `# begin
openapi: 3.1.0
info:
  title: Pets
  description: |
    Some text: with a colon
      and more

    end
  'x-quoted': "two
    lines"
paths:
  /pets:   # a comment
    get:
      tags: [a, { b: c }]
      parameters:
        - name: limit
          in: query
        -   in: path
      responses:
        200: { description: Fine }
        default:
    # between

    post: {}
  /toys:
    summary: >-
      folded
      text
    get: { a: 'it''s', b: [1, 2.5, true, null, ~] }
components:
  schemas:
    Pet:
      type: object
      required:
      - name
      properties:
        name: {type: string}
    Empty:
    Long: plain text
      over two lines
`

const differenceOf = (start: number, removed: number, added: number): Difference => ({
  start,
  before: start + removed,
  after: start + added,
})

test('an edit of one entry is read alone, and leaves every other value the object that it was', () => {
  const earlier = parseDocument(text, { source })
  const at = text.indexOf('limit')
  const again = reparse(earlier, text.replace('limit', 'offset'), differenceOf(at, 5, 6))
  expect(again?.part).toEqual(['paths', '/pets', 'get'])
  const [before, after] = [earlier.value, again?.document.value] as unknown as Record<string, Record<string, unknown>>[]
  expect(after?.components).toBe(before?.components as never)
  expect(after?.paths?.['/toys']).toBe(before?.paths?.['/toys'] as never)
  expect(JSON.stringify(after)).toBe(JSON.stringify(before).replace('limit', 'offset'))
})

test('a key is renamed at its place', () => {
  const earlier = parseDocument(text, { source })
  const at = text.indexOf('/pets')
  const again = reparse(earlier, text.replace('/pets', '/cats'), differenceOf(at, 5, 5))
  expect(again?.part).toEqual(['paths', '/cats'])
  expect(again?.document.keysInOrder(['paths'])).toEqual(['/cats', '/toys'])
  expect(Object.keys(getPath(again?.document.value ?? null, ['paths']) ?? {})).toEqual(['/cats', '/toys'])
})

test('what may mean more than its own entry is left to a reading of the whole', () => {
  const earlier = parseDocument(text, { source })
  const insert = (needle: string, added: string, base = earlier) => {
    const at = base.text.indexOf(needle)
    return reparse(base, base.text.slice(0, at) + added + base.text.slice(at), differenceOf(at, 0, added.length))
  }
  expect(insert('limit', '"')).toBeNull()
  expect(insert('    post: {}', '  /new:\n')?.part).toEqual(['paths'])
  expect(insert('limit', '*anchor ')).toBeNull()
  expect(insert('  /toys', '---\n')).toBeNull()
  expect(insert('name: limit', 'name: again\n          ')).toBeNull()
  expect(insert('\n    post', '\n    get: {}')).toBeNull()
  expect(insert('limit', '\0')).toBeNull()
  expect(insert('limit', 'x', parseDocument(`a: &a 1\nb: *a\nc: { limit: 1 }\n`, { source }))).toBeNull()
  const json = parseDocument(`{"c": {"limit": 1, "a": 2}}`, { source: 'a.json' })
  expect(insert('1', '2', json)?.part).toEqual(['c', 'limit'])
  expect(insert('limit', '"', json)).toBeNull()
  expect(insert('"limit', '"a": 1, ', json)).toBeNull()
})

test('the syntax error of an edited entry is found without the rest, where reading all of it finds it', () => {
  const earlier = parseDocument(text, { source })
  for (const [needle, added] of [
    ['limit', '"'],
    ['in: path', 'a: b: '],
    ['description: Fine', '{'],
    ["a: 'it", '- '],
  ] as const) {
    const at = text.indexOf(needle)
    const next = text.slice(0, at) + added + text.slice(at)
    expect(reparse(earlier, next, differenceOf(at, 0, added.length))).toBeNull()
    const fault = faultOfPart(earlier, next, differenceOf(at, 0, added.length))
    const [whole] = parseDocument(next, { source }).problems
    // A quote that is open ends with the entry here, and with the text there.
    if (added !== '"') expect([added, fault?.range.start.line]).toEqual([added, whole?.range.start.line])
    else expect([fault?.range.start.line, whole?.range.start.line]).toEqual([24, 41])
    expect(fault?.code).toBe('syntax')
  }
  expect(faultOfPart(earlier, text.replace('limit', 'other'), differenceOf(text.indexOf('limit'), 5, 5))).toBeNull()
})

test('whatever is edited, a text that is read again is what reading all of it gives', () => {
  let seed = 11
  const below = (n: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return (seed >> 8) % n
  }
  const snippets = [
    'x',
    ' ',
    '\n',
    '  ',
    ': ',
    ':',
    '- ',
    "'",
    '"',
    '|',
    '>',
    '#',
    '{',
    '}',
    '[a]',
    '&a',
    '*a',
    '!',
    '\t',
    ',',
    '\r\n',
  ]
  snippets.push(
    '\n      new: 1',
    '\n    put: {}',
    '\n  /more: { get: {} }',
    '? ',
    '<<: {}',
    '1',
    'null',
    '\n\n',
    '%',
    '@',
    '`',
    '😀',
  )
  let read = 0
  const json = JSON.stringify(parseDocument(text, { source }).value, null, 1)
  for (const base of [text, text.replaceAll('\n', '\r\n'), `\uFEFF${text}`, json]) {
    const source = base === json ? 'a.json' : 'a.yaml'
    const earlier = parseDocument(base, { source })
    expect(earlier.problems).toEqual([])
    for (let round = 0; round < 2500; round++) {
      const start = below(base.length)
      const removed = below(3) === 0 ? below(12) : 0
      const added = below(4) === 0 ? '' : (snippets[below(snippets.length)] ?? '')
      const next = base.slice(0, start) + added + base.slice(start + removed)
      const again = reparse(earlier, next, differenceOf(start, Math.min(removed, base.length - start), added.length))
      if (again === null) continue
      read++
      const whole = parseDocument(next, { source })
      const shown = JSON.stringify(next.slice(Math.max(0, start - 30), start + 30))
      expect([shown, JSON.stringify(again.document.value)]).toEqual([shown, JSON.stringify(whole.value)])
      expect([shown, whole.problems]).toEqual([shown, []])
      const [one, other] = [outlineOf(again.document), outlineOf(whole)]
      for (const column of ['start', 'end', 'keyStart', 'keyEnd', 'stop', 'kind'] as const)
        expect(one[column].subarray(0, one.count)).toEqual(other[column].subarray(0, other.count))
    }
  }
  expect(read).toBeGreaterThan(2000)
})
