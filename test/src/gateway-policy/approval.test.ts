/** Approvals: every state from every other, and that one is never worth anything twice or for another change. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  approvalMs,
  approvalState,
  approvalStates,
  consent,
  use,
  withdraw,
  type Approval,
  type ApprovalState,
} from '../../../src/gateway-policy/approval.ts'
import { changeDigest } from '../../../src/gateway-policy/digest.ts'
import { inHours, now } from './policy.ts'

const base: Approval = {
  changeDigest: 'sha256:a',
  policyVersion: 3,
  requestedBy: 'api-key:k',
  requesters: ['ann'],
  expiresAt: inHours(24),
  approversMin: 1,
  consents: [],
  usedAt: null,
  withdrawnAt: null,
}
const moment = { now, policyVersion: 3 }
const ben = { by: 'ben', at: now, note: '' }
const inState: Record<ApprovalState, { approval: Approval; moment: typeof moment }> = {
  pending: { approval: base, moment },
  approved: { approval: { ...base, consents: [ben] }, moment },
  used: { approval: { ...base, consents: [ben], usedAt: now }, moment: { ...moment, policyVersion: 4 } },
  expired: { approval: { ...base, consents: [ben] }, moment: { ...moment, now: inHours(24) } },
  stale: { approval: { ...base, consents: [ben] }, moment: { ...moment, policyVersion: 4 } },
  withdrawn: { approval: { ...base, withdrawnAt: now }, moment: { ...moment, policyVersion: 4 } },
}

test('each action from each state', () => {
  const table: unknown[][] = approvalStates.map((state) => {
    const { approval, moment } = inState[state]
    const change = { digest: approval.changeDigest, by: approval.requestedBy }
    const outcome = (step: ReturnType<typeof use>) =>
      step.refusal ?? ('approval' in step ? approvalState(step.approval, moment) : null)
    return [
      approvalState(approval, moment),
      outcome(consent(approval, moment, { by: 'cat', note: '' })),
      outcome(consent(approval, moment, { by: 'ann', note: '' })),
      outcome(withdraw(approval, moment)),
      outcome(use(approval, moment, change)),
      outcome(use(approval, moment, { ...change, digest: 'sha256:b' })),
      outcome(use(approval, moment, { ...change, by: 'user:ben' })),
    ]
  })
  const same = (state: string, code: string) => [state, code, code, code, code, code, code]
  expect(table).toEqual([
    [
      'pending',
      'approved',
      'approval-self',
      'withdrawn',
      'approval-required',
      'approval-mismatch',
      'approval-mismatch',
    ],
    ['approved', 'approved', 'approval-self', 'withdrawn', 'used', 'approval-mismatch', 'approval-mismatch'],
    same('used', 'approval-used'),
    same('expired', 'approval-expired'),
    same('stale', 'approval-stale'),
    same('withdrawn', 'approval-withdrawn'),
  ])
})

test('two approvers are two people', () => {
  let approval: Approval = { ...base, approversMin: 2 }
  const agree = (by: string) => {
    const step = consent(approval, moment, { by, note: `by ${by}` })
    if (!('approval' in step)) throw new Error(step.refusal)
    approval = step.approval
    return approvalState(approval, moment)
  }
  expect([agree('ben'), agree('ben'), approval.consents.length, agree('cat')]).toEqual([
    'pending',
    'pending',
    1,
    'approved',
  ])
  expect(approval.consents).toEqual([
    { by: 'ben', note: 'by ben', at: now },
    { by: 'cat', note: 'by cat', at: now },
  ])
})

test('whatever is done in whatever order, a change happens at most once, consented by another, within a day, on its version', () => {
  const steps = fc.array(
    fc.record({
      what: fc.constantFrom('consent', 'withdraw', 'use'),
      by: fc.constantFrom('ann', 'ben', 'cat'),
      asked: fc.constantFrom('api-key:k', 'user:ben'),
      digest: fc.constantFrom('sha256:a', 'sha256:a', 'sha256:b'),
      hours: fc.integer({ min: 0, max: 8 }),
      version: fc.constantFrom(3, 3, 3, 3, 4),
    }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 2 }), (steps, approversMin) => {
      let approval: Approval = { ...base, approversMin }
      let [hours, version, uses] = [0, 3, 0]
      const agreed = new Set<string>()
      for (const it of steps) {
        hours += it.hours
        version = Math.max(version, it.version)
        const at = { now: inHours(hours), policyVersion: version }
        const step =
          it.what === 'consent'
            ? consent(approval, at, { by: it.by, note: '' })
            : it.what === 'withdraw'
              ? withdraw(approval, at)
              : use(approval, at, { digest: it.digest, by: it.asked })
        if (!('approval' in step)) continue
        if (it.what === 'consent') {
          expect(it.by).not.toBe('ann')
          agreed.add(it.by)
        }
        if (it.what === 'use') {
          uses++
          expect([it.digest, it.asked, version]).toEqual(['sha256:a', 'api-key:k', 3])
          expect(agreed.size).toBeGreaterThanOrEqual(approversMin)
          expect(hours * 3_600_000).toBeLessThan(approvalMs)
        }
        approval = step.approval
      }
      expect(uses).toBeLessThanOrEqual(1)
    }),
    { numRuns: 2000 },
  )
})

test('the digest of a change is another one for every other change', () => {
  const change = {
    environment: 'e',
    operation: 'PUT /presets',
    target: null,
    body: { tier: 'basic', reason: 'x' },
    policyVersion: 3,
  }
  const others = [
    { ...change, environment: 'f' },
    { ...change, operation: 'PUT /rules' },
    { ...change, target: 'r1' },
    { ...change, body: { tier: 'basic', reason: 'y' } },
    { ...change, body: { tier: 'basic' } },
    { ...change, policyVersion: 4 },
  ]
  expect(new Set([change, ...others].map(changeDigest)).size).toBe(7)
  expect(changeDigest({ ...change, body: { reason: 'x', tier: 'basic' } })).toBe(changeDigest(change))
  expect(changeDigest(change)).toMatch(/^sha256:[0-9a-f]{64}$/)
})
