import { expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/kernel/json.ts'
import { compareSurfaces, worstOf } from '../../../src/mcp-catalogue/compare.ts'
import { emptySurface } from '../../../src/mcp-catalogue/surface.ts'
import { textParts, textsOf } from '../../../src/mcp-catalogue/texts.ts'
import type { Surface, SurfaceComparison } from '../../../src/mcp-catalogue/types.ts'

const find: JsonObject = {
  name: 'find',
  description: 'Finds orders by id.',
  inputSchema: { type: 'object', properties: { id: { type: 'string', maxLength: 10, description: 'The id.' } } },
  annotations: { readOnlyHint: true },
}
const of = (...tools: readonly JsonObject[]): Surface => ({ ...emptySurface, tools })
const edit = (more: JsonObject): SurfaceComparison => compareSurfaces(of(find), of({ ...find, ...more }))

/** Each item with its changes, in short. */
const summary = ({ items }: SurfaceComparison): unknown =>
  items.map((it) => [
    `${it.kind} ${it.key} ${it.action} ${it.severity}`,
    ...it.changes.map((one) => `${one.severity} ${one.id}: ${one.message}`),
  ])

test('Equal surfaces have no differences, whatever their order.', () => {
  const other: JsonObject = { name: 'add', _meta: { at: 1 } }
  expect(compareSurfaces(of(find, other), of({ ...other, _meta: { at: 2 } }, find))).toEqual({
    isSame: true,
    isSameMeaning: true,
    severity: null,
    counts: { breaking: 0, 'non-breaking': 0, 'docs-only': 0 },
    items: [],
    more: 0,
  })
})

test('A changed tool has its changes, the worst first, with a counterexample and the edits of its texts.', () => {
  const inputSchema = { type: 'object', properties: { id: { type: 'string', maxLength: 5, description: 'An id.' } } }
  const compared = edit({ description: 'Finds orders\u200b by id.', annotations: {}, inputSchema })
  expect({ ...compared, items: summary(compared) }).toEqual({
    isSame: false,
    isSameMeaning: false,
    severity: 'breaking',
    counts: { breaking: 2, 'non-breaking': 0, 'docs-only': 2 },
    items: [
      [
        'tool find changed breaking',
        'breaking tool-annotation-changed: `readOnlyHint` of tool `find` changed from true to false',
        'breaking schema-max-length-decreased: Maximum length of `id` in the arguments of tool `find` was reduced from 10 to 5',
        'docs-only document-documentation-changed: The `description` of tool `find` was changed',
        'docs-only document-documentation-changed: The `description` of `id` in the arguments of tool `find` was changed',
      ],
    ],
    more: 0,
  })
  const [item] = compared.items
  expect(item!.changes.map(({ witness, basePointer }) => [basePointer, witness?.value, witness?.acceptedBy])).toEqual([
    ['/annotations/readOnlyHint', undefined, undefined],
    ['/inputSchema/properties/id/maxLength', { id: 'aaaaaa' }, 'base'],
    ['/description', undefined, undefined],
    ['/inputSchema/properties/id/description', undefined, undefined],
  ])
  expect(item!.texts).toEqual([
    {
      pointer: '/description',
      parts: [
        { kind: 'same', text: 'Finds orders' },
        { kind: 'added', text: '⟨U+200B⟩' },
        { kind: 'same', text: ' by id.' },
      ],
      hidden: ['1 zero-width character (U+200B)'],
    },
    {
      pointer: '/inputSchema/properties/id/description',
      parts: [
        { kind: 'removed', text: 'The' },
        { kind: 'added', text: 'An' },
        { kind: 'same', text: ' id.' },
      ],
      hidden: [],
    },
  ])
})

test('Only texts changed: the meaning is the same.', () => {
  const compared = edit({ description: 'Finds all orders by id.' })
  expect([compared.isSameMeaning, compared.severity, summary(compared)]).toEqual([
    true,
    'docs-only',
    [
      [
        'tool find changed docs-only',
        'docs-only document-documentation-changed: The `description` of tool `find` was changed',
      ],
    ],
  ])
})

test.each<[string, JsonObject, string]>([
  [
    'a member',
    { execution: { taskSupport: 'required' } },
    'non-breaking field-changed: The field `execution` was added',
  ],
  [
    'a hint',
    { annotations: { readOnlyHint: true, costHint: 3 } },
    'non-breaking field-changed: The field `annotations.costHint` was added',
  ],
  [
    'arguments of another form',
    { arguments: [{ name: 'id' }] },
    'non-breaking field-changed: The field `arguments` was added',
  ],
])('A field that no rule knows is reported by its name: %s', (_, more, expected) => {
  expect(summary(edit(more))).toEqual([['tool find changed non-breaking', expected]])
})

test('Only tools that differ are listed, and of their fields only those that do.', () => {
  const other: JsonObject = { name: 'add', description: 'Adds.' }
  const made = (description: string) => ({ ...find, description, execution: { taskSupport: ['required'] } })
  const compared = compareSurfaces(of(made('One.'), other), of(made('Two.'), other))
  expect(summary(compared)).toEqual([
    [
      'tool find changed docs-only',
      'docs-only document-documentation-changed: The `description` of tool `find` was changed',
    ],
  ])
})

test('A field that came has no place before, one that went none after; long values are cut.', () => {
  const [added, removed] = [edit({ extra: 1 }), compareSurfaces(of({ ...find, extra: 1 }), of(find))]
  const places = ({ items }: SurfaceComparison) =>
    items[0]?.changes.map(({ message, basePointer, headPointer, before, after }) => [
      message,
      basePointer,
      headPointer,
      before,
      after,
    ])
  expect([places(added), places(removed), places(edit({ annotations: { readOnlyHint: true, cost: 1 } }))]).toEqual([
    [['The field `extra` was added', null, '/extra', null, 1]],
    [['The field `extra` was removed', '/extra', null, 1, null]],
    [['The field `annotations.cost` was added', null, '/annotations/cost', null, 1]],
  ])
  // 2000 characters of JSON, with its quotes.
  const after = (length: number) => edit({ extra: 'x'.repeat(length) }).items[0]?.changes[0]?.after
  expect([after(1998), after(1999)]).toEqual(['x'.repeat(1998), `${'x'.repeat(1999)}…`])
})

test('Whatever is different on the wire is shown.', () => {
  const inputSchema = { ...(find.inputSchema as JsonObject), unevaluatedSomething: 1 }
  expect(summary(edit({ inputSchema }))).toEqual([
    ['tool find changed non-breaking', 'non-breaking field-changed: The field `inputSchema` was changed'],
  ])
})

test('Tools that came and went, prompts, resources and templates.', () => {
  const before: Surface = {
    tools: [find],
    resources: [{ uri: 'file:///a', name: 'a', mimeType: 'text/plain' }],
    resourceTemplates: [{ uriTemplate: 'a:{b}', name: 'b' }],
    prompts: [{ name: 'ask', arguments: [] }],
  }
  const after: Surface = {
    tools: [{ ...find, name: 'search' }],
    resources: [{ uri: 'file:///a', name: 'a', mimeType: 'text/html' }],
    resourceTemplates: [],
    prompts: [{ name: 'ask', arguments: [{ name: 'about', required: true }] }],
  }
  const compared = compareSurfaces(before, after)
  expect(summary(compared)).toEqual([
    ['tool find removed breaking', 'breaking tool-removed: Tool `find` was removed'],
    [
      'resource file:///a changed breaking',
      'breaking resource-media-type-changed: Media type of resource `file:///a` changed from text/plain to text/html',
    ],
    ['template a:{b} removed breaking', 'breaking resource-removed: Resource `a:{b}` was removed'],
    ['prompt ask changed breaking', 'breaking argument-added: `about` of prompt `ask` was added and is required'],
    ['tool search added non-breaking', 'non-breaking tool-added: Tool `search` was added'],
  ])
  expect(compared.items.map((it) => it.texts.map((text) => text.pointer))).toEqual([
    [],
    [],
    [],
    ['/arguments/0/name'],
    ['/name', '/description', '/inputSchema/properties/id/description'],
  ])
})

test('A comparison lists so many items and counts the others.', () => {
  const many = (word: string): Surface =>
    of(...Array.from({ length: 12 }, (_, at) => ({ name: `t${at}`, description: word })))
  const compared = compareSurfaces(many('a'), many('b'), 10)
  expect([compared.items.length, compared.more, compared.counts]).toEqual([
    10,
    2,
    { breaking: 0, 'non-breaking': 0, 'docs-only': 12 },
  ])
})

test('Values and texts of any length are cut.', () => {
  const long = 'x'.repeat(20_000)
  const [item] = compareSurfaces(
    of({ name: 'a', description: '' }),
    of({ name: 'a', description: long, extra: [long] }),
  ).items
  expect(JSON.stringify(item).length).toBeLessThan(12_000)
  const words = (seed: number): string => Array.from({ length: 900 }, (_, at) => `${(at * seed) % 7919}`).join(' ')
  const parts = textParts(words(31), words(57))
  expect(parts.length).toBeGreaterThan(1)
  expect(parts.reduce((sum, it) => sum + it.text.length, 0)).toBeLessThan(9000)
})

test('The texts of an item are those that models read, wherever they are in it.', () => {
  const item: JsonObject = {
    name: 'a',
    _meta: { description: 'Not sent to models.' },
    inputSchema: { enum: [null, 'b', { title: 'c' }], properties: { title: { description: 'd' } }, default: null },
  }
  expect([...textsOf(item)]).toEqual([
    ['/name', 'a'],
    ['/inputSchema/enum/2/title', 'c'],
    ['/inputSchema/properties/title/description', 'd'],
  ])
  const added = (length: number) => textParts('', 'x'.repeat(length)).map(({ text }) => text)
  expect([added(4000), added(4001)]).toEqual([['x'.repeat(4000)], [`${'x'.repeat(4000)}…`]])
})

test('The worst of severities', () => {
  expect([worstOf(['docs-only', 'breaking']), worstOf(['docs-only', 'non-breaking']), worstOf([])]).toEqual([
    'breaking',
    'non-breaking',
    'docs-only',
  ])
})
