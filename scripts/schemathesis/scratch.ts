/** A server on a scratch workspace with something in it, for programs that call every operation. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const email = 'owner@example.test'
export const password = 'plum Kettle 91 harbour'

export interface Scratch {
  readonly url: string
  readonly folder: string
  /** Values of path parameters that name something. */
  readonly ids: Readonly<Record<string, string>>
  /** The header of the owner, for fifteen minutes. */
  readonly bearer: string
  /** Asks as the owner; the fields of the answer. Throws where it is no success. */
  ask(method: string, path: string, body?: object): Promise<Record<string, unknown>>
  stop(): Promise<void>
}

interface Server {
  readonly url: string
  stop(): Promise<void>
}

async function startServer(
  program: readonly string[],
  env: Record<string, string | undefined>,
  log: string | undefined,
): Promise<Server> {
  const command = [...program, 'serve', '--port', '0', '--sample', '--log-level', log === undefined ? 'error' : 'warn']
  const child = Bun.spawn(command, { env, stdout: 'pipe', stderr: log === undefined ? 'inherit' : Bun.file(log) })
  let text = ''
  for await (const piece of child.stdout) {
    text += new TextDecoder().decode(piece)
    const url = /http:\/\/[\d.]+:\d+/.exec(text)?.[0]
    if (url === undefined) continue
    return {
      url,
      async stop() {
        child.kill('SIGTERM')
        await child.exited
      },
    }
  }
  throw new Error(`the server ended: ${text}`)
}

/** Asks a server as its owner; the fields of the answer. */
async function signedIn(url: string) {
  const send = async (method: string, path: string, token: string | null, body?: object) => {
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const answer = await fetch(url + path, init)
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Record<string, unknown>
  }
  const { access_token } = await send('POST', '/v1/auth/login', null, { email, password })
  const token = String(access_token)
  return { token, ask: (method: string, path: string, body?: object) => send(method, path, token, body) }
}

const idOf = (answer: Record<string, unknown>): string => String(answer['id'])
const firstOf = (answer: Record<string, unknown>): Record<string, unknown> =>
  (answer['items'] as Record<string, unknown>[])[0] ?? {}

/**
 * Starts a server on loopback with an account, the sample project, a style guide, a consumer and an import.
 * @param program the command line of svc
 * @param settings more settings of the server
 * @param log path of a file for its log, warnings included; errors go to standard error without one
 */
export async function startScratch(
  program: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  log?: string,
): Promise<Scratch> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-scratch-'))
  const env = {
    ...process.env,
    SVC_WORKSPACE: folder,
    SVC_MCP_HTTP_PORT: '0',
    SVC_USER_PASSWORD: password,
    ...settings,
  }
  const server = await startServer(program, env, log)
  const stop = async (): Promise<void> => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const made = Bun.spawnSync([...program, 'user', 'create', email], { env })
    if (made.exitCode !== 0) throw new Error(made.stderr.toString())
    const { token, ask } = await signedIn(server.url)
    const project = firstOf(await ask('GET', '/v1/tenants/local/projects'))
    const version = firstOf(await ask('GET', '/v1/tenants/local/projects/bookshop/versions'))
    const guide = await ask('POST', '/v1/style-guides/local', { name: 'Scratch' })
    await ask('POST', '/v1/tenants/local/projects/bookshop/consumers', { name: 'Shop' })
    const source = { kind: 'inline', name: 'a.yaml', content: 'openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\n' }
    const job = await ask('POST', '/v1/tenants/local/imports', { source, project_slug: 'scratch' })
    const slug = String(version['slug'])
    const ids = {
      tenant_slug: 'local',
      project_ref: 'bookshop',
      project_slug: 'bookshop',
      project_id: idOf(project),
      version_ref: slug,
      version_slug: slug,
      version_id: idOf(version),
      version_record_id: idOf(version),
      class_name: 'Book',
      consumer_ref: 'shop',
      guide_id: idOf(guide),
      job_id: String(job['job_id']),
    }
    return { url: server.url, folder, ids, bearer: `Bearer ${token}`, ask, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
