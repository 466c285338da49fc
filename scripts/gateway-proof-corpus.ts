/**
 * Sends requests that Schemathesis makes of the operations of real documents to Coraza and to nginx with ModSecurity, under the rules that svc compiled of
 * each document: a request that the document describes has to pass. What its generator calls wrong is not sent: much of it is described (a header
 * more, credentials less); `scripts/gateway-proof.ts` has the requests that have to be refused, each checked by a library of its own.
 *
 *     node scripts/bun.mjs run scripts/gateway-proof-corpus.ts FOLDER [--seed=37] [--operations=200] [--examples=5] [--seconds=600] [--engine=coraza|nginx]
 *
 * Operations are drawn with the seed from all documents of the folder, and no request is made after so many seconds. Needs what
 * scripts/gateway-proof.ts needs. Exit code 1 where a described request is refused.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { parseDocument } from '../src/document/parse.ts'
import { compileRelease, type Compiled } from '../src/gateway/compile/index.ts'
import type { DialectName } from '../src/gateway/dialects/index.ts'
import { firstPolicy, positiveChecks, type Policy, type PositiveCheck } from '../src/gateway-policy/model.ts'
import { pythonWith, run } from './gateway/python.ts'
import { Coraza } from './gateway/coraza.ts'
import { Nginx } from './gateway/nginx.ts'

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '37' },
    operations: { type: 'string', default: '200' },
    examples: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '600' },
    engine: { type: 'string' },
  },
})
const [folder] = positionals
if (folder === undefined) throw new Error('gateway-proof-corpus.ts FOLDER: a folder of API descriptions')
const version = '4.32.5'

interface Made {
  readonly document: string
  readonly operation: string
  readonly method: string
  readonly uri: string
  readonly headers: readonly (readonly [string, string])[]
  /** In base64. */
  readonly body: string
}

const block = Object.fromEntries(positiveChecks.map((it) => [it, 'block'])) as Record<PositiveCheck, 'block'>
const first = firstPolicy('off')
/** All checks but that of credentials: the generator sends none. */
const policy: Policy = {
  ...first,
  presets: { ...first.presets, bot: 'off' },
  positive: {
    projectId: 'p',
    version: 'latest',
    mode: 'block',
    checks: { ...block, security: 'off' },
    stripPrefix: null,
  },
}
const filesOf = (path: string, dialect: DialectName): Compiled['files'] => {
  const syntax = path.endsWith('.json') ? 'json' : 'yaml'
  return compileRelease({
    policy,
    policyVersion: 1,
    environment: { id: 'e', slug: 'e', hostnames: [], basePaths: [] },
    document: parseDocument(readFileSync(path, 'utf8'), { source: path, syntax }).value,
    dialect,
    releaseId: 'r',
    crs: 'bundled',
  }).files
}

/** What an HTTP client of this script can send as it is. */
const isSendable = ({ method, uri, headers }: Made): boolean =>
  [method, uri].every((it) => /^[\x21-\x7e]+$/.test(it)) &&
  headers.every(([name, value]) => /^[\w-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value))

interface Gateway {
  readonly dialect: DialectName
  load(files: Compiled['files']): Promise<unknown>
  passes(it: Made): Promise<boolean>
}

const corazaOf = (engine: Coraza): Gateway => ({
  dialect: 'coraza',
  load: (files) => engine.load(files),
  passes: async (it) => (await engine.send({ ...it, ip: '192.0.2.1', protocol: 'HTTP/1.1' })).status === 0,
})
const nginxOf = (engine: Nginx): Gateway => ({
  dialect: 'modsecurity',
  load: (files) => engine.load(files),
  async passes({ body, ...it }) {
    const text = Buffer.from(body, 'base64').toString('utf8')
    const headers = it.headers.filter(([name]) => !/^(?:connection|content-length)$/i.test(name))
    const length = text === '' ? [] : [['Content-Length', String(Buffer.byteLength(text))] as const]
    return (await engine.send({ ...it, headers: [...headers, ...length], body: text }).catch(() => 0)) === 200
  },
})

let failures = 0

async function check(gateway: Gateway, made: readonly Made[]): Promise<void> {
  let refused = 0
  for (const [path, requests] of Map.groupBy(made, ({ document }) => document)) {
    await gateway.load(filesOf(path, gateway.dialect))
    for (const it of requests) {
      if (await gateway.passes(it)) continue
      refused++
      const body = Buffer.from(it.body, 'base64').toString('utf8').slice(0, 300)
      const sent = JSON.stringify([it.method, it.uri.slice(0, 300), body])
      console.log(`  refused: ${relative(folder ?? '', path)}, ${it.operation}: ${sent}`)
    }
  }
  console.log(`${gateway.dialect}: ${made.length} described requests, ${refused} of them refused`)
  failures += refused
}

const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((it) => /\.(?:json|ya?ml)$/.test(it))
  .toSorted()
  .map((it) => join(folder, it))
const lines = run(
  [
    pythonWith(`svc-gateway-corpus-${version}`, [`schemathesis==${version}`]),
    join(import.meta.dir, 'gateway/proof-corpus.py'),
    values.seed,
    values.operations,
    values.examples,
    values.seconds,
  ],
  paths.join('\n'),
)
  .trimEnd()
  .split('\n')
console.log(`drawn: ${lines.pop()}`)
const made = lines.map((it) => JSON.parse(it) as Made).filter(isSendable)
if (values.engine !== 'nginx') {
  await using engine = Coraza.build()
  await check(corazaOf(engine), made)
}
if (values.engine !== 'coraza') {
  await using engine = await Nginx.start()
  await check(nginxOf(engine), made)
}
process.exitCode = failures === 0 ? 0 : 1
