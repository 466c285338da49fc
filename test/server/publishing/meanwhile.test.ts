/** Publishing while a process is killed, or while others publish and change what is published. */
import { afterAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Database } from '../../../db/database.ts'
import { auditEvents, outboxEvents, versionChanges, versions } from '../../../db/tables.gen.ts'
import { publishVersion } from '../../../server/publishing/publish.ts'
import type { SvcError } from '../../../src/errors.ts'
import { killedAt } from '../../fixtures/killed-at.ts'
import { noteLocks } from '../../fixtures/locks.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { petsYaml } from '../../fixtures/pets-project.ts'
import { openPublishing, pet, type Publishing } from './publishing.ts'

onBothEngines('publishing meanwhile', (makeDb) => {
  const opened: Publishing[] = []
  const open = async (): Promise<Publishing> => {
    const made = await openPublishing(await makeDb())
    opened.push(made)
    return made
  }
  afterAll(() => Promise.all(opened.map(({ it }) => it.service.stop())))

  test('killed between any two of its writes, a publication leaves nothing', async () => {
    const { it, db, draft, publish, grantOfOwner } = await open()
    const grant = await grantOfOwner()
    await publish('3.0.0')
    await draft('4.0.0', pet(false))
    const state = async () => {
      const rows = await Promise.all(
        [versions, versionChanges, outboxEvents, auditEvents].map((table) => db.read.select().from(table)),
      )
      return JSON.stringify(rows.map((all) => all.map((row) => JSON.stringify(row)).toSorted()))
    }
    const before = await state()
    const refs = { project: 'pets', version: '4.0.0' }
    let n = 1
    for (; n < 50; n++) {
      const killed = killedAt(db, n)
      const work = publishVersion({ ...it.service.deps, db: killed.db }, grant, refs, {})
      const failure = await work.then(
        () => null,
        (error: unknown) => error,
      )
      if (failure === null) break
      expect((failure as Error).message).toBe('killed')
      expect(await state()).toBe(before)
    }
    // Version, summary of the project, the version before and its entries in the search (not current any more), findings by rule (twice), change record, number of the event, event, its tasks, change report, audit trail.
    expect(n).toBe(13)
    expect(await it.brief('GET', '/4.0.0')).toBe('200 published')
  })

  test('who publishes meanwhile changes what the gates compare with, however often', async () => {
    const { it, db, draft, publish, grantOfOwner } = await open()
    const grant = await grantOfOwner()
    // A database before whose transactions, up to the n-th, another caller publishes.
    const interruptedBy = (labels: string[]): Database => {
      const inTransaction: Database['inTransaction'] = async (work) => {
        const label = labels.shift()
        if (label !== undefined) await publish(label, pet(false))
        return db.inTransaction(work)
      }
      return new Proxy(db, {
        get: (target, name) => {
          if (name === 'inTransaction') return inTransaction
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? (value.bind(target) as unknown) : value
        },
      })
    }
    const comparedWith = async (label: string) => {
      const id = String((await it.send('GET', `/${label}`)).value['id'])
      const [row] = await db.read
        .select({ label: versions.label })
        .from(versionChanges)
        .innerJoin(versions, eq(versions.id, versionChanges.baselineVersionId))
        .where(eq(versionChanges.versionId, id))
      return row?.label
    }
    await publish('4.1.0', pet(false))
    for (const [label, others] of [
      ['4.2.0', ['4.1.1']],
      ['4.4.0', ['4.2.1', '4.2.2', '4.2.3', '4.2.4', '4.2.5', '4.2.6', '4.2.7', '4.2.8']],
    ] as const) {
      await draft(label, pet(false))
      const left = [...others]
      const { gates } = await publishVersion(
        { ...it.service.deps, db: interruptedBy(left) },
        grant,
        {
          project: 'pets',
          version: label,
        },
        {},
      )
      const before = others[others.length - left.length - 1] ?? ''
      expect(gates.find(({ id }) => id === 'breaking-guardrail')?.message).toContain(before)
      expect(await comparedWith(label)).toBe(before)
    }
  })

  test('what changes meanwhile is not published with the gates of before; every attempt is under the lock', async () => {
    const { it, db, draft, publish, grantOfOwner } = await open()
    const grant = await grantOfOwner()
    // Before each transaction the next of these happens.
    const attempt = async (
      label: string,
      happens: (() => Promise<unknown>)[],
      request: { expected_digest?: string } = {},
    ) => {
      const noted = noteLocks(db)
      const inTransaction: Database['inTransaction'] = async (work) => {
        await happens.shift()?.()
        return noted.db.inTransaction(work)
      }
      const interrupted = new Proxy(db, {
        get: (target, name) => {
          if (name === 'inTransaction') return inTransaction
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? (value.bind(target) as unknown) : value
        },
      })
      const deps = { ...it.service.deps, db: interrupted }
      const answer = await publishVersion(deps, grant, { project: 'pets', version: label }, request).then(
        ({ version }) => version.status,
        (error: SvcError) => error.code,
      )
      return [answer, noted.locks.filter((name) => name.startsWith('project ')).length]
    }
    const change = (label: string) => () =>
      it.send('PUT', `/${label}/document`, petsYaml(label, pet(true)), {
        'content-type': 'application/yaml',
        'if-match': '*',
      })
    const other = (label: string) => () => publish(label, pet(false))
    await draft('4.5.0', pet(false))
    expect(await attempt('4.5.0', [])).toEqual(['published', 1])
    // A thread changes what the gates look at, so that they are evaluated again.
    await draft('4.4.9', pet(false))
    const thread = { anchor: { pointer: '' }, body: 'Why?' }
    const openThread = async () => expect((await it.send('POST', '/4.4.9/threads', thread)).status).toBe(201)
    expect(await attempt('4.4.9', [openThread])).toEqual(['published', 2])
    await draft('4.6.0', pet(false))
    expect(await attempt('4.6.0', [change('4.6.0')])).toEqual(['document-changed', 1])
    await draft('4.7.0', pet(false))
    const digest = String((await it.send('GET', '/4.7.0')).value['digest'])
    const others = ['4.5.1', '4.5.2', '4.5.3', '4.5.4', '4.5.5'].map(other)
    expect(await attempt('4.7.0', [...others, change('4.7.0')], { expected_digest: digest })).toEqual([
      'document-changed',
      6,
    ])
  })

  test('two who publish at once: one does, and there is one record', async () => {
    const { it, db, draft } = await open()
    await draft('5.0.0')
    const both = await Promise.all([1, 2, 3].map(() => it.brief('POST', '/5.0.0/publish')))
    expect(both.toSorted()).toEqual(['200', '409 version-transition', '409 version-transition'])
    expect(JSON.stringify((await it.send('POST', '/5.0.0/publish')).value)).toContain(
      String.raw`Version \"5.0.0\" is already published.`,
    )
    const id = String((await it.send('GET', '/5.0.0')).value['id'])
    expect(await db.read.$count(versionChanges, eq(versionChanges.versionId, id))).toBe(1)
    expect(await db.read.$count(outboxEvents, eq(outboxEvents.subjectId, id))).toBe(1)
  })
})
