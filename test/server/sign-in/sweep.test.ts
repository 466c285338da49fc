import { expect, test } from 'bun:test'
import {
  authAttempts,
  deviceCodes,
  knownSources,
  oidcAttempts,
  passwordResets,
  refreshTokens,
  sessions,
  setupTokens,
  signInDelays,
  signingKeys,
  wizardStates,
} from '../../../db/tables.gen.ts'
import { beginDevice } from '../../../server/sign-in/device.ts'
import { issueSetupToken } from '../../../server/sign-in/setup.ts'
import { beginSignIn } from '../../../server/sign-in/sign-in.ts'
import { rememberNetwork } from '../../../server/auth/source.ts'
import { sweepWizard } from '../../../server/onboarding/wizard.ts'
import { sweepIdentity } from '../../../server/sign-in/sweep.ts'
import { userOf } from '../../../server/users/find.ts'
import { createReset } from '../../../server/users/password-reset.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addUser, start } from '../../fixtures/accounts.ts'
import { startIdentityService } from '../../fixtures/identity-service.ts'

const dayMs = 24 * 3_600_000
const tables = {
  authAttempts,
  deviceCodes,
  knownSources,
  oidcAttempts,
  passwordResets,
  refreshTokens,
  sessions,
  setupTokens,
  signInDelays,
  signingKeys,
  wizardStates,
}

onBothEngines('what has ended', (makeDb) => {
  test('is removed when its time has come, and not before', async () => {
    const service = startIdentityService(await makeDb())
    const { db, identity, browser, bearer, ask } = service
    const left = async (now: number) => {
      for (const sweep of [sweepIdentity, sweepWizard]) await sweep(db, now)
      const counts: string[] = []
      for (const [name, table] of Object.entries(tables)) if ((await db.read.$count(table)) > 0) counts.push(name)
      return counts
    }
    await issueSetupToken(identity)
    const ann = await addUser(db, 'ann')
    await beginSignIn(identity, await userOf(db.read, ann))
    await browser(ann)
    await createReset(identity, ann, 24)
    await ask('PUT /v1/onboarding/wizard-state', { headers: await bearer(ann), body: { step: 'welcome' } })
    await beginDevice(identity, { clientName: null, address: '192.0.2.1' })
    await db.inTransaction((tx) => rememberNetwork(tx, ann, { address: '192.0.2.1', browser: null }, start))
    await ask('POST /v1/auth/login', { body: { email: 'ann@example.com', password: 'wrong' } })
    const expiresAt = new Date(start + 600_000).toISOString()
    await db.inTransaction((tx) =>
      tx.insert(oidcAttempts).values({ stateHash: 's', browserHash: 'b', returnTo: '/app/', expiresAt }),
    )
    expect(await left(start + 60_000)).toEqual(Object.keys(tables))
    expect(await left(start + 16 * 60_000)).toEqual([
      'deviceCodes',
      'knownSources',
      'passwordResets',
      'refreshTokens',
      'sessions',
      'setupTokens',
      'signInDelays',
      'signingKeys',
      'wizardStates',
    ])
    expect(await left(start + 2 * dayMs)).toEqual(['knownSources', 'refreshTokens', 'sessions', 'wizardStates'])
    expect(await left(start + 8 * dayMs)).toEqual(['knownSources', 'refreshTokens', 'wizardStates'])
    expect(await left(start + 30 * dayMs + 1)).toEqual(['knownSources'])
    expect(await left(start + 90 * dayMs + 1)).toEqual([])
  })
})
