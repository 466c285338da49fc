import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { fileChange } from '../../../src/diff/files.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { explain } from '../../../src/diff/explain.ts'
import type { Fact } from '../../../src/diff/fact.ts'
import { ruleIdOf } from '../../../src/diff/rule.ts'
import { rules } from '../../../src/diff/rules.ts'
import { examples } from './rule-examples.ts'
import { changesOf } from './changes-of.ts'

/** Which example the page of each rule shows, counted from one; negative: from head to base. Written with UPDATE_EXAMPLES=1. */
const pageExamples = join(import.meta.dir, 'page-examples.json')

describe('rules of changes', () => {
  test('the id is what the rule is about', () => {
    for (const [id, rule] of rules) expect(ruleIdOf(rule)).toBe(id)
  })

  test('every rule has an opposite, or says why it has none', () => {
    for (const [id, { opposite, noOpposite }] of rules)
      if (opposite === null) expect([id, (noOpposite ?? '').length > 20]).toEqual([id, true])
      else expect([id, rules.get(opposite)?.opposite]).toEqual([id, id])
  })

  test('every rule describes a change in one line and explains itself in whole sentences', () => {
    for (const [id, rule] of rules) {
      const fact = {
        direction: 'request',
        area: rule.area,
        kind: rule.kind,
        action: rule.action,
        base: [],
        head: [],
        before: 'old',
        after: 'new',
        subject: '`a`',
        verdict: 'breaking',
        reason: null,
        witness: null,
      } as unknown as Fact
      const told = explain(fact)
      expect(told.id).toBe(id)
      expect([id, /^[^\n]{5,200}$/.test(told.message), told.message.includes('undefined')]).toEqual([id, true, false])
      expect([id, rule.explain.endsWith('.'), rule.explain.length > 15]).toEqual([id, true, true])
    }
  })

  // A rule that no check reports is a page about nothing.
  test('every rule is reported by a check, on an example of it or of its opposite; its page shows the smallest', async () => {
    const file = parseDocument('{"openapi":"3.1.0"}', { source: 'a.json' })
    const seen = new Set<string>(
      (['added', 'removed'] as const).flatMap((it) => fileChange(it, file, 'a.json', {}).changes.map(({ id }) => id)),
    )
    const shown = new Map<string, { readonly changes: number; readonly place: number }>()
    for (const [index, { base, head, profile }] of examples.entries())
      for (const [place, before, after] of [
        [index + 1, base, head],
        [-index - 1, head, base],
      ] as const) {
        const ids = changesOf(before, after, profile).map(({ id }) => id)
        for (const id of ids) {
          seen.add(id)
          // A page leads to the playground, which compares without a profile.
          const isSmaller = (shown.get(id)?.changes ?? Infinity) > ids.length
          if (profile === undefined && isSmaller) shown.set(id, { changes: ids.length, place })
        }
      }
    expect([...rules.keys()].filter((id) => !seen.has(id))).toEqual([])
    const pages = Object.fromEntries(
      [...shown].map(([id, { place }]) => [id, place] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    )
    if (process.env['UPDATE_EXAMPLES'] === '1') await Bun.write(pageExamples, `${JSON.stringify(pages, null, 2)}\n`)
    expect(await Bun.file(pageExamples).json()).toEqual(pages)
  })
})
