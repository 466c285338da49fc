/** The program itself, configured by variables, and a real issuer: two processes and a browser without scripts. */
import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startIssuer, Visitor } from './issuer.ts'

const main = join(import.meta.dir, '../../../cli/main.ts')

test('svc serve signs people in at the issuer that SVC_OIDC_ISSUER names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-oidc-'))
  const issuer = await startIssuer()
  const service = Bun.spawn([process.execPath, main, '--workspace', folder, 'serve', '--port', '0'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      SVC_OIDC_ISSUER: issuer.url,
      SVC_OIDC_CLIENT_ID: 'svc',
      SVC_OIDC_CLIENT_SECRET: 'a secret & more',
      SVC_OIDC_PROVISION: 'all',
      SVC_EGRESS_ALLOW: '127.0.0.0/8',
      SVC_MCP_ENABLED: 'false',
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  try {
    let said = ''
    let base = ''
    for await (const chunk of service.stdout) {
      said += new TextDecoder().decode(chunk)
      base = /listens on (http:\S+)/.exec(said)?.[1] ?? ''
      if (base !== '') break
    }
    await issuer.register(`${base}/_app/oidc/callback`)
    const visitor = new Visitor()
    const start = Visitor.next(await visitor.visit(`${base}/_app/oidc/start?return_to=/app/t/acme`), base)
    const back = await visitor.passIssuer(start, 'ann', base)
    const done = await visitor.visit(back)
    expect([done.status, done.headers.get('location')]).toEqual([302, '/app/t/acme'])
    const me = await visitor.visit(`${base}/v1/auth/me`)
    expect(((await me.json()) as { user: { email: string } }).user.email).toBe('ann@example.com')
    service.kill('SIGTERM')
    const [log, exit] = [await new Response(service.stderr).text(), await service.exited]
    const secrets = [...new URL(back).searchParams].filter(([name]) => name !== 'iss').map(([, value]) => value)
    expect([exit, secrets.length, secrets.filter((it) => log.includes(it)), log.includes('a secret')]).toEqual([
      0,
      2,
      [],
      false,
    ])
    expect(log).toContain('/_app/oidc/callback')
  } finally {
    service.kill()
    await issuer.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)
