import { expect, test } from 'bun:test'
import { endSignIn, endSignInsOf, issueRefreshToken, rotateRefreshToken } from '../../../server/auth/refresh.ts'
import { addUser, outcome, start } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { noteLocks } from '../../fixtures/locks.ts'

const ended = { code: 'credentials-invalid', reason: 'the sign-in it belongs to has ended' }

onBothEngines('refresh tokens', (makeDb) => {
  const setUp = async () => {
    const { db, locks } = noteLocks(await makeDb())
    const [ann, bob] = [await addUser(db, 'ann'), await addUser(db, 'bob')]
    const issue = (userId: string) =>
      db.inTransaction((tx) => issueRefreshToken(tx, { userId, familyId: null, now: start }))
    const rotate = (token: string) => outcome(rotateRefreshToken(db, token, start + 1000))
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

  test('a token that is exchanged twice at once is exchanged once: it is locked first', async () => {
    const { ann, locks, issue, rotate } = await setUp()
    const token = await issue(ann)
    const answers = await Promise.all([rotate(token), rotate(token)])
    expect(answers.map((it) => (it as { code?: string }).code ?? 'exchanged').toSorted()).toEqual([
      'credentials-invalid',
      'exchanged',
    ])
    expect(locks.map((it) => it.split(':')[0])).toEqual(['refresh', 'refresh'])
  })
})
