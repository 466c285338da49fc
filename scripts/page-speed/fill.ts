/** Fills a workspace with an organization of many projects and with all that its pages list. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { binary, startServer } from '../../bench/measure.ts'
import { writeDescriptions } from './generate.ts'

export const account = { email: 'pages@example.test', password: 'correct horse battery staple' }

type Env = Readonly<Record<string, string>>
const root = '/v1/tenants/local'

function svc(env: Env, ...args: readonly string[]): void {
  const result = Bun.spawnSync([binary, ...args], {
    env: { ...process.env, ...env, SVC_USER_PASSWORD: account.password },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  // 6: some of the documents cannot be published.
  if (result.exitCode !== 0 && result.exitCode !== 6)
    throw new Error(`svc ${args.join(' ')}: ${result.exitCode} ${result.stderr.toString().slice(-2000)}`)
}

/** Imports and publishes the generated descriptions and those of a folder. */
function importAll(env: Env, count: number, documents: string | null): void {
  const folder = mkdtempSync(join(tmpdir(), 'svc-page-speed-documents-'))
  writeDescriptions(folder, count)
  if (documents !== null)
    for (const entry of readdirSync(documents, { withFileTypes: true }))
      if (entry.isFile() && /\.(json|ya?ml)$/.test(entry.name))
        cpSync(join(documents, entry.name), join(folder, entry.name))
  const published = ['--publish', 'public', '--force', '--reason', 'measured']
  svc(env, 'import', 'auto', folder, '--bulk', ...published, '--import-timeout', '60m')
  rmSync(folder, { recursive: true })
}

type Ask = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>

async function askerOf(url: string): Promise<Ask> {
  const send = async (method: string, path: string, body: unknown, headers: Record<string, string>) => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
  }
  const { access_token: token } = await send('POST', '/v1/auth/login', account, {})
  return (method, path, body) => send(method, path, body, { authorization: `Bearer ${String(token)}` })
}

const owners = ['Billing', 'Shipping', 'Travel', 'Identity', 'Search', 'Support', 'Platform']
const lifecycles = ['experimental', 'production', 'deprecated']

/** Facts of every project; consumers with contracts of every tenth; a guide of its own for every fourth. */
async function describeProjects(ask: Ask, slugs: readonly string[]): Promise<void> {
  const guide = await ask('POST', '/v1/style-guides/local', { name: 'House', sourceGuideId: 'svc-recommended' })
  for (const [n, slug] of slugs.entries()) {
    const project = `${root}/projects/${slug}`
    const facts = {
      owner: owners[n % owners.length],
      lifecycle: lifecycles[n % lifecycles.length],
      tags: [`team-${n % 23}`, n % 2 === 0 ? 'public' : 'internal'],
    }
    await ask('PATCH', project, facts)
    if (n % 4 === 0) await ask('PUT', `/v1/style-guides/local/${String(guide['id'])}/assignments/projects/${slug}`)
    if (n % 10 !== 0) continue
    for (const name of [`App ${n}`, `Kiosk ${n % 50}`]) {
      const { handle } = (await ask('POST', `${project}/consumers`, { name, owner: facts.owner })) as { handle: string }
      const operations = [{ method: 'GET', path: '/orders' }]
      await ask('PUT', `${project}/consumers/${handle}/contract`, { operations })
    }
  }
}

/** Many of all the rest: types, drafts, gateways, webhooks, keys, and 60 consumers of one project. */
async function addTheRest(ask: Ask, slugs: readonly string[]): Promise<void> {
  for (let n = 0; n < 300; n++) {
    const schema = { type: 'object', properties: { id: { type: 'string' }, [`field_${n}`]: { type: 'integer' } } }
    await ask('POST', '/v1/primitives/local', { namespace: `local/area-${n % 12}`, name: `Type${n}`, schema })
  }
  const [first = ''] = slugs
  for (let n = 0; n < 60; n++) await ask('POST', `${root}/projects/${first}/consumers`, { name: `Client ${n}` })
  for (const slug of slugs.slice(0, 120))
    await ask('POST', `${root}/projects/${slug}/versions`, { label: '9.0.0', from: 'latest' })
  for (let n = 0; n < 12; n++) await ask('POST', '/v1/slate/environments', { name: `Region ${n}` })
}

/** Creates an account, imports the documents and adds what belongs to them. */
export async function fill(env: Env, count: number, documents: string | null): Promise<void> {
  importAll(env, count, documents)
  svc(env, 'user', 'create', account.email)
  const server = await startServer([binary, 'serve', '--port', '0', '--log-level', 'silent'], { ...env })
  try {
    const ask = await askerOf(server.url)
    const slugs: string[] = []
    for (let offset = 0; ; offset += 200) {
      const page = await ask('GET', `${root}/projects?limit=200&offset=${offset}`)
      const items = page['items'] as { slug: string }[]
      slugs.push(...items.map(({ slug }) => slug))
      if (items.length === 0 || slugs.length >= Number(page['total'])) break
    }
    await describeProjects(ask, slugs)
    await addTheRest(ask, slugs)
  } finally {
    await server.stop()
  }
}
