/** Overlays are read by the published schemas and the text beyond them; each problem has its place. */
import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { isOverlay, overlayOf, placedMessage, readOverlay } from '../../../src/overlay/read.ts'

const read = (text: string) => readOverlay(parseDocument(text, { source: 'o.yaml' }))
const problemsOf = (text: string) => read(text).problems.map((it) => `${it.severity} ${placedMessage('o', it)}`)
const head = (version: string) => `overlay: ${version}\ninfo: { title: T, version: '1' }\n`

test('a valid overlay of each version has its actions', () => {
  const { overlay, problems } = read(
    `${head('1.1.0')}extends: ./openapi.yaml\nactions:\n  - target: $.info\n    description: why\n    update: { title: X }\n  - target: $.a\n    copy: $.b\n  - target: $.c\n    remove: true\n`,
  )
  expect(problems).toEqual([])
  expect(overlay).toMatchObject({ version: '1.1', title: 'T', extends: './openapi.yaml' })
  expect(overlay?.actions.map(({ target, change }) => [target.text, change?.kind])).toEqual([
    ['$.info', 'update'],
    ['$.a', 'copy'],
    ['$.c', 'remove'],
  ])
  expect(read(`${head('1.0.0')}actions:\n  - target: $\n    remove: false\n    update: {}\n`).overlay?.version).toBe(
    '1.0',
  )
})

test('structure is checked by version, with the line and the column', () => {
  expect(problemsOf(`${head('1.0.0')}actions: []\n`)).toEqual(['error o:3:10: "actions" must not be empty.'])
  expect(problemsOf(`${head("'1.0'")}actions: [{ target: $, update: {} }]\n`)).toEqual([
    'error o:1:10: "overlay" must be a version 1.0.x, but is "1.0".',
  ])
  expect(problemsOf(`${head('1.0.0')}actions:\n  - target: $\n    copy: $.a\n`)).toEqual([
    expect.stringContaining('error o:5:5: Unknown property "copy"'),
  ])
  expect(problemsOf(`${head('1.1.0')}actions:\n  - target: info\n    remove: maybe\n`)).toEqual([
    'error o:4:13: "target" must be a JSONPath query, which begins with "$", but is "info".',
    'error o:5:13: "remove" must be a boolean, but is a string.',
  ])
  expect(problemsOf('overlay: 2\ninfo: {}\n')).toEqual([
    'error o:1:10: "overlay" must be a version 1.0.x or 1.1.x, but is 2.',
  ])
  expect(problemsOf('openapi: 3.1.0\n')).toEqual([
    'error o:1:1: This is no overlay: it has no "overlay" with the version of the specification.',
  ])
  expect(problemsOf('overlay: [')[0]).toContain('error o:1:')
})

test('queries are checked, and actions that do nothing are warned about', () => {
  expect(
    problemsOf(`${head('1.1.0')}actions:\n  - target: $.a[\n    update: 1\n  - target: $.x-a\n    update: 1\n`),
  ).toEqual([
    'error o:4:13: "$.a[" is no JSONPath query: unclosed bracketed selection, at character 5.',
    `warning o:6:13: RFC 9535 has no names with hyphens behind a dot; write $['x-a'].`,
  ])
  expect(
    problemsOf(
      `${head('1.1.0')}actions:\n  - target: $.a\n  - target: $.b\n    update: 1\n    copy: $.c\n  - target: $.d\n    update: 1\n    remove: true\n`,
    ),
  ).toEqual([
    'warning o:4:5: The action has no "update", "copy" or "remove" and does nothing.',
    'warning o:5:5: "update" and "copy" exclude each other: with both, the action does nothing.',
    'warning o:8:5: "update" and "copy" do nothing beside "remove".',
  ])
})

test('reusable actions of the draft of 1.2 give what the action leaves out', () => {
  const text = `${head('1.2.0')}components:\n  actions:\n    safe:\n      fields: { update: { x-safe: true } }\nactions:\n  - $ref: '#/components/actions/safe'\n    target: $.a\n  - $ref: '#/components/actions/none'\n    target: $.b\n`
  expect(problemsOf(text)).toEqual([
    'warning o:1:10: Overlay 1.2 is a draft; it is read as the draft describes it.',
    'error o:10:11: "#/components/actions/none" names no reusable action of this overlay.',
  ])
  const { overlay } = read(text.split('\n').slice(0, 9).join('\n'))
  expect(overlay?.actions[0]?.change).toEqual({ kind: 'update', value: { 'x-safe': true } })
})

test('a document with errors is refused with all of them', () => {
  const document = parseDocument(`${head('1.0.0')}actions: {}\n`, { source: 'o.yaml' })
  expect(() => overlayOf(document)).toThrow(
    'o.yaml is not a valid overlay:\n  o.yaml:3:10: "actions" must be an array, but is an object.',
  )
  expect([isOverlay(document.value), isOverlay({ openapi: '3.1.0' }), isOverlay([])]).toEqual([true, false, false])
})
