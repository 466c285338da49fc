/** The gates of publishing as functions of what they look at. */
import { describe, expect, test } from 'bun:test'
import type { Gate } from '../../../src/api/versions.ts'
import type { Change } from '../../../src/diff/change.ts'
import { evaluateGates, isReady, stoppingGates, unreviewed, type GateFacts } from '../../../server/publishing/gates.ts'
import { evidenceUrls } from '../../../server/publishing/assess.ts'
import { namedBaseline } from '../../../server/versions/baseline.ts'
import { isKnown, isMatched } from '../../../server/http/etag.ts'
import { assertForce, assertGates } from '../../../server/publishing/publish.ts'
import type { Answered } from '../../../src/reviews/approvals.ts'
import { freshPolicy, type Policy } from '../../../server/style-guides/policy.ts'

const change = (classification: Change['classification'], severity: Change['severity'] = 'breaking') =>
  ({ classification, severity }) as Change
const [breaking, undecided, safe] = [change('breaking'), change('unknown'), change('safe', 'non-breaking')]

const facts: GateFacts = {
  label: '1.1.0',
  invalid: [],
  unresolvedRefs: 0,
  grade: { grade: 'A', counts: { error: 0, warning: 0, info: 0, hint: 0 } } as unknown as GateFacts['grade'],
  policy: freshPolicy,
  lintUrl: 'lint',
  published: { label: '1.0.0', changes: [], changesUrl: 'changes' },
  impact: [],
  consumers: 0,
  gateways: null,
  reviews: unreviewed,
}
const graded = (grade: string | null, counts: Partial<Record<'error' | 'warning' | 'info' | 'hint', number>> = {}) =>
  ({ grade, counts: { error: 0, warning: 0, info: 0, hint: 0, ...counts } }) as unknown as GateFacts['grade']
const gateOf = (id: string, more: Partial<GateFacts>): [Gate['status'], string, string | null] => {
  const one = evaluateGates({ ...facts, ...more }).find((it) => it.id === id)
  if (one === undefined) throw new Error(`no gate ${id}`)
  return [one.status, one.message, one.evidence_url]
}
const against = (changes: readonly Change[], label = '1.0.0') => ({
  published: { label, changes, changesUrl: 'changes' },
})

test('an invalid document fails, with its first problem and the number of the others', () => {
  expect(gateOf('document-valid', {})).toEqual(['pass', 'The document is valid.', 'lint'])
  expect(gateOf('document-valid', { invalid: ['a'] })).toEqual(['fail', 'a', 'lint'])
  expect(gateOf('document-valid', { invalid: ['a', 'b'] })).toEqual(['fail', 'a (and 1 more problem)', 'lint'])
  expect(gateOf('document-valid', { invalid: ['a', 'b', 'c'] })).toEqual(['fail', 'a (and 2 more problems)', 'lint'])
})

test('references that cannot be resolved', () => {
  expect(gateOf('unresolved-refs', {})).toEqual(['pass', 'All references can be resolved.', 'lint'])
  expect(gateOf('unresolved-refs', { unresolvedRefs: 1 })).toEqual(['warn', '1 reference cannot be resolved.', 'lint'])
})

test('a proven breaking change, one that is undecided, both and none', () => {
  const guardrail = (...changes: Change[]) => gateOf('breaking-guardrail', against(changes))
  expect(guardrail(safe)).toEqual(['pass', 'Nothing breaks clients of 1.0.0.', 'changes'])
  expect(guardrail(undecided, safe)).toEqual([
    'unknown',
    'No change is proven to break clients of 1.0.0, but 1 change could not be decided.',
    'changes',
  ])
  expect(guardrail(breaking, undecided)).toEqual(['warn', '1 change breaks clients of 1.0.0.', 'changes'])
  expect(guardrail(breaking, breaking)).toEqual(['warn', '2 changes break clients of 1.0.0.', 'changes'])
  const compat = (...changes: Change[]) => gateOf('compat', against(changes))
  expect(compat(safe)).toEqual(['pass', 'Proven compatible with 1.0.0.', 'changes'])
  expect(compat(breaking, safe)).toEqual(['warn', 'Not compatible with 1.0.0.', 'changes'])
  expect(compat(breaking, undecided, undecided)).toEqual([
    'unknown',
    '2 changes against 1.0.0 could not be decided.',
    'changes',
  ])
})

