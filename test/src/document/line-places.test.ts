import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from '../../../src/document/parse.ts'
import { formatPointer } from '../../../src/kernel/pointer.ts'

const shown = (text: string, source: string, first = 0, last = 100): string[] =>
  parseDocument(text, { source })
    .linesAt(first, last)
    .map((it) => `${it.text} -> ${formatPointer(it.path)}`)

const yaml = `openapi: 3.1.0
# a comment
paths:
  /a:
    get: &get
      parameters:
        - name: x
          in: query
        - { name: y, in: query }
      description: |
        one
        two
    put:
      <<: *get
`

test('a line of YAML shows the outermost place that begins on it, else the one around it', () => {
  expect(shown(yaml, 'a.yaml')).toEqual([
    'openapi: 3.1.0 -> ',
    '# a comment -> ',
    'paths: -> /paths',
    '  /a: -> /paths/~1a',
    '    get: &get -> /paths/~1a/get',
    '      parameters: -> /paths/~1a/get/parameters',
    '        - name: x -> /paths/~1a/get/parameters/0',
    '          in: query -> /paths/~1a/get/parameters/0/in',
    '        - { name: y, in: query } -> /paths/~1a/get/parameters/1',
    '      description: | -> /paths/~1a/get/description',
    '        one -> /paths/~1a/get/description',
    '        two -> /paths/~1a/get/description',
    '    put: -> /paths/~1a/put',
    '      <<: *get -> /paths/~1a/put',
    ' -> ',
  ])
  expect(shown(yaml, 'a.yaml', 7, 8)).toEqual([
    '          in: query -> /paths/~1a/get/parameters/0/in',
    '        - { name: y, in: query } -> /paths/~1a/get/parameters/1',
  ])
  expect(shown(yaml, 'a.yaml', 15, 20)).toEqual([])
})

test('so does a line of JSON', () => {
  const json = JSON.stringify({ a: [1, { b: 2 }], c: {} }, null, 1)
  expect(shown(json, 'a.json')).toEqual([
    '{ -> ',
    ' "a": [ -> /a',
    '  1, -> /a/0',
    '  { -> /a/1',
    '   "b": 2 -> /a/1/b',
    '  } -> /a/1',
    ' ], -> /a',
    ' "c": {} -> /c',
    '} -> ',
  ])
  expect(shown(JSON.stringify({ a: 1 }), 'a.json')).toEqual(['{"a":1} -> '])
  expect(shown('', 'a.yaml')).toEqual([' -> '])
})

test('of real documents: the place of a line begins or continues there, whichever lines are asked for with it', () => {
  const folder = join(import.meta.dir, '../../../node_modules/@readme/oas-examples/3.0')
  for (const file of ['json/petstore.json', 'yaml/petstore.yaml', 'yaml/star-trek.yaml']) {
    expect(readdirSync(join(folder, file.split('/')[0] ?? ''))).toContain(file.split('/')[1] ?? '')
    const document = parseDocument(readFileSync(join(folder, file), 'utf8'), { source: file })
    const total = document.countLines()
    const all = document.linesAt(0, total - 1)
    expect(all.map(({ text }) => text).join('\n')).toBe(document.text.replaceAll('\r\n', '\n'))
    for (let from = 0; from < total; from += 7)
      expect(document.linesAt(from, from + 6).map(({ path }) => path)).toEqual(
        all.slice(from, from + 7).map(({ path }) => path),
      )
    const outside = all.flatMap(({ path }, line) => {
      const [start, end] = [document.locate(path, { key: true }).start.line, document.locate(path).end.line]
      return path.length === 0 || (start <= line && line <= end) ? [] : [`${line} ${formatPointer(path)}`]
    })
    expect(outside).toEqual([])
  }
})
