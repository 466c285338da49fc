/** The catalogue, effective modes, digests and what differs between two versions. */
import { expect, test } from 'bun:test'
import {
  catalogueDefault,
  groupIds,
  groupModes,
  groupOf,
  managedGroups,
  rulesUpTo,
  tierIds,
  type GroupId,
} from '../../../src/gateway-policy/catalogue.ts'
import { differencesOf, risksOf } from '../../../src/gateway-policy/compare.ts'
import { policyDigest } from '../../../src/gateway-policy/digest.ts'
import {
  effectiveMode,
  effectiveModes,
  levelsOf,
  positiveChecks,
  type Policy,
  type Positive,
} from '../../../src/gateway-policy/model.ts'
import { exceptionOf, inHours, now, policyOf, ruleOf } from './policy.ts'

test('the catalogue has thirteen groups with the rules of the rule set, and tags of their own', () => {
  expect(managedGroups.map(({ id }) => id)).toEqual([...groupIds])
  expect(groupIds).toHaveLength(13)
  expect(managedGroups.reduce((sum, it) => sum + rulesUpTo(it, 4), 0)).toBe(341)
  const tags = managedGroups.flatMap((it) => it.tags)
  expect(new Set(tags).size).toBe(tags.length)
  expect(tags.filter((it) => !it.startsWith('OWASP_CRS/'))).toEqual([])
  const files = managedGroups.flatMap((it) => it.files)
  expect(new Set(files).size).toBe(files.length)
  expect(managedGroups.filter((it) => it.readsResponses).map(({ id }) => id)).toEqual(['data-leak', 'web-shell'])
  expect(groupOf('nothing')).toBe(undefined)
  expect(rulesUpTo(groupOf('sqli') as never, 2)).toBe(51)
})

test('the default of each group in each tier', () => {
  const table = tierIds.map((tier) => groupIds.filter((id) => catalogueDefault(id, tier) === 'block'))
  const requests = groupIds.filter((id) => id !== 'data-leak' && id !== 'web-shell')
  expect(table).toEqual([[], requests, requests, [...groupIds]])
})

test('each mode of a group in each tier, with its reason', () => {
  for (const tier of tierIds)
    for (const mode of [null, ...groupModes]) {
      const policy = policyOf({
        presets: { ...policyOf().presets, tier },
        groups: mode === null ? {} : { 'data-leak': { mode, reason: 'Tests' } },
      })
      const found = effectiveMode(policy, 'data-leak')
      const expected =
        tier === 'off'
          ? ['off', 'tier-off']
          : mode !== null
            ? [mode, 'set']
            : tier === 'strict'
              ? ['block', 'catalogue']
              : ['off', 'reads-responses']
      expect([found.mode, found.because] as string[]).toEqual(expected)
    }
  const off = policyOf({ groups: { php: { mode: 'off', reason: 'No PHP' }, java: { mode: 'block', reason: null } } })
  const modes = effectiveModes(off)
  expect([modes.php.sentence, modes.java.sentence, modes.sqli.sentence]).toEqual([
    'It was set to off: No PHP.',
    'It was set to block.',
    'The tier standard has it on.',
  ])
})

test('what the presets come to', () => {
  const levels = (it: Partial<Policy['presets']>) => {
    const { blocking, detection, threshold } = levelsOf({ ...policyOf().presets, ...it })
    return [blocking, detection, threshold]
  }
  expect([
    levels({}),
    levels({ tier: 'off', paranoia: 3 }),
    levels({ tier: 'basic' }),
    levels({ tier: 'strict' }),
    levels({ paranoia: 3 }),
    levels({ paranoia: 4 }),
    levels({ threshold: 20 }),
    levels({ tier: 'strict', paranoia: 1 }),
  ]).toEqual([
    [1, 2, 5],
    [0, 0, 0],
    [1, 1, 10],
    [2, 3, 5],
    [3, 4, 5],
    [4, 4, 5],
    [1, 2, 20],
    [1, 3, 5],
  ])
})

