/** Where the nodes of a document were written that overlays made. */
import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import type { Path } from '../../../src/kernel/json.ts'
import { overlayOf } from '../../../src/overlay/read.ts'
import { traceOverlays } from '../../../src/overlay/trace.ts'

const document = parseDocument('tags:\n  - name: a\n  - name: b\nold: { keep: 1, change: 2 }\n', { source: 'file' })
const overlay = (source: string, actions: string) =>
  overlayOf(parseDocument(`overlay: 1.1.0\ninfo: { title: T, version: '1' }\nactions:\n${actions}`, { source }))

const { document: made, actions } = traceOverlays(document, [
  overlay(
    'one',
    "  - { target: '$.tags[0]', remove: true }\n  - { target: $.tags, update: [{ name: c }, { name: d }] }\n",
  ),
  overlay(
    'two',
    '  - { target: $, update: { old: { change: 3, more: { deep: 1 } } } }\n  - { target: $.copied, update: 1 }\n',
  ),
])
const at = (...path: Path): string => {
  const written = made.writtenAt(path)
  return `${written.document.source} ${written.path.join('/')}`
}

test('the value is that of the overlays, and actions say what they selected', () => {
  expect(made.value).toEqual({
    tags: [{ name: 'b' }, { name: 'c' }, { name: 'd' }],
    old: { keep: 1, change: 3, more: { deep: 1 } },
  })
  expect(actions.map((it) => it.matches)).toEqual([1, 1, 1, 0])
})

test('nodes of the file are where they were before items were removed', () => {
  expect(at('tags', 0, 'name')).toBe('file tags/1/name')
  expect(at('old', 'keep')).toBe('file old/keep')
  expect(at('old')).toBe('file old')
})

test('nodes of an overlay are in its update', () => {
  expect(at('tags', 2, 'name')).toBe('one actions/1/update/1/name')
  expect(at('old', 'change')).toBe('two actions/0/update/old/change')
  expect(at('old', 'more', 'deep')).toBe('two actions/0/update/old/more/deep')
})

test('what does not exist is at its nearest ancestor', () => {
  expect(at('old', 'more', 'none')).toBe('two actions/0/update/old/more')
  expect(at('old', 'none', 'none')).toBe('file old')
})
