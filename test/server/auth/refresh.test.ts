import { expect, test } from 'bun:test'
import {
  endSignIn,
  endSignInsOf,
  isEnded,
  issueRefreshToken,
  rotateRefreshToken,
} from '../../../server/auth/refresh.ts'
import { addUser, outcome, start } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { noteLocks } from '../../fixtures/locks.ts'

const ended = { code: 'credentials-invalid', reason: 'the sign-in it belongs to has ended' }

onBothEngines('refresh tokens', (makeDb) => {
  const setUp = async () => {
    const { db, locks } = noteLocks(await makeDb())
    const [ann, bob] = [await addUser(db, 'ann'), await addUser(db, 'bob')]
    const issue = (userId: string) =>
      db.inTransaction(async (tx) => (await issueRefreshToken(tx, { userId, familyId: null, now: start })).token)
    const rotate = (token: string, afterMs = 1000) => outcome(rotateRefreshToken(db, token, start + afterMs))
    return { db, locks, ann, bob, issue, rotate }
  }

  test('ending the sign-ins of one person ends nobody else’s', async () => {
    const { db, ann, bob, issue, rotate } = await setUp()
    const [one, two, other] = [await issue(ann), await issue(ann), await issue(bob)]
    await db.inTransaction((tx) => endSignInsOf(tx, ann, start))
    expect([await rotate(one), await rotate(two)]).toEqual([ended, ended])
    expect(await rotate(other)).toMatchObject({ userId: bob })
  })

  test('ending one sign-in leaves the others; an unknown token ends none', async () => {
    const { db, ann, issue, rotate } = await setUp()
    const [one, two] = [await issue(ann), await issue(ann)]
    await endSignIn(db, 'svr_unknown', start)
    await endSignIn(db, one, start)
    expect(await rotate(one)).toEqual(ended)
    expect(await rotate(two)).toMatchObject({ userId: ann })
  })

  const codeOf = (it: unknown): string => (it as { code?: string }).code ?? 'exchanged'
  const tokenIn = (it: unknown): string => (it as { token: string }).token

  test('two tabs that exchange one token at once both go on, in one sign-in', async () => {
    const { ann, locks, issue, rotate } = await setUp()
    const token = await issue(ann)
    const answers = await Promise.all([rotate(token), rotate(token)])
    expect(answers.map(codeOf)).toEqual(['exchanged', 'exchanged'])
    const [one, two] = answers as { token: string; familyId: string }[]
    expect([one?.token === two?.token, one?.familyId === two?.familyId]).toEqual([false, true])
    expect(locks.map((it) => it.split(':')[0])).toEqual(['refresh', 'refresh'])
    expect((await Promise.all(answers.map((it) => rotate(tokenIn(it), 60_000)))).map(codeOf)).toEqual([
      'exchanged',
      'exchanged',
    ])
  })

  test('a token that comes again later ends its sign-in, with the access tokens of it', async () => {
    const { db, ann, issue, rotate } = await setUp()
    const token = await issue(ann)
    const first = (await rotate(token, 0)) as { token: string; familyId: string }
    expect(codeOf(await rotate(token, 9999))).toBe('exchanged')
    expect(await isEnded(db.read, first.familyId)).toBe(false)
    // The time of grace began with the first use.
    expect(codeOf(await rotate(token, 10_000))).toBe('credentials-invalid')
    expect(await isEnded(db.read, first.familyId)).toBe(true)
    expect(await rotate(first.token, 11_000)).toEqual(ended)
  })

  test('more at once than a program has tabs is taken for theft', async () => {
    const { ann, issue, rotate } = await setUp()
    const token = await issue(ann)
    const answers: string[] = []
    for (let n = 0; n < 12; n++) answers.push(codeOf(await rotate(token)))
    expect(answers).toEqual([
      ...Array.from({ length: 10 }, () => 'exchanged'),
      'credentials-invalid',
      'credentials-invalid',
    ])
  })
})