const positive: Positive = {
  projectId: 'p1',
  version: 'latest',
  mode: 'block',
  checks: Object.fromEntries(positiveChecks.map((it) => [it, 'block'])) as Positive['checks'],
  stripPrefix: null,
}

test('the digest is of what a policy does', () => {
  const policy = policyOf({ rules: [ruleOf()], exceptions: [exceptionOf()] })
  const same = policyOf({
    rules: [ruleOf({ version: 9, createdBy: null })],
    removedRules: [{ ...ruleOf({ id: 'r0' }), removedAt: now, removedBy: null }],
    exceptions: [exceptionOf({ createdBy: null, policyVersion: 9 }), exceptionOf({ id: 'gone', removedAt: now })],
  })
  expect(policyDigest(same)).toBe(policyDigest(policy))
  const others: Policy[] = [
    policyOf(),
    { ...policy, presets: { ...policy.presets, tier: 'basic' } },
    { ...policy, groups: { sqli: { mode: 'log', reason: 'x' } } },
    { ...policy, rules: [ruleOf({ enabled: false })] },
    { ...policy, rules: [ruleOf({ order: 11 })] },
    { ...policy, exceptions: [exceptionOf({ expiresAt: inHours(13) })] },
    { ...policy, positive },
  ]
  expect(new Set([policy, ...others].map(policyDigest)).size).toBe(8)
})

const base = policyOf({
  rules: [ruleOf()],
  exceptions: [exceptionOf()],
  groups: { php: { mode: 'log', reason: 'Trial' } },
})
const sentences = (after: Policy, before = base) =>
  differencesOf(before, after, now).map(({ sentence, risk }) => (risk === null ? sentence : `${sentence} ! ${risk}`))

test('the same policy has no differences', () => {
  expect(sentences(base)).toEqual([])
  expect(sentences({ ...base, rules: [ruleOf({ version: 2 })] })).toEqual([])
  const documented = { ...base, positive }
  expect(sentences({ ...documented, positive: { ...positive } }, documented)).toEqual([])
})

test('presets: what is lowered needs a second person', () => {
  const presets = (it: Partial<Policy['presets']>) => sentences({ ...base, presets: { ...base.presets, ...it } })
  expect([
    presets({ tier: 'basic' }),
    presets({ tier: 'strict' }),
    presets({ paranoia: 2 }),
    presets({ threshold: 7 }),
    presets({ threshold: 4 }),
    presets({ bot: 'off' }),
    presets({ rate: { limit: 10, windowSeconds: 60, key: 'ip' } }),
    presets({ challenge: { kind: 'managed', passMinutes: 30 } }),
    presets({ reasons: { tier: 'x' } }),
  ]).toEqual([
    ['The tier changes from standard to basic. ! The tier is lowered.'],
    ['The tier changes from standard to strict.'],
    ['The blocking level changes from 1 to 2.'],
    ['The threshold changes from 5 to 7. ! Requests are refused from a higher score on.'],
    ['The threshold changes from 5 to 4.'],
    ['Bots: from log to off.'],
    ['The rate limit changes from no limit to 10 requests in 60 s by ip.'],
    ['The challenge changes from none to managed, kept 30 min.'],
    ['The reasons of the presets change.'],
  ])
  // The level and the threshold of the tier, now written down.
  for (const own of [{ paranoia: 1 }, { threshold: 5 }]) {
    const after = { ...base, presets: { ...base.presets, ...own } }
    expect(risksOf(differencesOf(base, after, now))).toEqual([])
  }
  const lower = { ...base, presets: { ...base.presets, paranoia: 3 } }
  expect(sentences(base, lower)).toEqual(['The blocking level changes from 3 to 1. ! Fewer rules block.'])
})

