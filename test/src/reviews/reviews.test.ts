/** Which approvals count, what is missing, and which rules ask for reviewers. */
import { expect, test } from 'bun:test'
import { roles } from '../../../src/api/permissions.ts'
import {
  countedApprovals,
  reasonAgainst,
  standingAfter,
  verdictOf,
  type Answered,
  type ApprovalFacts,
} from '../../../src/reviews/approvals.ts'
import { matchingRules, type DraftChanges, type RuleMatch } from '../../../src/reviews/rules.ts'

const answer = (name: string, more: Partial<Answered> = {}): Answered => ({
  userId: name,
  name,
  role: 'editor',
  state: 'approved',
  standing: 'current',
  isEditor: false,
  ...more,
})
const facts = (answers: Answered[], more: Partial<ApprovalFacts> = {}): ApprovalFacts => ({
  isRequested: true,
  answers,
  rules: [],
  openThreads: 0,
  ...more,
})
const policy = { isRequired: true, needed: 1, role: null }

test('what an edit leaves of an approval', () => {
  const table = (['nothing', 'docs-only', 'non-breaking'] as const).map((survives) =>
    ([null, 'docs-only', 'non-breaking', 'breaking'] as const).map((severity) => {
      const isDocumentationOnly = severity === null || severity === 'docs-only'
      return standingAfter(severity, survives, { isDocumentationOnly, hasSameExtensions: true })
    }),
  )
  expect(table).toEqual([
    ['stale', 'stale', 'stale', 'stale'],
    ['carried', 'carried', 'stale', 'stale'],
    ['carried', 'carried', 'carried', 'stale'],
  ])
  const after = (isDocumentationOnly: boolean, hasSameExtensions: boolean) =>
    (['nothing', 'docs-only', 'non-breaking'] as const).map((survives) =>
      standingAfter('docs-only', survives, { isDocumentationOnly, hasSameExtensions }),
    )
  expect(after(false, true)).toEqual(['stale', 'stale', 'carried'])
  expect(after(false, false)).toEqual(['stale', 'stale', 'stale'])
})

test('who wrote it, who lost the role and who approved something else do not count', () => {
  const reasons = [
    answer('a'),
    answer('b', { standing: 'carried' }),
    answer('c', { standing: 'stale' }),
    answer('d', { isEditor: true }),
    answer('e', { role: null }),
    answer('f', { role: 'viewer' }),
  ].map((it) => reasonAgainst(it, null))
  expect(reasons).toEqual([
    null,
    null,
    'approved an earlier revision of the document',
    'edited the document',
    'cannot decide reviews',
    'cannot decide reviews',
  ])
  expect(roles.map((role) => reasonAgainst(answer('a', { role }), 'admin'))).toEqual([
    null,
    null,
    'is not admin',
    'cannot decide reviews',
    'cannot decide reviews',
  ])
})

test('approvals are counted against what is needed, and an objection goes before all', () => {
  expect(verdictOf(facts([answer('Ann')]), policy)).toEqual({ status: 'approved', message: 'Approved by Ann.' })
  expect(verdictOf(facts([answer('Ann'), answer('Ben')]), { ...policy, needed: 2 }).message).toBe(
    'Approved by Ann and Ben.',
  )
  expect(verdictOf(facts([answer('Ann'), answer('Ben', { isEditor: true })]), { ...policy, needed: 2 })).toEqual({
    status: 'missing',
    message: '1 of 2 required approvals. The approval of Ben does not count: Ben edited the document.',
  })
  expect(verdictOf(facts([answer('Ann'), answer('Cid', { state: 'changes_requested' })]), policy)).toEqual({
    status: 'missing',
    message: 'Cid requested changes.',
  })
  // Of someone who left, an objection is not for ever.
  const left = answer('Cid', { state: 'changes_requested', role: null })
  expect(verdictOf(facts([answer('Ann'), left]), policy).status).toBe('approved')
  expect(verdictOf(facts([], { isRequested: false }), { ...policy, isRequired: false })).toEqual({
    status: 'none',
    message: 'No review was requested.',
  })
})

test('a rule is met by its reviewers or its role, and by no one else', () => {
  const rule = { name: 'tag billing', reviewers: ['Ann'], role: null, min: 1 }
  const asked = (answers: Answered[], more: Partial<typeof rule> | { role: 'admin' } = {}) =>
    verdictOf(facts(answers, { isRequested: false, rules: [{ ...rule, ...more }] }), { ...policy, isRequired: false })
  expect(asked([answer('Ben')])).toEqual({
    status: 'missing',
    message: 'The rule for tag billing requires 1 more approval.',
  })
  expect(asked([answer('Ann')]).status).toBe('approved')
  expect(asked([answer('Ben', { role: 'owner' })], { role: 'admin' }).status).toBe('approved')
  expect(asked([answer('Ann'), answer('Ben')], { min: 2 }).status).toBe('missing')
  expect(countedApprovals(facts([answer('Ann', { standing: 'stale' })]), null)).toEqual([])
})

test('rules match what changed: by tag, path, schema and whether it breaks', () => {
  const change = (operations: string[], severity: 'breaking' | 'docs-only' = 'docs-only', pointer = '/info') => ({
    severity,
    operations,
    base: null,
    head: { pointer, range: null },
  })
  const operations = [
    { ref: 'GET /pets', tags: ['pets'] },
    { ref: 'POST /bills', tags: ['billing'] },
  ]
  const draft: DraftChanges = {
    changes: [change(['GET /pets'], 'breaking'), change([], 'docs-only', '/components/schemas/A~1B/properties/x')],
    operations,
    classes: ['A/B', 'C'],
  }
  const matches = (match: RuleMatch, it = draft): boolean => matchingRules([{ match }], it).length === 1
  expect([
    matches({ tag: 'pets' }),
    matches({ tag: 'billing' }),
    matches({ pathPrefix: '/pe' }),
    matches({ pathPrefix: '/bills' }),
    matches({ class: 'A/B' }),
    matches({ class: 'C' }),
    matches({ breaking: true }),
    matches({ breaking: true, tag: 'pets' }),
    matches({ breaking: true, class: 'A/B' }),
    matches({}),
  ]).toEqual([true, false, true, false, true, false, true, true, false, true])
  // An operation that the draft has no more has no tags.
  expect(matches({ tag: 'pets' }, { ...draft, changes: [change(['GET /gone'], 'breaking')] })).toBe(false)
  // Where nothing is published, everything is new and nothing breaks.
  const first = { ...draft, changes: null }
  expect([
    matches({ tag: 'billing' }, first),
    matches({ class: 'C' }, first),
    matches({ breaking: true }, first),
    matches({ tag: 'none' }, first),
  ]).toEqual([true, true, false, false])
})
