import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { stringify } from 'yaml'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'

// Problems as "severity code line:character-line:character", one-based as an editor shows them.
const problems = (text: string, source = 'a.yaml'): string[] =>
  parseDocument(text, { source }).problems.map(({ severity, code, range: { start, end } }) =>
    [severity, code, `${start.line + 1}:${start.character + 1}-${end.line + 1}:${end.character + 1}`].join(' '),
  )

describe('syntax faults carry their exact place', () => {
  test.each([
    ['{"a": 1,\n "b" 2}', 'error syntax 2:6-2:7'],
    ['{"a": 1,\n}', 'error syntax 2:1-2:2'],
    ['[1, 2', 'error syntax 1:6-1:6'],
    ['{"a": 01}', 'error syntax 1:7-1:9'],
    ['{"a": nul}', 'error syntax 1:7-1:10'],
    ['{"a": "x\n"}', 'error syntax 1:7-1:9'],
    ['{"a": "\\q"}', 'error syntax 1:8-1:10'],
    ['{"a": 1} x', 'error syntax 1:10-1:11'],
    ['{a: 1}', 'error syntax 1:2-1:3'],
    ['[1,]', 'error syntax 1:4-1:5'],
    ["{'a': 1}", 'error syntax 1:2-1:5'],
  ])('JSON %j', (text, wanted) => {
    expect(problems(text, 'a.json')).toEqual([wanted])
    expect(parseDocument(text, { source: 'a.json' }).value).toBeNull()
  })

  test.each([
    ['a: b: c', 'error syntax 1:4-1:5'],
    ['a: 1\n b: 2', 'error syntax 1:4-1:5'],
    ['a:\n\t- b', 'error syntax 2:1-2:2'],
    ['a: "x', 'error syntax 1:6-1:6'],
    ['a: @x', 'error syntax 1:4-1:5'],
    ['a: [1, 2', 'error syntax 1:9-1:9'],
    ['a: *nope', 'error alias-unresolved 1:4-1:9'],
  ])('YAML %j', (text, wanted) => {
    expect(problems(text)).toEqual([wanted])
  })

  test('what was never closed is named by its line', () => {
    expect(parseDocument('{\n"a": [\n1', { source: 'a.json' }).problems[0]?.message).toBe(
      'Invalid JSON: the document ends before the "[" in line 2 is closed.',
    )
  })

  test('a fault deep in a large document is found in its own line', () => {
    const entry = (name: string, line: string) => `  ${name}:\n    get:\n      ${line}\n`
    const many = Array.from({ length: 40_000 }, (_, i) => entry(`/p${i}`, 'summary: one'))
    many[31_000] = entry('/broken', 'summary: one: two')
    const text = `openapi: 3.1.0\npaths:\n${many.join('')}`
    const [first] = parseDocument(text, { source: 'big.yaml' }).problems
    expect(first?.code).toBe('syntax')
    expect(first?.range.start).toEqual({ line: 2 + 31_000 * 3 + 2, character: 15 })
  })
})