test('semantic versions: greater, and a new major version for what breaks, from 1.0.0 on', () => {
  const semver = (label: string, published: string, ...changes: Change[]) =>
    gateOf('semver-consistent', { label, ...against(changes, published) })
  const correct = (label: string, published: string) => [
    'pass',
    `${label} is a correct next version after ${published}.`,
    'changes',
  ]
  expect(semver('1.0.1', '1.0.0', safe)).toEqual(correct('1.0.1', '1.0.0') as never)
  expect(semver('2.0.0', '1.0.0', breaking)).toEqual(correct('2.0.0', '1.0.0') as never)
  expect(semver('0.2.0', '0.1.0', breaking)).toEqual(correct('0.2.0', '0.1.0') as never)
  expect(semver('1.1.0', '1.0.0', safe, breaking)).toEqual([
    'warn',
    '1.1.0 breaks clients of 1.0.0 and has the same major version.',
    'changes',
  ])
  for (const label of ['1.0.0', '0.9.0'])
    expect(semver(label, '1.0.0')).toEqual([
      'warn',
      `${label} is not greater than the published version 1.0.0.`,
      'changes',
    ])
  for (const [label, published] of [
    ['draft', '1.0.0'],
    ['2.0.0', 'spring'],
    ['autumn', 'spring'],
  ] as const)
    expect(semver(label, published)).toEqual([
      'skipped',
      `"${label}" or "${published}" is not a semantic version.`,
      'changes',
    ])
})

test('where nothing is published there is nothing to break', () => {
  for (const id of ['breaking-guardrail', 'semver-consistent', 'compat'])
    expect(gateOf(id, { published: null, impact: null })).toEqual(['pass', 'No version is published yet.', null])
})

test('consumers: broken ones, undecided ones, five by name', () => {
  const impact = (...statuses: ('broken' | 'unknown' | 'safe')[]) =>
    gateOf('consumer-impact', {
      consumers: statuses.length,
      impact: statuses.map((status, at) => ({ handle: `c${at}`, status })) as NonNullable<GateFacts['impact']>,
    })
  expect(impact()).toEqual(['skipped', 'No consumer contract is registered for this project.', null])
  expect(impact('safe')).toEqual(['pass', '1 consumer of 1.0.0 keeps everything in use.', 'changes'])
  expect(impact('safe', 'safe')).toEqual(['pass', '2 consumers of 1.0.0 keep everything in use.', 'changes'])
  expect(impact('unknown', 'safe', 'broken')).toEqual(['warn', '1 consumer of 1.0.0 would break: c2.', 'changes'])
  expect(impact('safe', 'unknown')).toEqual([
    'unknown',
    'Whether 1 consumer of 1.0.0 would break could not be decided: c1.',
    'changes',
  ])
  const five = Array<'broken'>(5).fill('broken')
  expect(impact(...five)[1]).toBe('5 consumers of 1.0.0 would break: c0, c1, c2, c3, c4.')
  expect(impact(...five, 'broken')[1]).toBe('6 consumers of 1.0.0 would break: c0, c1, c2, c3, c4 and 1 more.')
  expect(gateOf('consumer-impact', { consumers: 1, impact: null })).toEqual([
    'pass',
    'No version is published yet.',
    null,
  ])
  expect(gateOf('consumer-impact', { consumers: 1, impact: [], published: null })[0]).toBe('pass')
})

describe('lint', () => {
  test('the grade is held against the least one of the policy', () => {
    expect(gateOf('lint-grade', { grade: graded('B') })).toEqual(['pass', 'The lint grade is B.', 'lint'])
    expect(gateOf('lint-grade', { grade: graded('C') })).toEqual(['warn', 'The lint grade is C, worse than B.', 'lint'])
    expect(gateOf('lint-grade', { grade: graded(null) })).toEqual([
      'unknown',
      'No rule applies to this document, so it has no grade.',
      'lint',
    ])
  })

  test('findings of the severity of the policy and of every worse one', () => {
    const policy: Policy = { ...freshPolicy, policyGates: { ...freshPolicy.policyGates, failOn: 'info' } }
    const found = (counts: Parameters<typeof graded>[1]) =>
      gateOf('lint-findings', { policy, grade: graded('A', counts) }).slice(0, 2)
    expect(found({ hint: 3 })).toEqual(['pass', 'Lint found 0 errors, 0 warnings, 0 notes.'])
    expect(found({ info: 1 })).toEqual(['warn', 'Lint found 0 errors, 0 warnings, 1 note.'])
    expect(found({ error: 2, warning: 1 })).toEqual(['warn', 'Lint found 2 errors, 1 warning, 0 notes.'])
    expect(gateOf('lint-findings', { grade: graded('A', { warning: 9 }) })[0]).toBe('pass')
  })
})

