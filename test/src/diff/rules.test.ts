import { describe, expect, test } from 'bun:test'
import type { Fact } from '../../../src/diff/fact.ts'
import { actions, areas } from '../../../src/diff/fact.ts'
import { explain } from '../../../src/diff/explain.ts'
import { ruleIdOf } from '../../../src/diff/rule.ts'
import { rules } from '../../../src/diff/rules.gen.ts'

const opposite: Readonly<Record<string, string>> = {
  added: 'removed',
  removed: 'added',
  increased: 'decreased',
  decreased: 'increased',
  widened: 'narrowed',
  narrowed: 'widened',
  changed: 'changed',
}

describe('rules of changes', () => {
  test('the id is the path, and it is made of what the rule is about', () => {
    for (const [id, rule] of rules) {
      expect(ruleIdOf(rule)).toBe(id)
      expect(areas).toContain(rule.area)
      expect(actions).toContain(rule.action)
    }
  })

  test('every rule has a mirror of the opposite action, or says why it has none', () => {
    for (const [id, rule] of rules) {
      if (rule.mirror === null) {
        expect([id, (rule.waiver ?? '').length > 20]).toEqual([id, true])
        continue
      }
      const mirror = rules.get(rule.mirror)
      expect([id, mirror?.mirror]).toEqual([id, id])
      expect([id, mirror?.action]).toEqual([id, opposite[rule.action]!])
    }
  })

  test('every rule tells a change in one line and explains itself in whole sentences', () => {
    for (const [id, rule] of rules) {
      const fact: Fact = {
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
      }
      const told = explain(fact)
      expect(told.id).toBe(id)
      expect([id, /^[^\n]{5,200}$/.test(told.message), told.message.includes('undefined')]).toEqual([id, true, false])
      expect([id, rule.explain.endsWith('.'), rule.explain.length > 15]).toEqual([id, true, true])
    }
  })
})
