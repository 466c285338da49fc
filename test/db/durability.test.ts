import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '../../db/open.ts'
import { tenants } from '../../db/tables.gen.ts'
import { onBothEngines } from '../fixtures/engines.ts'

onBothEngines('durability', (makeDb) => {
  test('kill -9 loses no write that was acknowledged', async () => {
    const target = await makeDb.makeTarget()
    const writer = Bun.spawn([process.execPath, join(import.meta.dir, 'writer-process.ts'), JSON.stringify(target)], {
      stdout: 'pipe',
      stderr: 'inherit',
    })
    let said = ''
    for await (const chunk of writer.stdout) {
      said += new TextDecoder().decode(chunk)
      if (said.split('\n').length > 50) writer.kill('SIGKILL')
    }
    await writer.exited
    const acknowledged = said.split('\n').slice(0, -1)
    expect(acknowledged.length).toBeGreaterThanOrEqual(50)
    const db = await openDatabase(target)
    try {
      const stored = new Set((await db.read.select({ id: tenants.id }).from(tenants)).map(({ id }) => id))
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
    } finally {
      await db.close()
    }
  })
})
