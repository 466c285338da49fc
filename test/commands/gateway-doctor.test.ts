/** `svc doctor` follows the audit trails of gateway security. */
import { afterAll, expect, test } from 'bun:test'
import { Database as Sqlite } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateSqlite } from '../../db/migrate-sqlite.ts'
import { openSqlite } from '../../db/sqlite.ts'
import { checkGatewayAudit } from '../../cli/doctor/database.ts'
import { openGateway } from '../fixtures/gateway.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-doctor-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('nothing is said without trails, all is right as written, and every change is found', async () => {
  const path = join(folder, 'svc.db')
  await migrateSqlite(path)
  const target = { kind: 'sqlite', path } as const
  expect(await checkGatewayAudit(target)).toEqual([])
  const db = openSqlite(path)
  const it = await openGateway(db, false)
  await it.service.stop()
  await db.close()
  expect(await checkGatewayAudit(target)).toEqual([
    {
      name: 'gateway audit',
      status: 'pass',
      message: 'audit trails are as they were written: 1 row in 1 trail',
      advice: null,
    },
  ])
  // Someone who owns the file removes the trigger first.
  const raw = new Sqlite(path)
  raw.run('drop trigger audit_chain_kept_on_update')
  raw.run("update audit_events set actor_id = 'eve' where seq = 1")
  raw.close()
  expect(await checkGatewayAudit(target)).toEqual([
    {
      name: 'gateway audit',
      status: 'fail',
      message: 'the audit trail was changed outside of svc (production: row 1 was changed)',
      advice: 'Compare it with a backup or an earlier export, and find out who can write to the database.',
    },
  ])
})
