/**
 * Measures what the rules of a document cost a gateway: requests that the document describes, with no rules and with the rules of documents
 * of 50 and 500 operations, in turns, so that all see the same machine. Both gateways are real and pass requests on to an nginx that
 * answers at once.
 *
 *     node scripts/bun.mjs run scripts/gateway-cost.ts [--rounds=5] [--caddy=PATH]
 *
 * Needs wrk and nginx with ModSecurity (Debian: wrk, nginx, libnginx-mod-http-modsecurity), and for Coraza a Caddy that has the directive
 * coraza_waf (test/gateway/caddy builds one). Exit code 1 where a bound of the guide is missed.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compileRelease } from '../src/gateway/compile/index.ts'
import type { DialectName } from '../src/gateway/dialects/index.ts'
import { placedIn } from '../src/gateway/release/place.ts'
import { firstPolicy, positiveChecks, type Policy, type PositiveCheck } from '../src/gateway-policy/model.ts'
import { costDocument, costRequests, type CostRequest } from './gateway/cost-document.ts'
import { writeFiles } from './gateway/coraza.ts'
import { median } from './gateway/median.ts'

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { rounds: { type: 'string', default: '5' }, caddy: { type: 'string' } },
})
const rounds = Number(values.rounds)
const seconds = 2
const sizes = [50, 500] as const
const kinds = ['GET', 'POST'] as const
type Kind = (typeof kinds)[number]
/** How many operations the rules are of; 0: the engine runs without rules. */
type Rules = 0 | (typeof sizes)[number]

/** The bounds of the guide. */
const bounds = { GET: 2, POST: 3, growth: 1.3 }

const folder = mkdtempSync(join(tmpdir(), 'svc-cost-'))
const running: Bun.Subprocess[] = []
let nextPort = 18_740

const block = Object.fromEntries(positiveChecks.map((it) => [it, 'block'])) as Record<PositiveCheck, 'block'>

/** A release with nothing but the checks of the document, or with no checks at all. */
function release(dialect: DialectName, rules: Rules): string {
  const first = firstPolicy('off')
  const policy: Policy = {
    ...first,
    presets: { ...first.presets, bot: 'off' },
    positive:
      rules === 0 ? null : { projectId: 'p', version: 'latest', mode: 'block', checks: block, stripPrefix: null },
  }
  const { files } = compileRelease({
    policy,
    policyVersion: 1,
    environment: { id: 'e', slug: 'e', hostnames: [], basePaths: [] },
    document: rules === 0 ? null : costDocument(rules),
    dialect,
    releaseId: 'r',
    crs: 'bundled',
  })
  const place = join(folder, `${dialect}-${rules}`)
  writeFiles(
    place,
    files.map((it) => placedIn(it, place)),
  )
  return place
}

const temporary = (name: string): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((it) => `${it}_temp_path ${folder}/${name}-${it};`).join(' ')

const nginxBase = (name: string): string => `daemon off; master_process off; pid ${folder}/${name}.pid;
error_log ${folder}/${name}.log error;
events { worker_connections 512; }
`

function start(words: readonly string[], environment: Readonly<Record<string, string>> = {}): Bun.Subprocess {
  const started = Bun.spawn([...words], { stdout: 'ignore', stderr: 'ignore', env: { ...process.env, ...environment } })
  running.push(started)
  return started
}

function startNginx(name: string, text: string): Bun.Subprocess {
  const file = join(folder, `${name}.conf`)
  writeFileSync(file, text)
  return start(['nginx', '-c', file])
}

const upstream = nextPort++
startNginx(
  'upstream',
  `${nginxBase('upstream')}http { access_log off; keepalive_requests 1000000000; ${temporary('upstream')}
server { listen 127.0.0.1:${upstream}; location / { return 200 "ok"; } } }`,
)

interface Gateway {
  readonly engine: string
  readonly rules: Rules
  readonly url: string
  readonly pid: number
}

async function whenReady(url: string): Promise<void> {
  for (const end = Date.now() + 60_000; ; await Bun.sleep(50))
    try {
      await fetch(url)
      return
    } catch {
      if (Date.now() > end) throw new Error(`${url} does not answer`)
    }
}

async function nginxGateway(rules: Rules): Promise<Gateway> {
  const port = nextPort++
  const place = release('modsecurity', rules)
  const { pid } = startNginx(
    `gateway-${rules}`,
    `include /etc/nginx/modules-enabled/*.conf;
${nginxBase(`gateway-${rules}`)}http { access_log off; keepalive_requests 1000000000; ${temporary(`gateway-${rules}`)}
upstream service { server 127.0.0.1:${upstream}; keepalive 32; keepalive_requests 1000000000; }
server { listen 127.0.0.1:${port}; modsecurity on; modsecurity_rules_file ${place}/svc.conf;
location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://service; } } }`,
  )
  const url = `http://127.0.0.1:${port}`
  await whenReady(url)
  return { engine: 'nginx with ModSecurity', rules, url, pid }
}

