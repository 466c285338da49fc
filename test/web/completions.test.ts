import { CompletionContext } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { expect, test } from 'bun:test'
import { rulesetCompletions } from '../../web/src/editor/completions.ts'

const names = () => [
  { id: 'info-contact', description: 'The info has a contact.' },
  { id: 'operation-tags', description: null },
]

/** What is offered at the end of a text, and where the word that it completes begins. */
const offered = (doc: string, explicit = true): { labels: string[]; from: number } | null => {
  const context = new CompletionContext(EditorState.create({ doc }), doc.length, explicit)
  const result = rulesetCompletions(names)(context)
  return result && { labels: result.options.map((it) => it.label), from: result.from }
}

test('fields, functions, severities and known rules are offered where each may stand', () => {
  expect(offered('ru')).toEqual({
    labels: ['extends', 'rules', 'aliases', 'formats', 'documentationUrl', 'overrides', 'parserOptions'],
    from: 0,
  })
  expect(offered('rules:\n  in')).toEqual({ labels: ['info-contact', 'operation-tags'], from: 9 })
  expect(offered('rules:\n  a:\n    gi')?.labels).toContain('given')
  expect(offered('rules:\n  a:\n    then:\n      function: pa')?.labels).toContain('pattern')
  expect(offered('rules:\n  a:\n    then: { function: tr')?.labels).toContain('truthy')
  expect(offered('rules:\n  a:\n    severity: ')?.labels).toEqual(['error', 'warn', 'info', 'hint', 'off'])
})

test('nothing is offered inside a text, or unasked before a word begins', () => {
  expect(offered('rules:\n  a:\n    description: what ever')).toBe(null)
  expect(offered('rules:\n  ', false)).toBe(null)
})