describe('policy', () => {
  const under = (change: Partial<Policy>, more: Partial<GateFacts> = {}) => ({
    policy: { ...freshPolicy, ...change },
    ...more,
  })
  const levels = (level: 'off' | 'warn' | 'block'): Partial<Policy> => ({
    policyGates: { ...freshPolicy.policyGates, 'unresolved-refs': level },
  })

  test('a missed gate is skipped, warns or fails', () => {
    const missed = (change: Partial<Policy>) =>
      gateOf('unresolved-refs', under(change, { unresolvedRefs: 1 })).slice(0, 2)
    const message = '1 reference cannot be resolved.'
    expect(missed(levels('off'))).toEqual(['skipped', `Not required by the policy. ${message}`])
    expect(missed(levels('warn'))).toEqual(['warn', message])
    expect(missed(levels('block'))).toEqual(['fail', `${message} The policy does not allow that.`])
  })

  test('the guardrail of breaking changes has a level of its own', () => {
    const missed = (level: Policy['breakingPublishGuardrail']) =>
      gateOf('breaking-guardrail', under({ breakingPublishGuardrail: level }, against([undecided])))[0]
    expect([missed('off'), missed('warn'), missed('approve'), missed('block')]).toEqual([
      'skipped',
      'unknown',
      'fail',
      'fail',
    ])
    const message = (requiredReviewerRole: string | null) =>
      gateOf(
        'breaking-guardrail',
        under({ breakingPublishGuardrail: 'approve', requiredReviewerRole } as Partial<Policy>, against([breaking])),
      )[1]
    expect(message(null)).toEndWith(' The policy requires the approval of a reviewer. 0 of 1 required approval.')
    expect(message('admin')).toEndWith(' The policy requires the approval of admin. 0 of 1 required approval.')
  })

  test('what is met stays met, and an invalid document fails under every policy', () => {
    expect(gateOf('unresolved-refs', under(levels('block')))[0]).toBe('pass')
    expect(gateOf('document-valid', under(levels('off'), { invalid: ['a'] }))[0]).toBe('fail')
    expect(gateOf('consumer-impact', under(levels('block')))[0]).toBe('skipped')
  })

  const answer = (more: Partial<Answered> = {}): Answered => ({
    userId: 'ann',
    name: 'Ann',
    role: 'editor',
    state: 'approved',
    standing: 'current',
    isEditor: false,
    ...more,
  })
  const reviewed = (...answers: Answered[]): Partial<GateFacts> => ({
    reviews: { isRequested: true, answers, rules: [], openThreads: 0 },
  })
  const gatesAt = (level: 'off' | 'warn' | 'block'): Partial<Policy> => ({
    policyGates: { ...freshPolicy.policyGates, approval: level, 'threads-resolved': level },
  })
  const required = { approvalPolicy: { required: true, minApprovals: 1 } }

  test('an approval is skipped where no one asked, and fails only where it is required', () => {
    expect(gateOf('approval', {})).toEqual(['skipped', 'No review was requested.', null])
    expect(gateOf('approval', { reviews: null })).toEqual(['skipped', 'Only stored drafts are reviewed.', null])
    expect(gateOf('approval', reviewed())).toEqual(['warn', '0 of 1 required approval.', null])
    expect(gateOf('approval', under(required))).toEqual([
      'fail',
      '0 of 1 required approval. The policy does not allow that.',
      null,
    ])
    expect(gateOf('approval', under(gatesAt('block')))[0]).toBe('fail')
    expect(gateOf('approval', under(gatesAt('off'), reviewed()))[0]).toBe('skipped')
    expect(gateOf('approval', under(required, reviewed(answer({ standing: 'carried' }))))).toEqual([
      'pass',
      'Approved by Ann.',
      null,
    ])
  })

  test('an approval that was met by the guardrail of breaking changes', () => {
    const guardrail = (changes: readonly Change[], ...answers: Answered[]) =>
      gateOf(
        'breaking-guardrail',
        under({ breakingPublishGuardrail: 'approve' }, { ...against(changes), ...reviewed(...answers) }),
      )
    expect(guardrail([breaking], answer())).toEqual([
      'pass',
      '1 change breaks clients of 1.0.0. Approved by Ann.',
      'changes',
    ])
    expect(guardrail([undecided], answer())[0]).toBe('unknown')
    expect(guardrail([breaking], answer({ standing: 'stale' }))[0]).toBe('fail')
    expect(guardrail([breaking], answer({ isEditor: true }))[0]).toBe('fail')
    expect(guardrail([breaking])[0]).toBe('fail')
    // What breaks nothing needs no approval, and what blocks is not met by one.
    expect(guardrail([safe], answer())[1]).toBe('Nothing breaks clients of 1.0.0.')
    const blocked = under({ breakingPublishGuardrail: 'block' }, { ...against([breaking]), ...reviewed(answer()) })
    expect(gateOf('breaking-guardrail', blocked)[0]).toBe('fail')
  })

  test('gateways: what would be refused, may be refused, is logged only, or stays', () => {
    const lane = {
      environment: 'Production',
      from: '1.0.0',
      mode: 'block' as const,
      narrowing: 2,
      undecided: 0,
      consumers: ['pos', 'shop'],
      calls: 12,
      networks: 3,
    }
    const none = { consumers: [], calls: 0, networks: 0 }
    const gateway = (gateways: GateFacts['gateways'], policy: Partial<Policy> = {}) =>
      gateOf('gateway-impact', under(policy, { gateways }))
    const text =
      '"Production" refuses requests with 1.1.0 that it accepts with 1.0.0: 2 changes narrow them. Consumers that are touched: pos, shop. Recorded calls of these operations in 30 days: 12. Networks of clients that were recorded there: 3.'
    const block = { policyGates: { ...freshPolicy.policyGates, 'gateway-impact': 'block' as const } }
    expect([
      gateway(null).slice(0, 2),
      gateway([]).slice(0, 2),
      gateway([lane]).slice(0, 2),
      gateway([lane], block).slice(0, 2),
      gateway([{ ...lane, ...none, narrowing: 0, undecided: 1 }]).slice(0, 2),
      gateway([{ ...lane, ...none, narrowing: 1, mode: 'log' }]).slice(0, 2),
      gateway([{ ...lane, ...none, narrowing: 0 }]).slice(0, 2),
    ]).toEqual([
      ['skipped', 'No gateway compares requests with this project.'],
      ['pass', 'Gateways accept every request that they accept now.'],
      ['warn', text],
      ['fail', `${text} The policy does not allow that.`],
      ['unknown', '"Production" may refuse requests with 1.1.0 that it accepts with 1.0.0: 1 change may narrow them.'],
      ['pass', '"Production" logs requests with 1.1.0 that it accepts with 1.0.0: 1 change narrows them.'],
      ['pass', 'Gateways accept every request that they accept now.'],
    ])
  })

  test('open threads', () => {
    const open = (openThreads: number, policy: Partial<Policy> = {}) =>
      gateOf(
        'threads-resolved',
        under(policy, { reviews: { isRequested: false, answers: [], rules: [], openThreads } }),
      )
    expect(open(0)).toEqual(['pass', 'No thread is open.', null])
    expect(open(1)).toEqual(['warn', '1 thread is open.', null])
    expect(open(2, gatesAt('block'))).toEqual(['fail', '2 threads are open. The policy does not allow that.', null])
    expect(gateOf('threads-resolved', { reviews: null })[0]).toBe('skipped')
  })
})

