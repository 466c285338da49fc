/** The life of a gateway, with whatever engine: releases come, refuse requests, break and go back; the service and the agent go away. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileRelease } from '../../src/gateway/compile/index.ts'
import type { DialectName } from '../../src/gateway/dialects/index.ts'
import {
  firstPolicy,
  positiveChecks,
  type Policy,
  type PositiveCheck,
  type PositiveMode,
} from '../../src/gateway-policy/model.ts'
import { gatewayKey, publicKey, signedRelease, startService } from './service.ts'
import { ask, check, startProgram, stopPrograms, summary, until } from './walk.ts'

export const frontPort = 18_490
export const upstreamPort = 18_491
const front = `http://127.0.0.1:${frontPort}`

/** A gateway of one kind. */
export interface Gateway {
  /** As `svc gateway run --engine` has it. */
  readonly name: string
  readonly dialect: DialectName
  /** Writes the configuration. */
  prepare(dir: string, agentDir: string): void
  readonly command: (dir: string) => string
  readonly reload: (dir: string) => string
  readonly options: (dir: string) => string[]
  readonly log: (dir: string) => string
  /** What its rules files have, so that it does not read them. */
  readonly broken: string
  /** The file of the site, and what of it includes the release. */
  readonly site: (dir: string) => { readonly file: string; readonly includes: string }
  /** A body that the document does not allow. */
  readonly wrongBody: number
}

const petName = { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: 8 } } }
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
      post: {
        requestBody: { required: true, content: { 'application/json': { schema: petName } } },
        responses: { '201': { description: 'Made' } },
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
const checks = Object.fromEntries(positiveChecks.map((it) => [it, 'block'])) as Record<PositiveCheck, PositiveMode>
const policy: Policy = {
  ...firstPolicy('standard'),
  positive: { projectId: 'p', version: 'latest', mode: 'block', checks, stripPrefix: null },
}

const releaseOf = (
  dialect: DialectName,
  releaseId: string,
  change: (text: string, path: string) => string = (text) => text,
) => {
  const environment = { id: 'walk', slug: 'walk', hostnames: [], basePaths: [] }
  const compiled = compileRelease({
    policy,
    policyVersion: 1,
    environment,
    document,
    dialect,
    releaseId,
    crs: 'bundled',
  })
  const files = compiled.files.map(({ path, text }) => ({ path, text: change(text, path) }))
  return signedRelease(releaseId, dialect, { ...compiled, files })
}

const eventsOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => (line.startsWith('{') ? [(JSON.parse(line) as { event: string }).event] : []))

function startAgent(gateway: Gateway, dir: string, url: string) {
  const child = startProgram(
    [
      process.execPath,
      'run',
      join(import.meta.dir, '../../cli/main.ts'),
      'gateway',
      'run',
      '--url',
      url,
      '--dir',
      join(dir, 'agent'),
      '--engine',
      gateway.name,
      '--reload',
      gateway.reload(dir),
      '--health',
      `${front}/pets`,
      '--watch',
      '2s',
      '--format',
      'ndjson',
      '--from-start',
      ...gateway.options(dir),
    ],
    { SVC_GATEWAY_KEY: gatewayKey, SVC_GATEWAY_PUBLIC_KEY: publicKey },
  )
  const said = { text: '' }
  void (async () => {
    for await (const chunk of child.stdout) said.text += new TextDecoder().decode(chunk)
  })()
  return { child, events: () => eventsOf(said.text) }
}

const attack = `/pets?q=${encodeURIComponent("1' OR '1'='1'--")}`
const json = { 'content-type': 'application/json' }
/** What becomes of an allowed call, one with a parameter, a path that is not declared, a wrong parameter, an attack and a wrong body. */
const verdicts = async (): Promise<number[]> => [
  await ask(`${front}/pets?limit=5`),
  await ask(`${front}/pets/7`),
  await ask(`${front}/admin`),
  await ask(`${front}/pets/seven`),
  await ask(`${front}${attack}`),
  await ask(`${front}/pets`, { method: 'POST', headers: json, body: '{"name":"Rex"}' }),
  await ask(`${front}/pets`, { method: 'POST', headers: json, body: '{"name":"Rumpelstilzchen"}' }),
]
const passed = [200, 200, 200, 200, 200, 200, 200]

