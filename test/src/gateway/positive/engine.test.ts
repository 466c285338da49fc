import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gateway } from '../../../fixtures/gateway/positive.ts'
import type { Request, Verdict } from '../../../fixtures/gateway/seclang.ts'

const golden = join(import.meta.dir, '../../../gateway/golden')
const read = (name: string): string => readFileSync(join(golden, name), 'utf8')

/** What Coraza did with requests under the rules of the document, as `scripts/gateway-oracle.ts --record` wrote it. */
const recorded = read('verdicts.ndjson')
  .trimEnd()
  .split('\n')
  .map((it) => JSON.parse(it) as Request & Verdict & { readonly id: string })

test('the rules do to each request what the engine was seen to do', () => {
  const { ask } = gateway(JSON.parse(read('document.json')))
  const answers = recorded.map((it) => ({ id: it.id, ...ask(it) }))
  expect(answers).toEqual(recorded.map(({ id, status, checks }) => ({ id, status, checks })))
})

test('the requests have every check among them, and both verdicts', () => {
  const checks = new Set(recorded.flatMap((it) => it.checks))
  expect([...checks].sort()).toEqual([
    'body',
    'contentType',
    'method',
    'parameters',
    'security',
    'undeclaredQuery',
    'unknownOperation',
  ])
  expect(recorded.filter((it) => it.status === 0).length).toBeGreaterThan(15)
})
