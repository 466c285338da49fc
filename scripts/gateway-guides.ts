/**
 * Follows the guides of gateways word for word: writes the files that they show, runs the commands that they show, in their order, and checks
 * that what they say comes out. What a reader fills in (the address of the service, the keys) is filled in, and nothing else is changed.
 *
 *     node scripts/bun.mjs run scripts/gateway-guides.ts nginx
 *     node scripts/bun.mjs run scripts/gateway-guides.ts caddy --caddy=PATH
 *
 * Needs root on Linux (it makes a room of its own with `unshare`, see `scripts/gateway/guide-room.ts`), systemd-analyze, openssl, and the Debian
 * packages of the guide of nginx, or a Caddy with the directive "coraza_waf" (test/gateway/caddy builds one).
 */
import { readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { commandsIn, readGuide, says, type GuideStep } from './gateway/guide.ts'
import { furnish, guideFolder, inRoom, workspace, writeTo } from './gateway/guide-room.ts'
import { ask, check, startProgram, stopPrograms, summary, until } from './gateway/walk.ts'

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { inside: { type: 'boolean', default: false }, caddy: { type: 'string' } },
})
const guides = join(import.meta.dir, '../docs/guides')
const servicePort = 8787

/** What a reader fills in. */
const filled = new Map<string, string>([['https://svc.example.com', `http://127.0.0.1:${servicePort}`]])
const fillIn = (text: string): string =>
  [...filled].reduce((rest, [written, meant]) => rest.replaceAll(written, meant), text)

interface Ran {
  readonly code: number
  readonly output: string
}
async function run(command: string): Promise<Ran> {
  const child = Bun.spawn(['bash', '-c', `timeout 120 bash -c "$0" 2>&1`, command], {
    cwd: guideFolder,
    stdin: 'ignore',
    stdout: 'pipe',
    env: { ...process.env, SVC_WORKSPACE: workspace },
  })
  const output = await new Response(child.stdout).text()
  return { code: await child.exited, output }
}

/** The keys that the guide says are shown once. */
function keepKeys(output: string): void {
  const [key, publicKey] = [/^key: +(\S+)/m.exec(output)?.[1], /^public key: +(\S+)/m.exec(output)?.[1]]
  if (key === undefined || publicKey === undefined) return
  filled.set('SVC_GATEWAY_KEY=svg_…', `SVC_GATEWAY_KEY=${key}`)
  filled.set('SVC_GATEWAY_PUBLIC_KEY=…', `SVC_GATEWAY_PUBLIC_KEY=${publicKey}`)
}

/** Runs the commands of a block; the last one is asked again until it says what the guide says. */
async function follow(step: Extract<GuideStep, { kind: 'run' }>, named: string): Promise<void> {
  const commands = commandsIn(step.text)
  for (const [at, command] of commands.entries()) {
    let ran = await run(fillIn(command))
    keepKeys(ran.output)
    const isLast = at === commands.length - 1
    const isDone = () => ran.code === 0 && (!isLast || says(ran.output, step.expected))
    for (const end = Date.now() + 60_000; !isDone() && Date.now() < end;) {
      await Bun.sleep(1000)
      ran = await run(fillIn(command))
    }
    check(`${named}: ${command}`, isDone(), true)
    if (!isDone()) console.log(ran.output)
  }
}

/** The service that the guide takes for granted, with the environment "production". */
async function startService(): Promise<void> {
  await run('svc gateway environment create Production --kind production --host api.example.com')
  startProgram(['sh', '-c', `exec svc serve --port ${servicePort} > /run/service.log 2>&1`], {
    SVC_WORKSPACE: workspace,
  })
  await until('the service answers', async () => (await ask(`http://127.0.0.1:${servicePort}/v1/openapi.json`)) === 200)
}

/** What the site is in front of. */
const startUpstream = (port: number) => Bun.serve({ port, hostname: '127.0.0.1', fetch: () => new Response('ok\n') })

const attack = '/search?q=1%27%20OR%20%271%27%3D%271%27--'
const statusOf = async (path: string): Promise<number> => {
  const at = 'curl -sk -o /dev/null -w "%{http_code}" --resolve api.example.com:443:127.0.0.1'
  return Number((await run(`${at} 'https://api.example.com${path}'`)).output)
}

/** Steps that this script leaves out, by the section that they are in: another way to do the same. */
const leftOut = ['Without containers']

/** Does one step. */
async function take(step: GuideStep): Promise<void> {
  const named = `${step.section} (line ${step.line})`
  if (leftOut.includes(step.section)) console.log(`left   ${named}`)
  else if (step.kind === 'file') {
    writeTo(resolve(guideFolder, step.path), fillIn(step.text), step.text.startsWith('#!'))
    console.log(`wrote  ${named}: ${step.path}`)
  } else if (step.kind === 'run') await follow(step, named)
  else {
    // A file of a release that the guide shows.
    const shown = step.text.replaceAll('DIGEST', '…').trimEnd().split('\n')
    const text = readFileSync('/var/lib/svc-gateway/current/site.caddyfile', 'utf8')
    check(`${named}: it is so in the release`, says(text, shown), true)
  }
}

const protects = async (): Promise<void> => {
  check('a call passes', await statusOf('/'), 200)
  check('an attack is refused', await statusOf(attack), 403)
}

async function nginxGuide(): Promise<void> {
  const upstream = startUpstream(8081)
  const certificate = '-keyout /etc/ssl/private/api.example.com.key -out /etc/ssl/certs/api.example.com.pem'
  await run(
    `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=api.example.com ${certificate}`,
  )
  // The package of Debian starts it.
  await run('nginx')
  for (const step of readGuide(join(guides, 'gateway-nginx.md'))) await take(step)
  await protects()
  await upstream.stop(true)
}

async function caddyGuide(caddy: string): Promise<void> {
  const upstream = startUpstream(8080)
  symlinkSync(resolve(caddy), '/usr/local/bin/caddy')
  // No authority is reached from here: certificates are those of Caddy itself.
  filled.set('\torder coraza_waf first\n', '\tlocal_certs\n\tskip_install_trust\n\torder coraza_waf first\n')
  for (const step of readGuide(join(guides, 'gateway-caddy.md'))) await take(step)
  await protects()
  await upstream.stop(true)
}

async function inside(): Promise<number> {
  const [name] = positionals
  try {
    furnish()
    await startService()
    if (name === 'nginx') await nginxGuide()
    else await caddyGuide(values.caddy ?? 'caddy')
  } catch (error) {
    check(error instanceof Error ? error.message : String(error), 'failed', 'reached')
  }
  await stopPrograms()
  return summary()
}

process.exit(values.inside ? await inside() : await inRoom(import.meta.path, process.argv.slice(2)))
