/**
 * Walks through the life of a gateway with a real nginx and ModSecurity: releases of `svc gateway run` come, refuse requests, break and go
 * back, and the service goes away. Needs the Debian packages nginx, libnginx-mod-http-modsecurity and modsecurity-crs; everything else is
 * in a folder of its own, on loopback.
 *
 *     node scripts/bun.mjs run scripts/gateway-agent-nginx.ts
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileRelease } from '../src/gateway/compile/index.ts'
import {
  firstPolicy,
  positiveChecks,
  type Policy,
  type PositiveCheck,
  type PositiveMode,
} from '../src/gateway/policy/model.ts'
import { publicKey, signedRelease, startService } from './gateway/service.ts'
import { ask, check, startProgram, stopPrograms, summary, until } from './gateway/walk.ts'

const root = join(import.meta.dir, '..')
const dir = mkdtempSync(join(tmpdir(), 'svc-nginx-'))
chmodSync(dir, 0o755)
const agentDir = join(dir, 'agent')
const [frontPort, upstreamPort] = [18_490, 18_491]
const front = `http://127.0.0.1:${frontPort}`

const document = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1.0.0' },
  paths: {
    '/pets': {
      get: {
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } },
          { name: 'q', in: 'query', schema: { type: 'string' } },
        ],
        responses: { '200': { description: 'Pets' } },
      },
    },
    '/pets/{petId}': {
      get: {
        parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { '200': { description: 'A pet' } },
      },
    },
  },
}
const allChecks = Object.fromEntries(positiveChecks.map((it) => [it, 'block'])) as Record<PositiveCheck, PositiveMode>
const policy: Policy = {
  ...firstPolicy('standard'),
  positive: { projectId: 'p', version: 'latest', mode: 'block', checks: allChecks, stripPrefix: null },
}
const release = (releaseId: string, change: (text: string, path: string) => string = (text) => text) => {
  const compiled = compileRelease({
    policy,
    policyVersion: 1,
    environment: { id: 'walk', slug: 'walk', hostnames: [], basePaths: [] },
    document,
    engine: 'modsecurity',
    releaseId,
    crs: 'bundled',
  })
  return signedRelease(releaseId, 'modsecurity', {
    ...compiled,
    files: compiled.files.map(({ path, text }) => ({ path, text: change(text, path) })),
  })
}

function writeNginx(): void {
  for (const name of ['logs', 'tmp']) mkdirSync(join(dir, name))
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((it) => `${it}_temp_path ${dir}/tmp;`)
  writeFileSync(
    join(dir, 'nginx.conf'),
    `load_module /usr/lib/nginx/modules/ngx_http_modsecurity_module.so;
daemon off; worker_processes 1; pid ${dir}/nginx.pid; error_log ${dir}/logs/error.log info;
events { worker_connections 64; }
http {
  ${paths.join(' ')}
  access_log ${dir}/logs/access.log combined;
  server {
    listen 127.0.0.1:${frontPort};
    modsecurity on;
    modsecurity_rules_file ${agentDir}/engine.conf;
    location / { proxy_pass http://127.0.0.1:${upstreamPort}; }
  }
}
`,
  )
}

const nginx = `nginx -p ${dir} -c ${dir}/nginx.conf`
const eventsOf = (seen: string): string[] =>
  seen.split('\n').flatMap((line) => (line.startsWith('{') ? [(JSON.parse(line) as { event: string }).event] : []))

function startAgent(url: string) {
  const child = startProgram(
    [
      process.execPath,
      'run',
      join(root, 'cli/main.ts'),
      'gateway',
      'run',
      '--url',
      url,
      '--dir',
      agentDir,
      '--engine',
      'nginx',
      '--reload',
      `${nginx} -t -q && ${nginx} -s reload`,
      '--health',
      `${front}/pets`,
      '--watch',
      '2s',
      '--error-log',
      join(dir, 'logs/error.log'),
      '--access-log',
      join(dir, 'logs/access.log'),
      '--format',
      'ndjson',
      '--from-start',
    ],
    { SVC_GATEWAY_KEY: 'walk', SVC_GATEWAY_PUBLIC_KEY: publicKey },
  )
  const said = { text: '' }
  void (async () => {
    for await (const chunk of child.stdout) said.text += new TextDecoder().decode(chunk)
  })()
  return { child, events: () => eventsOf(said.text), text: () => said.text }
}

const attack = `/pets?q=${encodeURIComponent("1' OR '1'='1'--")}`
const verdicts = async (): Promise<number[]> => [
  await ask(`${front}/pets?limit=5`),
  await ask(`${front}/pets/7`),
  await ask(`${front}/admin`),
  await ask(`${front}/pets/seven`),
  await ask(`${front}${attack}`),
]
const enforced = [200, 200, 404, 400, 403]

async function walk(): Promise<void> {
  writeNginx()
  const upstream = Bun.serve({ port: upstreamPort, hostname: '127.0.0.1', fetch: () => new Response('ok\n') })
  let service = startService()
  const agent = startAgent(service.url)
  await until('the agent made its folder', async () => await Bun.file(join(agentDir, 'engine.conf')).exists())
  const engine = startProgram(['sh', '-c', `exec ${nginx}`])
  await until('nginx answers', async () => (await ask(`${front}/pets`)) === 200)
  check('before the first release everything passes', await verdicts(), [200, 200, 200, 200, 200])

  service.offer(release('r-1'))
  await until('r-1 is active', () => service.statuses.some((it) => it.releaseId === 'r-1' && it.state === 'active'))
  check('the first release refuses', await verdicts(), enforced)

  service.offer(
    release('r-2', (text, path) =>
      path === '30-rules.conf' ? `${text}SecRule ARGS "@rx (" "id:20999,phase:2,deny"\nSecNoSuchDirective On\n` : text,
    ),
  )
  await until('r-2 failed', () => service.statuses.some((it) => it.releaseId === 'r-2' && it.state === 'failed'))
  console.log(`       ${service.statuses.at(-1)?.error?.replaceAll('\n', ' | ')}`)
  check('a release that nginx does not read changes nothing', await verdicts(), enforced)
  check(
    'and never got the link',
    readFileSync(join(agentDir, 'current/svc.conf'), 'utf8').includes('Release r-1 '),
    true,
  )

  const everything = 'SecAction "id:10999,phase:1,deny,status:503,log"\n'
  service.offer(release('r-3', (text, path) => (path === '30-rules.conf' ? everything + text : text)))
  await until('nginx uses r-3', () => agent.events().filter((it) => it === 'release-used').length === 2)
  await until('r-3 failed', () => service.statuses.some((it) => it.releaseId === 'r-3' && it.state === 'failed'))
  console.log(`       ${service.statuses.at(-1)?.error?.replaceAll('\n', ' | ')}`)
  await until('nginx is back', () => agent.events().includes('returned'))
  await until('the old workers are gone', async () => (await ask(`${front}/pets`)) === 200)
  check('a release that refuses the health check goes back by itself', await verdicts(), enforced)

  await until('records arrive', () =>
    service.records.some((it) => it.kind === 'match' && it.ruleRef.startsWith('positive:')),
  )
  const { port } = service
  await service.stop()
  await until('the agent notices', () => agent.events().includes('service-not-reached'))
  check('without the service traffic continues under the last good release', await verdicts(), enforced)
  service = startService(port)
  service.offer(release('r-4', (text, path) => (path === 'svc.conf' ? `${text}# r-4\n` : text)))
  await until('r-4 is active', () => service.statuses.some((it) => it.releaseId === 'r-4' && it.state === 'active'))
  await until('records of the time without the service arrive', () =>
    service.records.some((it) => it.kind === 'match' && it.releaseId === 'r-1'),
  )
  check('the service is back, and the next release is used', await verdicts(), enforced)
  await until('counts arrive', () => service.records.some((it) => it.kind === 'seen' && it.route === '/pets/{petId}'))

  agent.child.kill('SIGKILL')
  await agent.child.exited
  check('without the agent traffic continues', await verdicts(), enforced)
  const again = startAgent(service.url)
  await until('the agent continues', () => again.events().includes('started'))
  again.child.kill('SIGTERM')
  check('SIGTERM ends the agent', await again.child.exited, 0)
  check('and not the gateway', await verdicts(), enforced)

  const text = JSON.stringify(service.records)
  check(
    'no value left the machine',
    ["'1'='1", 'seven'].filter((it) => text.includes(it)),
    [],
  )
  const kinds = new Map(
    service.records.map((it) => [
      it.kind === 'match'
        ? `${it.action} ${it.ruleRef} ${it.method} ${it.route ?? it.pathShape} ${it.status}`
        : `seen ${it.method} ${it.route ?? it.pathShape}`,
      it,
    ]),
  )
  for (const kind of [...kinds.keys()].toSorted()) console.log(`       ${kind}`)
  engine.kill('SIGTERM')
  await upstream.stop(true)
  await service.stop()
}

try {
  await walk()
} catch (error) {
  check(error instanceof Error ? error.message : String(error), 'failed', 'reached')
  const log = join(dir, 'logs/error.log')
  if (existsSync(log)) console.log(readFileSync(log, 'utf8').split('\n').slice(-15).join('\n'))
} finally {
  await stopPrograms()
  if (!process.argv.includes('--keep')) rmSync(dir, { recursive: true, force: true })
}
process.exit(summary())
