import { expect, test } from 'bun:test'
import { endpoints } from '../../src/api/contracts.gen.ts'
import { onBothEngines } from '../fixtures/engines.ts'
import { startService } from '../fixtures/service.ts'

onBothEngines('features', (makeDb) => {
  test('have a handler for each declared operation, and for no other', async () => {
    const { service } = await startService(await makeDb())
    const ids = await service.operations.load()
    await service.stop()
    expect([...ids].sort()).toEqual(endpoints.map(({ id }) => id).sort())
  })
})
