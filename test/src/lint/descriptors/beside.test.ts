import { describe, expect, test } from 'bun:test'
import { parseDocument } from '../../../../src/document/parse.ts'
import type { JsonObject } from '../../../../src/kernel/json.ts'
import { findHiddenText, showHiddenText } from '../../../../src/kernel/hidden-text.ts'
import { lint } from '../../../../src/lint/lint.ts'
import { recommended } from '../../../../src/lint/rulesets/recommended.ts'
import { lookBeside } from '../../../../src/mcp-catalogue/look-beside.ts'
import { readUpload } from '../../../../src/mcp-catalogue/observe.ts'

const find: JsonObject = {
  name: 'find_orders',
  description: 'Finds the orders of a customer by their state.',
  inputSchema: { type: 'object', properties: { state: { type: 'string', description: 'The state.' } } },
  annotations: { readOnlyHint: true },
}

/** What is found beside other servers and an approved surface. */
const found = (value: object, approved: object | null, servers: Record<string, string[]> = {}): string[] => {
  const document = parseDocument(JSON.stringify(value), { source: 'tools.json' })
  const surfaceOf = (it: object) => readUpload(JSON.stringify(it)).surface
  const beside = lookBeside(surfaceOf(value), approved === null ? null : surfaceOf(approved), servers)
  return lint(document, recommended.ruleset, { beside })
    .findings.filter((it) => /drift|shared|foreign|destructive/.test(it.code))
    .map(({ code, severity, pointer, message }) => `${severity} ${code} ${pointer} ${message}`)
}
const now = (more: JsonObject): object => ({ tools: [{ ...find, ...more }] })
const then = { tools: [find] }

describe('drift', () => {
  test('is nothing where nothing changed, nothing was approved, or no one said', () => {
    expect(found(then, then)).toEqual([])
    expect(found(now({ annotations: {} }), null)).toEqual([])
    expect(lint(parseDocument(JSON.stringify(then), { source: 'a.json' }), recommended.ruleset).findings).toEqual([])
  })

  test('of hints is an error at the tool, in every form of a document', () => {
    const expected = (at: string): string[] => [
      `error mcp-drift-annotations ${at}/annotations/readOnlyHint Since the approval: \`readOnlyHint\` of tool \`find_orders\` changed from true to false.`,
    ]
    const turned = { ...find, annotations: { readOnlyHint: false } }
    expect(
      found(
        { tools: [{ ...find, name: 'a', annotations: { readOnlyHint: true } }, turned] },
        { tools: [{ ...find, name: 'a' }, find] },
      ),
    ).toEqual(expected('/tools/1'))
    expect(found([turned], [find])).toEqual(expected('/0'))
    expect(found({ jsonrpc: '2.0', result: { tools: [turned] } }, then)).toEqual(expected('/result/tools/0'))
  })

  test('of hints to the safer side is not a finding', () => {
    expect(found(then, now({ annotations: {} }))).toEqual([])
  })

  test('of a schema is an error where it is written, with a counterexample', () => {
    const inputSchema = {
      type: 'object',
      properties: { state: { type: 'string', description: 'The state.', maxLength: 3 } },
    }
    expect(found(now({ inputSchema }), then)).toEqual([
      'error mcp-drift-schema /tools/0/inputSchema/properties/state/maxLength Since the approval: Maximum length of `state` in the arguments of tool `find_orders` was set to 3; for example {"state":"aaaa"}.',
    ])
    expect(found(then, now({ inputSchema }))).toEqual([])
  })

  test('that takes a tool away is an error at the list', () => {
    expect(found({ tools: [] }, then)).toEqual([
      'error mcp-drift-schema /tools Since the approval: Tool `find_orders` was removed.',
    ])
    expect(
      found({ prompts: [{ name: 'a' }], tools: [find] }, { prompts: [{ name: 'a' }, { name: 'b' }], tools: [find] }),
    ).toEqual(['error mcp-drift-schema /prompts Since the approval: Prompt `b` was removed.'])
  })

  test('of a description alone is a warning', () => {
    expect(found(now({ description: 'Finds all orders of a customer.' }), then)).toEqual([
      'warning mcp-drift-description /tools/0/description Since the approval: The `description` of tool `find_orders` was changed.',
    ])
    const both = now({ description: 'Finds all orders of a customer.', annotations: {} })
    expect(found(both, then).map((it) => it.split(' ')[1])).toEqual(['mcp-drift-annotations'])
  })

  test('of new tools is not a finding: they are listed by the comparison', () => {
    expect(found({ tools: [find, { ...find, name: 'other' }] }, then)).toEqual([])
  })
})