describe('what stops', () => {
  const gate = (id: string, status: Gate['status']): Gate => ({ id, status, message: '', evidence_url: null })
  const [valid, other, warning] = [gate('document-valid', 'fail'), gate('compat', 'fail'), gate('compat', 'warn')]
  const outcome = (work: () => void) => {
    try {
      work()
      return 'passes'
    } catch (error) {
      return (error as { code: string }).code
    }
  }

  test('failed gates, with force only an invalid document', () => {
    expect(stoppingGates([valid, other, warning], false)).toEqual([valid, other])
    expect(stoppingGates([valid, other, warning], true)).toEqual([valid])
    expect(outcome(() => assertGates([warning], false))).toBe('passes')
    expect(outcome(() => assertGates([other], false))).toBe('publish-gates-failed')
    expect(outcome(() => assertGates([other], true))).toBe('passes')
    expect(outcome(() => assertGates([valid], true))).toBe('publish-gates-failed')
  })

  test('a draft that no gate stops is ready; a warning stops nothing', () => {
    expect([isReady('draft', []), isReady('draft', [warning]), isReady('draft', [other])]).toEqual([true, true, false])
    expect((['published', 'deprecated', 'retired'] as const).map((it) => isReady(it, []))).toEqual([
      false,
      false,
      false,
    ])
  })

  test('force needs its permission and a reason', () => {
    const permissions = new Set(['versions:publish_force'] as const)
    expect(outcome(() => assertForce({ permissions: new Set() }, {}))).toBe('passes')
    expect(outcome(() => assertForce({ permissions: new Set() }, { force: true, force_reason: 'x' }))).toBe(
      'permission-denied',
    )
    expect(outcome(() => assertForce({ permissions }, { force: true }))).toBe('force-needs-reason')
    expect(outcome(() => assertForce({ permissions }, { force: true, force_reason: ' ' }))).toBe('force-needs-reason')
    expect(outcome(() => assertForce({ permissions }, { force: true, force_reason: 'x' }))).toBe('passes')
  })
})