async function walk(gateway: Gateway, dir: string): Promise<void> {
  const agentDir = join(dir, 'agent')
  const enforced = [200, 200, 404, 400, 403, 200, gateway.wrongBody]
  const release = (id: string, change?: (text: string, path: string) => string) =>
    releaseOf(gateway.dialect, id, change)
  const inRules = (more: string) => (text: string, path: string) => (path === '30-rules.conf' ? more + text : text)
  gateway.prepare(dir, agentDir)
  const upstream = Bun.serve({ port: upstreamPort, hostname: '127.0.0.1', fetch: () => new Response('ok\n') })
  let service = startService()
  const has = (id: string, state: string) => () =>
    service.statuses.some((it) => it.releaseId === id && it.state === state)
  const lastError = (): void => console.log(`       ${service.statuses.at(-1)?.error?.replaceAll('\n', ' | ')}`)
  const agent = startAgent(gateway, dir, service.url)
  await until('the agent made its folder', () => existsSync(join(agentDir, 'engine.conf')))
  const engine = startProgram(['sh', '-c', `exec ${gateway.command(dir)} >> ${dir}/engine.out 2>&1`])
  await until('the gateway answers', async () => (await ask(`${front}/pets`)) === 200)
  check('before the first release everything passes', await verdicts(), passed)

  service.offer(release('r-1'))
  await until('r-1 is active', has('r-1', 'active'))
  check('the first release refuses', await verdicts(), enforced)

  service.offer(release('r-2', inRules(gateway.broken)))
  await until('r-2 failed', has('r-2', 'failed'))
  lastError()
  check('a release that the engine does not read changes nothing', await verdicts(), enforced)
  check(
    'and never got the link',
    readFileSync(join(agentDir, 'current/svc.conf'), 'utf8').includes('Release r-1 '),
    true,
  )

  service.offer(release('r-3', inRules('SecAction "id:10999,phase:1,deny,status:503,log"\n')))
  await until('r-3 failed', has('r-3', 'failed'))
  lastError()
  await until('the engine is back', () => agent.events().includes('returned'))
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
  await until('r-4 is active', has('r-4', 'active'))
  await until('records of the time without the service arrive', () =>
    service.records.some((it) => it.kind === 'match' && it.releaseId === 'r-1'),
  )
  check('the service is back, and the next release is used', await verdicts(), enforced)
  await until('counts arrive', () => service.records.some((it) => it.kind === 'seen' && it.route === '/pets/{petId}'))

  const { file, includes } = gateway.site(dir)
  const config = readFileSync(file, 'utf8')
  const rewrite = async (text: string): Promise<void> => {
    writeFileSync(file, text)
    await startProgram(['sh', '-c', gateway.reload(dir)]).exited
  }
  const before = service.statuses.length
  await rewrite(config.replace(includes, ''))
  await until('a site without the release is reported', () =>
    service.statuses.slice(before).some((it) => it.releaseId === 'r-4' && it.state === 'failed'),
  )
  lastError()
  await rewrite(config)
  await until('the site with the release is reported', () => service.statuses.at(-1)?.state === 'active')
  check('a site that loses the release is not reported as active, until it has it again', await verdicts(), enforced)

  agent.child.kill('SIGKILL')
  await agent.child.exited
  check('without the agent traffic continues', await verdicts(), enforced)
  const again = startAgent(gateway, dir, service.url)
  await until('the agent continues', () => again.events().includes('started'))
  again.child.kill('SIGTERM')
  check('SIGTERM ends the agent', await again.child.exited, 0)
  check('and not the gateway', await verdicts(), enforced)

  const text = JSON.stringify(service.records)
  check(
    'no value left the machine',
    ["'1'='1", 'seven', 'Rumpel'].filter((it) => text.includes(it)),
    [],
  )
  const kinds = service.records.map((record) => {
    const place = `${record.method} ${record.route ?? record.pathShape}`
    if (record.kind === 'seen') return `seen ${place}`
    const lead = record.matches.find(({ ruleRef }) => ruleRef === record.ruleRef)
    return `${record.action} ${record.ruleRef} ${place} ${record.status}: ${lead?.field} ${lead?.length} ${lead?.shape}`
  })
  for (const kind of [...new Set(kinds)].toSorted()) console.log(`       ${kind}`)
  engine.kill('SIGTERM')
  await upstream.stop(true)
  await service.stop()
}

/** @returns the exit code */
export async function walkThrough(gateway: Gateway): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), `svc-${gateway.name}-`))
  chmodSync(dir, 0o755)
  try {
    await walk(gateway, dir)
  } catch (error) {
    check(error instanceof Error ? error.message : String(error), 'failed', 'reached')
    for (const path of [gateway.log(dir), join(dir, 'engine.out')])
      if (existsSync(path)) console.log(readFileSync(path, 'utf8').split('\n').slice(-15).join('\n'))
  } finally {
    await stopPrograms()
    if (!process.argv.includes('--keep')) rmSync(dir, { recursive: true, force: true })
  }
  return summary()
}
