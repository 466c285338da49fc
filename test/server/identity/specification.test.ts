/**
 * Where each sentence of the specification about identity is proven: rows that one question shows (`tenant-rows.ts`, `access-rows.ts`), and tests
 * elsewhere by file and title.
 */
import { expect, test } from 'bun:test'
import { onBothEngines } from '../../fixtures/engines.ts'
import { missingProofs } from '../../proofs.ts'
import { proofs } from './proofs.ts'
import { accessRows } from './access-rows.ts'
import { tenantRows } from './tenant-rows.ts'
import { makeScenario, tryRow } from './scenario.ts'

onBothEngines('the specification of identity', (makeDb) => {
  for (const [section, of] of Object.entries({ ...tenantRows, ...accessRows })) {
    test(
      section,
      async () => {
        const scenario = await makeScenario(await makeDb())
        for (const row of of) await tryRow(scenario, row)
      },
      60_000,
    )
  }
})

test('every other sentence names the test that proves it, and that test is there', () => {
  expect(missingProofs(proofs)).toEqual([])
})
