/** Imports what gateways recorded, from lines of JSON. Nothing of a value is kept but its length and a keyed digest. */
import { createHmac } from 'node:crypto'
import { newId } from '../../db/id.ts'
import type { EventMatch } from '../../src/gateway-policy/event.ts'
import { actorOf, type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { instantOf, invalidLine, linesOf, networkOf, readImported, type ImportedLine } from './event-lines.ts'
import { environmentKey, evidenceKey } from './evidence.ts'
import { addCounts, addRows, knownIds } from './record-events.ts'
import { appendAudit, findEnvironment, lockEnvironment, type EnvironmentRow, type EventRow } from './store.ts'

const mostLines = 5000

type Digest = (kind: string, text: string) => string

const matchOf = ({ value, ...it }: NonNullable<ImportedLine['matches']>[number], digest: Digest): EventMatch => ({
  ruleRef: it.ruleRef,
  groupId: it.groupId ?? null,
  paranoia: it.paranoia ?? null,
  severity: it.severity ?? null,
  field: it.field ?? null,
  length: value === undefined ? (it.length ?? null) : Array.from(value).length,
  digest: value === undefined ? null : digest('value', value),
  shape: null,
})

function rowOf(line: ImportedLine, number: number, row: EnvironmentRow, digest: Digest): EventRow {
  const at = instantOf(line.at, number)
  const matches = (line.matches ?? []).map((it) => matchOf(it, digest))
  const refs = new Set([line.ruleRef, ...matches.map((it) => it.ruleRef)])
  const { client = {} } = line
  return {
    environmentId: row.id,
    tenantId: row.tenantId,
    id: line.id ?? newId(),
    at,
    enforcerId: null,
    releaseId: line.releaseId ?? null,
    source: line.source ?? 'import',
    region: line.region ?? null,
    ruleRef: line.ruleRef,
    ruleRefs: ` ${[...refs].join(' ')} `,
    groupId: line.groupId ?? matches.find((it) => it.ruleRef === line.ruleRef)?.groupId ?? null,
    action: line.action,
    route: line.route ?? null,
    method: line.method?.toUpperCase() ?? null,
    status: line.status ?? null,
    count: line.count ?? 1,
    firstAt: line.firstAt === undefined ? at : instantOf(line.firstAt, number),
    lastAt: line.lastAt === undefined ? at : instantOf(line.lastAt, number),
    network: client.ip === undefined ? null : networkOf(client.ip, number, '/client/ip'),
    clientDigest: client.ip === undefined ? null : digest('client', client.ip),
    country: client.country?.toUpperCase() ?? null,
    score: line.score ?? null,
    matches,
    exceptionIds: line.exceptionIds ?? [],
    policyVersion: line.policyVersion ?? null,
    documentId: null,
    pathShape: null,
    likeness: null,
  }
}

/**
 * Stores recorded events: all lines, or none. Those whose id is known are skipped, so that a batch can be sent again.
 * @param bytes lines of JSON; empty lines are skipped
 * @throws SvcError `environment-not-found`, `event-batch-invalid`, `secret-key-missing`
 */
export async function importEvents(deps: Deps, grant: Grant, ref: string, bytes: Uint8Array) {
  const { id: tenantId } = tenantOf(grant)
  await findEnvironment(deps.db.read, tenantId, ref)
  const lines = linesOf(bytes)
  if (lines.length > mostLines) throw invalidLine(lines.length, `a batch has at most ${mostLines} lines`)
  const read = lines.map(({ text, number }) => ({ line: readImported(text, number), number }))
  return deps.db.inTransaction(async (tx) => {
    const row = await lockEnvironment(tx, tenantId, ref)
    // The key of the gateways of the environment: what they send and what is imported can be compared.
    const key = Buffer.from(environmentKey(await evidenceKey(deps, tx, tenantId), row.id), 'base64')
    const digest: Digest = (kind, text) =>
      `hmac-sha256:${createHmac('sha256', key).update(`${kind}\n${text}`).digest('hex').slice(0, 32)}`
    const rows = new Map(read.map(({ line, number }) => rowOf(line, number, row, digest)).map((it) => [it.id, it]))
    for (const id of await knownIds(tx, row, [...rows.keys()])) rows.delete(id)
    await addRows(tx, [...rows.values()])
    await addCounts(tx, row, [...rows.values()])
    const stored = rows.size
    if (stored > 0)
      await appendAudit(tx, row, {
        actor: actorOf(grant) ?? 'system',
        action: 'events.imported',
        target: 'events',
        after: { stored },
        policyVersion: row.policyVersion,
        at: deps.clock.iso(),
      })
    return { stored, known: lines.length - stored }
  })
}
