import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from '../../../../src/document/parse.ts'
import { applyFixes } from '../../../../src/lint/fix/apply.ts'
import { grade } from '../../../../src/lint/grade.ts'
import { lint } from '../../../../src/lint/lint.ts'
import { recommended } from '../../../../src/lint/rulesets/recommended.ts'

const root = join(import.meta.dir, '../../../../node_modules/@readme/oas-examples')
const files = readdirSync(root, { recursive: true })
  .map(String)
  .filter((it) => /^3\.[01]\/(?:json|yaml)\/[^/]+\.(?:json|yaml)$/.test(it))
  .toSorted()

test('fixes of real documents leave nothing to fix and lower no grade', () => {
  let fixed = 0
  for (const source of files) {
    const text = readFileSync(join(root, source), 'utf8')
    if (text.length > 60_000) continue
    const before = parseDocument(text, { source })
    const first = applyFixes(before, recommended.ruleset)
    const after = parseDocument(first.text, { source })
    expect(after.problems.length).toBeLessThanOrEqual(before.problems.length)
    const [old, now] = [before, after].map((it) => lint(it, recommended.ruleset))
    expect(now?.findings.length).toBeLessThanOrEqual(old?.findings.length ?? 0)
    expect(grade(now?.rules ?? [], true)?.score).toBeGreaterThanOrEqual(grade(old?.rules ?? [], true)?.score ?? 0)
    const again = applyFixes(after, recommended.ruleset)
    expect([again.text, again.fixed]).toEqual([first.text, []])
    fixed += first.fixed.length
  }
  expect(files.length).toBeGreaterThan(40)
  expect(fixed).toBeGreaterThan(20)
}, 60_000)