describe('texts that are refused or noted', () => {
  const bomb = (levels: number) =>
    `l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n${Array.from({ length: levels }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(10).fill(`*l${i}`).join(', ')}]\n`).join('')}`

  test.each([
    ['', 'error empty-document 1:1-1:1'],
    [' \n', 'error empty-document 1:1-1:1'],
    ['\uFEFF', 'error empty-document 1:1-1:1'],
    ['# nothing\n---\n', 'error empty-document 1:1-1:1'],
    ['a: x\0y', 'error nul-character 1:5-1:6'],
    ['a: 1\nb: 2\na: 3', 'error duplicate-key 3:1-3:2'],
    ['{"a": {"b": 1, "b": 2}}', 'error duplicate-key 1:16-1:19'],
    ['a: 1\n---\nb: 2', 'warning several-documents 2:1-2:4'],
    ['a: &a\n  b: *a', 'error alias-cycle 2:6-2:8'],
    ['a: .inf', 'error number-not-finite 1:4-1:8'],
    ['a: "x\\0"', 'warning nul-character 1:4-1:9'],
    ['a: \uFFFD', 'warning invalid-utf-8 1:4-1:5'],
    ['? [a, b]\n: 1', 'error key-not-scalar 1:3-1:9'],
  ])('%j', (text, wanted) => {
    expect(problems(text)).toEqual([wanted])
  })

  test('alias bombs, before anything expands them', () => {
    expect(problems(bomb(9))).toEqual(['error alias-bomb 7:20-7:23'])
    expect(problems(bomb(3))).toEqual([])
  })

  test('a hundredfold expansion, at the heaviest alias', () => {
    const items = Array(2000).fill('x').join(', ')
    expect(problems(`a: &a [${items}]\nb: &b [*a, *a]\nc: [${Array(300).fill('*b').join(', ')}]\n`)).toEqual([
      'error alias-bomb 3:5-3:7',
    ])
    expect(problems(`a: &a [${items}]\nb: [${Array(40).fill('*a').join(', ')}]\n`)).toEqual([])
  })

  test('merge bombs', () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => `  k${i}: 1\n`).join('')
    expect(problems(`b: &b\n${keys}l:\n${'  - <<: *b\n'.repeat(2000)}`)[0]).toMatch(/^error alias-bomb /)
  })

  test.each([
    ['[', ']', 'a.json'],
    ['{"a":', '}', 'a.json'],
    ['[', ']', 'a.yaml'],
    ['{a: ', '}', 'a.yaml'],
    ['- ', '', 'a.yaml'],
  ])('nesting %j', (open, close, source) => {
    const nested = (depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`
    expect(problems(nested(512), source)).toEqual([])
    for (const depth of [513, 100_000])
      expect(problems(nested(depth), source)).toEqual([
        `error nesting-too-deep 1:${512 * open.length + 1}-1:${512 * open.length + 2}`,
      ])
  })

  test('nesting by indentation', () => {
    const lines = Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i)}a:\n`).join('')
    expect(problems(lines)).toEqual(['error nesting-too-deep 513:513-513:514'])
  })
})

test('the traps of YAML 1.2', () => {
  const text = `a: 08\nb: yes\nc: 0o10\nd: 2020-01-01\ne: &x 1\nf: &x 2\ng: *x\nh: >\n  one\n  two\ni: 1.10\n08: eight\n~: nothing\n`
  const document = parseDocument(text, { source: 'a.yaml' })
  expect(document.problems).toEqual([])
  expect(document.value).toEqual({
    a: 8,
    b: 'yes',
    c: 8,
    d: '2020-01-01',
    e: 1,
    f: 2,
    g: 2,
    h: 'one two\n',
    i: 1.1,
    8: 'eight',
    null: 'nothing',
  })
  expect(document.locate(['8']).start).toEqual({ line: 11, character: 4 })
  expect(document.locate(['null'], { key: true }).end).toEqual({ line: 12, character: 1 })
})

test('a byte-order mark has no width', () => {
  for (const [source, text] of [
    ['a.json', '\uFEFF{"a": 1}'],
    ['a.yaml', '\uFEFFa: 1'],
  ] as const) {
    const document = parseDocument(text, { source })
    expect(document.value).toEqual({ a: 1 })
    expect(document.locate(['a'], { key: true }).start.character).toBe(source === 'a.json' ? 1 : 0)
  }
})

test('"__proto__" is a key like any other', () => {
  for (const text of ['{"__proto__": {"polluted": 1}}', '__proto__:\n  polluted: 1\n']) {
    const { value } = parseDocument(text, { source: '-' })
    expect(Object.hasOwn(value as object, '__proto__')).toBe(true)
    expect((value as { polluted?: unknown }).polluted).toBeUndefined()
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  }
})

test('aliases and merged keys are found where they are written', () => {
  const text = 'base: &b\n  x: 1\nuse: *b\nmerged:\n  <<: *b\n  y: 2\n'
  const document = parseDocument(text, { source: 'a.yaml' })
  expect(document.value).toEqual({ base: { x: 1 }, use: { x: 1 }, merged: { x: 1, y: 2 } })
  const place = { start: { line: 1, character: 5 }, end: { line: 1, character: 6 } }
  expect(document.locate(['use', 'x'])).toEqual(place)
  expect(document.locate(['merged', 'x'])).toEqual(place)
  expect(document.locate(['use']).start).toEqual({ line: 2, character: 5 })
})

test('a missing node is located at its nearest ancestor', () => {
  const document = parseDocument('a:\n  b: 1\n', { source: 'a.yaml' })
  expect(document.locate(['a', 'nope', 'deeper'])).toEqual(document.locate(['a']))
  expect(document.locate(['a', 'b', 'c'], { key: true })).toEqual(document.locate(['a', 'b'], { key: true }))
})

test('the written order of integer-like keys', () => {
  for (const text of [
    '{"responses": {"400": 1, "200": 2, "default": 3}}',
    'responses:\n  400: 1\n  200: 2\n  default: 3\n',
  ]) {
    const document = parseDocument(text, { source: '-' })
    expect(document.keysInOrder(['responses'])).toEqual(['400', '200', 'default'])
    expect(document.keysInOrder(['responses', '400'])).toEqual([])
    expect(document.keysInOrder(['nope'])).toEqual([])
  }
})

test('the syntax follows the name, else the text', () => {
  const syntax = (text: string, source: string) => parseDocument(text, { source }).syntax
  expect(syntax('{"a": 1}', 'x.yaml')).toBe('yaml')
  expect(syntax('{"a": 1}', '-')).toBe('json')
  expect(syntax('{a: 1}', '-')).toBe('yaml')
  expect(syntax('a: 1', 'https://example.com/api.yml?x=.json')).toBe('yaml')
  expect(syntax('{"a": 1', '-')).toBe('json')
})

const keys = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('__proto__', '1', '08', 'a b', '<', '~', 'null', '#x', '- y'),
)
const values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom<Json>('a\nb\n', ' lead', 'x: y', '# no', '- z', '', 'multi\n\n  text'),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

test('whatever is written as JSON is read back, and every node is found at its own text', () => {
  fc.assert(
    fc.property(values, fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const document = parseDocument(text, { source: 'a.json' })
      expect(document.value).toEqual(value)
      const visit = (node: Json, path: readonly (string | number)[]) => {
        const { start, end } = document.locate(path)
        const lines = text.split('\n')
        const offset = (p: typeof start) =>
          lines.slice(0, p.line).reduce((sum, line) => sum + line.length + 1, p.character)
        expect(JSON.parse(text.slice(offset(start), offset(end)))).toEqual(node)
        if (typeof node === 'object' && node !== null)
          for (const [key, child] of Object.entries(node))
            visit(child, [...path, Array.isArray(node) ? Number(key) : key])
      }
      visit(value, [])
    }),
    { numRuns: 150 },
  )
})

test('no text makes the reader throw', () => {
  const noise = fc
    .array(
      fc.constantFrom(
        'a',
        ': ',
        '- ',
        '\n',
        '  ',
        '{',
        '}',
        '[',
        ']',
        '"',
        "'",
        ',',
        '#',
        '&a ',
        '*a',
        '|',
        '>',
        '? ',
        '!t ',
        '---\n',
        '1',
        '\\',
        '<<',
        '\t',
        '\r\n',
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(noise, fc.constantFrom('a.json', 'a.yaml', '-'), (text, source) => {
      const document = parseDocument(text, { source })
      document.locate(['a', 0])
      expect(
        document.value === null ||
          document.problems.every(
            (problem) => problem.severity !== 'error' || ['duplicate-key', 'key-not-scalar'].includes(problem.code),
          ),
      ).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('YAML from another writer reads as the value it was written from', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), values, { noNullPrototype: true }), (value) => {
      const document = parseDocument(stringify(value), { source: 'a.yaml' })
      expect(document.problems.filter((problem) => problem.severity === 'error')).toEqual([])
    }),
    { numRuns: 200 },
  )
})