test('a baseline that was chosen is another version of the project, and published', () => {
  const row = (id: string, status: 'draft' | 'published' | 'deprecated') => ({ id, status, label: `label-${id}` })
  const rows = [row('a', 'draft'), row('b', 'published'), row('c', 'deprecated')]
  const chosen = (id: string | null | undefined) => {
    try {
      return namedBaseline(rows, id).id
    } catch (error) {
      return (error as { detail: { reason: string } }).detail.reason
    }
  }
  expect([chosen('b'), chosen('c')]).toEqual(['b', 'c'])
  expect(chosen('a')).toBe('"label-a" is not published')
  expect(chosen('d')).toBe('"d" is not another version of this project')
  for (const id of [null, undefined, ''])
    expect(chosen(id)).toBe('the mode "manual" needs changeReportBaselineRevisionId')
})

test('evidence leads to what is stored: findings, and changes against what is published', () => {
  const deps = { publicUrl: () => 'https://svc.example' }
  const of = (isStored: boolean, current: { slug: string } | null) =>
    evidenceUrls(deps, { slug: 'acme' }, { isStored, projectSlug: 'pets', slug: '1 0' }, current)
  expect(of(false, { slug: '0.9' })).toEqual({ lintUrl: null, changesUrl: null })
  const lintUrl = 'https://svc.example/v1/lint/acme/catalog/pets/1%200'
  expect(of(true, null)).toEqual({ lintUrl, changesUrl: null })
  expect(of(true, { slug: '0.9' })).toEqual({
    lintUrl,
    changesUrl: 'https://svc.example/v1/tenants/acme/projects/pets/versions/1%200/changes?base=0.9',
  })
})

test('entity tags: a reader knows weakly, a writer matches strongly, each of a list or any', () => {
  const etag = '"a"'
  const known = [null, '"b"', '"a"', 'W/"a"', '"b", "a"', '"b" , W/"a"', '*', '"b", *', 'W/"b"', 'a']
  expect(known.filter((it) => isKnown(it, etag))).toEqual(['"a"', 'W/"a"', '"b", "a"', '"b" , W/"a"', '*', '"b", *'])
  expect(['"a-zstd"', 'W/"a-gzip"', '"a-br"', '"b-zstd"'].filter((it) => isKnown(it, etag))).toEqual([
    '"a-zstd"',
    'W/"a-gzip"',
  ])
  const matched = ['"b"', '"a"', 'W/"a"', '"b", "a"', '*', '"b", *']
  expect(matched.filter((it) => isMatched(it, etag))).toEqual(['"a"', '"b", "a"', '*', '"b", *'])
})
