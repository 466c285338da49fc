/** What of a new surface is shown first, and in which colour. */
import { expect, test } from 'bun:test'
import { addedTools, rateItems } from '../../web/src/features/mcp-servers/surface-risks.ts'

type Item = Parameters<typeof rateItems>[0][number]
type Found = Parameters<typeof rateItems>[2][number]

const item = (key: string, more: Partial<Item> = {}): Item => ({
  kind: 'tool',
  key,
  action: 'changed',
  severity: 'non-breaking',
  changes: [],
  change_count: 0,
  texts: [],
  ...more,
})
const text = (hidden: string[] = []): Item['texts'][number] => ({
  pointer: '/description',
  parts: [{ kind: 'added', text: 'Do this first.' }],
  hidden,
})
const tool = (name: string, annotations?: object) => ({ name, inputSchema: { type: 'object' }, annotations })
const surface = {
  endpoint_id: 'e',
  fingerprint: 'f',
  tools: [tool('a'), tool('b', { readOnlyHint: true }), tool('c', { destructiveHint: false }), tool('d')],
  resources: [{ uri: 'a' }],
  resourceTemplates: [],
  prompts: [],
}
const finding = (list: string, index: number, severity: Found['severity']): Found => ({
  code: 'mcp-hidden-text',
  severity,
  message: 'm',
  path: [list, index, 'description'],
  pointer: '',
  source: 's',
  range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
  fingerprint: `${list}${index}`,
  documentationUrl: null,
  fix: null,
})
const risks = (of: Item) => rateItems([of], surface, [])[0]?.risks.map(({ tone, text: words }) => `${tone}: ${words}`)

test('a new tool is a danger unless it says that it only reads or deletes nothing', () => {
  expect(risks(item('a', { action: 'added' }))).toEqual(['danger: New tool that may delete or overwrite'])
  expect(risks(item('b', { action: 'added' }))).toEqual(['warn: New tool; it says that it only reads'])
  expect(risks(item('c', { action: 'added' }))).toEqual(['warn: New tool; it says that it deletes nothing'])
  expect(risks(item('a', { action: 'added', kind: 'resource' }))).toEqual([])
})

test('text for the model is amber where it changed, and red with hidden characters; what is removed is neither', () => {
  expect(risks(item('a', { texts: [text()] }))).toEqual(['warn: Text for the model changed'])
  expect(risks(item('b', { action: 'added', texts: [text(['1 zero-width character (U+200B)'])] }))).toEqual([
    'danger: Hidden characters in text for the model',
    'warn: New tool; it says that it only reads',
    'warn: New text for the model',
  ])
  expect(risks(item('gone', { action: 'removed', texts: [text()] }))).toEqual([])
  expect(risks(item('a'))).toEqual([])
})

type Change = Item['changes'][number]
const change = (pointer: string, more: Partial<Change> = {}): Change => ({
  id: 'some-change',
  severity: 'non-breaking',
  classification: 'safe',
  message: 'm',
  base_pointer: null,
  head_pointer: pointer,
  before: null,
  after: null,
  witness: null,
  ...more,
})
const changed = (...changes: Change[]) => risks(item('a', { changes, change_count: changes.length }))
const breaking = { severity: 'breaking', classification: 'breaking' } as const

test('a schema that takes or answers more is amber, although it breaks nobody; one that is only described anew is not', () => {
  expect(changed(change('/inputSchema/properties/all'))).toEqual(['warn: Arguments may be wider'])
  expect(changed(change('/inputSchema', { severity: 'breaking', classification: 'unknown' }))).toEqual([
    'warn: Arguments may be wider',
  ])
  expect(changed(change('/inputSchema/required/0', breaking))).toEqual([])
  expect(changed(change('/inputSchema/description', { severity: 'docs-only' }))).toEqual([])
  expect(changed(change('/inputSchemas'))).toEqual([])
  expect(changed(change('/outputSchema/type', breaking))).toEqual(['warn: Answers may be wider'])
  expect(changed(change('/outputSchema/type'))).toEqual([])
  expect(risks(item('a', { changes: [], change_count: 3 }))).toEqual(['warn: Not all changes are shown'])
})

test('an annotation that takes back a guarantee is red, any other change of one amber', () => {
  const id = 'tool-annotation-changed'
  expect(changed(change('', { id, ...breaking }))).toEqual(['danger: Takes back a safer annotation'])
  expect(changed(change('/annotations/readOnlyHint', { id }))).toEqual(['warn: Annotations changed'])
  expect(changed(change('/annotations/audience', { classification: 'unknown' }))).toEqual(['warn: Annotations changed'])
})

test('text that changed is red where a rule reads an order to the model in it', () => {
  const order = { ...finding('tools', 0, 'info'), code: 'mcp-plain-descriptions' }
  const rated = (texts: Item['texts']) => rateItems([item('a', { texts })], surface, [order])[0]?.risks
  expect(rated([text()])).toEqual([
    { tone: 'danger', text: 'Text for the model reads like an instruction' },
    { tone: 'warn', text: 'Text for the model changed' },
  ])
  expect(rated([])).toEqual([])
})

test('what may do harm is first, and findings are with the item that they are about', () => {
  const plain = item('a')
  const amber = item('b', { texts: [text()] })
  const red = item('c', { action: 'added', texts: [text(['x'])] })
  const found = item('d')
  const rated = rateItems([plain, amber, red, found], surface, [
    finding('tools', 3, 'error'),
    finding('resources', 0, 'error'),
  ])
  expect(rated.map(({ item: { key }, findings }) => [key, findings.length])).toEqual([
    ['c', 0],
    ['d', 1],
    ['b', 0],
    ['a', 0],
  ])
  expect(rateItems([item('a', { severity: 'breaking' }), red], surface, []).map((it) => it.item.key)).toEqual([
    'c',
    'a',
  ])
  expect(addedTools([plain, red, item('r', { kind: 'resource', action: 'added' })])).toEqual(['c'])
})
