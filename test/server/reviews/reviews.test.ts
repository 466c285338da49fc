/** Reviews over HTTP: who may be asked and decide, what an approval is worth after an edit, and the gates. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { inTenant } from '../../../db/conditions.ts'
import type { Database } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import { apiKeys, notifications } from '../../../db/tables.gen.ts'
import { readKey } from '../../../server/auth/key-format.ts'
import { mostUnreadFromOne } from '../../../server/notifications/inbox-room.ts'
import type { Call } from '../../../src/api/endpoint.ts'
import { notificationsApi } from '../../../src/api/notifications.ts'
import { projectsApi } from '../../../src/api/projects.ts'
import { reviewsApi } from '../../../src/api/reviews.ts'
import { styleGuidesApi } from '../../../src/api/style-guides.ts'
import { threadsApi } from '../../../src/api/threads.ts'
import { versionsApi, type Gate } from '../../../src/api/versions.ts'
import { addApiKey, addMember, addUser, outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { readersDone } from '../../fixtures/outbox.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const yaml = (version: string, parts: { summary?: string; required?: boolean; extra?: boolean } = {}) => `openapi: 3.1.0
info: { title: Pets, version: ${version} }
paths:
  /pets:
    get:
      summary: ${parts.summary ?? 'List pets'}
      tags: [pets]
      parameters:
        - { name: limit, in: query, required: ${parts.required ?? false}, schema: { type: string } }
      responses:
        '200': { description: Pets }
${parts.extra === true ? "  /owners:\n    get:\n      responses: { '200': { description: Owners } }\n" : ''}`
const project = { tenant_slug: 'local', project_ref: 'pets' }
const at = (version_ref: string) => ({ ...project, version_ref })
type Decision = 'approved' | 'changes_requested'

onBothEngines('reviews', (makeDb) => {
  let db: Database
  let it: PetsProject
  let guide: string
  let ids: Record<'ann' | 'ben' | 'vic' | 'out', string>
  const as = (id: string): Call => it.service.callAs(id)
  const policy = (body: object) =>
    it.call(styleGuidesApi.putPolicy, { params: { tenant_slug: 'local', guide_id: guide }, body })
  const draft = (label: string, content: string) =>
    it.call(versionsApi.create, { params: project, body: { label, content } })
  const replace = async (label: string, text: string, by: Call | null = null) => {
    const { headers } = await it.send('GET', `/${label}/document`)
    const sent = { 'if-match': headers.get('etag') ?? '', 'content-type': 'application/yaml' }
    if (by === null) expect((await it.send('PUT', `/${label}/document`, text, sent)).status).toBe(200)
    else
      await by(versionsApi.putDocument, {
        params: at(label),
        headers: { 'if-match': sent['if-match'] },
        body: new TextEncoder().encode(text),
      })
  }
  const request = (label: string, reviewer_ids: string[], more: object = {}) =>
    it.call(reviewsApi.request, { params: at(label), body: { reviewer_ids, ...more } })
  const decide = (who: string, label: string, review_id: string, decision: Decision = 'approved', more: object = {}) =>
    as(who)(reviewsApi.decide, { params: { ...at(label), review_id }, body: { decision, ...more } })
  const gate = async (label: string, id: string): Promise<[Gate['status'], string]> => {
    const { gates } = await it.call(versionsApi.readiness, { params: at(label) })
    const one = gates.find((found) => found.id === id)
    return [one?.status ?? 'unknown', one?.message ?? '']
  }
  beforeAll(async () => {
    db = await makeDb()
    it = await openPetsProject(db)
    ids = { ann: '', ben: '', vic: '', out: '' }
    for (const name of ['ann', 'ben', 'vic', 'out'] as const) ids[name] = await addUser(db, name)
    await addMember(db, it.tenantId, ids.ann, 'editor')
    await addMember(db, it.tenantId, ids.ben, 'admin')
    await addMember(db, it.tenantId, ids.vic, 'viewer')
    guide = (await it.call(styleGuidesApi.create, { params: { tenant_slug: 'local' }, body: { name: 'Ours' } })).id
    await it.call(styleGuidesApi.makeDefault, { params: { tenant_slug: 'local', guide_id: guide } })
    await draft('1.0.0', yaml('1.0.0'))
    await it.call(versionsApi.publish, { params: at('1.0.0'), body: {} })
    await draft('1.1.0', yaml('1.1.0'))
  })
  afterAll(() => it.service.stop())

  test('only members who can decide and did not write it are asked', async () => {
    const refused = async (reviewers: string[], label = '1.1.0') => {
      const { code } = (await outcome(request(label, reviewers))) as { code: string }
      return code
    }
    expect([
      await refused([ids.out]),
      await refused([ids.vic]),
      await refused([it.ownerId]),
      await refused([ids.ann], '1.0.0'),
    ]).toEqual(['reviewer-cannot-view', 'reviewer-cannot-decide', 'reviewer-is-author', 'version-published'])
    await policy({ requiredReviewerRole: 'admin' })
    expect(await refused([ids.ann])).toBe('reviewer-cannot-decide')
    await policy({ requiredReviewerRole: null })
    const none = it.call(reviewsApi.request, { params: at('1.1.0'), body: { by_rules: true } })
    expect(await outcome(none)).toMatchObject({ code: 'reviewers-missing' })
    expect((await it.send('POST', '/1.1.0/reviews', { reviewer_ids: [] })).status).toBe(422)
  })

  test('who is asked and who asked are notified; the answer is of what the draft holds', async () => {
    const review = await request('1.1.0', [ids.ann, ids.ben], { note: `Please, @[vic](user:${ids.vic})` })
    expect(review).toMatchObject({
      status: 'pending',
      closed: false,
      requested_by: { id: it.ownerId },
      version_label: '1.1.0',
      reviewers: expect.arrayContaining([
        expect.objectContaining({ user_id: ids.ann, state: 'pending', counts: false }),
      ]),
    })
    expect(await gate('1.1.0', 'approval')).toEqual(['warn', '0 of 1 required approval.'])
    expect(await outcome(decide(ids.vic, '1.1.0', review.id))).toMatchObject({ code: 'permission-denied' })
    expect(await outcome(decide(it.ownerId, '1.1.0', review.id))).toMatchObject({ code: 'reviewer-not-asked' })
    const seen = { expected_digest: 'sha256:0' }
    expect(await outcome(decide(ids.ann, '1.1.0', review.id, 'approved', seen))).toMatchObject({
      code: 'document-changed',
    })
    expect(await decide(ids.ann, '1.1.0', review.id, 'changes_requested', { note: 'No' })).toMatchObject({
      status: 'changes_requested',
    })
    expect(await gate('1.1.0', 'approval')).toEqual(['warn', 'ann requested changes.'])
    expect((await decide(ids.ann, '1.1.0', review.id)).status).toBe('pending')
    expect((await decide(ids.ben, '1.1.0', review.id)).status).toBe('approved')
    expect(await gate('1.1.0', 'approval')).toEqual([
      'pass',
      expect.stringMatching(/^Approved by (ann and ben|ben and ann)\.$/),
    ])
    await readersDone(db)
    const inbox = async (who: string) =>
      (await as(who)(notificationsApi.list, { params: { tenant_slug: 'local' } })).notifications
        .filter((one) => one.type !== 'version_published')
        .map((one) => [one.type, one.payload.decision ?? null])
    expect(await inbox(ids.ann)).toEqual([['review_requested', null]])
    expect(await inbox(ids.vic)).toEqual([['mention', null]])
    expect(await inbox(it.ownerId)).toEqual([
      ['review_decision', 'approved'],
      ['review_decision', 'approved'],
      ['review_decision', 'changes_requested'],
    ])
    const waiting = async (who: string, mine: 'requested' | 'authored', status?: 'pending' | 'approved') =>
      (
        await as(who)(reviewsApi.mine, {
          params: { tenant_slug: 'local' },
          query: { mine, ...(status ? { status } : {}) },
        })
      ).total
    expect([
      await waiting(ids.ann, 'requested'),
      await waiting(ids.ann, 'requested', 'pending'),
      await waiting(ids.vic, 'requested'),
      await waiting(it.ownerId, 'authored', 'approved'),
    ]).toEqual([1, 0, 0, 1])
  })

  test('an approval is carried over a documentation edit, and stale after any other', async () => {
    const show = async () => (await it.call(reviewsApi.list, { params: at('1.1.0') })).reviews[0]
    await replace('1.1.0', yaml('1.1.0', { summary: 'All the pets' }))
    expect((await show())?.reviewers.map((one) => [one.carried?.severity, one.counts])).toEqual([
      ['docs-only', true],
      ['docs-only', true],
    ])
    expect((await gate('1.1.0', 'approval'))[0]).toBe('pass')
    await policy({ approvalsSurvive: 'nothing' })
    expect((await gate('1.1.0', 'approval'))[0]).toBe('warn')
    await policy({ approvalsSurvive: 'docs-only' })
    await replace('1.1.0', yaml('1.1.0', { extra: true }))
    expect(await show()).toMatchObject({ status: 'stale' })
    expect(await gate('1.1.0', 'approval')).toEqual([
      'warn',
      expect.stringContaining('approved an earlier revision of the document'),
    ])
    await policy({ approvalsSurvive: 'non-breaking' })
    expect((await gate('1.1.0', 'approval'))[0]).toBe('pass')
    await replace('1.1.0', yaml('1.1.0', { required: true }))
    expect((await gate('1.1.0', 'approval'))[0]).toBe('warn')
    await policy({ approvalsSurvive: 'docs-only' })
  })

  test('who edits after approving does not count, and cannot approve again', async () => {
    await draft('1.2.0', yaml('1.2.0'))
    const { id } = await request('1.2.0', [ids.ann])
    await decide(ids.ann, '1.2.0', id)
    expect((await gate('1.2.0', 'approval'))[0]).toBe('pass')
    await replace('1.2.0', yaml('1.2.0', { summary: 'Mine' }), as(ids.ann))
    expect(await gate('1.2.0', 'approval')).toEqual(['warn', expect.stringContaining('edited the document')])
    expect(await outcome(decide(ids.ann, '1.2.0', id))).toMatchObject({ code: 'reviewer-is-author' })
  })

  test('a breaking draft that the policy wants approved is published with an approval, and not without', async () => {
    await policy({ breakingPublishGuardrail: 'approve', approvalPolicy: { required: true } })
    await draft('2.0.0', yaml('2.0.0', { required: true }))
    const publish = () => it.brief('POST', '/2.0.0/publish', {})
    expect((await gate('2.0.0', 'breaking-guardrail'))[0]).toBe('fail')
    expect(await publish()).toBe('409 publish-gates-failed')
    const { id } = await request('2.0.0', [ids.ben])
    await decide(ids.ben, '2.0.0', id)
    expect(await gate('2.0.0', 'breaking-guardrail')).toEqual([
      'pass',
      '1 change breaks clients of 1.0.0. Approved by ben.',
    ])
    const thread = await it.call(threadsApi.open, {
      params: at('2.0.0'),
      body: { anchor: { pointer: '' }, body: 'Wait' },
    })
    await policy({ policyGates: { 'threads-resolved': 'block' } })
    expect(await publish()).toBe('409 publish-gates-failed')
    await it.call(threadsApi.resolve, { params: { ...at('2.0.0'), thread_id: thread.id } })
    expect(await publish()).toBe('200')
    expect(await outcome(decide(ids.ben, '2.0.0', id))).toMatchObject({ code: 'review-closed' })
    await policy({
      breakingPublishGuardrail: 'warn',
      approvalPolicy: { required: false },
      policyGates: { 'threads-resolved': 'warn' },
    })
  })

  test('rules ask the people of what changes', async () => {
    await policy({ reviewRules: [{ match: { pathPrefix: '/owners' }, reviewers: [ids.ann] }] })
    await draft('2.1.0', yaml('2.1.0', { required: true, summary: 'Other' }))
    expect((await gate('2.1.0', 'approval'))[0]).toBe('skipped')
    const unnamed = it.call(reviewsApi.request, { params: at('2.1.0'), body: { by_rules: true } })
    expect(await outcome(unnamed)).toMatchObject({ code: 'reviewers-missing' })
    await replace('2.1.0', yaml('2.1.0', { required: true, extra: true }))
    expect(await gate('2.1.0', 'approval')).toEqual([
      'warn',
      'The rule for pathPrefix /owners requires 1 more approval.',
    ])
    const review = await it.call(reviewsApi.request, { params: at('2.1.0'), body: { by_rules: true } })
    expect(review.reviewers.map((one) => one.user_id)).toEqual([ids.ann])
    await decide(ids.ann, '2.1.0', review.id)
    expect((await gate('2.1.0', 'approval'))[0]).toBe('pass')
    // What the published version has already is not asked about.
    await policy({ reviewRules: [{ match: { pathPrefix: '/pets' }, reviewers: [ids.ann] }] })
    const unchanged = it.call(reviewsApi.request, { params: at('2.1.0'), body: { by_rules: true } })
    expect(await outcome(unchanged)).toMatchObject({ code: 'reviewers-missing' })
    await policy({ reviewRules: [{ match: { pathPrefix: '/owners' }, reviewers: [ids.ann] }] })
    // Where nothing is published everything is new.
    const { id: other } = await it.call(projectsApi.create, { params: { tenant_slug: 'local' }, body: { name: 'New' } })
    const params = { tenant_slug: 'local', project_ref: other }
    await it.call(versionsApi.create, { params, body: { label: '0.1.0', content: yaml('0.1.0', { extra: true }) } })
    const first = { params: { ...params, version_ref: '0.1.0' }, body: { by_rules: true } }
    expect((await it.call(reviewsApi.request, first)).reviewers.map((one) => one.user_id)).toEqual([ids.ann])
    await policy({ reviewRules: [] })
  })

  test("a note has today's names of the members that it mentions", async () => {
    await draft('2.1.1', yaml('2.1.1', { required: true }))
    const note = `@[Old](user:${ids.ben}) @[Old](user:nobody)`
    const asked = { reviewer_ids: [ids.ann], note }
    const review = await it.call(reviewsApi.request, { params: at('2.1.1'), body: asked })
    expect(review.note).toBe(`@[ben](user:${ids.ben}) @[Old](user:nobody)`)
  })

  test('a rule that no one could satisfy is refused, with its number', async () => {
    const refused = (...rules: object[]) =>
      outcome(policy({ reviewRules: [{ match: { tag: 'a' }, role: 'editor' }, ...rules] }))
    expect(await refused({ match: {}, role: 'admin' })).toMatchObject({ code: 'review-rule-invalid', number: '2' })
    expect(await refused({ match: { breaking: false }, role: 'admin' })).toMatchObject({ code: 'review-rule-invalid' })
    expect(await refused({ match: { class: 'Pet' } })).toMatchObject({ code: 'review-rule-invalid' })
    expect(await refused({ match: { class: 'Pet' }, reviewers: [ids.ann, ids.ann], min: 2 })).toMatchObject({
      code: 'review-rule-invalid',
      reason: 'it needs 2 approvals of 1 reviewer',
    })
    expect(await refused({ match: { class: 'Pet' }, reviewers: ['nobody'] })).toMatchObject({
      code: 'reviewer-cannot-view',
      user: 'nobody',
    })
  })

  test('a reviewer takes the answer back, who asked takes back the request', async () => {
    await draft('2.2.0', yaml('2.2.0', { required: true }))
    const { id } = await request('2.2.0', [ids.ann])
    const withdraw = (who: string) => as(who)(reviewsApi.withdraw, { params: { ...at('2.2.0'), review_id: id } })
    await decide(ids.ann, '2.2.0', id, 'changes_requested')
    expect(await outcome(withdraw(ids.vic))).toMatchObject({ code: 'permission-denied' })
    expect(await withdraw(ids.ann)).toMatchObject({ status: 'withdrawn', reviewers: [{ state: 'withdrawn' }] })
    expect((await decide(ids.ann, '2.2.0', id)).status).toBe('approved')
    expect(await withdraw(it.ownerId)).toMatchObject({ status: 'withdrawn', closed: true })
    expect((await gate('2.2.0', 'approval'))[0]).toBe('skipped')
    expect(await outcome(decide(ids.ann, '2.2.0', id))).toMatchObject({ code: 'review-closed' })
  })

  test('who objected in one review and leaves another one still objects', async () => {
    await draft('2.3.0', yaml('2.3.0', { required: true }))
    const [first, second] = [await request('2.3.0', [ids.ann]), await request('2.3.0', [ids.ann])]
    await decide(ids.ann, '2.3.0', first.id, 'changes_requested')
    await as(ids.ann)(reviewsApi.withdraw, { params: { ...at('2.3.0'), review_id: second.id } })
    expect(await gate('2.3.0', 'approval')).toEqual(['warn', 'ann requested changes.'])
    await as(ids.ann)(reviewsApi.withdraw, { params: { ...at('2.3.0'), review_id: first.id } })
    expect((await gate('2.3.0', 'approval'))[1]).not.toContain('requested changes')
  })

  test('a key requests reviews and decides none', async () => {
    const asked = await it.send('POST', '/2.2.0/reviews', { reviewer_ids: [ids.ann] })
    expect(asked.status).toBe(201)
    const decision = await it.send('POST', `/2.2.0/reviews/${String(asked.value['id'])}/decision`, {
      decision: 'approved',
    })
    expect([decision.status, decision.value.detail?.code]).toEqual([403, 'person-required'])
  })

  test('nobody approves what they are behind: a key of theirs, a suggestion, a label', async () => {
    const key = await addApiKey(db, it.tenantId)
    const behind = inTenant(apiKeys, it.tenantId, eq(apiKeys.keyHash, readKey(key)?.hash ?? ''))
    await db.inTransaction((tx) => tx.update(apiKeys).set({ createdBy: ids.ben }).where(behind))
    const byKey = it.service.callWith(key)
    await byKey(versionsApi.create, { params: project, body: { label: '3.0.0', content: yaml('3.0.0') } })
    expect(await outcome(request('3.0.0', [ids.ben]))).toEqual({ code: 'reviewer-is-author', name: 'ben' })
    await db.inTransaction((tx) => tx.delete(apiKeys).where(behind))
    expect(await outcome(request('3.0.0', [ids.ben]))).toEqual({ code: 'reviewer-is-author', name: 'ben' })

    await draft('3.1.0', yaml('3.1.0'))
    const { id } = await request('3.1.0', [ids.ann])
    const patch = [{ op: 'add' as const, path: '/paths/~1pets/get/operationId', value: 'listPets' }]
    const { comments } = await as(ids.ann)(threadsApi.open, {
      params: at('3.1.0'),
      body: { anchor: { pointer: '/paths/~1pets/get' }, body: 'Name it', suggestion: { patch } },
    })
    const { headers } = await it.send('GET', '/3.1.0/document')
    await it.call(threadsApi.applySuggestion, {
      params: { ...at('3.1.0'), comment_id: comments[0]?.id ?? '' },
      headers: { 'if-match': headers.get('etag') ?? '' },
    })
    expect(await outcome(decide(ids.ann, '3.1.0', id))).toMatchObject({ code: 'reviewer-is-author' })

    await draft('3.2.0', yaml('3.2.0'))
    const asked = await request('3.2.0', [ids.ann])
    await decide(ids.ann, '3.2.0', asked.id)
    expect((await gate('3.2.0', 'approval'))[0]).toBe('pass')
    await replace('3.2.0', `${yaml('3.2.0')}x-amazon-apigateway-integration: { uri: 'http://other.example' }\n`)
    expect((await gate('3.2.0', 'approval'))[0]).toBe('warn')
    await decide(ids.ann, '3.2.0', asked.id)
    await it.call(versionsApi.update, { params: at('3.2.0'), body: { label: '9.9.9' } })
    expect(await gate('9.9.9', 'approval')).toEqual(['warn', expect.stringContaining('an earlier revision')])
  })

  test('one person does not fill the inbox of another, by requests or comments, with any of their keys', async () => {
    const full = Array.from({ length: mostUnreadFromOne }, () => ({
      id: newId(),
      tenantId: it.tenantId,
      userId: ids.vic,
      eventId: newId(),
      type: 'mention' as const,
      payload: { title: 'x', url: '/x' },
      actorId: ids.ann,
      actorName: 'ann',
      projectId: null,
      versionId: null,
      createdAt: '2026-01-01T00:00:00.000Z',
      readAt: null,
    }))
    await db.inTransaction((tx) => tx.insert(notifications).values(full))
    const mention = (call: Call) =>
      outcome(
        call(threadsApi.open, {
          params: at('3.1.0'),
          body: { anchor: { pointer: '' }, body: `@[vic](user:${ids.vic})` },
        }),
      )
    const refused = { code: 'inbox-full', name: 'vic', max: mostUnreadFromOne }
    expect(await mention(as(ids.ann))).toEqual(refused)
    expect(await mention(it.call)).toMatchObject({ status: 'open' })
    await as(ids.vic)(notificationsApi.markRead, { params: { tenant_slug: 'local' }, body: { all: true } })
    expect(await mention(as(ids.ann))).toMatchObject({ status: 'open' })
  })
})
