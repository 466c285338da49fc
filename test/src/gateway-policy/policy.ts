/** Policies for the tests of this folder. */
import type { Exception, Policy, Rule } from '../../../src/gateway-policy/model.ts'
import { firstPolicy } from '../../../src/gateway-policy/model.ts'

export const now = '2026-05-05T12:00:00.000Z'
export const inHours = (hours: number): string => new Date(Date.parse(now) + hours * 3_600_000).toISOString()

export const ruleOf = (rule: Partial<Rule> = {}): Rule => ({
  id: 'r1',
  name: 'Admin',
  enabled: true,
  action: 'block',
  status: null,
  expression: { field: 'http.path', op: 'starts', value: '/admin' },
  order: 10,
  reason: 'Not public',
  groups: [],
  rate: null,
  version: 1,
  createdBy: 'user:1',
  createdAt: now,
  ...rule,
})
export const exceptionOf = (exception: Partial<Exception> = {}): Exception => ({
  id: 'e1',
  scope: { route: '/search', path: null, method: null, field: 'query:q' },
  target: { groups: ['sqli'], ruleRefs: [] },
  reason: 'Names with apostrophes',
  ticket: null,
  createdAt: now,
  createdBy: 'user:1',
  expiresAt: inHours(12),
  removedAt: null,
  policyVersion: 2,
  approvalId: null,
  ...exception,
})
export const policyOf = (it: Partial<Policy> = {}): Policy => ({ ...firstPolicy(), ...it })