describe('other servers', () => {
  test('have tools of the same name', () => {
    expect(
      found(then, null, { shop: ['find_orders', 'x'], crm: ['find_orders'], a: ['find_orders'], b: ['find_orders'] }),
    ).toEqual([
      'info mcp-tool-name-shared /tools/0/name The tool "find_orders" is also offered by a, b, crm and 1 more.',
    ])
    expect(found(then, null, { shop: ['constructor', 'orders'] })).toEqual([])
  })

  test('are named in a description by a name that is no common word', () => {
    const tool = { ...find, description: 'Call send_report, search and find_orders first, or toString.' }
    expect(found({ tools: [tool] }, null, { mail: ['send_report', 'search'] })).toEqual([
      'info mcp-foreign-tool /tools/0/description The description names "send_report", a tool of mail.',
    ])
    expect(
      found({ tools: [tool, { ...find, name: 'send_report' }] }, null, { mail: ['send_report'] }).map(
        (it) => it.split(' ')[1],
      ),
    ).toEqual(['mcp-tool-name-shared'])
  })
})

test('A tool that destroys by its name has a hint.', () => {
  const hints = (name: string, annotations?: JsonObject): string[] =>
    found({ tools: [{ ...find, name, annotations: annotations ?? {} }] }, null).map((it) =>
      it.split(' ').slice(0, 3).join(' '),
    )
  expect(hints('delete_order')).toEqual(['hint mcp-destructive-hint /tools/0/name'])
  expect(hints('github_wipe_cache')).toEqual(['hint mcp-destructive-hint /tools/0/name'])
  expect(hints('delete_order', { destructiveHint: true })).toEqual([])
  expect(hints('delete_order', { destructiveHint: false })).toEqual([])
  expect(hints('undelete_order')).toEqual([])
  expect(hints('find_deleted')).toEqual([])
})

const tagged = (text: string): string =>
  Array.from(text, (it) => String.fromCodePoint(0xe0000 + it.charCodeAt(0))).join('')

describe('six plants of hidden text', () => {
  const planted: readonly (readonly [string, string])[] = [
    ['zero-width characters', 'Finds\u200b orders\u2060.'],
    ['tag characters', `Finds orders.${tagged('send it')}`],
    ['bidirectional controls', 'Finds \u202eorders\u202c.'],
    ['a soft hyphen', 'Finds or\u00adders.'],
    ['variation selectors', 'Finds orders.\ufe05\ufe08\ufe0c'],
    ['private use characters', 'Finds orders.\ue001\u{f0001}'],
  ]
  for (const [what, description] of planted)
    test(`${what} are an error`, () => {
      const document = parseDocument(JSON.stringify({ tools: [{ ...find, description }] }), { source: 'a.json' })
      const findings = lint(document, recommended.ruleset).findings
      expect(findings.map((it) => `${it.severity} ${it.code} ${it.pointer}`)).toEqual([
        'error mcp-hidden-text /tools/0/description',
      ])
    })

  test('behind emoji too: one selector selects, more of them carry bits', () => {
    expect(findHiddenText('✔\ufe0f')).toBeNull()
    expect(findHiddenText('✔\ufe0f\ufe01\ufe02')?.kinds).toEqual(['2 variation selectors (U+FE01, U+FE02)'])
    expect(findHiddenText('1\ufe0f')?.kinds).toEqual(['1 variation selector (U+FE0F)'])
    expect(findHiddenText('😀\u{e0101}')?.kinds).toEqual(['1 variation selector (U+E0101)'])
  })
})

test('Scripts that need invisible characters have them.', () => {
  const texts = [
    'ภาษา\u200bไทย',
    'ភាសា\u200bខ្មែរ',
    'ᠮᠤᠩᠭᠤᠯ\u180b',
    '1\ufe0f\u20e3',
    '≨\ufe00',
    '、\ufe01',
    '葛\ufe00',
    '葛\u{e0100}',
    '❤\ufe0f\u200d🔥',
    'می\u200cخواهم',
  ]
  for (const text of texts) expect([text, findHiddenText(text)]).toEqual([text, null])
  for (const text of ['a\u200bb', 'ไ\u200ba', 'a\u180b', 'a\ufe00', '葛\ufe05', 'a\u200db'])
    expect(findHiddenText(text)?.kinds.length).toBe(1)
})

test('Hidden text is shown, and what tag characters spell in one piece.', () => {
  expect(showHiddenText('Finds orders. ✔\ufe0f')).toBe('Finds orders. ✔\ufe0f')
  expect(showHiddenText(`a\u200bb${tagged('say "hi"')}c\ue001\u{e007f}`)).toBe(
    'a⟨U+200B⟩b⟨hidden "say \\"hi\\""⟩c⟨U+E001⟩⟨U+E007F⟩',
  )
})
