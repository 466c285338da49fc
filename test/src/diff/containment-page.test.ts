/** The examples of docs/containment.md are answered as the page says. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareTexts } from '../../../src/playground/compare.ts'

const page = readFileSync(join(import.meta.dir, '../../../docs/containment.md'), 'utf8')
const examples = [...page.matchAll(/^\| (request|response|parameter) \| `(.*?)` \| `(.*?)` \| (.*) \|$/gm)].map(
  ([, where = '', base = '', head = '', answer = '']) => [where, base, head, answer] as const,
)

/** A description with the schema, as it is written: numbers of any size stay what they are. */
const described = (where: string, schema: string): string => {
  const content = `"content": {"application/json": {"schema": ${schema}}}`
  const operation = {
    request: `"requestBody": {"required": true, ${content}}, "responses": {"204": {"description": "ok"}}`,
    response: `"responses": {"200": {"description": "ok", ${content}}}`,
    parameter: `"parameters": [{"name": "p", "in": "query", "schema": ${schema}}], "responses": {"204": {"description": "ok"}}`,
  }[where]
  return `{"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {"/a": {"post": {${operation}}}}}`
}

const answerOf = (where: string, base: string, head: string): string => {
  const file = (name: string, schema: string) => ({ name, text: described(where, schema) })
  const { summary, changes } = compareTexts(file('base.json', base), file('head.json', head), '2026-01-31')
  if (summary.verdict === 'unknown') return 'undecided'
  const breaking = changes.find(({ severity }) => severity === 'breaking')
  if (breaking === undefined) return summary.verdict
  if (breaking.policy !== undefined) return `breaks by \`${breaking.policy}\``
  return `breaks: \`${JSON.stringify(breaking.witness?.value)}\``
}

test('the page has examples of every answer', () => {
  expect(examples.length).toBeGreaterThanOrEqual(17)
  expect([...new Set(examples.map(([, , , answer]) => /^\w+(?: by)?/.exec(answer)?.[0] ?? ''))].toSorted()).toEqual([
    'breaks',
    'breaks by',
    'safe',
    'undecided',
  ])
})

test.each(examples)('in a %s, from %s to %s: %s', (where, base, head, answer) => {
  expect(answerOf(where, base, head)).toBe(answer)
})
