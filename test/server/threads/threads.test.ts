/** Threads over HTTP: places that survive edits, comments with mentions, suggestions that are applied to the draft. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import { threads, users } from '../../../db/tables.gen.ts'
import { mostOwnThreads } from '../../../server/threads/store.ts'
import { notificationsApi } from '../../../src/api/notifications.ts'
import { threadsApi, type Thread } from '../../../src/api/threads.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import type { Call } from '../../../src/api/endpoint.ts'
import { addMember, addUser, outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { readersDone } from '../../fixtures/outbox.ts'
import { killedAt } from '../../fixtures/killed-at.ts'
import { applySuggestion } from '../../../server/threads/comments.ts'
import { keyPermissions } from '../../../src/api/permissions.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const yaml = (parameters: readonly string[]) => `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 } # as the author wrote it
paths:
  /pets:
    get:
      summary: List pets
      parameters:
${parameters.map((name) => `        - { name: ${name}, in: query, schema: { type: string } }\n`).join('')}      responses:
        '200': { description: Pets }
`
const params = { tenant_slug: 'local', project_ref: 'pets', version_ref: '1.0.0' }
const get = '/paths/~1pets/get'

onBothEngines('threads', (makeDb) => {
  let db: Database
  let it: PetsProject
  let owner: Call
  let ann: Call
  let vic: Call
  let ids: Record<'ann' | 'vic' | 'out', string>
  const etag = async () => (await it.send('GET', '/1.0.0/document')).headers.get('etag') ?? ''
  const document = async () => (await it.send('GET', '/1.0.0/document')).value.text
  const replace = async (text: string) => {
    const headers = { 'if-match': await etag(), 'content-type': 'application/yaml' }
    expect((await it.send('PUT', '/1.0.0/document', text, headers)).status).toBe(200)
  }
  const open = (pointer: string, body = 'Why?', call = ann) =>
    call(threadsApi.open, { params, body: { anchor: { pointer }, body } })
  const thread = (thread_id: string) => owner(threadsApi.get, { params: { ...params, thread_id } })
  beforeAll(async () => {
    db = await makeDb()
    it = await openPetsProject(db)
    ids = { ann: await addUser(db, 'ann'), vic: await addUser(db, 'vic'), out: await addUser(db, 'out') }
    await addMember(db, it.tenantId, ids.ann, 'editor')
    await addMember(db, it.tenantId, ids.vic, 'viewer')
    ;[owner, ann, vic] = [it.call, it.service.callAs(ids.ann), it.service.callAs(ids.vic)]
    await owner(versionsApi.create, {
      params: { tenant_slug: 'local', project_ref: 'pets' },
      body: { label: '1.0.0', content: yaml(['limit', 'cursor']) },
    })
  })
  afterAll(() => it.service.stop())

  test('a thread is on a place, with its lines', async () => {
    const made = await open(`${get}/parameters/1`)
    expect(made).toMatchObject({
      anchor: {
        kind: 'parameter',
        key: 'GET /pets#parameters/query:cursor',
        pointer: `${get}/parameters/1`,
        excerpt: '{"name": "cursor", "in": "query", "schema": {"type": "string"}}',
      },
      anchor_state: 'anchored',
      place: { pointer: `${get}/parameters/1`, range: { start: { line: 8, character: 10 } } },
      status: 'open',
      comments: [
        { body: 'Why?', mentions: [], suggestion: null, deleted: false, author: { id: ids.ann, name: 'ann' } },
      ],
      comments_count: 1,
      participants: [{ id: ids.ann, name: 'ann' }],
    })
    expect(await outcome(open('/paths/~1cats'))).toMatchObject({ code: 'anchor-invalid' })
    expect(await outcome(open('paths'))).toMatchObject({ code: 'anchor-invalid' })
  })

  test('it follows the place through edits, and says where it was and is', async () => {
    const { id } = await open(`${get}/parameters/0`)
    await replace(yaml(['first', 'cursor', 'limit']))
    expect(await thread(id)).toMatchObject({
      anchor: { pointer: `${get}/parameters/0` },
      anchor_state: 'anchored',
      place: { pointer: `${get}/parameters/2`, range: { start: { line: 9, character: 10 } } },
    })
    await replace(yaml(['cursor']))
    expect(await thread(id)).toMatchObject({ anchor_state: 'outdated', place: { pointer: `${get}/parameters` } })
    await replace(yaml(['limit', 'cursor']))
    const list = await owner(threadsApi.list, { params })
    expect(list).toMatchObject({ count: 2, total: 2, open: 2, limit: 50, offset: 0 })
    expect(list.threads.map((one) => [one.anchor_state, one.place.pointer])).toEqual([
      ['anchored', `${get}/parameters/1`],
      ['anchored', `${get}/parameters/0`],
    ])
  })

  test('comments mention members, who are notified once', async () => {
    const { id } = await open(get, `@[vic](user:${ids.vic}) and @[out](user:${ids.out}), @[ann](user:${ids.ann})`)
    const [first] = (await thread(id)).comments
    expect(first?.mentions).toEqual([ids.vic, ids.ann])
    const commentParams = { ...params, comment_id: first?.id ?? '' }
    await ann(threadsApi.editComment, {
      params: commentParams,
      body: { body: `@[vic](user:${ids.vic}) @[o](user:${it.ownerId})` },
    })
    await readersDone(db)
    const inbox = async (call: Call) =>
      (await call(notificationsApi.list, { params: { tenant_slug: 'local' } })).notifications.map((one) => [
        one.type,
        one.payload.thread_id,
      ])
    expect(await inbox(vic)).toEqual([['mention', id]])
    expect(await inbox(owner)).toEqual([['mention', id]])
    expect(await inbox(ann)).toEqual([])
    const edit = (call: Call) =>
      outcome(call(threadsApi.editComment, { params: commentParams, body: { body: 'Mine' } }))
    expect(await edit(vic)).toMatchObject({ code: 'comment-not-yours' })
    expect(await edit(owner)).toMatchObject({ code: 'comment-not-yours' })
  })

  test('a mention has the name that its member has today; what is no mention of a member stays as it was written', async () => {
    const { id } = await open(get, `@[Old](user:${ids.vic}) @[Old](user:${ids.out})`)
    await db.inTransaction(
      async (tx) => void (await tx.update(users).set({ name: 'Vic]toria' }).where(eq(users.id, ids.vic))),
    )
    expect((await thread(id)).comments[0]?.body).toBe(`@[Vic toria](user:${ids.vic}) @[Old](user:${ids.out})`)
  })

  test('a viewer comments, resolves the own thread, and no other', async () => {
    const mine = await open('/info', 'Mine', vic)
    const other = await open('/info', 'Other')
    const resolve = (call: Call, thread_id: string) =>
      outcome(call(threadsApi.resolve, { params: { ...params, thread_id } }))
    const comment = (call: Call, thread_id: string) =>
      outcome(call(threadsApi.comment, { params: { ...params, thread_id }, body: { body: 'So' } }))
    expect(await comment(vic, other.id)).toMatchObject({ body: 'So', thread_id: other.id })
    expect(await resolve(vic, other.id)).toMatchObject({ code: 'permission-denied' })
    expect(await resolve(vic, mine.id)).toMatchObject({ status: 'resolved', resolved_by: { id: ids.vic } })
    expect(await resolve(ann, other.id)).toMatchObject({ status: 'resolved' })
    expect(await resolve(ann, other.id)).toMatchObject({ code: 'thread-resolved' })
    expect(await comment(ann, other.id)).toMatchObject({ code: 'thread-resolved' })
    await readersDone(db)
    const [told] = (
      await vic(notificationsApi.list, { params: { tenant_slug: 'local' }, query: { type: 'thread_resolved' } })
    ).notifications
    expect(told).toMatchObject({ payload: { thread_id: other.id }, actor: { id: ids.ann } })
    expect(await ann(threadsApi.reopen, { params: { ...params, thread_id: other.id } })).toMatchObject({
      status: 'open',
      resolved_by: null,
    })
    expect(
      (await owner(threadsApi.list, { params, query: { status: 'resolved' } })).threads.map((one) => one.id),
    ).toEqual([mine.id])
  })

  test('one person opens a hundred threads of a draft at most, and leaves room for the others', async () => {
    const row = await open(get)
    const [known] = await db.read.select().from(threads).where(eq(threads.id, row.id))
    if (known === undefined) throw new Error('the thread is missing')
    const before = await db.read.$count(
      threads,
      and(eq(threads.createdBy, known.createdBy ?? ''), eq(threads.status, 'open')),
    )
    const more = Array.from({ length: mostOwnThreads - before }, () => ({ ...known, id: newId() }))
    await db.inTransaction((tx) => tx.insert(threads).values(more))
    const refused = { code: 'own-threads-exceeded', max: mostOwnThreads, version: '1.0.0' }
    expect(await outcome(open(get))).toEqual(refused)
    expect(await outcome(open(get, 'Mine', owner))).toMatchObject({ status: 'open' })
    await ann(threadsApi.resolve, { params: { ...params, thread_id: row.id } })
    expect(await outcome(open(get))).toMatchObject({ status: 'open' })
    expect(await outcome(ann(threadsApi.reopen, { params: { ...params, thread_id: row.id } }))).toEqual(refused)
    await db.inTransaction((tx) =>
      tx.delete(threads).where(
        inArray(
          threads.id,
          more.map(({ id }) => id),
        ),
      ),
    )
  })

  test('a deleted comment keeps its place; Owners delete any', async () => {
    const { id, comments } = await open('/info', 'Secret', vic)
    const comment_id = comments[0]?.id ?? ''
    const remove = (call: Call) => outcome(call(threadsApi.deleteComment, { params: { ...params, comment_id } }))
    expect(await remove(ann)).toMatchObject({ code: 'comment-not-yours' })
    expect(await remove(owner)).toBe(null)
    expect((await thread(id)).comments).toMatchObject([{ id: comment_id, body: '', deleted: true }])
    expect(await remove(owner)).toMatchObject({ code: 'comment-not-found' })
  })

  test('a suggestion is applied to the draft in its own format, once', async () => {
    const patch = [{ op: 'replace' as const, path: `${get}/parameters/1/name`, value: 'after' }]
    const { comments } = await ann(threadsApi.open, {
      params,
      body: { anchor: { pointer: `${get}/parameters/1` }, body: 'Better', suggestion: { patch } },
    })
    const comment_id = comments[0]?.id ?? ''
    expect(comments[0]?.suggestion).toMatchObject({ patch, applied_at: null })
    expect(comments[0]?.suggestion?.diff.split('\n').filter((line) => /^[-+]/.test(line))).toEqual([
      '-        - { name: cursor, in: query, schema: { type: string } }',
      '+        - { name: after, in: query, schema: { type: string } }',
    ])
    const apply = (call: Call, match?: string) =>
      outcome(
        call(threadsApi.applySuggestion, {
          params: { ...params, comment_id },
          ...(match === undefined ? {} : { headers: { 'if-match': match } }),
        }),
      )
    const overlay = (call: Call) => call(threadsApi.suggestionOverlay, { params: { ...params, comment_id } })
    expect(await apply(vic, '*')).toMatchObject({ code: 'permission-denied' })
    expect(await apply(owner)).toMatchObject({ code: 'precondition-required' })
    expect(await apply(owner, '"sha256:0"')).toMatchObject({ code: 'document-changed' })
    // The list moved meanwhile: the patch follows its parameter.
    await replace(yaml(['cursor', 'limit']))
    const moved = await overlay(vic)
    expect(moved).toEqual({
      text: `overlay: 1.1.0
info:
  title: Suggestion for ${params.project_ref} ${params.version_ref}
  version: 1.0.0
actions:
  - target: "$.paths['/pets'].get.parameters[0]"
    update:
      name: after
`,
      actions: 1,
    })
    expect(await apply(owner, await etag())).toMatchObject({
      suggestion: { applied_by: { id: it.ownerId }, applied_at: expect.any(String) },
    })
    expect(await document()).toBe(yaml(['after', 'limit']))
    // What was asked for is done: the thread is resolved with it, and those who took part are told.
    const { id } = (await owner(threadsApi.list, { params, query: { limit: 200 } })).threads.find((one) =>
      one.comments.some((comment) => comment.id === comment_id),
    ) as Thread
    expect(await thread(id)).toMatchObject({ status: 'resolved', resolved_by: { id: it.ownerId } })
    await readersDone(db)
    const told = await ann(notificationsApi.list, {
      params: { tenant_slug: 'local' },
      query: { type: 'thread_resolved' },
    })
    expect(told.notifications[0]?.payload).toMatchObject({ thread_id: id })
    expect(await apply(owner, '*')).toMatchObject({ code: 'suggestion-stale', reason: 'it was applied already' })
    // Once applied, it is an overlay of the document that it was made for.
    expect((await overlay(vic)).text).toBe(moved.text.replace('parameters[0]', 'parameters[1]'))
    const bad = [{ op: 'remove' as const, path: '/nothing' }]
    const refused = ann(threadsApi.open, {
      params,
      body: { anchor: { pointer: '' }, body: 'x', suggestion: { patch: bad } },
    })
    expect(await outcome(refused)).toMatchObject({ code: 'suggestion-invalid' })
  })

  test('a suggestion that would break the document is refused when it is written, and when it is applied', async () => {
    const suggest = (value: unknown, path = `${get}/operationId`) =>
      outcome(
        ann(threadsApi.open, {
          params,
          body: { anchor: { pointer: get }, body: 'x', suggestion: { patch: [{ op: 'add' as const, path, value }] } },
        }),
      )
    expect(await suggest({ $ref: '#/components/parameters/Page' }, `${get}/parameters/-`)).toMatchObject({
      code: 'suggestion-breaks',
      reason: `"#/components/parameters/Page" refers to nothing (${get}/parameters/2)`,
    })
    expect(await suggest(5)).toMatchObject({
      code: 'suggestion-breaks',
      reason: `"operationId" must be a string, but is a number (${get}/operationId)`,
    })
    // What is whole now is not when another operation has taken the id.
    const { comments } = (await suggest('list')) as Thread
    const before = (await document()) as string
    await replace(
      before.replace(
        '  /pets:\n',
        "  /all: { get: { operationId: list, responses: { '200': { description: All } } } }\n  /pets:\n",
      ),
    )
    const applied = owner(threadsApi.applySuggestion, {
      params: { ...params, comment_id: comments[0]?.id ?? '' },
      headers: { 'if-match': '*' },
    })
    expect(await outcome(applied)).toMatchObject({
      code: 'suggestion-breaks',
      reason: 'two operations have the operationId "list" (/paths/~1all/get/operationId)',
    })
    await replace(before)
  })

  test('a suggestion for a place that changed since is stale', async () => {
    const patch = [{ op: 'replace' as const, path: `${get}/summary`, value: 'All' }]
    const { comments } = await ann(threadsApi.open, {
      params,
      body: { anchor: { pointer: `${get}/summary` }, body: 'x', suggestion: { patch } },
    })
    await replace(((await document()) as string).replace('List pets', 'Pets'))
    const applied = owner(threadsApi.applySuggestion, {
      params: { ...params, comment_id: comments[0]?.id ?? '' },
      headers: { 'if-match': '*' },
    })
    expect(await outcome(applied)).toMatchObject({ code: 'suggestion-stale' })
  })

  const suggested = async (value: string): Promise<string> => {
    const patch = [{ op: 'replace' as const, path: '/info/title', value }]
    const body = { anchor: { pointer: '/info/title' }, body: 'x', suggestion: { patch } }
    return (await ann(threadsApi.open, { params, body })).comments[0]?.id ?? ''
  }
  const isApplied = async (comment: string): Promise<boolean> => {
    const { threads } = await owner(threadsApi.list, { params, query: { limit: 200 } })
    const found = threads.flatMap(({ comments }) => comments).find(({ id }) => id === comment)
    return found?.suggestion?.applied_at !== null
  }

  test('killed between any two of its writes, an application leaves neither the edit nor the mark', async () => {
    const comment = await suggested('Killed')
    const grant = {
      principal: { kind: 'user' as const, userId: it.ownerId, via: 'local' as const },
      tenant: { id: it.tenantId, slug: it.tenant, name: '', plan: null },
      role: null,
      permissions: keyPermissions,
    }
    const before = await document()
    const refs = { project: 'pets', version: '1.0.0' }
    let n = 1
    for (; n < 30; n++) {
      const deps = { ...it.service.deps, db: killedAt(db, n).db }
      const failure = await applySuggestion(deps, grant, refs, comment, '*').then(
        () => null,
        (error: unknown) => error,
      )
      if (failure === null) break
      expect((failure as Error).message).toBe('killed')
      expect([await document(), await isApplied(comment)]).toEqual([before, false])
    }
    expect(n).toBeGreaterThan(3)
    expect([await document(), await isApplied(comment)]).not.toEqual([before, false])
    expect(await isApplied(comment)).toBe(true)
  })

  test('two suggestions that are applied at the same time never undo each other', async () => {
    const comments = [await suggested('One'), await suggested('Two')]
    const apply = (comment_id: string) =>
      outcome(owner(threadsApi.applySuggestion, { params: { ...params, comment_id }, headers: { 'if-match': '*' } }))
    const said = await Promise.all(comments.map(apply))
    const applied = await Promise.all(comments.map(isApplied))
    expect(applied.filter((it) => it)).toEqual([true])
    expect(said[applied.indexOf(false)]).toMatchObject({
      code: expect.stringMatching(/^(document-changed|suggestion-stale)$/),
    })
    expect(await document()).toContain(applied[0] === true ? 'title: One' : 'title: Two')
  })
})