test('groups: each mode from each other', () => {
  const modes = [null, ...groupModes]
  const with_ = (mode: (typeof modes)[number]) =>
    policyOf(mode === null ? {} : { groups: { sqli: { mode, reason: mode === 'off' ? 'Why' : null } } })
  const risky = modes.flatMap((from) =>
    modes.flatMap((to) => risksOf(differencesOf(with_(from), with_(to), now)).map((risk) => [from, to, risk] as const)),
  )
  const stops = 'The group SQL injection stops blocking.'
  expect(risky).toEqual([
    [null, 'off', stops],
    [null, 'log', stops],
    ['log', 'off', stops],
    ['challenge', 'off', stops],
    ['challenge', 'log', stops],
    ['block', 'off', stops],
    ['block', 'log', stops],
  ])
  expect(sentences(with_('off'), with_(null))).toEqual([
    `The group SQL injection changes from the catalogue default to off: Why. ! ${stops}`,
  ])
  expect(sentences({ ...base, groups: { php: { mode: 'log', reason: 'Other' } } })).toEqual([
    'The reason for log of the group PHP changes.',
  ])
  const ids: GroupId[] = ['sqli']
  expect(ids).toHaveLength(1)
})

test('rules: those that begin to let requests pass, or that refuse no longer or other ones, need a second person', () => {
  const rules = (after: Policy['rules'], before: Policy['rules'] = [ruleOf()]) =>
    sentences({ ...base, rules: after }, { ...base, rules: before })
  const allow = ruleOf({ id: 'r2', name: 'Office', action: 'allow' })
  const skip = ruleOf({ id: 'r3', name: 'Upload', action: 'skip', groups: ['sqli'] })
  const where = 'where http.path starts "/admin"'
  expect([
    rules([]),
    rules([ruleOf(), allow]),
    rules([ruleOf(), { ...allow, enabled: false }]),
    rules([allow], [{ ...allow, enabled: false }]),
    rules([{ ...allow, enabled: false }], [allow]),
    rules([skip], []),
    rules([{ ...skip, groups: ['sqli', 'xss'] }], [skip]),
    rules([ruleOf({ name: 'New' })]),
    rules([ruleOf({ action: 'log' })]),
    rules([ruleOf({ action: 'rate-limit', rate: { limit: 5, windowSeconds: 60, key: 'ip' } })]),
    rules([{ ...allow, name: 'Renamed' }], [allow]),
    rules([ruleOf({ enabled: false })]),
    rules([ruleOf({ expression: { field: 'http.path', op: 'starts', value: '/other' } })]),
    rules([ruleOf({ order: 99 })]),
  ]).toEqual([
    [`The rule "Admin" is removed: block ${where}. ! The rule "Admin" no longer refuses requests.`],
    [`The rule "Office" is added: allow ${where}. ! The rule "Office" lets requests pass that would be checked.`],
    [`The rule "Office" is added, switched off: allow ${where}.`],
    [
      `The rule "Office" changes, now switched on: allow ${where}. ! The rule "Office" lets requests pass that would be checked.`,
    ],
    [`The rule "Office" changes, now switched off: allow ${where}.`],
    [`The rule "Upload" is added: skip sqli ${where}. ! The rule "Upload" lets requests pass that would be checked.`],
    [
      `The rule "Upload" changes: skip sqli, xss ${where}. ! The rule "Upload" lets requests pass that would be checked.`,
    ],
    ['The name, the reason or the text of the rule "New" changes.'],
    [`The rule "Admin" changes: log ${where}. ! The rule "Admin" no longer refuses requests.`],
    [
      `The rule "Admin" changes: rate-limit above 5 requests in 60 s by ip ${where}. ! The rule "Admin" no longer refuses requests.`,
    ],
    ['The name, the reason or the text of the rule "Renamed" changes.'],
    [`The rule "Admin" changes, now switched off: block ${where}. ! The rule "Admin" no longer refuses requests.`],
    [
      'The rule "Admin" changes: block where http.path starts "/other". ! The rule "Admin" refuses other requests than before.',
    ],
    [`The rule "Admin" changes: block ${where}.`],
  ])
})