async function caddyGateway(program: string, rules: Rules): Promise<Gateway> {
  const port = nextPort++
  const file = join(folder, `Caddyfile-${rules}`)
  writeFileSync(
    file,
    `{
	admin off
	auto_https off
	persist_config off
	order coraza_waf first
}
http://127.0.0.1:${port} {
	coraza_waf {
		directives "Include ${release('coraza', rules)}/svc.conf"
	}
	reverse_proxy 127.0.0.1:${upstream}
}
`,
  )
  const { pid } = start([program, 'run', '--adapter', 'caddyfile', '--config', file], { GOMAXPROCS: '1' })
  const url = `http://127.0.0.1:${port}`
  await whenReady(url)
  return { engine: 'Caddy with Coraza', rules, url, pid }
}

/** A script of wrk that sends the requests in turns. */
function script(name: string, requests: readonly CostRequest[]): string {
  const file = join(folder, `${name}.lua`)
  const list = requests.map(({ method, uri, body }) =>
    body === ''
      ? `wrk.format("${method}", ${JSON.stringify(uri)})`
      : `wrk.format("${method}", ${JSON.stringify(uri)}, {["Content-Type"]="application/json"}, ${JSON.stringify(body)})`,
  )
  writeFileSync(
    file,
    `local list = {}
local at = 0
function init() list = {${list.join(',\n')}} end
function request() at = at % #list + 1 return list[at] end
`,
  )
  return file
}

/** Processor time of a process so far, in microseconds. */
const processorTime = (pid: number): number => {
  const [, , ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) | /)
  return (Number(fields[10]) + Number(fields[11])) * 10_000
}

interface Sample {
  readonly perSecond: number
  /** Processor time of the gateway. */
  readonly microseconds: number
}

function measure({ url, pid }: Gateway, file: string): Sample {
  const before = processorTime(pid)
  const { stdout } = spawnSync('wrk', ['-t1', '-c8', `-d${seconds}s`, '-s', file, url], { encoding: 'utf8' })
  const used = processorTime(pid) - before
  const count = Number(/(\d+) requests in/.exec(stdout)?.[1])
  const refused = /Non-2xx[^\n]*/.exec(stdout)?.[0]
  if (!(count > 0) || refused !== undefined) throw new Error(`${url}: ${refused ?? stdout}`)
  return { perSecond: Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)?.[1]), microseconds: used / count }
}

const scripts = new Map(
  sizes.flatMap((size) =>
    kinds.map((kind) => [`${kind} ${size}`, script(`${kind}-${size}`, costRequests(size)[kind])]),
  ),
)

/** The factor of the processor time of a request, in each round, and the median. */
const factor = (with_: readonly Sample[], without: readonly Sample[]): number =>
  median(with_.map((it, i) => it.microseconds / (without[i]?.microseconds ?? Number.NaN)))

function report(engine: string, samples: ReadonlyMap<string, readonly Sample[]>): boolean {
  const of = (rules: Rules, kind: Kind, size: number): readonly Sample[] =>
    samples.get(`${rules} ${kind} ${size}`) ?? []
  let isWithin = true
  for (const kind of kinds) {
    for (const size of sizes) {
      const [bare, ruled] = [of(0, kind, size), of(size, kind, size)]
      const cost = factor(ruled, bare)
      isWithin &&= cost <= bounds[kind]
      console.log(
        `| ${engine} | ${kind} | ${size} | ${median(bare.map((it) => it.perSecond)).toFixed(0)}/s, ${median(bare.map((it) => it.microseconds)).toFixed(0)} µs | ` +
          `${median(ruled.map((it) => it.perSecond)).toFixed(0)}/s, ${median(ruled.map((it) => it.microseconds)).toFixed(0)} µs | ÷${cost.toFixed(2)} |`,
      )
    }
    const growth = factor(of(500, kind, 500), of(50, kind, 50))
    const each =
      median(of(500, kind, 500).map((it, i) => it.microseconds - (of(50, kind, 50)[i]?.microseconds ?? 0))) / 450
    isWithin &&= growth <= bounds.growth
    console.log(
      `| ${engine} | ${kind} | 500 against 50 | | ${(each * 1000).toFixed(0)} ns for each operation | ×${growth.toFixed(2)} |`,
    )
  }
  return isWithin
}

let isWithin = true
try {
  await whenReady(`http://127.0.0.1:${upstream}`)
  const { caddy } = values
  const makers = [nginxGateway, ...(caddy === undefined ? [] : [(rules: Rules) => caddyGateway(caddy, rules)])]
  console.log(
    '| Engine | Request | Operations | No rules | Rules of the document | Factor |\n|---|---|---|---|---|---|',
  )
  for (const make of makers) {
    const gateways: Gateway[] = []
    for (const rules of [0, ...sizes] as const) gateways.push(await make(rules))
    const samples = new Map<string, Sample[]>()
    for (let round = 0; round < rounds; round++)
      for (const kind of kinds)
        for (const size of sizes)
          for (const gateway of gateways.filter(({ rules }) => rules === 0 || rules === size)) {
            const key = `${gateway.rules} ${kind} ${size}`
            samples.set(key, [...(samples.get(key) ?? []), measure(gateway, scripts.get(`${kind} ${size}`) ?? '')])
          }
    isWithin = report(gateways[0]?.engine ?? '', samples) && isWithin
  }
  console.log(`\nMedians of ${rounds} rounds in turns, ${seconds} s each; load ${loadavg()[0]?.toFixed(1)} at the end.`)
} finally {
  for (const it of running) it.kill('SIGTERM')
  await Promise.all(running.map((it) => it.exited))
  rmSync(folder, { recursive: true })
}
process.exitCode = isWithin ? 0 : 1
