/** The chain of audit rows, and their export. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ChainCheck, chained, noHash, type AuditRow, type ChainHead } from '../../../src/gateway-policy/audit.ts'
import { auditCsv } from '../../../src/gateway-policy/csv.ts'
import { now } from './policy.ts'

function chainOf(length: number): AuditRow[] {
  const rows: AuditRow[] = []
  for (let seq = 1; seq <= length; seq++) {
    const content = {
      environmentId: 'e1',
      seq,
      id: `row-${seq}`,
      at: now,
      actor: 'user:ann',
      action: 'rule.created',
      target: `rule:${seq}`,
      before: null,
      after: { order: seq },
      reason: seq % 2 === 0 ? 'Because' : null,
      policyVersion: seq,
    }
    rows.push(chained(content, rows.at(-1)?.hash ?? noHash))
  }
  return rows
}
const headOf = (rows: readonly AuditRow[]): ChainHead => ({ count: rows.length, hash: rows.at(-1)?.hash ?? noHash })
function check(rows: readonly AuditRow[], head: ChainHead | null): string | null {
  const chain = new ChainCheck()
  for (const row of rows) chain.add(row)
  return chain.end(head)
}

test('a chain as it was written is right', () => {
  for (const length of [0, 1, 7]) expect(check(chainOf(length), headOf(chainOf(length)))).toBe(null)
  expect(check(chainOf(3), null)).toBe(null)
})

test('every change, removal, insertion and exchange is noticed', () => {
  const rows = chainOf(8)
  const values: Record<string, unknown> = {
    environmentId: 'e2',
    seq: 99,
    id: 'x',
    at: '2027-01-01T00:00:00.000Z',
    actor: 'user:eve',
    action: 'rule.removed',
    target: null,
    before: {},
    after: { order: -1 },
    reason: 'Other',
    policyVersion: 99,
    prevHash: noHash.replace('0', '1'),
    hash: noHash.replace('0', '1'),
  }
  const index = fc.integer({ min: 0, max: rows.length - 1 })
  fc.assert(
    fc.property(index, fc.constantFrom(...Object.keys(values)), (at, key) => {
      const changed = rows.map((row, place) => (place === at ? { ...row, [key]: values[key] } : row))
      expect(check(changed, headOf(rows))).not.toBe(null)
    }),
    { numRuns: 300 },
  )
  fc.assert(fc.property(index, (at) => expect(check(rows.toSpliced(at, 1), headOf(rows))).not.toBe(null)))
  fc.assert(
    fc.property(index, index, (from, to) => {
      const copy = rows[from] as AuditRow
      expect(check(rows.toSpliced(to, 0, copy), headOf(rows))).not.toBe(null)
      if (from !== to) {
        const exchanged = rows.with(from, rows[to] as AuditRow).with(to, copy)
        expect(check(exchanged, headOf(rows))).not.toBe(null)
      }
    }),
  )
  // Someone who can compute digests writes a whole new end: the head does not agree.
  const forged = rows.slice(0, 4)
  const { prevHash: _prev, hash: _hash, ...content } = rows[4] as AuditRow
  forged.push(chained({ ...content, actor: 'user:eve' }, forged.at(-1)?.hash ?? noHash))
  expect(check(forged, headOf(rows))).toBe('5 of 8 rows are there')
  expect(check(forged, { count: 5, hash: (rows[4] as AuditRow).hash })).toBe(
    'row 5 is not the last one that was written',
  )
  expect(check(rows.toSpliced(2, 1), null)).toBe('row 3 is missing')
})

test('cells that a spreadsheet could read as formulas are texts', () => {
  const [row] = chainOf(1)
  const reasons = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', 'a=1', "'=1", '"quoted", and\nlines', '']
  const rows = reasons.map((reason, index) => ({ ...(row as AuditRow), seq: index + 1, reason }))
  const csv = auditCsv(rows, rows.length)
  const [header, ...lines] = parseCsv(csv)
  expect(header).toEqual('seq at actor action target reason policyVersion before after id prevHash hash'.split(' '))
  expect(lines.map((it) => it[5])).toEqual([
    "'=1+1",
    "'+1",
    "'-1",
    "'@SUM(A1)",
    "'\t=1",
    "'\r=1",
    'a=1',
    "'=1",
    '"quoted", and\nlines',
    '',
  ])
  expect(lines.flat().filter((it) => /^[=+\-@\t\r]/.test(it))).toEqual([])
  expect(lines[0]?.[8]).toBe('{"order":1}')
})

test('no cell of any text begins like a formula, and each comes back as it was', () => {
  const [row] = chainOf(1)
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', 'a', "'", ' ') }),
      (reason) => {
        const [, line] = parseCsv(auditCsv([{ ...(row as AuditRow), reason }], 1))
        expect(line?.[5]).toBe(/^[=+\-@\t\r]/.test(reason) ? `'${reason}` : reason)
      },
    ),
    { numRuns: 500 },
  )
})

test('a last row says in words where rows are missing', () => {
  const rows = chainOf(3)
  expect(auditCsv(rows, 3).split('\r\n')).toHaveLength(5)
  const cut = auditCsv(rows, 12).split('\r\n')
  expect([cut.length, cut.at(-2)]).toEqual([
    6,
    'Only the newest 3 of 12 rows are in this file; the older ones were left out.',
  ])
})

/** A reader of RFC 4180, to look at the file as a spreadsheet does. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (let at = 0; at < text.length;) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        if (text[at] === '"') at++
        cell += text[at]
      }
      at++
    } else while (at < text.length && text[at] !== ',' && !text.startsWith('\r\n', at)) cell += text[at++]
    rows.at(-1)?.push(cell)
    if (text.startsWith('\r\n', at)) {
      at += 2
      if (at < text.length) rows.push([])
    } else at++
  }
  return rows
}
