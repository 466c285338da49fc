import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replySize, sizeOf } from '../../../mcp/budget.ts'
import { methods } from '../../../src/kernel/methods.ts'
import { useDesign } from '../../fixtures/design-client.ts'

const examples = join(import.meta.dir, '../../../node_modules/@readme/oas-examples')
/** Published descriptions of 200 to 560 kB. */
const files = {
  'star-trek.json': readFileSync(join(examples, '3.0/json/star-trek.json'), 'utf8'),
  'readme.json': readFileSync(join(examples, '3.1/json/readme.json'), 'utf8'),
}
const operationsOf = (text: string): string[] => {
  const { paths } = JSON.parse(text) as { paths: Record<string, object> }
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((key) => methods.some((it) => it === key))
      .map((method) => `${method.toUpperCase()} ${path}`),
  )
}
const design = useDesign({ 'svc.yaml': 'apis:\n  trek: { root: star-trek.json }\n', ...files })
test('stub answers every operation of large descriptions with types in at most 800 tokens', async () => {
  let asked = 0
  for (const [file, text] of Object.entries(files))
    for (const operation of operationsOf(text)) {
      const { isError, value } = await design.call('stub', { file, operation })
      expect([operation, isError, value.operation]).toEqual([operation, false, operation])
      expect([operation, sizeOf(value) / 4 <= 800]).toEqual([operation, true])
      expect(String(value.text)).toMatch(/^type (Parameters|Body|Answer|Failure) = /)
      asked++
    }
  expect(asked).toBeGreaterThan(100)
}, 120_000)

test('every answer of the design tools stays within max_tokens', async () => {
  const [first = '', second = ''] = operationsOf(files['readme.json'])
  const edits = [
    { path: '/info', op: 'remove' },
    { path: '/paths', value: {} },
  ]
  for (const max_tokens of [500, 1000, 4000])
    for (const [name, args] of [
      ['bundle', { file: 'readme.json' }],
      ['convert', { file: 'readme.json', to: 'openapi-3.0' }],
      ['example', { file: 'readme.json', operation: first }],
      ['example', { file: 'readme.json', operation: second }],
      ['edit', { file: 'star-trek.json', edits }],
      ['edit', { file: 'readme.json', edits: [{ path: '/paths', value: {} }] }],
    ] as const) {
      const { isError, value } = await design.call(name, { ...args, max_tokens })
      expect([name, max_tokens, isError, replySize(value) / 4 <= max_tokens]).toEqual([name, max_tokens, false, true])
    }
}, 120_000)
