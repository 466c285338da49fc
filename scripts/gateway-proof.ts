/**
 * Makes the table of proof: sends requests for every constraint of a document to Coraza and to nginx with ModSecurity, under the rules that
 * svc compiled, and counts those that are described and refused, and those that are not described and pass. Values are made by Hypothesis
 * and checked by the library jsonschema, which share nothing with svc. Writes src/gateway/dialects/proof.gen.ts and
 * docs/reference/gateway-proof.md.
 *
 *     node scripts/bun.mjs run scripts/gateway-proof.ts [--examples=12]
 *
 * Needs Go, nginx with ModSecurity (Debian: nginx, libnginx-mod-http-modsecurity, modsecurity-crs), and Python 3.10 or newer, which installs the generator into
 * a folder of its own below the folder for temporary files.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compileRelease } from '../src/gateway/compile/index.ts'
import type { DialectName } from '../src/gateway/dialects/index.ts'
import { firstPolicy, positiveChecks, type Policy, type PositiveCheck } from '../src/gateway-policy/model.ts'
import { pythonWith, run } from './gateway/python.ts'
import { proofPage } from './gateway/proof-page.ts'
import { otherCases, pathOf, proofDocument, valueRows, type Case } from './gateway/proof-rows.ts'
import { Coraza } from './gateway/coraza.ts'
import { Nginx } from './gateway/nginx.ts'

const root = join(import.meta.dir, '..')
const packages = ['hypothesis==6.112.0', 'hypothesis-jsonschema==0.23.1', 'jsonschema==4.26.0']
const { values } = parseArgs({ args: process.argv.slice(2), options: { examples: { type: 'string', default: '12' } } })
/** So many requests of one kind are sent for one row. */
const most = 40

function cases(): Case[] {
  const rows = valueRows.map((row, at) => ({
    ...row,
    path: pathOf(at),
    method: ['json', 'form', 'multipart'].includes(row.where) ? 'POST' : 'GET',
    most,
  }))
  const made = run(
    [pythonWith('svc-gateway-proof', packages), join(root, 'scripts/gateway/proof.py'), values.examples],
    JSON.stringify(rows),
  )
  return [
    ...otherCases,
    ...made
      .trimEnd()
      .split('\n')
      .map((it) => JSON.parse(it) as Case),
  ]
}

const block = Object.fromEntries(positiveChecks.map((it) => [it, 'block'])) as Record<PositiveCheck, 'block'>
const first = firstPolicy('off')
const policy: Policy = {
  ...first,
  presets: { ...first.presets, bot: 'off' },
  positive: { projectId: 'p', version: 'latest', mode: 'block', checks: block, stripPrefix: null },
}
const filesOf = (dialect: DialectName) =>
  compileRelease({
    policy,
    policyVersion: 1,
    environment: { id: 'e', slug: 'e', hostnames: [], basePaths: [] },
    document: proofDocument,
    dialect,
    releaseId: 'r',
    crs: 'bundled',
  }).files

const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)
/** What an HTTP client of this script can send as it is. */
const isSendable = ({ method, uri, headers }: Case): boolean =>
  isToken(method) && isToken(uri) && headers.every(([, value]) => /^[\x20-\x7e]*$/.test(value))

type Send = (it: Case) => Promise<boolean>

interface Counted {
  readonly constraint: string
  /** Requests that the document describes, and how many of them were refused. */
  readonly described: number
  readonly refused: number
  /** Requests that it does not describe, and how many of them passed. */
  readonly others: number
  readonly passed: number
}

async function count(all: readonly Case[], passes: Send, name: string, together = 1): Promise<Counted[]> {
  const rows = new Map<string, { described: number; refused: number; others: number; passed: number }>()
  const send = async (request: Case): Promise<void> => {
    const row = rows.get(request.constraint) ?? { described: 0, refused: 0, others: 0, passed: 0 }
    rows.set(request.constraint, row)
    const isThrough = await passes(request)
    if (request.isDescribed) row.described++
    else row.others++
    if (request.isDescribed === isThrough) return
    if (request.isDescribed) row.refused++
    else row.passed++
    console.error(
      `${name}: ${request.constraint}: ${request.isDescribed ? 'refused' : 'passed'}: ${JSON.stringify([request.method, request.uri, request.headers.slice(1), request.body])}`,
    )
  }
  const waiting = all.values()
  await Promise.all(
    Array.from({ length: together }, async () => {
      for (const it of waiting) await send(it)
    }),
  )
  return [...rows]
    .map(([constraint, row]) => ({ constraint, ...row }))
    .sort((a, b) => (a.constraint < b.constraint ? -1 : 1))
}

const all = cases().filter(isSendable)
console.error(`${all.length} requests`)
const found: Record<string, Counted[]> = {}
{
  await using engine = Coraza.build()
  await engine.load(filesOf('coraza'))
  found.coraza = await count(
    all,
    async ({ body, ...it }) =>
      (await engine.send({ ...it, ip: '192.0.2.1', protocol: 'HTTP/1.1', body: Buffer.from(body).toString('base64') }))
        .status === 0,
    'coraza',
  )
}
{
  await using engine = await Nginx.start()
  await engine.load(filesOf('modsecurity'))
  found.modsecurity = await count(all, async (it) => (await engine.send(it)) === 200, 'nginx', 16)
}
const versionIn = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? ''
const engines = {
  coraza: `Coraza ${versionIn(readFileSync(join(root, 'test/gateway/oracle/policy/go.mod'), 'utf8'), /coraza\/v3 v([\d.]+)/)}`,
  modsecurity: `nginx with ModSecurity ${versionIn(spawnSync('dpkg-query', ['-W', 'libmodsecurity3'], { encoding: 'utf8' }).stdout, /\t([\d.]+)/)}`,
}
const table = { engines, generator: packages.slice(0, 2).map((it) => it.replace('==', ' ')), rows: found }
const lines = (rows: readonly Counted[]): string =>
  rows.map((it) => `    ['${it.constraint}', ${it.described}, ${it.refused}, ${it.others}, ${it.passed}],`).join('\n')
writeFileSync(
  join(root, 'src/gateway/dialects/proof.gen.ts'),
  `// Written by scripts/gateway-proof.ts from runs on the engines. Do not change it by hand.

/** For each engine: constraint, requests that are described, of them refused, requests that are not described, of them passed. */
export const proofTable = {
${Object.entries(found)
  .map(([name, rows]) => `  ${name}: [\n${lines(rows)}\n  ],`)
  .join('\n')}
} as const satisfies Readonly<Record<string, readonly (readonly [string, number, number, number, number])[]>>
`,
)
writeFileSync(join(root, 'docs/reference/gateway-proof.md'), proofPage(table))
