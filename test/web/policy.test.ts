import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { freshPolicy } from '../../server/style-guides/policy.ts'
import type { PolicyPack, StyleGuideRule } from '../../src/api/style-guide-shapes.ts'
import { type Policy, policyChange } from '../../web/src/features/style-guides/policy-change.ts'
import { comparePacks } from '../../web/src/features/style-guides/pack-diff.ts'
import { compareLines } from '../../web/src/parts/text-diff.tsx'

const policy: Policy = { ...freshPolicy, requiredReviewerRole: 'admin' }

test('only what was changed of a policy is sent, and a cleared role as null', () => {
  expect(policyChange(policy, policy)).toEqual({})
  expect(policyChange(policy, { ...policy, requiredReviewerRole: null })).toEqual({ requiredReviewerRole: null })
  expect(
    policyChange(policy, {
      ...policy,
      policyGates: { ...policy.policyGates, 'lint-grade': 'block', minGrade: 'A' },
      breakingPublishGuardrail: 'approve',
      approvalPolicy: { required: true, minApprovals: 1 },
      requiredReviewerRole: 'admin',
    }),
  ).toEqual({
    policyGates: { 'lint-grade': 'block', minGrade: 'A' },
    breakingPublishGuardrail: 'approve',
    approvalPolicy: { required: true },
  })
})

const rule = (id: string, severity: StyleGuideRule['severity'], enabled = true): StyleGuideRule => ({
  id,
  origin: 'builtin',
  enabled,
  severity,
  defaultSeverity: severity,
  recommended: true,
  formats: null,
  description: null,
  documentationUrl: null,
})
const pack = (rules: StyleGuideRule[], changed: Partial<PolicyPack> = {}): PolicyPack => ({
  id: 'p',
  guideId: 'g',
  version: 1,
  digest: 'd',
  rulesOn: 1,
  createdBy: null,
  createdAt: '2026-11-01T00:00:00.000Z',
  name: 'House',
  description: '',
  rules,
  customRulesYaml: '',
  policy,
  ...changed,
})

test('two packs differ in rules that were added, removed, turned off or changed in severity, and in policy', () => {
  const before = pack([rule('a', 'error'), rule('b', 'warning'), rule('c', 'info'), rule('d', 'hint')])
  const after = pack([rule('a', 'warning'), rule('b', 'warning', false), rule('d', 'hint'), rule('e', 'error')], {
    name: 'Home',
    policy: { ...policy, requiredReviewerRole: null, approvalPolicy: { required: true, minApprovals: 2 } },
  })
  expect(comparePacks(before, before)).toEqual({ facts: [], rules: [], policy: [] })
  expect(comparePacks(before, after)).toEqual({
    facts: [{ what: 'name', before: 'House', after: 'Home' }],
    rules: [
      { what: 'a', before: 'error', after: 'warning' },
      { what: 'b', before: 'warning', after: 'off' },
      { what: 'c', before: 'info', after: null },
      { what: 'e', before: null, after: 'error' },
    ],
    policy: [
      { what: 'approvals', before: 'none', after: 'at least 2' },
      { what: 'reviewer role', before: 'admin', after: 'any role' },
    ],
  })
})

const side = (before: string, after: string, without: 'gone' | 'new'): string[] =>
  compareLines(before, after)
    .filter((it) => it.kind !== without)
    .map((it) => it.text)

test('a comparison of lines holds both texts whole, with as few changes as can be', () => {
  expect(compareLines('a\nb\nc\n', 'a\nx\nc\n')).toEqual([
    { kind: 'same', text: 'a' },
    { kind: 'gone', text: 'b' },
    { kind: 'new', text: 'x' },
    { kind: 'same', text: 'c' },
  ])
  expect(compareLines('', '')).toEqual([])
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
    .map((it) => it.map((line) => `${line}\n`).join(''))
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(
        side(before, after, 'new')
          .map((it) => `${it}\n`)
          .join(''),
      ).toBe(before)
      expect(
        side(before, after, 'gone')
          .map((it) => `${it}\n`)
          .join(''),
      ).toBe(after)
      if (before === after) expect(compareLines(before, after).every((it) => it.kind === 'same')).toBe(true)
    }),
  )
})