test('exceptions: long ones and those without a field need a second person', () => {
  const exceptions = (after: Policy['exceptions'], before: Policy['exceptions'] = []) =>
    sentences({ ...base, exceptions: after }, { ...base, exceptions: before })
  const until = (hours: number) => exceptionOf({ expiresAt: inHours(hours) })
  const whole = exceptionOf({ scope: { ...exceptionOf().scope, field: null, method: 'POST' } })
  expect([
    exceptions([until(24)]),
    exceptions([until(24.001)]),
    exceptions([whole]),
    exceptions([], [until(24)]),
    exceptions([exceptionOf({ removedAt: now })], [exceptionOf()]),
    exceptions([exceptionOf()], [exceptionOf({ removedAt: now })]),
    exceptions([until(-1)]),
    exceptions([until(0)]),
    exceptions([], [until(-1)]),
  ]).toEqual([
    [`An exception is added: sqli for /search query:q until ${inHours(24)}.`],
    [
      `An exception is added: sqli for /search query:q until ${inHours(24.001)}. ! The exception lasts more than 24 hours.`,
    ],
    [
      `An exception is added: sqli for POST /search until ${inHours(12)}. ! An exception without a field exempts whole requests.`,
    ],
    [`An exception is removed: sqli for /search query:q until ${inHours(24)}.`],
    [`An exception is removed: sqli for /search query:q until ${inHours(12)}.`],
    [`An exception is added: sqli for /search query:q until ${inHours(12)}.`],
    [],
    [],
    [],
  ])
})

test('the document: each check from each mode', () => {
  const modes = ['off', 'log', 'block'] as const
  const with_ = (body: (typeof modes)[number], mode: (typeof modes)[number] = 'block'): Policy => ({
    ...base,
    positive: { ...positive, mode, checks: { ...positive.checks, body } },
  })
  const risky = modes.flatMap((from) =>
    modes.flatMap((to) => risksOf(differencesOf(with_(from), with_(to), now)).map(() => `${from} ${to}`)),
  )
  expect(risky).toEqual(['log off', 'block off', 'block log'])
  expect(risksOf(differencesOf(with_('block'), base, now))).toHaveLength(7)
  expect(sentences(with_('block'), base).at(-1)).toBe(
    'Requests are compared with version latest of project p1 instead of no document.',
  )
  expect(risksOf(differencesOf(base, with_('block'), now))).toEqual([])
  expect(risksOf(differencesOf(with_('off'), with_('off', 'log'), now))).toHaveLength(6)
})

test('the document: another project needs a second person where anything is blocked', () => {
  const off = Object.fromEntries(positiveChecks.map((it) => [it, 'off'])) as Positive['checks']
  const of = (it: Partial<Positive>): Policy => ({ ...base, positive: { ...positive, ...it } })
  const other = (checks: Positive['checks'], it: Partial<Positive> = { projectId: 'p2' }) =>
    sentences(of({ checks, ...it }), of({ checks }))
  const change = 'Requests are compared with version latest of project p2 instead of version latest of project p1.'
  expect([
    other(positive.checks),
    other({ ...off, body: 'block', method: 'log' }),
    other({ ...off, body: 'log' }),
    other(off),
    other(positive.checks, { version: '2.0.0' }),
    other(positive.checks, { stripPrefix: '/shop' }),
  ]).toEqual([
    [`${change} ! Another document decides which requests pass.`],
    [`${change} ! Another document decides which requests pass.`],
    [change],
    [change],
    ['Requests are compared with version 2.0.0 of project p1 instead of version latest of project p1.'],
    ['Requests are compared with version latest of project p1 below /shop instead of version latest of project p1.'],
  ])
})
