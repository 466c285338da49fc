/**
 * Sends requests through real engines with configurations that svc compiled, and compares what becomes of them with what the policy
 * says: Coraza with the OWASP Core Rule Set 4 (needs Go), and nginx with ModSecurity and the rule set 3.3 from the packages of Debian
 * (nginx, libnginx-mod-http-modsecurity, modsecurity-crs), which runs in a folder of its own on the loopback interface.
 *
 *     node scripts/bun.mjs run scripts/gateway-scenarios.ts [coraza] [nginx]
 */
import type { DialectName } from '../src/gateway/dialects/index.ts'
import { releaseFiles } from './gateway/release-files.ts'
import { Coraza } from './gateway/coraza.ts'
import { Nginx } from './gateway/nginx.ts'
import { scenarios, type Case, type Scenario } from './gateway/scenarios.ts'

const filesOf = ({ policy, document }: Scenario, dialect: DialectName) => releaseFiles(policy, document, dialect)

const host = 'api.example.com'
const headersOf = ({ sent }: Case): [string, string][] => {
  const given: Readonly<Record<string, string>> = {
    Host: host,
    'User-Agent': 'svc',
    Accept: '*/*',
    ...(sent.body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(sent.body)) }),
    ...sent.headers,
  }
  return Object.entries(given)
}

interface Sender {
  load(scenario: Scenario): Promise<void>
  /** The status of the refusal; 0 for a request that passed. */
  send(it: Case): Promise<number>
}

async function runAll(name: 'coraza' | 'nginx', sender: Sender): Promise<number> {
  let [wrong, count] = [0, 0]
  for (const scenario of scenarios) {
    await sender.load(scenario)
    for (const it of scenario.cases) {
      const status = await sender.send(it)
      const expected = name === 'nginx' ? (it.modsecurity ?? it.expected) : it.expected
      const found = status === 0 ? 'pass' : status
      count++
      if (found === expected) continue
      wrong++
      console.log(
        `${name}: ${scenario.name}: ${it.why}: expected ${expected}, found ${found} (${it.sent.method ?? 'GET'} ${it.sent.uri})`,
      )
    }
  }
  console.log(`${name}: ${count} requests, ${wrong} not as expected`)
  return wrong
}

const chosen = process.argv.slice(2)
let wrong = 0
if (chosen.length === 0 || chosen.includes('coraza')) {
  await using engine = Coraza.build()
  wrong += await runAll('coraza', {
    load: async (it) => {
      await engine.load(filesOf(it, 'coraza'))
    },
    send: async (entry) => {
      const { status } = await engine.send({
        ip: entry.sent.ip ?? '127.0.0.1',
        method: entry.sent.method ?? 'GET',
        uri: entry.sent.uri,
        protocol: 'HTTP/1.1',
        headers: headersOf(entry),
        body: Buffer.from(entry.sent.body ?? '').toString('base64'),
      })
      return status
    },
  })
}
if (chosen.length === 0 || chosen.includes('nginx')) {
  await using nginx = await Nginx.start()
  wrong += await runAll('nginx', {
    load: (it) => nginx.load(filesOf(it, 'modsecurity')),
    send: async (it) => {
      const status = await nginx.send({ ...it.sent, headers: headersOf(it) })
      return status === 200 ? 0 : status
    },
  })
}
process.exitCode = wrong === 0 ? 0 : 1
